import { activityEvent, summaryHeadersOf } from '../events.ts';

/** Summaries in the topic that is read, and that are written where writing is measured. */
export const READ = 120_000;
export const WRITTEN = 60_000;

/** Partitions of every topic here. */
export const PARTITIONS = 12;
/** Records of a call to a producer, all for one partition: a batch that brokers take, who take 1 MB. And how many calls are under way. */
export const CALL_RECORDS = 500;
const CALLS = PARTITIONS;

/** The summary `index` as a producer of the service writes it: plain JSON of 1 KB, by its user, with its headers. */
export interface Summary {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly headers: readonly (readonly [name: string, value: Buffer])[];
}

export function summary(index: number): Summary {
  const headers = summaryHeadersOf(index);
  return {
    key: Buffer.from(headers['user-id']!),
    value: Buffer.from(JSON.stringify(activityEvent(index))),
    headers: Object.entries(headers).map(([name, value]) => [name, Buffer.from(value)] as const),
  };
}

/** Where the record of that index goes, as part of a call. */
export const partitionOfCall = (index: number): number => Math.floor(index / CALL_RECORDS) % PARTITIONS;

/** Writes records in calls, which go to the partitions in turns, so many of them under way at once. */
export async function inCalls<R>(
  records: readonly R[],
  write: (partition: number, records: readonly R[]) => Promise<unknown>,
): Promise<void> {
  let call = 0;
  const next = async (): Promise<void> => {
    for (;;) {
      const from = call * CALL_RECORDS;
      if (from >= records.length) return;
      call += 1;
      await write(partitionOfCall(from), records.slice(from, from + CALL_RECORDS));
    }
  };
  await Promise.all(Array.from({ length: CALLS }, next));
}

/** A topic of summaries that is read to its end by a new group. */
export interface Reading {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly group: string;
  readonly events: number;
}

/** Milliseconds until an idle consumer has joined, and its compilers are through. */
export const SETTLING_MS = 3000;
