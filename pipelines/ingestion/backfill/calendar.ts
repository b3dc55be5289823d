const DAY_MS = 86_400_000;

/** A range of calendar dates, YYYY-MM-DD. Both ends are included. */
export interface Dates {
  readonly from: string;
  readonly to: string;
}

/** Returns the instant at which a date begins in UTC, in milliseconds since 1970; NaN if the text is not a date. */
export function beginningOf(date: string): number {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return Number.NaN;
  const milliseconds = Date.parse(`${date}T00:00:00Z`);
  // `Date.parse` accepts 2026-02-30 and returns a date in March.
  return Number.isNaN(milliseconds) || dateOf(milliseconds) !== date ? Number.NaN : milliseconds;
}

export function dateOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** Splits the range into parts of `days` days. The last part may be shorter. */
export function piecesOf({ from, to }: Dates, days: number): Dates[] {
  const pieces: Dates[] = [];
  const end = beginningOf(to);
  for (let at = beginningOf(from); at <= end; at += days * DAY_MS)
    pieces.push({ from: dateOf(at), to: dateOf(Math.min(end, at + (days - 1) * DAY_MS)) });
  return pieces;
}

/** A local date begins up to 14 hours earlier than the same date in UTC, and ends up to 12 hours later. */
const EARLIEST_MS = 14 * 3_600_000;
const LATEST_MS = 12 * 3_600_000;

/**
 * Returns the earliest and latest instants that the dates can cover in any time zone, as ISO 8601 in UTC. Adjacent ranges
 * overlap, so no instant is lost.
 */
export function instantsOf({ from, to }: Dates): Dates {
  return {
    from: new Date(beginningOf(from) - EARLIEST_MS).toISOString(),
    to: new Date(beginningOf(to) + DAY_MS + LATEST_MS).toISOString(),
  };
}
