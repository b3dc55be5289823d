import { isUtf8 } from 'node:buffer';

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

const silent: HeaderFacts = { eventType: null, userId: null, teamId: null, deliveryId: null, gzip: false };
