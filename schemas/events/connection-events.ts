import { type StreamRecords, streamSchemas } from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, isObject, keep, planOfStream, readFields } from './fields.ts';
import { jsonText, unkeepable } from './json-text.ts';
import { resourceOf } from './resource.ts';
import { type Reader, summaryReader } from './summary.ts';

const completionPlan = planOfStream('historical_completions');
const completionReader = streamSchemas.historical_completions.aorta.revision;

/** Reads `historical.data.{resource}.created`, which reports that a historical pull has succeeded. */
export const readHistoricalCompletion: Reader<'historical_completions'> = (eventType, body, receipt) => {
  const envelope = readEnvelope(eventType, body);
  if (envelope.kind === 'refused') return envelope;
  const resource = resourceOf(eventType);
  if (resource === undefined) return { kind: 'refused', reason: 'no_resource', place: 'event_type' };
  const { event, data, leftovers } = envelope;
  const record: StreamRecords['historical_completions'] = {
    ...completionPlan.empty,
    receipt,
    event,
    reader: completionReader,
    resource,
    provider: 'unknown',
    extra: null,
  };
  readFields(completionPlan, data, record, { path: 'data', leftovers });
  if (record.provider === '') record.provider = 'unknown';
  record.extra = extraText(leftovers);
  return { kind: 'record', record: record, refused: leftovers.refused };
};

const connectionPlan = planOfStream('connections', ['provider', 'legacy_source']);
const connectionReader = streamSchemas.connections.aorta.revision;

/**
 * Reads `provider.connection.created`, `provider.connection.error` and the retired `provider.connection.updated`.
 * `provider.connection.created` describes the provider in an object, which is named `provider` or, in older events,
 * `source`. The other two event types contain only the provider's slug.
 */
export const readConnection: Reader<'connections'> = (eventType, body, receipt) => {
  const envelope = readEnvelope(eventType, body);
  if (envelope.kind === 'refused') return envelope;
  const { event, data, leftovers } = envelope;
  const { provider, source, ...rest } = data;
  const object = isObject(provider) ? provider : isObject(source) ? source : {};
  const slug = typeof provider === 'string' ? provider : object.slug;
  const legacy = source ?? null;
  const legible = legacy !== null && unkeepable(legacy) === undefined;
  const record: StreamRecords['connections'] = {
    ...connectionPlan.empty,
    receipt,
    event,
    reader: connectionReader,
    provider: typeof slug === 'string' && slug !== '' && slug.isWellFormed() ? slug : 'unknown',
    legacy_source: legible ? jsonText(legacy) : null,
    extra: null,
  };
  // The plan expects the provider's name and logo below `provider`.
  const { slug: _slug, ...named } = object;
  readFields(connectionPlan, { ...rest, ...(Object.keys(named).length > 0 ? { provider: named } : {}) }, record, {
    path: 'data',
    leftovers,
  });
  if (legacy !== null && !legible) keep(leftovers, 'data.source', legacy);
  if (!isProvider(provider) && keep(leftovers, 'data.provider', provider))
    leftovers.refused.push({ reason: 'value_does_not_fit', place: 'data.provider' });
  record.extra = extraText(leftovers);
  return { kind: 'record', record: record, refused: leftovers.refused };
};

/** Returns whether a provider is missing, or has one of the two forms that the reader knows. */
const isProvider = (value: unknown): boolean => (value ?? null) === null || typeof value === 'string' || isObject(value);

const readDeviceSummary = summaryReader('devices');

/**
 * Reads `provider.device.*` and the retired `daily.data.device.*`. In the retired form, an object holds the provider and
 * the kind of device. The reader copies both from that object and keeps the object in `extra`.
 */
export const readDevice: Reader<'devices'> = (eventType, body, receipt) =>
  readDeviceSummary(eventType, inCurrentForm(body), receipt);

function inCurrentForm(body: unknown): unknown {
  if (!isObject(body) || !isObject(body.data)) return body;
  const { provider, source, source_type, ...rest } = body.data;
  const named = isObject(provider) ? provider : isObject(source) ? source : undefined;
  if (named === undefined) return body;
  const slug = isObject(provider) ? undefined : provider;
  const data = { ...rest, provider: slug ?? named.provider ?? named.slug, source_type: source_type ?? named.type, source: named };
  return { ...body, data };
}
