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
