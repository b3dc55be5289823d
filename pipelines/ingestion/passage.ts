import type { Delivery } from '@aorta/connectors';
import { type HeaderFacts, readHeaders } from '@aorta/connectors/sources';
import type { Receipt } from '@aorta/schemas';
import { type BodyMark, measureBody, type Parsed, parseBody, uncompress } from './body.ts';
import { receiptOf } from './receipt.ts';
import type { Classification } from './redelivery-window/entry.ts';
import type { Sighting } from './redelivery-window/window.ts';
import { type DeadReason, memberText, namedEventType, type Stage } from './whole-record.ts';

/** A delivery on its way through the chain, with what the steps have found out about it so far. */
export interface Passage {
  /** As the source handed it over: the source knows it by this object. */
  readonly handed: Delivery;
  /** With its extent measured, if the one taken on trust was wrong. */
  readonly delivery: Delivery;
  readonly headers: HeaderFacts;
  readonly mark: BodyMark;
  readonly receipt: Receipt;
  /** The step it is in, which a dead letter names. */
  stage: Stage;
  classified: Classification;
  /** Set from the beginning if the body had to be parsed to know its extent. */
  parsed: Parsed | undefined;
  /** What the body holds, once it is parsed. */
  body: unknown;
}

/** A delivery before its first step. */
export function enter(handed: Delivery, bodyBytes: number): Passage {
  let delivery = handed;
  let parsed: Parsed | undefined;
  // A body whose extent was taken on trust is parsed first: only the right bytes may be measured.
  if (handed.remeasure !== undefined) {
    const found = parseInline(handed, bodyBytes);
    if (typeof found === 'string') delivery = handed.remeasure();
    else parsed = found;
  }
  const headers = readHeaders(delivery.headers);
  const mark = measureBody(delivery.body, delivery.inline);
  const receipt = receiptOf(delivery, headers, mark);
  return { handed, delivery, headers, mark, receipt, stage: 'receive', classified: 'new', parsed, body: undefined };
}

function parseInline(delivery: Delivery, limit: number): Parsed | DeadReason {
  const bytes = uncompress(delivery.body, true, false, limit);
  return typeof bytes === 'string' ? bytes : parseBody(bytes);
}

/** What the redelivery window is shown of a delivery. */
export function sightingOf(delivery: Delivery, headers: HeaderFacts, mark: BodyMark): Sighting {
  return {
    source: delivery.source,
    partition: delivery.partition,
    offset: delivery.offset,
    receivedAt: delivery.receivedAt,
    userId: headers.userId,
    eventType: headers.eventType,
    deliveryId: headers.deliveryId,
    bytes: mark.bytes,
    crc32: mark.crc32,
  };
}

/**
 * The body, with the user of the headers where it names none itself. The record then names the same user as the headers,
 * by which its redelivery is recognised.
 */
export function namingUser(body: object, headers: HeaderFacts): object {
  const { user_id: named } = body as { user_id?: unknown };
  return headers.userId !== null && (named === undefined || named === null) ? { ...body, user_id: headers.userId } : body;
}

/** Whether headers and body name different event types or users: the reason and the place of a dead letter. */
export function disagreementOf(headers: HeaderFacts, body: object): { reason: DeadReason; place: string } | undefined {
  const eventType = headers.eventType === null ? null : namedEventType(body);
  if (eventType !== null && eventType !== headers.eventType) return { reason: 'event_type_disagrees', place: 'event_type' };
  const userId = headers.userId === null ? null : memberText(body, 'user_id');
  if (userId !== null && userId !== headers.userId) return { reason: 'user_disagrees', place: 'user_id' };
  return undefined;
}
