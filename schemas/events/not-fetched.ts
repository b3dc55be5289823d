import type { Refused } from './verdict.ts';

/** Ending of the events that stand for something announced, asked for, and never given: they are dead letters. */
const NOT_FETCHED = '.not_fetched';

/** The refusal of such an event; undefined of every other. */
export function notFetched(eventType: string): Refused | undefined {
  return eventType.endsWith(NOT_FETCHED) ? { kind: 'refused', reason: 'not_fetched', place: '' } : undefined;
}
