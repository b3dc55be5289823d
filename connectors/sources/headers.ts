import { isUtf8 } from 'node:buffer';

/** Headers of a delivery by name in lower case. */
export type Headers = ReadonlyMap<string, string | Buffer>;

/** What the headers of a delivery say about it. An empty header says nothing. */
export interface HeaderFacts {
  readonly eventType: string | null;
  readonly userId: string | null;
  readonly teamId: string | null;
  /** `idempotency-key`, `svix-id` of a webhook, or `ce_id` of a CloudEvent. */
  readonly deliveryId: string | null;
  /** The body is marked as gzip. */
  readonly gzip: boolean;
}

/**
 * Reads the headers that the service sets, and for what they do not say those of CloudEvents'
 * binary mode, as the Kafka binding names them. Never throws.
 */
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

/** The text of a header; null where it is absent, empty or not UTF-8. */
function headerText(headers: Headers, name: string): string | null {
  const value = headers.get(name);
  if (value === undefined || value.length === 0) return null;
  if (typeof value === 'string') return value;
  return isUtf8(value) ? value.toString('utf8') : null;
}

/** Headers as the streams keep them. Built from entries, so that a header called `__proto__` stays a header. */
export function headerBytes(headers: Headers): Record<string, Buffer> {
  return Object.fromEntries(
    Array.from(headers, ([name, value]) => [name, typeof value === 'string' ? Buffer.from(value, 'utf8') : value]),
  );
}

const silent: HeaderFacts = { eventType: null, userId: null, teamId: null, deliveryId: null, gzip: false };
