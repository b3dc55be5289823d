import type { Refused } from './read-result.ts';

/** Suffix of the events that the pipeline makes when it gives up a request to the service. They become dead letters. */
const NOT_FETCHED = '.not_fetched';

/** Returns the refusal of such an event, or undefined for any other event. */
export function notFetched(eventType: string): Refused | undefined {
  return eventType.endsWith(NOT_FETCHED) ? { kind: 'refused', reason: 'not_fetched', place: '' } : undefined;
}
