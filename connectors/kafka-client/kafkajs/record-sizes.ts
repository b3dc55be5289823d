import type { ProducedRecord } from '../client.ts';

/**
 * Maximum overhead of a record in bytes, in version 2 of the batch format. It consists of the attributes, the time and offset
 * deltas, the record length and the header count. The length prefixes of key and value are counted separately.
 */
const AROUND_RECORD = 1 + 2 + 7 + 4 + 2;
/** Overhead of a batch in bytes, in version 2 of the batch format, rounded up. */
export const AROUND_BATCH = 128;

/** Returns an upper bound for the size of a record in an uncompressed batch, in bytes. */
export function sizeOf({ key, value, headers = [] }: ProducedRecord): number {
  let bytes = AROUND_RECORD + withLength(key?.length ?? 0) + withLength(value?.length ?? 0);
  for (const [name, content] of headers) bytes += withLength(Buffer.byteLength(name)) + withLength(content?.length ?? 0);
  return bytes;
}

/** Adds the size of the length prefix. The prefix stores seven bits per byte, and one bit is the sign. */
function withLength(bytes: number): number {
  if (bytes < 64) return bytes + 1;
  if (bytes < 8_192) return bytes + 2;
  return bytes + (bytes < 1_048_576 ? 3 : 5);
}

/**
 * Splits records into runs that each fit into a batch, and returns the end index of each run. An oversized record gets its own
 * run.
 */
export function runsOf(sizes: readonly number[], limitBytes: number, limitRecords: number): number[] {
  const ends: number[] = [];
  let bytes = 0;
  let records = 0;
  for (const [at, size] of sizes.entries()) {
    if (records > 0 && (bytes + size > limitBytes || records === limitRecords)) {
      ends.push(at);
      bytes = 0;
      records = 0;
    }
    bytes += size;
    records += 1;
  }
  if (sizes.length > 0) ends.push(sizes.length);
  return ends;
}
