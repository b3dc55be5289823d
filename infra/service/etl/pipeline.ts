import { z } from 'zod';
import { addedBy } from '../versions/versions.ts';
import { maskedConnection } from './connection-string.ts';
import { isExpression } from './expression.ts';

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

/** Returns a pipeline as answers show it, without the keys of its namespace. */
export function withoutSecrets({ azure_amqp, ...pipeline }: Pipeline): Pipeline {
  if (azure_amqp === undefined) return pipeline;
  return { ...pipeline, azure_amqp: { ...azure_amqp, connection_string: maskedConnection(azure_amqp.connection_string) } };
}
