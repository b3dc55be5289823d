import type { ReadBatch, ReadLimit } from '@aorta/connectors';
import type { PartitionReader } from '@aorta/connectors/streams';
import type { ProgressReports } from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import { PART } from './names.ts';

/** Records that are read at a time: few enough that they are garbage before the collector runs twice. */
const PORTION = 2_048;

/** What was read from a position on: the position after it, and its records. */
export interface Stretch {
  readonly to: number;
  readonly records: number;
}

export type Portion = ReadBatch<StreamName>['records'];

interface PortionsOptions {
  readonly limit: ReadLimit;
  readonly progress: ProgressReports;
  /** Called with each portion, in their order. */
  readonly hear: (portion: Portion) => void;
}

/**
 * Reads a partition in portions, from its position until the limit or the end. Undefined if nothing was read, or if the
 * partition was lost meanwhile: its new owner lands it. Rejects only if nothing was read before the error; otherwise the
 * whole portions are handed on, and the next call rejects.
 */
export async function readPortions(
  partition: PartitionReader,
  { limit, progress, hear }: PortionsOptions,
): Promise<Stretch | undefined> {
  const from = partition.position;
  let to = from;
  let records = 0;
  let bytes = 0;
  while (records < limit.records && bytes < limit.bytes && to < partition.end) {
    const most = { records: Math.min(PORTION, limit.records - records), bytes: limit.bytes - bytes };
    let read: ReadBatch<StreamName> | undefined;
    try {
      read = await progress.during(PART, 'reading a stream', partition.readAt(to, most));
    } catch (error) {
      if (to > from) break;
      throw error;
    }
    if (read === undefined) return undefined;
    if (read.records.length === 0 && read.to === to) break;
    hear(read.records);
    records += read.records.length;
    bytes += read.bytes;
    to = read.to;
  }
  return to === from ? undefined : { to, records };
}
