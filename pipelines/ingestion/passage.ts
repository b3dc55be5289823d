import type { Delivery } from '@aorta/connectors';
import type { HeaderFacts } from '@aorta/connectors/sources';
import type { Receipt } from '@aorta/schemas';
import type { BodyMark, Parsed } from './body.ts';
import type { Classification } from './redelivery-window/entry.ts';
import type { Sighting } from './redelivery-window/window.ts';
import { type DeadReason, memberText, namedEventType, type Stage } from './whole-record.ts';

/** A delivery that is passing through the chain, with the results of the steps so far. */
export interface Passage {
  /** The delivery object exactly as the source provided it, so that the source can recognize it. */
  readonly handed: Delivery;
  /** Usually the same object as `handed`; a copy with the corrected body if the source guessed the body's length incorrectly. */
  readonly delivery: Delivery;
  readonly headers: HeaderFacts;
  readonly mark: BodyMark;
  readonly receipt: Receipt;
  stage: Stage;
  classified: Classification;
  /**
   * If the source guessed the body's length correctly, this is set before the first step, because Aorta checks the guess
   * by parsing the body.
   */
  parsed: Parsed | undefined;
  body: unknown;
}

/** Returns the facts that the redelivery window needs about a delivery. */
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

/** Returns the reason and place for a dead letter if the headers and the body name different event types or users. */
export function disagreementOf(headers: HeaderFacts, body: object): { reason: DeadReason; place: string } | undefined {
  const eventType = headers.eventType === null ? null : namedEventType(body);
  if (eventType !== null && eventType !== headers.eventType) return { reason: 'event_type_disagrees', place: 'event_type' };
  const userId = headers.userId === null ? null : memberText(body, 'user_id');
  if (userId !== null && userId !== headers.userId) return { reason: 'user_disagrees', place: 'user_id' };
  return undefined;
}
