import * as z from 'zod';
import type { Envelope } from '../streams/streams.generated.ts';
import { isObject, type JsonObject, keep, type Leftovers } from './fields.ts';
import type { Refusal } from './verdict.ts';

const wellFormed = (text: string): boolean => text.isWellFormed();
const identity = z.string().min(1).refine(wellFormed);
const optional = z.string().refine(wellFormed).nullish();

const members = new Set(['event_type', 'team_id', 'user_id', 'client_user_id', 'data']);

export type EnvelopeReading =
  | { readonly kind: 'envelope'; readonly event: Envelope; readonly data: JsonObject; readonly leftovers: Leftovers }
  | { readonly kind: 'refused'; readonly reason: Refusal; readonly place: string };

/**
 * Reads the members around the data. It demands a user and a data object. Before March 2024 the ids stood only inside
 * the data, so `data.user_id` is taken where the envelope has none.
 */
export function readEnvelope(eventType: string, body: unknown): EnvelopeReading {
  if (!isObject(body)) return { kind: 'refused', reason: 'not_an_event', place: '' };
  const data = body.data;
  if (!isObject(data)) return { kind: 'refused', reason: 'no_data', place: 'data' };
  const user = identity.safeParse(body.user_id ?? data.user_id);
  if (!user.success) return { kind: 'refused', reason: 'no_user_id', place: 'user_id' };

  const leftovers: Leftovers = { extra: undefined, refused: [] };
  const text = (member: 'team_id' | 'client_user_id'): string | null => {
    const value = optional.safeParse(body[member]);
    if (value.success) return value.data ?? null;
    keep(leftovers, member, body[member]);
    leftovers.refused.push({ reason: 'value_does_not_fit', place: member });
    return null;
  };
  const event: Envelope = {
    event_type: eventType,
    team_id: text('team_id'),
    user_id: user.data,
    client_user_id: text('client_user_id'),
  };
  for (const member of Object.keys(body)) {
    if (!members.has(member) && body[member] !== null) keep(leftovers, member, body[member]);
  }
  return { kind: 'envelope', event, data, leftovers };
}
