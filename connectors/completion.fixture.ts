import { readEvent, type StreamRecords } from '@aorta/schemas';

/** Returns the record of a completed historical pull. */
export function completion(offset: number): StreamRecords['historical_completions'] {
  const receipt = {
    source: 's',
    partition: '0',
    offset,
    received_at: 1_774_000_000_000_000,
    delivery_id: null,
    header_facts: 0,
    body_bytes: 1,
    body_crc32: 1,
    arrived_at: null,
  };
  const reading = readEvent(
    'historical_completions',
    'historical.data.sleep.created',
    { user_id: 'u', data: { provider: 'oura' } },
    receipt,
  );
  if (reading.kind !== 'record') throw new Error(reading.reason);
  return reading.record;
}
