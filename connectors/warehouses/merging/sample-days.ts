import { dayOfInstant } from '@aorta/schemas';

/** Days since 1970 of the dates at which `_day` is clamped. */
export const FIRST_DAY = Date.UTC(2010, 0, 1) / 86_400_000;
export const LAST_DAY = Date.UTC(2036, 11, 31) / 86_400_000;

/** The partition of an instant: its date, clamped, so that no odd year makes a partition of its own. */
export function partitionDay(micros: number): number {
  return Math.min(LAST_DAY, Math.max(FIRST_DAY, dayOfInstant(micros)));
}

/** The first and the last day of some partitions, since 1970; the clamped partitions at the ends hold everything beyond. */
export function partitionBounds(days: readonly number[]): { from: number; to: number } {
  const from = Math.min(...days);
  const to = Math.max(...days);
  return { from: from === FIRST_DAY ? -1_000_000 : from, to: to === LAST_DAY ? 1_000_000 : to };
}

/** Counts samples by day, over the events of a batch. */
export class SampleDays {
  readonly #rows = new Map<number, number>();

  /** Adds an event's samples; times in µs. */
  add(starts: readonly number[], firstAt: number, lastAt: number): void {
    if (starts.length === 0) return;
    const first = partitionDay(firstAt);
    // Most events lie within one day, so their samples need not be looked at one by one.
    if (first === partitionDay(lastAt)) this.#count(first, starts.length);
    else for (const start of starts) this.#count(partitionDay(start), 1);
  }

  #count(day: number, rows: number): void {
    this.#rows.set(day, (this.#rows.get(day) ?? 0) + rows);
  }

  /** The days around the batch's last receipt, and the others: backfilled ones, and those of a clock that runs ahead. */
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
