import { parseInstant } from '@aorta/schemas';

/** Matches the end of an RFC 3339 time: at most nine fraction digits, and the UTC offset that ISO 8601 makes optional. */
const RFC3339_END = /:\d\d(?:\.\d{1,9})?(?:Z|z|[+-]\d\d:\d\d)$/;

/**
 * Converts an RFC 3339 date-time to microseconds since 1970. Returns NaN if the text is invalid, names a nonexistent
 * day, or exceeds the range of safe integers. Digits beyond microseconds are truncated.
 */
export function parseReceivedAt(text: string): number {
  return RFC3339_END.test(text) ? parseInstant(text) : Number.NaN;
}
