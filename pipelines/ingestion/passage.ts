import type { Delivery } from '@aorta/connectors';
import type { HeaderFacts } from '@aorta/connectors/sources';
import type { Receipt } from '@aorta/schemas';
import type { BodyMark, Parsed } from './body.ts';
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

/** Whether headers and body name different event types or users: the reason and the place of a dead letter. */
export function disagreementOf(headers: HeaderFacts, body: object): { reason: DeadReason; place: string } | undefined {
  const eventType = headers.eventType === null ? null : namedEventType(body);
  if (eventType !== null && eventType !== headers.eventType) return { reason: 'event_type_disagrees', place: 'event_type' };
  const userId = headers.userId === null ? null : memberText(body, 'user_id');
  if (userId !== null && userId !== headers.userId) return { reason: 'user_disagrees', place: 'user_id' };
  return undefined;
}
