import { ProgramError } from '../errors.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** Message ids of webhooks cannot have earlier times. */
const EARLIEST = '2015-01-01';

/** Days of a demonstration. */
export interface Days {
  readonly days: number;
  /** Last day, such as `2026-01-31`. */
  readonly until: string;
}

/** Begin and end of a demonstration, in milliseconds since 1970. */
export interface Period {
  readonly from: number;
  readonly end: number;
}

/** Returns when the demonstration begins and ends. It ends at the end of its last day, in UTC. */
export function periodOf({ days, until }: Days): Period {
  const end = Date.parse(until) + DAY_MS;
  return { from: end - days * DAY_MS, end };
}

/** Returns the day before an instant, in UTC. */
export function yesterdayOf(now: number): string {
  return dayOf(now - DAY_MS);
}

export function dayOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** Parses `--until`. Throws AORTA-USAGE if the text is not a day that is over. */
export function pastDay(text: string, now = Date.now()): string {
  const instant = Date.parse(text);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(instant) && dayOf(instant) === text;
  if (isDay && text >= EARLIEST && text <= yesterdayOf(now)) return text;
  throw new ProgramError('AORTA-USAGE', {
    problem: '--until needs a day that is over',
    hint: `Give a date such as ${yesterdayOf(now)}, not before ${EARLIEST}.`,
  });
}
