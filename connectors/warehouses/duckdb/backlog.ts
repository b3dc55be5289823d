import { deliveries, type StreamName } from '@aorta/schemas';
import type { WaitingMerge } from '../../warehouse.ts';
import { type MergeRange, mergeRanges, rowsIn } from '../merging/landed-dates.ts';
import { rowsOf } from '../merging/pending-merge.ts';
import { byDueTime, type MergeRules, planMerges, planWaits } from '../merging/plan.ts';
import type { LandedBatch } from './batches.ts';
import {
  isMerged,
  MOST_BATCHES,
  MOST_SAMPLES,
  mergeRules,
  ROW_GROUP,
  type StreamMerge,
  type StreamTarget,
} from './merge-rules.ts';
import type { OldDatesPace } from './options.ts';

const recordsOf = (batches: readonly LandedBatch[]): number => batches.reduce((sum, { records }) => sum + records, 0);
const batchesOf = ({ parts }: Pick<StreamMerge, 'parts'>): LandedBatch[] => parts.map(({ batch }) => batch);

/** Batches that are landed and not yet merged into all of their tables. Decides which merges are due and when there are too many batches. */
export class Backlog {
  #batches: readonly LandedBatch[];
  readonly #isTimeseries: (stream: StreamName) => boolean;
  readonly #pace: OldDatesPace;
  readonly #rules: MergeRules<StreamTarget, LandedBatch>;

  constructor(batches: readonly LandedBatch[], isTimeseries: (stream: StreamName) => boolean, pace: OldDatesPace) {
    this.#batches = batches;
    this.#isTimeseries = isTimeseries;
    this.#pace = pace;
    this.#rules = mergeRules(isTimeseries, pace);
  }

  get streams(): StreamName[] {
    return [...new Set(this.#batches.map(({ stream }) => stream))];
  }

  get merged(): LandedBatch[] {
    return this.#batches.filter((batch) => mergeRanges.every((range) => isMerged(batch, range)));
  }

  size(): { batches: number; records: number } {
    return { batches: this.#batches.length, records: recordsOf(this.#batches) };
  }

  add(batch: LandedBatch): void {
    this.#batches = [...this.#batches, batch];
  }

  mark(merge: StreamMerge): void {
    const { range } = merge;
    const ids = new Set(batchesOf(merge).map(({ id }) => id));
    const mark = range === 'recent' ? { recentMerged: true } : { oldMerged: true };
    this.#batches = this.#batches.map((batch) => (ids.has(batch.id) ? { ...batch, ...mark } : batch));
  }

  remove(batches: readonly LandedBatch[]): void {
    this.#batches = this.#batches.filter((batch) => !batches.includes(batch));
  }

  /** Returns the number of a stream's next landed row. It is higher than the number of every landed row that still exists. */
  nextNo(stream: StreamName): number {
    return this.#batches.filter((batch) => batch.stream === stream).reduce((next, { nextNo }) => Math.max(next, nextNo), 0);
  }

  /**
   * Returns the maximum number of records in a stream's next batch. A batch of this size completes a row group, as
   * {@link ROW_GROUP} explains. Timeseries have no limit.
   */
  room(stream: StreamName): number {
    if (this.#isTimeseries(stream)) return Number.POSITIVE_INFINITY;
    return ROW_GROUP - (recordsOf(this.#waiting(stream, 'recent')) % ROW_GROUP);
  }

  /** Returns the due merges of a stream, or all its pending merges. `now` is in milliseconds since 1970. */
  due(stream: StreamName, extent: 'due' | 'all', now: number): StreamMerge[] {
    const batches = this.#batches.filter((batch) => batch.stream === stream);
    return planMerges(batches, this.#rules, { extent, now });
  }

  /**
   * Returns the pending merges, including those into `deliveries`, which are listed as recent. `tableOf` returns the name of a
   * stream's table, or undefined if the stream has none.
   */
  waiting(tableOf: (stream: StreamName) => string | undefined): WaitingMerge[] {
    const merges: WaitingMerge[] = [];
    const receipts: WaitingMerge[] = [];
    for (const { merge, landedAt, dueAt, dueAtRows } of planWaits(this.#batches, this.#rules)) {
      const { target, range, parts } = merge;
      const due = { range, batches: parts.length, landedAt, dueAtRows, dueAt };
      const rows = rowsOf(merge);
      const table = tableOf(target.name);
      if (table !== undefined && rows > 0) merges.push({ ...due, table, rows });
      if (range === 'recent') receipts.push({ ...due, table: deliveries.name, rows: recordsOf(batchesOf(merge)) });
    }
    return [...merges, ...together(receipts)].sort(byDueTime);
  }

  /** Whether landing should wait for the running merge, because enough batches have been landed for another full merge. */
  get isFull(): boolean {
    return this.streams.some((stream) => {
      const recent = this.#waiting(stream, 'recent');
      if (recent.length >= 2 * MOST_BATCHES) return true;
      if (!this.#isTimeseries(stream)) return recordsOf(recent) >= 2 * ROW_GROUP;
      const most = { recent: MOST_SAMPLES, old: this.#pace.old_rows + MOST_SAMPLES };
      return mergeRanges.some((range) => {
        const rows = this.#waiting(stream, range).reduce((sum, batch) => sum + rowsIn(batch, range), 0);
        return rows > most[range];
      });
    });
  }

  #waiting(stream: StreamName, range: MergeRange): LandedBatch[] {
    return this.#batches.filter((batch) => batch.stream === stream && !isMerged(batch, range));
  }
}

/** Combines merges of several streams that have the same target table into one merge. Returns an empty list if there are none. */
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
