import type { ReadableLog, StreamPartition } from '@aorta/connectors';
import type { StreamName, StreamRecords } from '@aorta/schemas';
import { EVENT_TYPE_IN_HEADERS, USER_IN_HEADERS } from '../receipt.ts';
import { type Entry, identityOf } from './entry.ts';

const BATCH = { records: 4096, bytes: 8 * 1024 * 1024 };

/** An entry, as reconstructed from a stream record. */
export interface RecordedSighting {
  readonly source: string;
  readonly partition: string;
  readonly entry: Entry;
}

/** Yields the deliveries with an id in a stream partition, from a position to its end. */
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

/** Returns the record's delivery; undefined if the delivery had no id. */
function sightingOf(record: StreamRecords[StreamName]): RecordedSighting | undefined {
  const { receipt } = record;
  const named = 'event' in record ? record.event : record;
  // A fetched record has no delivery.
  if (receipt.delivery_id === null || !('event_type' in named)) return undefined;
  // The window identifies a delivery by its headers only; `header_facts` says whether they named user and event type.
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
