/** Consumer group in which the loader commits its positions in the streams. */
export const GROUP = 'warehouse';

/** Consumer group that distributes the tables among the workers for merging. It is used if several workers land records. */
export const MERGES = 'merges';

/** Client id of a worker in the consumer group {@link MERGES}. */
export const mergerId = (clientId: string): string => `${clientId}-merges`;
