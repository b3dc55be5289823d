const DAY_MS = 86_400_000;

/** A range of calendar dates, YYYY-MM-DD, both of them part of it. */
export interface Dates {
  readonly from: string;
  readonly to: string;
}

/** Milliseconds since 1970 of the beginning of a date in UTC; NaN where the text is no date. */
export function beginningOf(date: string): number {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return Number.NaN;
  const milliseconds = Date.parse(`${date}T00:00:00Z`);
  // 2026-02-30 would be taken as a day of March.
  return Number.isNaN(milliseconds) || dateOf(milliseconds) !== date ? Number.NaN : milliseconds;
}

export function dateOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** The range in pieces of so many days, the last one shorter. */
export function piecesOf({ from, to }: Dates, days: number): Dates[] {
  const pieces: Dates[] = [];
  const end = beginningOf(to);
  for (let at = beginningOf(from); at <= end; at += days * DAY_MS)
    pieces.push({ from: dateOf(at), to: dateOf(Math.min(end, at + (days - 1) * DAY_MS)) });
  return pieces;
}

/** Local time of a date begins up to 14 hours before its time in UTC, and ends up to 12 hours after it. */
const EARLIEST_MS = 14 * 3_600_000;
const LATEST_MS = 12 * 3_600_000;

/**
 * The instants of the dates wherever on earth they are kept, as ISO 8601 in UTC: the pieces of two neighbouring ranges
 * overlap, so that no instant falls between them.
 */
export function instantsOf({ from, to }: Dates): Dates {
  return {
    from: new Date(beginningOf(from) - EARLIEST_MS).toISOString(),
    to: new Date(beginningOf(to) + DAY_MS + LATEST_MS).toISOString(),
  };
}
