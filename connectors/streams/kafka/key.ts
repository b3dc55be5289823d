import type { StreamName, StreamRecords } from '@aorta/schemas';

/**
 * Returns the Kafka key of a record. The key is the user, so that a user's records are in one partition and stay in order. The
 * key of a record without a user (an unreadable delivery) is its source partition, which keeps the order of the source.
 */
export function keyOf(record: StreamRecords[StreamName]): string {
  const user = 'event' in record ? record.event.user_id : record.user_id;
  return user ?? `${record.receipt.source}/${record.receipt.partition}`;
}

/**
 * Returns the partition of a key in a topic with `partitions` partitions. Uses the same hash as Kafka's own clients (murmur2), so
 * that other programs find a user's records in the same partition.
 *
 * If partitions are added, most keys move to a different partition. A job may then read a user's newer records before the older
 * ones. The tables stay correct, because the receipts, not the merge order, decide which version of a row is the newest.
 */
export function partitionOfKey(key: Buffer, partitions: number): number {
  return (murmur2(key) & 0x7fffffff) % partitions;
}

const SEED = 0x9747b28c;
const M = 0x5bd1e995;

/** 32-bit MurmurHash2 with Kafka's seed. */
export function murmur2(data: Buffer): number {
  const { length } = data;
  let hash = SEED ^ length;
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    let word = Math.imul(data.readInt32LE(at), M);
    word ^= word >>> 24;
    hash = Math.imul(hash, M) ^ Math.imul(word, M);
  }
  const rest = length - at;
  if (rest > 2) hash ^= data[at + 2]! << 16;
  if (rest > 1) hash ^= data[at + 1]! << 8;
  if (rest > 0) hash = Math.imul(hash ^ data[at]!, M);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, M);
  return hash ^ (hash >>> 15);
}
