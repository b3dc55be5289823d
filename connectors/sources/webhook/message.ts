import { isUtf8 } from 'node:buffer';
import { crc32, gunzipSync } from 'node:zlib';
import { looksGzipped } from '../gzip.ts';
import { receiptTime } from './message-id.ts';
import type { GivenHeaders, SignedHeaders } from './signature.ts';

/** A message that the endpoint has verified, as the intake log keeps it. */
export interface Message {
  /** Microseconds since 1970; see {@link receiptTime}. */
  readonly receivedAt: number;
  /** Microseconds since 1970 at which the request arrived. */
  readonly arrivedAt: number;
  /** User of the event; null if the body names none. Messages of a user are in one partition. */
  readonly user: string | null;
  /** Headers of the delivery: those of the request that matter later, and the facts from the body that a hub's headers contain. */
  readonly headers: ReadonlyMap<string, string>;
  /** Body as received. */
  readonly body: Buffer;
}

/** Returns the partition of a message: that of its user, or of its id if the body names no user. */
export function partitionByUser({ user, headers }: Message, partitions: number): number {
  return crc32(user ?? headers.get('svix-id') ?? '') % partitions;
}

/** Headers of the request that are kept. The others, such as cookies, say nothing about the event. */
const KEPT = ['content-type', 'content-encoding', 'user-agent'];

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

/** Maximum bytes of an inflated body that is read here. Ingestion reads a larger one, or refuses it. */
const INFLATED_BYTES = 64 * 1024 * 1024;

/** Returns what the service puts into a hub's headers, but not into those of a webhook. Never throws. */
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
