import { deliveries, type StreamName } from '@aorta/schemas';
import type { OldDatesPace } from '../options.ts';
import { byDueTime, type WaitingMerge } from '../waiting-merges.ts';
import { type LandedBatch, type MergeRange, rowsIn } from './batches.ts';
import { MOST_BATCHES, MOST_GATHERED, MOST_SAMPLES, mergeGroups, ROW_GROUP } from './merge-groups.ts';

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
  readonly #pace: OldDatesPace;

  constructor(batches: readonly LandedBatch[], isTimeseries: (stream: StreamName) => boolean, pace: OldDatesPace) {
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
    const { afterMs, rows } = this.#patience(stream, range);
    if (range === 'old' && waiting.length >= MOST_GATHERED) return true;
    return (range === 'old' ? rowsOf(waiting, range) : recordsOf(waiting)) >= rows || age >= afterMs;
  }

  /** The merges that are still to be made. `tableOf` names the table of a stream, if it has one; every stream feeds `deliveries`, with its recent range. */
  waiting(tableOf: (stream: StreamName) => string | undefined): WaitingMerge[] {
    const merges: WaitingMerge[] = [];
    const receipts: WaitingMerge[] = [];
    for (const stream of this.streams) {
      for (const range of ranges) {
        const batches = this.#waiting(stream, range);
        if (batches.length === 0) continue;
        const landedAt = Math.min(...batches.map((batch) => batch.landedAt));
        const { afterMs, rows: dueAtRows } = this.#patience(stream, range);
        const due = { range, batches: batches.length, landedAt, dueAtRows };
        const rows = rowsOf(batches, range);
        const dueAt = this.#isDue(stream, batches, range, landedAt) ? landedAt : landedAt + afterMs;
        const table = tableOf(stream);
        if (table !== undefined && rows > 0) merges.push({ ...due, table, rows, dueAt });
        if (range === 'recent') receipts.push({ ...due, table: deliveries.name, rows: recordsOf(batches), dueAt });
      }
    }
    return [...merges, ...together(receipts)].sort(byDueTime);
  }

  /** How long the oldest batch waits for others at most, and the rows that end the wait. */
  #patience(stream: StreamName, range: MergeRange): { readonly afterMs: number; readonly rows: number } {
    if (range === 'old') return { afterMs: this.#pace.old_after_s * 1000, rows: this.#pace.old_rows };
    return this.#isTimeseries(stream) ? { afterMs: 0, rows: 0 } : { afterMs: PATIENCE_MS, rows: ROW_GROUP };
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

/** Merges of several streams into one table, as one: none if there are none. */
function together(merges: readonly WaitingMerge[]): WaitingMerge[] {
  const [first] = merges;
  if (first === undefined) return [];
  const sum = (of: (merge: WaitingMerge) => number): number => merges.reduce((all, merge) => all + of(merge), 0);
  const least = (of: (merge: WaitingMerge) => number): number => Math.min(...merges.map(of));
  return [
    {
      ...first,
      batches: sum(({ batches }) => batches),
      rows: sum(({ rows }) => rows),
      landedAt: least(({ landedAt }) => landedAt),
      dueAt: least(({ dueAt }) => dueAt),
      dueAtRows: least(({ dueAtRows }) => dueAtRows),
    },
  ];
}
