import type { ReadableLog, StreamPartition } from '@aorta/connectors';
import type { StreamName, StreamRecords } from '@aorta/schemas';
import { EVENT_TYPE_IN_HEADERS, USER_IN_HEADERS } from '../receipt.ts';
import { type Entry, identityOf } from './entry.ts';

const BATCH = { records: 4096, bytes: 8 * 1024 * 1024 };

/** An entry of a partition's log, as a record in a stream tells of it. */
export interface RecordedSighting {
  readonly source: string;
  readonly partition: string;
  readonly entry: Entry;
}

/** The deliveries with an id that a partition of a stream tells of, from a position on to its end. */
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

/** What the record says of its delivery; undefined where the delivery had no id. */
function sightingOf(record: StreamRecords[StreamName]): RecordedSighting | undefined {
  const { receipt } = record;
  const named = 'event' in record ? record.event : record;
  // What was fetched is no delivery.
  if (receipt.delivery_id === null || !('event_type' in named)) return undefined;
  // The receipt says which of the two the headers named; where they did, header and body agree, or the header was kept.
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
