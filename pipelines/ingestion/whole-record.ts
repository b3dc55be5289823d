import type { Delivery } from '@aorta/connectors';
import { type HeaderFacts, headerBytes } from '@aorta/connectors/sources';
import { AortaError } from '@aorta/runtime';
import {
  type DeadLetter,
  type Receipt,
  type Redelivered,
  type Refusal,
  refusals,
  streamSchemas,
  type Unrouted,
} from '@aorta/schemas';

/** The steps of the chain, as dead letters name them. */
export type Stage = 'receive' | 'decompress' | 'parse' | 'route' | 'read' | 'encode';

/** Why a delivery is a dead letter: a refusal, or a fault of this program, which names no value either. */
export type DeadReason = Refusal | 'AORTA-BUG';

/** Who and what a delivery is about, as far as could be read; headers go before the body. */
export interface Identity {
  readonly eventType: string | null;
  readonly teamId: string | null;
  readonly userId: string | null;
}

/** Identity out of headers and body. The body may be anything. */
export function identify(headers: HeaderFacts, body: unknown): Identity {
  return {
    eventType: headers.eventType ?? namedEventType(body),
    teamId: headers.teamId ?? memberText(body, 'team_id'),
    userId: headers.userId ?? memberText(body, 'user_id'),
  };
}

/** What the webhook service (Svix) calls the events that are about itself: they have `type` where others have `event_type`. */
const OPERATIONAL = 'message.attempt.';

/** The event type that a body names. */
export function namedEventType(body: unknown): string | null {
  const eventType = memberText(body, 'event_type');
  if (eventType !== null) return eventType;
  const type = memberText(body, 'type');
  return type?.startsWith(OPERATIONAL) ? type : null;
}

/** A member of a JSON object, where it is a text with something in it, and not with half a surrogate pair, which UTF-8 cannot hold. */
export function memberText(body: unknown, name: 'event_type' | 'type' | 'team_id' | 'user_id'): string | null {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return null;
  const value = (body as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' && value.isWellFormed() ? value : null;
}

/** The record of a delivery that is kept whole: bytes, key and headers as they came. */
export function wholeRecord(
  stream: 'redelivered' | 'unrouted',
  delivery: Delivery,
  receipt: Receipt,
  identity: Identity,
): Redelivered & Unrouted {
  return {
    receipt,
    event_type: identity.eventType,
    team_id: identity.teamId,
    user_id: identity.userId,
    reader: streamSchemas[stream].aorta.revision,
    headers: headerBytes(delivery.headers),
    key: delivery.key,
    body: delivery.body,
  };
}

/** What a dead letter says beside the delivery itself. */
export interface Verdict {
  readonly reason: DeadReason;
  readonly stage: Stage;
  readonly scope: 'whole' | 'part';
  /** Paths into the body, never values. */
  readonly places: readonly string[];
}

export function deadLetter(delivery: Delivery, receipt: Receipt, identity: Identity, verdict: Verdict): DeadLetter {
  return {
    receipt,
    event_type: identity.eventType,
    team_id: identity.teamId,
    user_id: identity.userId,
    reader: streamSchemas.dead_letters.aorta.revision,
    reason: verdict.reason,
    stage: verdict.stage,
    scope: verdict.scope,
    places: [...verdict.places],
    error_headers: errorHeaders(receipt, verdict),
    headers: headerBytes(delivery.headers),
    key: delivery.key,
    body: delivery.body,
    file: delivery.found?.file ?? null,
    line: delivery.found?.line ?? null,
  };
}

/** The headers that Kafka Connect puts on dead letters (KIP-298), less the stack trace: it may quote a value. */
function errorHeaders(receipt: Receipt, { reason, stage }: Verdict): Record<string, string> {
  return {
    '__connect.errors.topic': receipt.source,
    '__connect.errors.partition': receipt.partition,
    '__connect.errors.offset': String(receipt.offset),
    '__connect.errors.connector.name': 'aorta',
    '__connect.errors.task.id': '0',
    '__connect.errors.stage': stage,
    '__connect.errors.class.name': `aorta.consumers.${stage}`,
    '__connect.errors.exception.class.name': reason,
    '__connect.errors.exception.message':
      reason === 'AORTA-BUG'
        ? new AortaError('AORTA-BUG', { place: `the step ${stage}`, problem: 'an exception' }).message
        : refusals[reason],
  };
}
