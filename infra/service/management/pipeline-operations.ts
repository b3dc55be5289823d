import { z } from 'zod';
import { Pages } from '../api/cursor.ts';
import { problem } from '../api/errors.ts';
import type { Operation } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import {
  type HubsConfiguration,
  hasOneRule,
  hubsSchema,
  isMasked,
  maskedConnection,
  matchedTypes,
  ONE_RULE,
  type Pipeline,
  type Preferences,
  preferencesOf,
  svixSchema,
  withoutSecrets,
} from '../etl/pipeline.ts';
import type { Pipelines } from '../etl/pipelines.ts';
import type { TeamRecord } from '../teams/teams.ts';
import { addedBy } from '../versions/versions.ts';
import { managedOperation, type Owners, Refusal, regionParams } from './managed-operation.ts';

const tag = 'ETL pipeline';
const PIPELINES = '/v1/org/{org_id}/team_etl_pipelines/{env}/{region}';

interface Parts extends Owners {
  readonly pipelines: Pipelines;
}

const preferencesSchema = z
  .object({
    preferred: z.enum(['cloud_pubsub', 'rabbitmq', 'svix', 'azure_amqp']),
    enabled: z.array(z.enum(['cloud_pubsub', 'rabbitmq', 'svix', 'azure_amqp'])),
  })
  .meta({ id: 'EventDestinationPreferences' });

const blobStorageSchema = z.object({ connection_string: z.string(), container_name: z.string() });

const matcherSchema = z
  .object({ ...matchedTypes, event_hub: z.string().min(1).nullish(), blob_storage: blobStorageSchema.nullish() })
  .refine(hasOneRule, ONE_RULE)
  .refine(({ event_hub, blob_storage }) => event_hub != null || blob_storage != null, 'event_hub is required');

const exampleHubs = {
  connection_string: 'Endpoint=sb://hubs.example.com/;SharedAccessKeyName=send;SharedAccessKey=***',
  default_event_hub: 'health',
};

/** All destinations that the vendor documents. If this service cannot deliver to one, it can say so. */
const pipelineRequestSchema = z
  .object({
    team_ids: z.array(uuidSchema).min(1),
    push_historical_data: z.boolean().nullish(),
    provider_raw_data: z.boolean().nullish(),
    preferences: preferencesSchema.nullish(),
    cloud_pubsub: z.object({ project: z.string(), topic: z.string(), message_ordering: z.boolean() }).nullish(),
    rabbitmq: z.object({ uri: z.string(), exchange: z.string() }).nullish(),
    svix: svixSchema.nullish(),
    azure_amqp: hubsSchema
      .extend({ event_hub_matchers: z.array(matcherSchema).default([]).meta(addedBy('hubs by event type')) })
      .nullish()
      .meta(addedBy('pipelines to Event Hubs')),
    event_type_prefixes: z.array(z.string()).optional(),
  })
  .meta({
    id: 'EtlPipelineRequest',
    examples: [{ team_ids: ['7a1e2b3c-0000-4000-8000-000000000001'], push_historical_data: true, azure_amqp: exampleHubs }],
  });

const managedPipelineSchema = z
  .object({
    team_id: z.uuid(),
    push_historical_data: z.boolean(),
    provider_raw_data: z.boolean().describe('No effect: this service has no raw data of providers.'),
    preferences: preferencesSchema,
    cloud_pubsub: z.null(),
    rabbitmq: z.null(),
    svix: svixSchema.nullable(),
    azure_amqp: hubsSchema
      .nullable()
      .describe('Its connection string has `***` in place of the key.')
      .meta(addedBy('pipelines to Event Hubs')),
    event_type_prefixes: z.array(z.string()).nullable(),
  })
  .meta({
    id: 'EtlPipeline',
    examples: [
      {
        team_id: '7a1e2b3c-0000-4000-8000-000000000001',
        push_historical_data: true,
        provider_raw_data: false,
        preferences: { preferred: 'azure_amqp', enabled: ['azure_amqp', 'svix'] },
        cloud_pubsub: null,
        rabbitmq: null,
        svix: null,
        event_type_prefixes: null,
        azure_amqp: { ...exampleHubs, compression: 'auto', event_hub_matchers: [] },
      },
    ],
  });

function managedPipelineForm(team_id: string, pipeline: Pipeline): z.input<typeof managedPipelineSchema> {
  const { push_historical_data, provider_raw_data = false, svix = null, event_type_prefixes = null } = pipeline;
  const { azure_amqp = null } = withoutSecrets(pipeline);
  return {
    team_id,
    push_historical_data,
    provider_raw_data,
    preferences: preferencesOf(pipeline),
    cloud_pubsub: null,
    rabbitmq: null,
    svix,
    azure_amqp,
    event_type_prefixes,
  };
}

type Request = z.output<typeof pipelineRequestSchema>;

const OTHER_DESTINATION =
  'This service delivers to Event Hubs and webhooks only. It does not have cloud_pubsub, rabbitmq and blob_storage.';
const UNKNOWN_KEY =
  'The key of connection_string is hidden (***), and the pipeline has no other connection string that is equal. Give the connection string with its key.';

/** Returns the pipeline after a request: a missing member keeps what is stored, and null removes it. Throws a {@link Refusal}. */
function changedPipeline(before: Pipeline | undefined, given: Request): Pipeline {
  refuseOtherDestinations(given);
  const pipeline: Pipeline = {
    push_historical_data: kept(given.push_historical_data, before?.push_historical_data) ?? false,
    provider_raw_data: kept(given.provider_raw_data, before?.provider_raw_data) ?? false,
    event_type_prefixes: given.event_type_prefixes ?? before?.event_type_prefixes,
    svix: kept(given.svix, before?.svix),
    azure_amqp: kept(given.azure_amqp && hubsOf(given.azure_amqp, before), before?.azure_amqp),
  };
  // A destination of an existing pipeline is enabled only on request.
  const known = before === undefined ? undefined : preferencesOf(before);
  const preferences = kept(given.preferences as Preferences | null | undefined, known) ?? preferencesOf(pipeline);
  refuseUseless(preferences, pipeline);
  return { ...pipeline, preferences };
}

const kept = <Value>(given: Value | null | undefined, stored: Value | undefined): Value | undefined =>
  given === undefined ? stored : (given ?? undefined);

function refuseOtherDestinations({ cloud_pubsub, rabbitmq, azure_amqp, preferences }: Request): void {
  const others: readonly string[] = ['cloud_pubsub', 'rabbitmq'];
  const named = preferences == null ? [] : [preferences.preferred, ...preferences.enabled];
  const isOther =
    cloud_pubsub != null ||
    rabbitmq != null ||
    azure_amqp?.event_hub_matchers.some(({ blob_storage }) => blob_storage != null) ||
    named.some((name) => others.includes(name));
  if (isOther) throw new Refusal(400, OTHER_DESTINATION);
}

function hubsOf(given: NonNullable<Request['azure_amqp']>, before: Pipeline | undefined): HubsConfiguration {
  const event_hub_matchers = given.event_hub_matchers.map(({ event_type_prefix, event_type_regex, event_hub }) => ({
    event_type_prefix,
    event_type_regex,
    event_hub: event_hub!,
  }));
  return { ...given, event_hub_matchers, connection_string: connectionOf(given.connection_string, before?.azure_amqp) };
}

/** A program may send back the connection string of an answer, whose key is hidden. It stands for the stored one. */
function connectionOf(given: string, before: HubsConfiguration | undefined): string {
  if (!isMasked(given)) return given;
  if (before === undefined || maskedConnection(before.connection_string) !== given) throw new Refusal(400, UNKNOWN_KEY);
  return before.connection_string;
}

function refuseUseless({ preferred, enabled }: Preferences, { azure_amqp }: Pipeline): void {
  if (!enabled.includes(preferred)) throw new Refusal(400, `preferences: ${preferred} is preferred, but not enabled`);
  if (enabled.includes('azure_amqp') && azure_amqp === undefined)
    throw new Refusal(400, 'preferences: azure_amqp is enabled, but the pipeline has no azure_amqp');
}

/** The operations on the pipelines of teams. */
export function pipelineOperations(parts: Parts): Operation[] {
  const { pipelines } = parts;
  const pages = new Pages(parts.cursors, 'ETL pipelines');
  const hasPipeline = ({ team_id }: TeamRecord): boolean => pipelines.find(team_id) !== undefined;
  const form = ({ team_id }: TeamRecord) => managedPipelineForm(team_id, pipelines.find(team_id)!);
  return [
    managedOperation(parts, {
      id: 'list_team_etl_pipelines',
      method: 'GET',
      path: PIPELINES,
      tag,
      summary: 'Lists the pipelines of teams, those of the oldest teams first.',
      managed: 'teams',
      params: regionParams,
      query: z.object({ team_id: uuidSchema.nullish(), next_cursor: pages.parameter }),
      answers: {
        200: {
          description: 'A page of pipelines, without the keys of their namespaces.',
          schema: z.object({ pipelines: z.array(managedPipelineSchema), next_cursor: z.string().nullable() }),
        },
      },
      handle: ({ teams, query: { team_id, next_cursor: after } }) => {
        const all = teams(team_id == null ? undefined : [team_id]).filter((team) => team.number > after && hasPipeline(team));
        const { page, next_cursor } = pages.of(all);
        return { status: 200, body: { pipelines: page.map(form), next_cursor } };
      },
    }),
    managedOperation(parts, {
      id: 'upsert_team_etl_pipelines',
      method: 'POST',
      path: PIPELINES,
      tag,
      summary: 'Creates or changes the pipelines of teams: of all of them, or of none.',
      managed: 'teams',
      params: regionParams,
      body: pipelineRequestSchema,
      answers: {
        200: { description: 'The pipelines, without the keys of their namespaces.', schema: z.array(managedPipelineSchema) },
        400: problem('A destination that this service does not have, or preferences that do not fit the destinations.'),
      },
      handle: ({ teams, body }) => {
        const found = teams(body.team_ids);
        pipelines.change(
          found.map(({ team_id }) => team_id),
          (before) => changedPipeline(before, body),
        );
        return { status: 200, body: found.map(form) };
      },
    }),
    managedOperation(parts, {
      id: 'delete_team_etl_pipelines',
      method: 'DELETE',
      path: PIPELINES,
      tag,
      summary: 'Removes the pipelines of teams, and the events that wait for their hubs.',
      managed: 'teams',
      params: regionParams,
      query: z.object({ team_id: z.array(uuidSchema).min(1) }),
      answers: {
        200: { description: 'The pipelines that were removed.', schema: z.array(managedPipelineSchema) },
      },
      handle: ({ teams, query: { team_id } }) => {
        const found = teams(team_id).filter(hasPipeline);
        const removed = found.map(form);
        pipelines.remove(...found.map((team) => team.team_id));
        return { status: 200, body: removed };
      },
    }),
  ];
}
