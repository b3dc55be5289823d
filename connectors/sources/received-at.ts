import { parseInstant } from '@aorta/schemas';

/** The ends of what RFC 3339 allows: at most nine fraction digits here, and an offset, which ISO 8601 leaves away. */
const RFC3339_END = /:\d\d(?:\.\d{1,9})?(?:Z|z|[+-]\d\d:\d\d)$/;

/** Microseconds since 1970 of an RFC 3339 date-time; NaN where the text is none, names no day, or lies outside of what a number holds exactly. Digits beyond microseconds are cut. */
export function parseReceivedAt(text: string): number {
  return RFC3339_END.test(text) ? parseInstant(text) : Number.NaN;
}
