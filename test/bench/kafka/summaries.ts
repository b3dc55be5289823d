import { activityEvent, summaryHeadersOf } from '../events.ts';

/** Numbers of summaries to read and to write. */
export const READ = 120_000;
export const WRITTEN = 60_000;

export const PARTITIONS = 12;
/** Number of records per producer call, all for one partition. Such a batch is below the brokers' limit of 1 MB. */
export const CALL_RECORDS = 500;
/** Number of concurrent calls. */
const CALLS = PARTITIONS;

/** A summary as the service's producer writes it: plain JSON of 1 KB, with the user as key, and with headers. */
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

/** Returns the partition of the record with this index. All records of a call have the same partition. */
export const partitionOfCall = (index: number): number => Math.floor(index / CALL_RECORDS) % PARTITIONS;

/** Writes records in concurrent calls. Successive calls write to successive partitions. */
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

/** A topic of summaries that a new group reads to the end. */
export interface TopicToRead {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly group: string;
  readonly events: number;
}

/** How long to wait, in milliseconds, for an idle consumer to join its group and for its code to be compiled. */
export const SETTLING_MS = 3000;
