import { isUtf8 } from 'node:buffer';
import { crc32, gunzipSync } from 'node:zlib';
import type { DeliveryBatch } from '../source.ts';
import { looksGzipped } from '../sources/delivery.ts';
import type { GivenHeaders, SignedHeaders } from './signature.ts';

/** Headers of the request that are kept. The others, such as cookies, say nothing about the event. */
const KEPT = ['content-type', 'content-encoding', 'user-agent'];

/** Digits of base62 as KSUIDs use them. */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const MESSAGE_ID = /^msg_([0-9A-Za-z]{27})$/;

/** Bits of a KSUID after its timestamp. */
const RANDOM_BITS = 128n;

/** A KSUID counts its seconds from this time, in seconds since 1970. */
const KSUID_EPOCH = 1_400_000_000;

const MOST_SECONDS = 2n ** 32n;

/** The service retries a message for about 27.5 hours; an operator may resend it for some days. */
const OLDEST_US = 7 * 24 * 3600 * 1_000_000;

/** Maximum bytes of an inflated body that is read here. Ingestion reads a larger one, or refuses it. */
const INFLATED_BYTES = 64 * 1024 * 1024;

/** A message that the endpoint has verified, as the intake log keeps it. */
export interface Message {
  /** Microseconds since 1970; see {@link receiptTime}. */
  readonly receivedAt: number;
  /** Microseconds since 1970 at which the request arrived. */
  readonly arrivedAt: number;
  /** User of the event; null if the body names none. Messages of a user are in one partition. */
  readonly user: string | null;
  /**
   * Headers of the delivery: the request headers that are kept, and facts from the body that a hub would send as headers.
   */
  readonly headers: ReadonlyMap<string, string>;
  /** Body as received. */
  readonly body: Buffer;
}

/** Returns the partition of a message: that of its user, or of its id if the body names no user. */
export function partitionByUser({ user, headers }: Message, partitions: number): number {
  return crc32(user ?? headers.get('svix-id') ?? '') % partitions;
}

/**
 * Returns the creation time of a message, in microseconds since 1970 with a resolution of one second. The id of a message is
 * `msg_` and a KSUID, which begins with that time. Returns undefined for any other id.
 *
 * Source: segmentio/ksuid: 20 bytes as 27 digits of base62, the first four bytes are the seconds since 2014-05-13.
 */
export function createdAt(id: string): number | undefined {
  const ksuid = MESSAGE_ID.exec(id)?.[1];
  if (ksuid === undefined) return undefined;
  let value = 0n;
  for (const digit of ksuid) value = value * 62n + BigInt(DIGITS.indexOf(digit));
  const seconds = value >> RANDOM_BITS;
  if (seconds >= MOST_SECONDS) return undefined;
  return (KSUID_EPOCH + Number(seconds)) * 1_000_000;
}

/**
 * Returns the receipt time of a message, in microseconds. It is the creation time in the id, if that time is within the
 * seven days before the arrival. A message that is retried hours later then does not count as newer than messages that were
 * created after it.
 */
export function receiptTime(id: string, arrivedAt: number): number {
  const created = createdAt(id);
  return created !== undefined && created <= arrivedAt && created >= arrivedAt - OLDEST_US ? created : arrivedAt;
}

/** Creates the message of a verified request. Accepts every body: one that cannot be read becomes a dead letter later. */
export function messageOf(given: GivenHeaders, signed: SignedHeaders, body: Buffer, arrivedAt: number): Message {
  const headers = new Map<string, string>([
    ['svix-id', signed.id],
    ['svix-timestamp', signed.timestamp],
  ]);
  for (const name of KEPT) {
    const value = given[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const { eventType, userId, teamId } = factsOf(body);
  if (eventType !== undefined) headers.set('event-type', eventType);
  if (userId !== undefined) headers.set('user-id', userId);
  if (teamId !== undefined) headers.set('team-id', teamId);
  return { receivedAt: receiptTime(signed.id, arrivedAt), arrivedAt, user: userId ?? null, headers, body };
}

interface EnvelopeFacts {
  readonly eventType?: string | undefined;
  readonly userId?: string | undefined;
  readonly teamId?: string | undefined;
}

/** Returns the facts that the service sends in a hub's headers but not in a webhook's headers. Never throws. */
function factsOf(body: Buffer): EnvelopeFacts {
  try {
    const bytes = looksGzipped(body) ? gunzipSync(body, { maxOutputLength: INFLATED_BYTES }) : body;
    if (!isUtf8(bytes)) return {};
    const event: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof event !== 'object' || event === null) return {};
    const text = (name: string): string | undefined => {
      const value = (event as Record<string, unknown>)[name];
      return typeof value === 'string' && value !== '' ? value : undefined;
    };
    return { eventType: text('event_type'), userId: text('user_id'), teamId: text('team_id') };
  } catch {
    return {};
  }
}

/** A durable log of verified messages, partitioned by user. A position in it is the position of the delivery. */
export interface IntakeLog<Position> {
  /**
   * Appends a message. Resolves when it is durable. Rejects with AORTA-DATA-UNWRITABLE or AORTA-KAFKA-… if it is not; the log
   * stays usable, and a later append may succeed.
   */
  append(message: Message): Promise<void>;
  /** Bytes of durable messages that ingestion has not committed yet; 0 if the size of the log is not limited here. */
  backlogBytes(): number;
  /** Yields the messages after the committed position, as `Source.batches` does. Call it once. */
  batches(signal: AbortSignal): AsyncIterable<DeliveryBatch<Position>>;
  /** See `Source.commit`. */
  commit(positions: readonly Position[]): Promise<void>;
  /** Waits for running appends, then releases the log. Never rejects. */
  close(): Promise<void>;
}
