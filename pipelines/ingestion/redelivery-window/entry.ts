/** Data that the window stores about a delivery with an id. */
export interface Entry {
  readonly offset: number;
  /** Receipt time in microseconds since 1970. */
  readonly receivedAt: number;
  /** Hash of the user, the event type and the delivery id; see {@link identityOf}. */
  readonly identity: number;
  /** Length of the uncompressed body. */
  readonly bytes: number;
  /** CRC-32 of the uncompressed body. */
  readonly crc32: number;
}

/** Limits of a window. If `offsets` is 0, the window is off. */
export interface WindowLimits {
  /** Length of the window, in offsets before the delivery that is being classified. */
  readonly offsets: number;
  /**
   * Maximum total size, in bytes, of the uncompressed bodies in the window, not counting the body of the delivery that is
   * being classified. Only deliveries with an id count.
   */
  readonly bytes: number;
  /** Maximum age of an entry, in hours, relative to the delivery that is being classified. */
  readonly hours: number;
}

export const defaultWindowLimits: WindowLimits = { offsets: 20_000, bytes: 256 * 1024 * 1024, hours: 48 };

/** `redelivered`: the window contains the delivery. `same-id-other-body`: the window contains the id with a different body. */
export type Classification = 'new' | 'redelivered' | 'same-id-other-body';

const lengthTexts = Array.from({ length: 256 }, (_, length) => `${length},`);

/** Returns the length of a string as digits, followed by a comma. */
function lengthText({ length }: string): string {
  return lengthTexts[length] ?? `${length},`;
}

/**
 * Returns a 52-bit hash of the user, the event type and the delivery id, because a delivery id is unique only per user and
 * event type. The user and the event type are taken only from the headers. The window stores the hash instead of the ids, so
 * neither memory nor a snapshot contains an identifier. The hash need not be cryptographic, because two deliveries with the
 * same hash are confused only if their bodies also have the same length and CRC-32. SHA-256 took a tenth of the
 * processing time of a small summary.
 */
export function identityOf(userId: string | null, eventType: string | null, deliveryId: string): number {
  const user = userId ?? '';
  const type = eventType ?? '';
  return mixed(lengthText(user), lengthText(type), user, type, deliveryId);
}

/**
 * The hash cyrb53 (bryc, public domain) of several strings: two 32-bit multiplicative hashes, finished as in MurmurHash3.
 * Returns the lowest 52 bits. Concatenating the strings first would take longer than hashing them.
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
