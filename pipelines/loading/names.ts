/** Group under which the loader commits its positions in the streams. */
export const GROUP = 'warehouse';

/** Consumer group that assigns each table to a worker if several workers land. That worker merges the table. */
export const MERGES = 'merges';

/** Client id of a worker in the consumer group {@link MERGES}. */
export const mergerId = (clientId: string): string => `${clientId}-merges`;

/** Name under which the loader reports waits. */
export const PART = 'jobs';
