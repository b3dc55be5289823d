import { type StreamRecords, streamSchemas } from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, isObject, keep, readFields } from './fields.ts';
import { jsonText, unkeepable } from './json-text.ts';
import { planOfStream } from './plans.ts';
import type { Reader } from './summary.ts';

const plan = planOfStream('connections', ['provider', 'legacy_source']);
const reader = streamSchemas.connections.aorta.revision;

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
    ...plan.empty,
    receipt,
    event,
    reader,
    provider: typeof slug === 'string' && slug !== '' && slug.isWellFormed() ? slug : 'unknown',
    legacy_source: legible ? jsonText(legacy) : null,
    extra: null,
  };
  // The plan expects the provider's name and logo below `provider`.
  const { slug: _slug, ...named } = object;
  readFields(plan, { ...rest, ...(Object.keys(named).length > 0 ? { provider: named } : {}) }, record, {
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
