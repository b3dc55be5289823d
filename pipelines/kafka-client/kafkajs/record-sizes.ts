import type { ProducedRecord } from '../client.ts';

/** What format 2 takes around a record at most, in bytes: its lengths, and the deltas of offset and time. */
const AROUND_RECORD = 32;
/** The same around a header. */
const AROUND_HEADER = 10;
/** What format 2 takes around the records of a batch, with room to spare. */
export const AROUND_BATCH = 128;

/** Bytes of a record in a batch that is not compressed, at most. */
export function sizeOf({ key, value, headers = [] }: ProducedRecord): number {
  let bytes = AROUND_RECORD + (key?.length ?? 0) + (value?.length ?? 0);
  for (const [name, content] of headers) bytes += AROUND_HEADER + Buffer.byteLength(name) + (content?.length ?? 0);
  return bytes;
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
