import { dayOfInstant, type StreamName } from '@aorta/schemas';

/** Bounds of `_day`, in days since 1970. Earlier and later dates are clamped to these bounds. */
export const FIRST_DAY = Date.UTC(2010, 0, 1) / 86_400_000;
export const LAST_DAY = Date.UTC(2036, 11, 31) / 86_400_000;
export const mergeRanges: readonly MergeRange[] = ['recent', 'old'];

/** Returns the partition of an instant: its date, clamped to the bounds, so that implausible years do not create partitions. */
export function partitionDay(micros: number): number {
  return Math.min(LAST_DAY, Math.max(FIRST_DAY, dayOfInstant(micros)));
}

/**
 * Returns the first and last day that the partitions of the given days can contain. Days are counted from 1970. The outermost
 * partitions also contain all days beyond the bounds.
 */
export function partitionBounds(days: readonly number[]): { from: number; to: number } {
  const from = Math.min(...days);
  const to = Math.max(...days);
  return { from: from === FIRST_DAY ? -1_000_000 : from, to: to === LAST_DAY ? 1_000_000 : to };
}

/** Counts the samples of a batch by day. */
export class SampleDays {
  readonly #rows = new Map<number, number>();

  /** Adds the samples of an event. Times are in microseconds. */
  add(starts: readonly number[], firstAt: number, lastAt: number): void {
    if (starts.length === 0) return;
    const first = partitionDay(firstAt);
    // The samples of most events are all on one day. For these events, comparing the first and the last sample is enough.
    if (first === partitionDay(lastAt)) this.#count(first, starts.length);
    else for (const start of starts) this.#count(partitionDay(start), 1);
  }

  #count(day: number, rows: number): void {
    this.#rows.set(day, (this.#rows.get(day) ?? 0) + rows);
  }

  /**
   * Splits the days into recent days, which are close to the batch's last receipt, and old days. Old days come from a
   * backfill, or lie in the future because a device's clock is fast.
   */
  split(lastReceivedDay: number, recentDays: number): { recent: DayRows; old: DayRows } {
    const recent: DayRows = { days: [], rows: 0 };
    const old: DayRows = { days: [], rows: 0 };
    for (const day of [...this.#rows.keys()].sort((a, b) => a - b)) {
      const range = Math.abs(lastReceivedDay - day) <= recentDays ? recent : old;
      range.days.push(day);
      range.rows += this.#rows.get(day)!;
    }
    return { recent, old };
  }
}

export interface DayRows {
  readonly days: number[];
  rows: number;
}

/**
 * A batch's samples are merged in two ranges of dates. `recent` dates are close to the batch's last receipt, and all others are
 * `old`.
 */
export type MergeRange = 'recent' | 'old';

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

/** Returns the days and the number of rows of a batch in a range. */
export function partIn(batch: LandedDates, range: MergeRange) {
  return { range, days: range === 'recent' ? batch.recentDays : batch.oldDays, rows: rowsIn(batch, range) };
}

/** Merges lists of days into one sorted list without duplicates. */
export const unionOfDays = (lists: readonly (readonly number[])[]): number[] => [...new Set(lists.flat())].sort((a, b) => a - b);
