import type { ProducedRecord } from '../client.ts';

/** What format 2 takes around a record at most, in bytes, apart from the lengths of key and value: attributes, deltas of offset and time, its own length, the number of headers. */
const AROUND_RECORD = 1 + 2 + 7 + 4 + 2;
/** What format 2 takes around the records of a batch, with room to spare. */
export const AROUND_BATCH = 128;

/** Bytes of a record in a batch that is not compressed, at most. */
export function sizeOf({ key, value, headers = [] }: ProducedRecord): number {
  let bytes = AROUND_RECORD + withLength(key?.length ?? 0) + withLength(value?.length ?? 0);
  for (const [name, content] of headers) bytes += withLength(Buffer.byteLength(name)) + withLength(content?.length ?? 0);
  return bytes;
}

/** Lengths are written in seven bits a byte, after one bit for the sign. */
function withLength(bytes: number): number {
  if (bytes < 64) return bytes + 1;
  if (bytes < 8_192) return bytes + 2;
  return bytes + (bytes < 1_048_576 ? 3 : 5);
}

/** Ends of runs of records, each of which fits into a batch of so many bytes and records; a larger record has a run of its own. */
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
