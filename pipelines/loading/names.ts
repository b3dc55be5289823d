/** Group that the loader commits as: one, since one loader lands every partition of a stream. */
export const GROUP = 'warehouse';

/** Group by which the brokers assign who merges into which table, if several workers land. */
export const MERGES = 'merges';

/** As which a process that lands takes part in that. */
export const mergerId = (clientId: string): string => `${clientId}-merges`;

/** The part of the program that the loader is, as its waits name it. */
export const PART = 'jobs';
