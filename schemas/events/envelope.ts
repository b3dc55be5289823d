import type { Envelope } from '../streams/streams.generated.ts';
import { isObject, type JsonObject, keep, type Leftovers } from './fields.ts';
import { pathName } from './json-text.ts';
import type { Refused } from './read-result.ts';

const members = new Set(['event_type', 'team_id', 'user_id', 'client_user_id', 'data']);

export type EnvelopeReading<Data = JsonObject> =
  | { readonly kind: 'envelope'; readonly event: Envelope; readonly data: Data; readonly leftovers: Leftovers }
  | Refused;

/**
 * Reads the envelope of an event. Refuses an event without a data object. Also refuses an event without a user, unless
 * `user` is `optional`. If an optional user is missing, the user id is empty. Events from before March 2024 have the user
 * only in the data, so `data.user_id` is the fallback.
 */
export function readEnvelope(eventType: string, body: unknown, user?: 'optional'): EnvelopeReading {
  return readAround(eventType, body, isObject, user);
}

/** Like {@link readEnvelope}, for events whose data is not an object. `isData` checks the form of the data. */
export function readAround<Data>(
  eventType: string,
  body: unknown,
  isData: (data: unknown) => data is Data,
  user?: 'optional',
): EnvelopeReading<Data> {
  if (!isObject(body)) return { kind: 'refused', reason: 'not_an_event', place: '' };
  const { data } = body;
  if (!isData(data)) return { kind: 'refused', reason: 'no_data', place: 'data' };
  const userId = userOf(body, data, user);
  if (userId === undefined) return { kind: 'refused', reason: 'no_user_id', place: 'user_id' };

  const leftovers: Leftovers = { extra: undefined, refused: [] };
  const event: Envelope = {
    event_type: eventType,
    team_id: optionalText(body, 'team_id', '', leftovers),
    user_id: userId,
    client_user_id: optionalText(body, 'client_user_id', '', leftovers),
  };
  for (const member in body) {
    if (!members.has(member) && body[member] !== null) keep(leftovers, pathName(member), body[member]);
  }
  return { kind: 'envelope', event, data, leftovers };
}

/**
 * Returns the user id of an event. If the id is missing but optional, returns ''. For any other missing or invalid id,
 * returns undefined, so that the event is refused.
 */
function userOf(body: JsonObject, data: unknown, demand: 'optional' | undefined): string | undefined {
  const sent = body.user_id ?? (isObject(data) ? data.user_id : undefined);
  if (demand === 'optional' && (sent === undefined || sent === null)) return '';
  return isText(sent) && sent !== '' ? sent : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed();

/** Members of the data that {@link readUserData} reads. */
export const userMembers = ['client_user_id'] as const;

/** Completes the envelope of a user whose own id is only in the data, as in the service's list of users. */
export function readUserData(event: Envelope, data: JsonObject, leftovers: Leftovers): void {
  event.client_user_id ??= optionalText(data, 'client_user_id', 'data.', leftovers);
}

/** Returns the text of a member, or null. Keeps any other value among the unknown members, under its path. */
function optionalText(
  object: JsonObject,
  member: 'team_id' | 'client_user_id',
  above: '' | 'data.',
  leftovers: Leftovers,
): string | null {
  const value = object[member] ?? null;
  if (value === null || isText(value)) return value;
  const place = `${above}${member}`;
  if (keep(leftovers, place, value)) leftovers.refused.push({ reason: 'value_does_not_fit', place });
  return null;
}
