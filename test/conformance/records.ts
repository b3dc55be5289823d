import { crc32 } from 'node:zlib';
import { createRouter } from '@aorta/ingestion';
import { parseInstant, readEvent, type StreamName, type StreamRecords, streamSchemas } from '@aorta/schemas';
import type { TestDelivery } from '../model/delivery.ts';

export type Placed = { readonly stream: StreamName; readonly record: StreamRecords[StreamName] };

const route = createRouter();

/** Returns the records that ingestion would append without a redelivery window. */
export function recordsOf(list: readonly TestDelivery[]): Placed[] {
  return list.map((delivery) => {
    const body = delivery.body as { event_type: string };
    const receipt = {
      source: delivery.source,
      partition: String(delivery.partition),
      offset: delivery.offset,
      received_at: parseInstant(new Date(delivery.receivedAt).toISOString()),
      delivery_id: delivery.headers['idempotency-key'] ?? delivery.headers['svix-id'] ?? null,
      header_facts: 3,
      body_bytes: Buffer.byteLength(JSON.stringify(body)),
      body_crc32: crc32(JSON.stringify(body)),
      // A webhook arrives later than the service created the message, and a repetition arrives even later.
      arrived_at: delivery.headers['svix-id'] === undefined ? null : delivery.receivedAt * 1000 + delivery.offset,
    };
    const whole = {
      receipt,
      event_type: body.event_type,
      team_id: 'team',
      user_id: delivery.headers['user-id']!,
      reader: streamSchemas.unrouted.aorta.revision,
      headers: {},
      key: null,
      body: Buffer.alloc(0),
    };
    const stream = route(body.event_type);
    if (stream === 'unrouted') return { stream: 'unrouted', record: whole };
    const reading = readEvent(stream, body.event_type, body, receipt);
    if (reading.kind === 'record') return { stream, record: reading.record };
    return {
      stream: 'dead_letters',
      record: { ...whole, reason: reading.reason, stage: 'read', scope: 'whole', places: [], error_headers: {} },
    };
  });
}
