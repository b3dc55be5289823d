/** Group of the loader's committed positions in the streams. */
export const GROUP = 'warehouse';

/** Consumer group that assigns each table to the worker that merges it, if several workers land. */
export const MERGES = 'merges';

/** Client id of a worker in the group {@link MERGES}. */
export const mergerId = (clientId: string): string => `${clientId}-merges`;

/** Name of the loader in reported waits. */
export const PART = 'jobs';
