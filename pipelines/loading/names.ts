/** Group under which the loader commits its positions in the streams. */
export const GROUP = 'warehouse';

/** Consumer group that assigns each table to the worker that merges it. Used if several workers land records. */
export const MERGES = 'merges';

/** Client id of a worker in the consumer group {@link MERGES}. */
export const mergerId = (clientId: string): string => `${clientId}-merges`;

/** Name under which the loader reports waits. */
export const PART = 'jobs';
