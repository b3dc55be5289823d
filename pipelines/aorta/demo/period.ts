import { ProgramError } from '../errors.ts';

export const DAY_MS = 86_400_000;
/** Message ids of webhooks cannot have earlier times. */
const EARLIEST = '2015-01-01';

/** Days of a demonstration. */
export interface Days {
  readonly days: number;
  /** Last day, such as `2026-01-31`. */
  readonly until: string;
}

/** Returns when the demonstration begins and ends, in milliseconds since 1970. It ends at the end of its last day, in UTC. */
export function periodOf({ days, until }: Days): { readonly from: number; readonly end: number } {
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
