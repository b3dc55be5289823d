import type { StreamName } from '@aorta/schemas';

/** The dates of a batch's samples merge apart: those around its receipts, and all others. */
export type MergeRange = 'recent' | 'old';

export const mergeRanges: readonly MergeRange[] = ['recent', 'old'];

/** What the planner of merges knows of a landed batch. Days are counted since 1970. */
export interface LandedDates {
  readonly stream: StreamName;
  readonly records: number;
  /** Milliseconds since 1970. */
  readonly landedAt: number;
  /** Days of its receipts, of its recent samples and of its old samples. */
  readonly receivedDays: readonly number[];
  readonly recentDays: readonly number[];
  readonly recentRows: number;
  readonly oldDays: readonly number[];
  readonly oldRows: number;
}

/** Rows of a batch that the merge of a range takes; events without samples are recent ones. */
export const rowsIn = (batch: LandedDates, range: MergeRange): number => (range === 'recent' ? batch.recentRows : batch.oldRows);

/** Days of a batch's samples in a range. */
export const daysIn = (batch: LandedDates, range: MergeRange): readonly number[] =>
  range === 'recent' ? batch.recentDays : batch.oldDays;

/** Every day of some lists once, in order. */
export const unionOfDays = (lists: readonly (readonly number[])[]): number[] => [...new Set(lists.flat())].sort((a, b) => a - b);
