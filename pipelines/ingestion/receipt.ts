import type { Delivery } from '@aorta/connectors';
import type { HeaderFacts } from '@aorta/connectors/sources';
import type { Receipt } from '@aorta/schemas';
import type { BodyMark } from './body.ts';

/** Bits of `header_facts` in a receipt. */
export const EVENT_TYPE_IN_HEADERS = 1;
export const USER_IN_HEADERS = 2;

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
