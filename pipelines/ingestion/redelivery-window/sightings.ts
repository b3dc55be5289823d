import type { ReadableLog, StreamPartition } from '@aorta/connectors';
import type { StreamName, StreamRecords } from '@aorta/schemas';
import { EVENT_TYPE_IN_HEADERS, USER_IN_HEADERS } from '../receipt.ts';
import { type Entry, identityOf } from './entry.ts';

const BATCH = { records: 4096, bytes: 8 * 1024 * 1024 };

/** An entry that was restored from a stream record. */
export interface RecordedSighting {
  readonly source: string;
  readonly partition: string;
  readonly entry: Entry;
}

/** Yields the deliveries in a stream partition that have an id, starting at a position. */
export async function* sightings(log: ReadableLog, of: StreamPartition, from: number): AsyncGenerator<RecordedSighting> {
  const end = log.end(of);
  for (let position = from; position < end; ) {
    const batch = await log.read(of, position, BATCH);
    for (const record of batch.records) {
      const seen = sightingOf(record);
      if (seen !== undefined) yield seen;
    }
    if (batch.to <= position) return;
    position = batch.to;
  }
}

/** Returns the delivery from which a record was created; undefined if the delivery has no id. */
function sightingOf(record: StreamRecords[StreamName]): RecordedSighting | undefined {
  const { receipt } = record;
  const named = 'event' in record ? record.event : record;
  // A record of fetched data does not come from a delivery.
  if (receipt.delivery_id === null || !('event_type' in named)) return undefined;
  // The window identifies a delivery only by its headers. `header_facts` shows whether the headers contained
  // the user and the event type.
  const userId = receipt.header_facts & USER_IN_HEADERS ? named.user_id : null;
  const eventType = receipt.header_facts & EVENT_TYPE_IN_HEADERS ? named.event_type : null;
  return {
    source: receipt.source,
    partition: receipt.partition,
    entry: {
      offset: receipt.offset,
      receivedAt: receipt.received_at,
      identity: identityOf(userId, eventType, receipt.delivery_id),
      bytes: receipt.body_bytes,
      crc32: receipt.body_crc32,
    },
  };
}
