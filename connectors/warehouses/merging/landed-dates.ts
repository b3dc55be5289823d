import type { StreamName } from '@aorta/schemas';

/**
 * A batch's samples are merged in two ranges of dates. `recent` dates are close to the batch's last receipt, and all others are
 * `old`.
 */
export type MergeRange = 'recent' | 'old';

export const mergeRanges: readonly MergeRange[] = ['recent', 'old'];

/** Facts about a landed batch, used to plan its merges. Days are counted since 1970. */
export interface LandedDates {
  readonly stream: StreamName;
  readonly records: number;
  /** Milliseconds since 1970. */
  readonly landedAt: number;
  /** Days on which the records were received. `recentDays` and `oldDays` are the days of recent and of old samples. */
  readonly receivedDays: readonly number[];
  readonly recentDays: readonly number[];
  readonly recentRows: number;
  readonly oldDays: readonly number[];
  readonly oldRows: number;
}

/** Number of a batch's rows in a range. Events without samples count as recent. */
export const rowsIn = (batch: LandedDates, range: MergeRange): number => (range === 'recent' ? batch.recentRows : batch.oldRows);

export const daysIn = (batch: LandedDates, range: MergeRange): readonly number[] =>
  range === 'recent' ? batch.recentDays : batch.oldDays;

/** Merges lists of days into one sorted list without duplicates. */
export const unionOfDays = (lists: readonly (readonly number[])[]): number[] => [...new Set(lists.flat())].sort((a, b) => a - b);
