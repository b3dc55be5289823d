import {
  type Landed,
  type ReadableLog,
  type ReadBatch,
  type ReadLimit,
  type StreamPartition,
  shortPartitionName,
} from '@aorta/connectors';
import type { ProgressReports } from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import { LoadingError } from './errors.ts';
import { PART } from './names.ts';

/** Records that are read at a time: few enough that they are garbage before the collector runs twice. */
const PORTION = 2_048;

/** What was read from a position on: the position after it, and its records. */
export interface Stretch {
  readonly to: number;
  readonly records: number;
}

export type Portion = ReadBatch<StreamName>['records'];

/** Reads partitions of streams in portions. Damage, loss of a partition and incarnations are handled here, and only here. */
export class StreamReading {
  readonly #log: ReadableLog;
  readonly #progress: ProgressReports;

  constructor(log: ReadableLog, progress: ProgressReports) {
    this.#log = log;
    this.#progress = progress;
  }

  /** Where reading resumes: after what was landed of this incarnation, else at the first record that the log still has. */
  resumeAt(of: StreamPartition, landed: Landed | undefined): number {
    return landed?.incarnation === this.#log.incarnation(of) ? landed.position : this.#log.start(of);
  }

  /** Whether the partition is still assigned to this worker: by the object, since one that was lost and given again is another one. */
  isOurs(of: StreamPartition): boolean {
    return this.#log.assigned().includes(of);
  }

  /**
   * Reads from a position until the limit or the end, and hands on each portion. Undefined if nothing was read, or if the
   * partition was lost meanwhile: its new owner lands it. Rejects at damage only if nothing was read before it; otherwise
   * what is whole is handed on, and the next call rejects.
   */
  async read(
    of: StreamPartition,
    from: number,
    limit: ReadLimit,
    hear: (portion: Portion) => void,
  ): Promise<Stretch | undefined> {
    let to = from;
    let records = 0;
    let bytes = 0;
    while (records < limit.records && bytes < limit.bytes && to < this.#log.end(of)) {
      const most = { records: Math.min(PORTION, limit.records - records), bytes: limit.bytes - bytes };
      let read: ReadBatch<StreamName>;
      try {
        read = await this.#progress.during(PART, 'reading a stream', this.#log.read(of, to, most));
      } catch (error) {
        if (to > from) break;
        throw error;
      }
      if (!this.isOurs(of)) return undefined;
      if (read.records.length === 0 && read.to === to) break;
      hear(read.records);
      records += read.records.length;
      bytes += read.bytes;
      to = read.to;
    }
    return to === from ? undefined : { to, records };
  }

  /** Reads the end of a partition that has nothing new after `position`: it may end there because a segment is damaged or gone. */
  async examineEnd(of: StreamPartition, position: number): Promise<void> {
    const end = this.#log.end(of);
    await this.#log.read(of, end, { records: 1, bytes: 1 });
    if (position > end) throw new LoadingError('AORTA-STREAM-SHORTER', { stream: shortPartitionName(of), end, position });
  }
}
