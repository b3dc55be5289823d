import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { isOperational } from '../events/operational.ts';
import type { EventFacts, StoredEvent } from '../events/outbox.ts';
import { contains } from './expression.ts';
import { type HubsConfiguration, type Pipeline, preferencesOf } from './pipeline.ts';

/** Bodies above this size are compressed, in bytes. */
const COMPRESSED_ABOVE = 1024;

type SentEvent = Pick<StoredEvent, 'event_name' | 'team_id' | 'user_id' | 'event_type' | 'body'>;

/** An event in the form in which a hub gets it. */
export interface HubEvent {
  /** The user, so that a hub keeps the order of a user's events. The team for an event without a user. */
  readonly partitionKey: string;
  readonly body: Buffer;
  readonly properties: Readonly<Record<string, string>>;
}

/** Returns the hub of an event type: that of the first matcher that fits, or else the default. */
export function hubOf({ event_hub_matchers, default_event_hub }: HubsConfiguration, eventType: string): string {
  const found = event_hub_matchers.find((matcher) => {
    const { event_type_prefix: prefix, event_type_regex: regex } = matcher;
    return prefix == null ? contains(eventType, matcher, regex!) : eventType.startsWith(prefix);
  });
  return found?.event_hub ?? default_event_hub;
}

/**
 * Returns the hub that gets an event; undefined if the pipeline does not carry it to hubs. Operational events are about webhooks,
 * so only webhooks carry them.
 */
export function carriedTo(
  pipeline: Pipeline,
  { event_type, isHistorical }: Pick<EventFacts, 'event_type' | 'isHistorical'>,
): string | undefined {
  const { azure_amqp, push_historical_data, event_type_prefixes: prefixes } = pipeline;
  if (azure_amqp === undefined || !preferencesOf(pipeline).enabled.includes('azure_amqp')) return undefined;
  if (isOperational(event_type) || (isHistorical && !push_historical_data)) return undefined;
  const isAllowed = prefixes == null || prefixes.length === 0 || prefixes.some((prefix) => event_type.startsWith(prefix));
  return isAllowed ? hubOf(azure_amqp, event_type) : undefined;
}

/** Returns an event as the hub gets it. The same event always has the same idempotency key. */
export function hubEvent(
  { compression }: HubsConfiguration,
  { event_name, team_id, user_id, event_type, body }: SentEvent,
): HubEvent {
  const plain = Buffer.from(body);
  const isCompressed = compression === 'always' || plain.length > COMPRESSED_ABOVE;
  return {
    partitionKey: user_id ?? team_id,
    body: isCompressed ? gzipSync(plain) : plain,
    properties: {
      'event-type': event_type,
      ...(user_id === null ? {} : { 'user-id': user_id }),
      'team-id': team_id,
      'idempotency-key': idempotencyKey(event_name, body),
      ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    },
  };
}

/** The body is part of the key: after a restored snapshot, another event can have the same name. */
function idempotencyKey(name: string, body: string): string {
  const hash = createHash('sha256').update(`${name} ${body}`).digest('hex');
  return [hash.slice(0, 8), hash.slice(8, 12), `4${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-');
}
