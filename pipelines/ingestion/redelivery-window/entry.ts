/** What the window remembers of a delivery that carries an id. */
export interface Entry {
  readonly offset: number;
  /** Receipt time in microseconds since 1970. */
  readonly receivedAt: number;
  /** Number of the identity, see {@link identityOf}. */
  readonly identity: number;
  /** Length of the uncompressed body. */
  readonly bytes: number;
  /** CRC-32 of the uncompressed body. */
  readonly crc32: number;
}

/** Limits of a window; `offsets` 0 switches it off. */
export interface WindowLimits {
  /** How many offsets before a delivery its window reaches. */
  readonly offsets: number;
  /** Bytes of uncompressed bodies, of deliveries with an id, from the oldest delivery of the window up to the one that is judged. */
  readonly bytes: number;
  /** How much older than the delivery that is judged an entry of its window may be, in hours. */
  readonly hours: number;
}

export const defaultWindowLimits: WindowLimits = { offsets: 20_000, bytes: 256 * 1024 * 1024, hours: 48 };

/** `redelivered`: its window holds it. `same-id-other-body`: the window holds its id with another body, which is counted and taken. */
export type Classification = 'new' | 'redelivered' | 'same-id-other-body';

const lengthTexts = Array.from({ length: 256 }, (_, length) => `${length},`);

/** The length of a text in digits, and where they end. */
function lengthText({ length }: string): string {
  return lengthTexts[length] ?? `${length},`;
}

/**
 * A delivery id is unique only among the events of a user and an event type, and only headers
 * count: 52 bits of a hash over user, event type and id. Two identities with the same number would have to share length
 * and CRC-32 of their bodies too before one were taken for the other, so the hash mixes well and is quick, and need not be
 * a cryptographic one: SHA-256 took a tenth of all that a plain summary costs. No identifier stays in memory or snapshot.
 */
export function identityOf(userId: string | null, eventType: string | null, deliveryId: string): number {
  const user = userId ?? '';
  const type = eventType ?? '';
  return mixed(lengthText(user), lengthText(type), user, type, deliveryId);
}

/**
 * cyrb53 (bryc, public domain) of texts one after another: two 32-bit multiplicative hashes, finished as MurmurHash3 is;
 * its lowest 52 bits. The texts are not put together first, which would take longer than the rest.
 */
function mixed(...texts: readonly string[]): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      high = Math.imul(high ^ unit, 2654435761);
      low = Math.imul(low ^ unit, 1597334677);
    }
  }
  const first = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  const second = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(first ^ (first >>> 13), 3266489909);
  return (second & 0xfffff) * 2 ** 32 + (first >>> 0);
}
