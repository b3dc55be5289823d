import { readEvent, type StreamRecords } from '@aorta/schemas';
import { activityEvent, receivedAt } from '../events.ts';
import { PARTITIONS } from './summaries.ts';

/** Returns the stream record of summary `index`. */
export function recordOf(index: number): StreamRecords['activity'] {
  const receipt = {
    source: 'kafka',
    partition: `summaries/${index % PARTITIONS}`,
    offset: Math.floor(index / PARTITIONS),
    received_at: receivedAt(index) * 1000,
    delivery_id: `delivery-${index}`,
    header_facts: 3,
    body_bytes: 1000,
    body_crc32: index,
    arrived_at: null,
  };
  const reading = readEvent('activity', 'daily.data.activity.created', activityEvent(index), receipt);
  if (reading.kind !== 'record') throw new Error(reading.reason);
  return reading.record;
}
