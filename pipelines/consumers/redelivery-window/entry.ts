import { hash } from 'node:crypto';

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

/**
 * A delivery id is unique only among the events of a user and an event type (service-facts.md §1.2), and only headers
 * count: 52 bits of a SHA-256 over user, event type and id. Two identities with the same number would have to share
 * length and CRC-32 of their bodies too before one were taken for the other. No identifier stays in memory or snapshot.
 */
export function identityOf(userId: string | null, eventType: string | null, deliveryId: string): number {
  const lengths = `${userId?.length ?? 0},${eventType?.length ?? 0},`;
  return Number.parseInt(hash('sha256', lengths + (userId ?? '') + (eventType ?? '') + deliveryId, 'hex').slice(0, 13), 16);
}
