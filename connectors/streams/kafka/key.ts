import type { StreamName, StreamRecords } from '@aorta/schemas';

/**
 * The key of a record in its topic: its user, so that the records of one are in one partition and stay in order. Where a
 * record has none (a delivery that could not be read), the partition that it came from: what a source had in order stays so.
 */
export function keyOf(record: StreamRecords[StreamName]): string {
  const user = 'event' in record ? record.event.user_id : record.user_id;
  return user ?? `${record.receipt.source}/${record.receipt.partition}`;
}

/**
 * The partition of a key among so many, as the clients of Kafka choose it (murmur2): other programs that look for a user
 * look in the same place.
 *
 * Where partitions are added, most keys belong to another one from then on. A user's earlier records are in the old one,
 * and a job may come to them after the newer ones. The tables are the same: the newest version of a row wins by what its
 * receipt says, not by when it was taken.
 */
export function partitionOfKey(key: Buffer, partitions: number): number {
  return (murmur2(key) & 0x7fffffff) % partitions;
}

const SEED = 0x9747b28c;
const M = 0x5bd1e995;

/** MurmurHash2 of 32 bits with Kafka's seed. */
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
