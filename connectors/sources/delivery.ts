import { isUtf8 } from 'node:buffer';
import { parseInstant } from '@aorta/schemas';

const silent: HeaderFacts = { eventType: null, userId: null, teamId: null, deliveryId: null, gzip: false };

/** Matches the end of an RFC 3339 time: at most nine fraction digits, and a UTC offset, which ISO 8601 would not require. */
const RFC3339_END = /:\d\d(?:\.\d{1,9})?(?:Z|z|[+-]\d\d:\d\d)$/;

/** How far the clock of another computer may be ahead of the clock of this computer, in milliseconds. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/** The headers of a delivery, keyed by lower-case name. */
export type Headers = ReadonlyMap<string, string | Buffer>;

/** Values of a delivery's headers. An empty header counts as absent. */
export interface HeaderFacts {
  readonly eventType: string | null;
  readonly userId: string | null;
  readonly teamId: string | null;
  /** `idempotency-key`, `svix-id` of a webhook, or `ce_id` of a CloudEvent. */
  readonly deliveryId: string | null;
  /** Whether `content-encoding` says that the body is compressed with gzip. */
  readonly gzip: boolean;
}

/** Reads the headers that the service sets. Falls back to the headers of CloudEvents' binary mode for Kafka. Never throws. */
export function readHeaders(headers: Headers): HeaderFacts {
  if (headers.size === 0) return silent;
  const encoding = headerText(headers, 'content-encoding');
  return {
    eventType: headerText(headers, 'event-type') ?? headerText(headers, 'ce_type'),
    userId: headerText(headers, 'user-id'),
    teamId: headerText(headers, 'team-id'),
    deliveryId: headerText(headers, 'idempotency-key') ?? headerText(headers, 'svix-id') ?? headerText(headers, 'ce_id'),
    gzip: encoding !== null && (encoding === 'gzip' || /^\s*(x-)?gzip\s*$/i.test(encoding)),
  };
}

/** Returns the text of a header; null if it is absent, empty or not UTF-8. */
function headerText(headers: Headers, name: string): string | null {
  const value = headers.get(name);
  if (value === undefined || value.length === 0) return null;
  if (typeof value === 'string') return value;
  return isUtf8(value) ? value.toString('utf8') : null;
}

/** Returns the headers as the streams store them. `Object.fromEntries` keeps even a header named `__proto__`. */
export function headerBytes(headers: Headers): Record<string, Buffer> {
  return Object.fromEntries(
    Array.from(headers, ([name, value]) => [name, typeof value === 'string' ? Buffer.from(value, 'utf8') : value]),
  );
}

/** Whether the bytes start with gzip's magic number (RFC 1952). */
export function looksGzipped(bytes: Buffer): boolean {
  return bytes.length > 1 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Converts an RFC 3339 date-time to microseconds since 1970. Returns NaN if the text is invalid, names a nonexistent
 * day, or exceeds the range of safe integers. Digits beyond microseconds are truncated.
 */
export function parseReceivedAt(text: string): number {
  return RFC3339_END.test(text) ? parseInstant(text) : Number.NaN;
}

/**
 * Whether a time of receipt is more than 5 minutes ahead of `now`, so that it must be wrong. `receivedAt` is in
 * microseconds since 1970, and `now` in milliseconds. Rows with such a time would win over all rows that arrive before it.
 */
export function isAhead(receivedAt: number, now: number): boolean {
  return receivedAt > (now + CLOCKS_DIFFER_MS) * 1000;
}

/** Converts a property to a header value. Returns undefined for null and undefined. Accepts any type and never throws. */
export function headerValue(value: unknown): string | Buffer | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return textOf(value);
}

/** Converts a value other than text or bytes to text: a time to RFC 3339, a structure to JSON. */
export function textOf(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  if (typeof value !== 'object') return String(value);
  try {
    return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? '';
  } catch {
    return '';
  }
}
