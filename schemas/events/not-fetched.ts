import type { Refused } from './read-result.ts';

/** Suffix of the event types that enrichment creates when it gives up on a request. Such events become dead letters. */
const NOT_FETCHED = '.not_fetched';

/** Returns the refusal if the event is a `.not_fetched` event, else undefined. */
export function notFetched(eventType: string): Refused | undefined {
  return eventType.endsWith(NOT_FETCHED) ? { kind: 'refused', reason: 'not_fetched', place: '' } : undefined;
}
