import type { User } from '../users/user.ts';

const DAY_MS = 86_400_000;
/** Data may come this long after the end of ingestion. Then the connections pause. */
const LATE_DAYS = 7;

type Bounds = Pick<User, 'ingestion_start' | 'ingestion_end'>;

/** Returns whether a date, such as 2026-01-31, lies within a user's bounds. Both bounds belong to the range. */
export function isWithin({ ingestion_start, ingestion_end }: Bounds, date: string): boolean {
  return (ingestion_start === null || date >= ingestion_start) && (ingestion_end === null || date <= ingestion_end);
}

/** Returns whether a user's connections have paused: more than 7 days after the end of ingestion. */
export function isPaused({ ingestion_end }: Bounds, now: number): boolean {
  return ingestion_end !== null && now >= Date.parse(ingestion_end) + (LATE_DAYS + 1) * DAY_MS;
}
