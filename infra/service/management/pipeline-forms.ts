import { z } from 'zod';
import { uuidSchema } from '../api/uuid.ts';
import {
  hasOneRule,
  hubsSchema,
  matchedTypes,
  ONE_RULE,
  type Pipeline,
  preferencesOf,
  svixSchema,
  withoutSecrets,
} from '../etl/pipeline.ts';
import { addedBy } from '../versions/changes.ts';

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
  connection_string: 'Endpoint=sb://example.servicebus.windows.net/;SharedAccessKeyName=send;SharedAccessKey=***',
  default_event_hub: 'health',
};

/** The destinations of the vendor. The service reads them all, so that it can say which ones it does not deliver to. */
export const pipelineRequestSchema = z
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

export const managedPipelineSchema = z
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
        ...{ team_id: '7a1e2b3c-0000-4000-8000-000000000001', push_historical_data: true, provider_raw_data: false },
        preferences: { preferred: 'azure_amqp', enabled: ['azure_amqp', 'svix'] },
        ...{ cloud_pubsub: null, rabbitmq: null, svix: null, event_type_prefixes: null },
        azure_amqp: { ...exampleHubs, compression: 'auto', event_hub_matchers: [] },
      },
    ],
  });

export function managedPipelineForm(team_id: string, pipeline: Pipeline): z.input<typeof managedPipelineSchema> {
  const { push_historical_data, provider_raw_data = false, svix = null, event_type_prefixes = null } = pipeline;
  const { azure_amqp = null } = withoutSecrets(pipeline);
  return {
    ...{ team_id, push_historical_data, provider_raw_data, preferences: preferencesOf(pipeline) },
    ...{ cloud_pubsub: null, rabbitmq: null, svix, azure_amqp, event_type_prefixes },
  };
}
