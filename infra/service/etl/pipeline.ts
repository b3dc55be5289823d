import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { RE2JS } from 're2js';
import { z } from 'zod';
import { type EventFacts, isOperational, type StoredEvent } from '../events/outbox.ts';
import { addedBy } from '../versions/versions.ts';

/** Returns whether a text is a regular expression of RE2, which the real service uses. */
export function isExpression(text: string): boolean {
  try {
    RE2JS.compile(text);
    return true;
  } catch {
    return false;
  }
}

/** The compiled expressions of matchers. A pipeline keeps its matchers, so each expression is compiled once. */
const compiled = new WeakMap<object, RE2JS>();

/** Returns whether a text contains what the expression of a matcher describes. */
export function contains(text: string, matcher: object, expression: string): boolean {
  let known = compiled.get(matcher);
  if (known === undefined) {
    known = RE2JS.compile(expression);
    compiled.set(matcher, known);
  }
  return known.matcher(text).find();
}

/** The event types of a matcher: those with a prefix, or those that fit a regular expression. */
export const matchedTypes = {
  event_type_prefix: z.string().min(1).nullish(),
  event_type_regex: z.string().min(1).refine(isExpression, 'not a regular expression of RE2').nullish(),
};

interface MatchedTypes {
  readonly event_type_prefix?: string | null | undefined;
  readonly event_type_regex?: string | null | undefined;
}

export const hasOneRule = (matcher: MatchedTypes): boolean =>
  (matcher.event_type_prefix == null) !== (matcher.event_type_regex == null);

export const ONE_RULE = 'either event_type_prefix or event_type_regex is required, but not both';

/** A rule that routes events to a hub: by the beginning of the event type, or by a regular expression. */
const matcherSchema = z.object({ ...matchedTypes, event_hub: z.string().min(1) }).refine(hasOneRule, ONE_RULE);

const connectionSchema = z
  .string()
  .regex(/^Endpoint=sb:\/\//, 'not a connection string of an Event Hubs namespace')
  .refine((text) => !/EntityPath=/i.test(text), 'the connection string must not name an event hub');

/** The hubs of a namespace of Event Hubs. */
export const hubsSchema = z.object({
  connection_string: connectionSchema,
  default_event_hub: z.string().min(1).describe('Hub of the events that no matcher routes.'),
  compression: z
    .enum(['auto', 'always'])
    .default('auto')
    .describe('`auto` compresses bodies of more than 1024 bytes with gzip, `always` all bodies.'),
  event_hub_matchers: z
    .array(matcherSchema)
    .default([])
    .describe('The first one that fits an event decides its hub.')
    .meta(addedBy('hubs by event type')),
});

export type HubsConfiguration = z.output<typeof hubsSchema>;

/** The destinations of events: webhook endpoints (svix) and hubs. */
const destinations = ['svix', 'azure_amqp'] as const;
export type DestinationKind = (typeof destinations)[number];

const preferencesSchema = z.object({ preferred: z.enum(destinations), enabled: z.array(z.enum(destinations)) });
export type Preferences = z.output<typeof preferencesSchema>;

export const svixSchema = z.object({ regional: z.literal(true).default(true) });

/** A pipeline to hubs, as the control port sets it. Webhook endpoints get the events, too. */
export const hubPipelineSchema = z.object({
  push_historical_data: z.boolean().default(false).describe('Whether events with data of historical pulls are sent.'),
  event_type_prefixes: z
    .array(z.string())
    .nullish()
    .describe('Event types must begin with one of these. `null` and an empty list mean all.'),
  azure_amqp: hubsSchema,
});

/** The configuration of a pipeline, with the members of the management API. */
export const pipelineSchema = hubPipelineSchema.extend({
  azure_amqp: hubsSchema.optional(),
  svix: svixSchema.optional(),
  /** No effect: the service has no raw data of providers. */
  provider_raw_data: z.boolean().optional(),
  /** Default: see {@link preferencesOf}. */
  preferences: preferencesSchema.optional(),
});

export type Pipeline = z.output<typeof pipelineSchema>;

/** Returns the destinations of a pipeline. Without preferences, events go to webhook endpoints, and to the hubs if there are any. */
export function preferencesOf({ preferences, azure_amqp }: Pick<Pipeline, 'preferences' | 'azure_amqp'>): Preferences {
  if (preferences !== undefined) return preferences;
  if (azure_amqp === undefined) return { preferred: 'svix', enabled: ['svix'] };
  return { preferred: 'azure_amqp', enabled: ['azure_amqp', 'svix'] };
}

const KEY = /(SharedAccess(?:Key|Signature)\s*=\s*)([^;]+)/gi;

/** Hides the keys of a connection string. */
export const maskedConnection = (connection: string): string => connection.replaceAll(KEY, '$1***');

/** Returns whether the keys of a connection string are hidden, as {@link maskedConnection} does it. */
export const isMasked = (connection: string): boolean => [...connection.matchAll(KEY)].some(([, , key]) => key!.trim() === '***');

/** Hides the keys of a connection string in another text, such as the message of an error. */
export function withoutKeys(text: string, connection: string): string {
  const keys = [...connection.matchAll(KEY)].map(([, , key]) => key!.trim());
  const rest = keys.filter((key) => key !== '').reduce((left, key) => left.replaceAll(key, '***'), text);
  return rest.replaceAll(/(SharedAccess(?:Key|Signature)\s*=\s*)[^;\s]+/gi, '$1***');
}

/** Returns a pipeline as answers show it, without the keys of its namespace. */
export function withoutSecrets({ azure_amqp, ...pipeline }: Pipeline): Pipeline {
  if (azure_amqp === undefined) return pipeline;
  return { ...pipeline, azure_amqp: { ...azure_amqp, connection_string: maskedConnection(azure_amqp.connection_string) } };
}

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
