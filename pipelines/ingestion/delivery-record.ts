import type { Delivery } from '@aorta/connectors';
import { type HeaderFacts, headerBytes } from '@aorta/connectors/sources';
import { AortaError, visible } from '@aorta/runtime';
import {
  type DeadLetter,
  type Receipt,
  type Redelivered,
  type Refusal,
  refusals,
  streamSchemas,
  type Unrouted,
} from '@aorta/schemas';
import type { BodyMark } from './body.ts';

/** Prefix of the event types that the webhook service (Svix) sends about itself. These events have `type` in place of `event_type`. */
const OPERATIONAL = 'message.attempt.';

/** Bits of `header_facts` in a receipt. */
export const EVENT_TYPE_IN_HEADERS = 1;

export const USER_IN_HEADERS = 2;

/** The steps of the chain. A dead letter names the step that failed. */
export type Stage = 'receive' | 'decompress' | 'parse' | 'route' | 'read' | 'encode';

/** Reason for a dead letter: a refusal, or a bug in Aorta. A reason never contains a value. */
export type DeadReason = Refusal | 'AORTA-BUG';

/** User, team and event type of a delivery, if known. Headers take precedence over the body. */
export interface Identity {
  readonly eventType: string | null;
  readonly teamId: string | null;
  readonly userId: string | null;
}

/** Reads the identity from the headers and the body. The body may be any JSON value. */
export function identify(headers: HeaderFacts, body: unknown): Identity {
  return {
    eventType: headers.eventType ?? namedEventType(body),
    teamId: headers.teamId ?? memberText(body, 'team_id'),
    userId: headers.userId ?? memberText(body, 'user_id'),
  };
}

export function namedEventType(body: unknown): string | null {
  const eventType = memberText(body, 'event_type');
  if (eventType !== null) return eventType;
  const type = memberText(body, 'type');
  return type?.startsWith(OPERATIONAL) ? type : null;
}

/** Returns a member if it is a non-empty string without unpaired surrogates, which UTF-8 cannot encode. */
export function memberText(body: unknown, name: 'event_type' | 'type' | 'team_id' | 'user_id'): string | null {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return null;
  const value = (body as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' && value.isWellFormed() ? value : null;
}

/** Returns the record of a delivery that is kept whole: its body, key and headers as they were received. */
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

/** The parts of a dead letter that do not come from the delivery. */
export interface RefusalFacts {
  readonly reason: DeadReason;
  readonly stage: Stage;
  readonly scope: 'whole' | 'part';
  /** Paths in the body, never values. */
  readonly places: readonly string[];
}

export function deadLetter(delivery: Delivery, receipt: Receipt, identity: Identity, verdict: RefusalFacts): DeadLetter {
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
    file: fileName(delivery),
    line: delivery.found?.line ?? null,
  };
}

/** Returns the name of the file. Records hold only UTF-8, so other bytes of a name are escaped, as in messages. */
function fileName({ found }: Delivery): string | null {
  return found === undefined || found.file.isWellFormed() ? (found?.file ?? null) : visible(found.file);
}

/** Returns the headers that Kafka Connect adds to dead letters (KIP-298), except the stack trace, which may quote a value. */
function errorHeaders(receipt: Receipt, { reason, stage }: RefusalFacts): Record<string, string> {
  return {
    '__connect.errors.topic': receipt.source,
    '__connect.errors.partition': receipt.partition,
    '__connect.errors.offset': String(receipt.offset),
    '__connect.errors.connector.name': 'aorta',
    '__connect.errors.task.id': '0',
    '__connect.errors.stage': stage,
    '__connect.errors.class.name': `aorta.ingestion.${stage}`,
    '__connect.errors.exception.class.name': reason,
    '__connect.errors.exception.message':
      reason === 'AORTA-BUG'
        ? new AortaError('AORTA-BUG', { place: `the step ${stage}`, problem: 'an exception' }).message
        : refusals[reason],
  };
}

/** Returns the receipt that every record of the delivery contains. */
export function receiptOf(delivery: Delivery, headers: HeaderFacts, mark: BodyMark): Receipt {
  return {
    source: delivery.source,
    partition: delivery.partition,
    offset: delivery.offset,
    received_at: delivery.receivedAt,
    delivery_id: headers.deliveryId,
    header_facts: (headers.eventType === null ? 0 : EVENT_TYPE_IN_HEADERS) + (headers.userId === null ? 0 : USER_IN_HEADERS),
    body_bytes: mark.bytes,
    body_crc32: mark.crc32,
    arrived_at: delivery.arrivedAt ?? null,
  };
}
