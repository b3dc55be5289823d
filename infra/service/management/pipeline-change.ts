import type { z } from 'zod';
import { isMasked, maskedConnection } from '../etl/connection-string.ts';
import { type HubsConfiguration, type Pipeline, type Preferences, preferencesOf } from '../etl/pipeline.ts';
import type { pipelineRequestSchema } from './pipeline-forms.ts';
import { Refusal } from './refusal.ts';

type Request = z.output<typeof pipelineRequestSchema>;

const OTHER_DESTINATION =
  'This service delivers to Event Hubs and webhooks only. It does not have cloud_pubsub, rabbitmq and blob_storage.';
const UNKNOWN_KEY =
  'The key of connection_string is hidden (***), and the pipeline has no other connection string that is equal. Give the connection string with its key.';

/** Returns the pipeline after a request: a missing member keeps what is stored, and null removes it. Throws a {@link Refusal}. */
export function changedPipeline(before: Pipeline | undefined, given: Request): Pipeline {
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
    ...{ event_type_prefix, event_type_regex },
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
