import type { FetchedMessage, FetchedPartition } from './internals.ts';

/** Key of the marker that ends an aborted transaction: version 0, type 0. */
const ABORT = Buffer.alloc(4);

/**
 * Marks records of aborted transactions as not deliverable. kafkajs expects aborted transactions in the order in which they
 * began, but brokers list them in the order in which they ended. If two aborted transactions overlap, kafkajs therefore delivers
 * records of one of them. It also mistakes a record whose key is four zero bytes for a marker.
 */
export function skipAborted(fetched: FetchedPartition): void {
  const waiting = (fetched.abortedTransactions ?? [])
    .map(({ producerId, firstOffset }) => ({ producerId, first: Number(firstOffset) }))
    .sort((one, other) => one.first - other.first);
  fetched.abortedTransactions = [];
  if (waiting.length === 0) return;
  const aborted = new Set<string>();
  let next = 0;
  for (const message of fetched.messages) {
    const offset = Number(message.offset);
    while (next < waiting.length && waiting[next]!.first <= offset) aborted.add(waiting[next++]!.producerId);
    const { producerId, inTransaction } = message.batchContext;
    if (message.isControlRecord) {
      if (isAbort(message)) aborted.delete(producerId);
    } else if (inTransaction && aborted.has(producerId)) {
      message.isControlRecord = true;
    }
  }
}

function isAbort({ key }: FetchedMessage): boolean {
  return key?.subarray(0, 4).equals(ABORT) === true;
}
