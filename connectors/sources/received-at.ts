import { parseInstant } from '@aorta/schemas';

/** Matches the end of an RFC 3339 time: at most nine fraction digits, and a UTC offset, which ISO 8601 would not require. */
const RFC3339_END = /:\d\d(?:\.\d{1,9})?(?:Z|z|[+-]\d\d:\d\d)$/;

/**
 * Converts an RFC 3339 date-time to microseconds since 1970. Returns NaN if the text is invalid, names a nonexistent
 * day, or exceeds the range of safe integers. Digits beyond microseconds are truncated.
 */
export function parseReceivedAt(text: string): number {
  return RFC3339_END.test(text) ? parseInstant(text) : Number.NaN;
}

/** How far the clock of another computer may be ahead of the clock of this computer, in milliseconds. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/**
 * Whether a time of receipt is more than 5 minutes ahead of `now`, so that it must be wrong. `receivedAt` is in
 * microseconds since 1970, and `now` in milliseconds. Rows with such a time would win over all rows that arrive before it.
 */
export function isAhead(receivedAt: number, now: number): boolean {
  return receivedAt > (now + CLOCKS_DIFFER_MS) * 1000;
}
