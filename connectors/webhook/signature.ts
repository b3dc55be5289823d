import { createHmac, timingSafeEqual } from 'node:crypto';

/** The headers that sign a message, under Standard Webhooks' names or Svix's. */
export interface SignedHeaders {
  readonly id: string;
  /** Seconds since 1970, as sent. It is part of the signed text. */
  readonly timestamp: string;
  /** Space-separated pairs of version and signature. */
  readonly signature: string;
}

/** Why a message is refused before its body is read. */
export type UntrustedHeaders = 'unsigned' | 'old' | 'future';

/** The headers of a request, by lower-case name. */
export type GivenHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Returns the signing headers of a request, or undefined if one of them is missing. Does not combine headers from both
 * naming conventions.
 */
export function signedHeaders(given: GivenHeaders): SignedHeaders | undefined {
  for (const prefix of ['webhook', 'svix']) {
    const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) => given[`${prefix}-${name}`]);
    if (typeof id === 'string' && typeof timestamp === 'string' && typeof signature === 'string') {
      if (id !== '' && timestamp !== '' && signature !== '') return { id, timestamp, signature };
    }
  }
  return undefined;
}

/** Checks the signed timestamp against the clock. Both times are in seconds. Returns undefined if it is within the tolerance. */
export function untimely({ timestamp }: SignedHeaders, now: number, tolerance: number): UntrustedHeaders | undefined {
  if (!/^[0-9]{1,12}$/.test(timestamp)) return 'unsigned';
  const age = now - Number(timestamp);
  if (age > tolerance) return 'old';
  return age < -tolerance ? 'future' : undefined;
}

/** Returns the key of a secret: the Base64 text after `whsec_`. */
export function keyOf(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}

/**
 * Returns whether one of the signatures was made with one of the keys, over the bytes of the body as received. The library
 * `standardwebhooks` cannot check this: it decodes the body as UTF-8 first, which changes a body that is not UTF-8.
 */
export function isSignedBy(keys: readonly Buffer[], { id, timestamp, signature }: SignedHeaders, body: Buffer): boolean {
  const given = signature
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => Buffer.from(one.slice(3), 'utf8'));
  return keys.some((key) => {
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
    const bytes = Buffer.from(expected, 'utf8');
    return given.some((one) => one.length === bytes.length && timingSafeEqual(one, bytes));
  });
}
