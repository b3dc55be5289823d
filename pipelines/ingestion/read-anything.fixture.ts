import type { RefusedPart, StreamRecords } from '@aorta/schemas';
import type { ReadEvent } from './chain.ts';

/** Converts any body into a historical completion with the given refused parts. Does not use the real readers. */
export function readAnythingWith(refused: readonly RefusedPart[]): ReadEvent {
  return (_stream, eventType, body, receipt) => {
    const { user_id = '' } = body as { user_id?: string };
    const record: StreamRecords['historical_completions'] = {
      receipt,
      event: { event_type: eventType, team_id: null, user_id, client_user_id: null },
      reader: 1,
      resource: 'sleep',
      provider: 'oura',
      data_user_id: null,
      range_start: null,
      range_end: null,
      is_final: null,
      extra: null,
    };
    // In these tests, all deliveries are routed to this stream.
    return { kind: 'record', record: record as never, refused };
  };
}

export const readAnything = readAnythingWith([]);
