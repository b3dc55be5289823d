import type { StreamName } from '@aorta/schemas';
import type { DuckDbSettings } from '../options.ts';
import { type LandedBatch, type MergeRange, rowsIn } from './batches.ts';
import { MOST_BATCHES, MOST_SAMPLES, mergeGroups, ROW_GROUP } from './merge-groups.ts';

/** For so long merges into the table of a summary or event wait until the landed records fill a row group, in milliseconds. */
const PATIENCE_MS = 5_000;

const ranges: readonly MergeRange[] = ['recent', 'old'];

/** The dates of a stream's batches that are to be merged by one statement each. */
export interface DueMerge {
  readonly range: MergeRange;
  readonly batches: readonly LandedBatch[];
}

const recordsOf = (batches: readonly LandedBatch[]): number => batches.reduce((sum, { records }) => sum + records, 0);
const rowsOf = (batches: readonly LandedBatch[], range: MergeRange): number =>
  batches.reduce((sum, batch) => sum + rowsIn(batch, range), 0);
const isMerged = (batch: LandedBatch, range: MergeRange): boolean => (range === 'recent' ? batch.recentMerged : batch.oldMerged);

/** Batches that are landed, and not merged into all of their tables yet: which are due, and how many are too many. */
export class Backlog {
  #batches: readonly LandedBatch[];
  readonly #isTimeseries: (stream: StreamName) => boolean;
  readonly #pace: Pick<DuckDbSettings, 'old_rows' | 'old_after_s'>;

  constructor(
    batches: readonly LandedBatch[],
    isTimeseries: (stream: StreamName) => boolean,
    pace: Pick<DuckDbSettings, 'old_rows' | 'old_after_s'>,
  ) {
    this.#batches = batches;
    this.#isTimeseries = isTimeseries;
    this.#pace = pace;
  }

  get streams(): StreamName[] {
    return [...new Set(this.#batches.map(({ stream }) => stream))];
  }

  /** The batches of which every range of dates is merged. */
  get merged(): LandedBatch[] {
    return this.#batches.filter((batch) => ranges.every((range) => isMerged(batch, range)));
  }

  size(): { batches: number; records: number } {
    return { batches: this.#batches.length, records: recordsOf(this.#batches) };
  }

  add(batch: LandedBatch): void {
    this.#batches = [...this.#batches, batch];
  }

  /** Marks a range of dates of these batches. */
  mark({ batches, range }: DueMerge): void {
    const ids = new Set(batches.map(({ id }) => id));
    const mark = range === 'recent' ? { recentMerged: true } : { oldMerged: true };
    this.#batches = this.#batches.map((batch) => (ids.has(batch.id) ? { ...batch, ...mark } : batch));
  }

  remove(batches: readonly LandedBatch[]): void {
    this.#batches = this.#batches.filter((batch) => !batches.includes(batch));
  }

  /** Number of the next landed row of a stream: it differs from those of all landed rows that are still there. */
  nextNo(stream: StreamName): number {
    return this.#batches.filter((batch) => batch.stream === stream).reduce((next, { nextNo }) => Math.max(next, nextNo), 0);
  }

  /** Records that the next batch of a stream may hold: as many as fill a row group with what waits, see {@link ROW_GROUP}. */
  room(stream: StreamName): number {
    if (this.#isTimeseries(stream)) return Number.POSITIVE_INFINITY;
    return ROW_GROUP - (recordsOf(this.#waiting(stream, 'recent')) % ROW_GROUP);
  }

  /** The merges of a stream that ought to be made now, or `all`. `now` is in milliseconds since 1970. */
  due(stream: StreamName, extent: 'due' | 'all', now: number): DueMerge[] {
    const mostRows = this.#isTimeseries(stream) ? MOST_SAMPLES : ROW_GROUP;
    return ranges.flatMap((range) => {
      const waiting = this.#waiting(stream, range);
      if (extent === 'due' && !this.#isDue(stream, waiting, range, now)) return [];
      return mergeGroups(waiting, range, mostRows).map((batches) => ({ range, batches }));
    });
  }

  #isDue(stream: StreamName, waiting: readonly LandedBatch[], range: MergeRange, now: number): boolean {
    const age = now - (waiting[0]?.landedAt ?? now);
    if (range === 'old') return rowsOf(waiting, range) >= this.#pace.old_rows || age >= this.#pace.old_after_s * 1000;
    return this.#isTimeseries(stream) || recordsOf(waiting) >= ROW_GROUP || age >= PATIENCE_MS;
  }

  /** Whether so much is landed beside a merge that landing ought to wait for it: as much as one more merge takes. */
  get crowded(): boolean {
    return this.streams.some((stream) => {
      const recent = this.#waiting(stream, 'recent');
      if (recent.length >= 2 * MOST_BATCHES) return true;
      if (!this.#isTimeseries(stream)) return recordsOf(recent) >= 2 * ROW_GROUP;
      const most = { recent: MOST_SAMPLES, old: this.#pace.old_rows + MOST_SAMPLES };
      return ranges.some((range) => rowsOf(this.#waiting(stream, range), range) > most[range]);
    });
  }

  /** The batches of a stream whose range is not merged yet. */
  #waiting(stream: StreamName, range: MergeRange): LandedBatch[] {
    return this.#batches.filter((batch) => batch.stream === stream && !isMerged(batch, range));
  }
}
