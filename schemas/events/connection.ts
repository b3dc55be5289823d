import { streamSchemas } from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, isObject, planOf, readFields } from './fields.ts';
import { jsonText } from './json-text.ts';
import type { Reader } from './summary.ts';

const schema = streamSchemas.connections;
const plan = planOf(schema, '$.data', ['provider', 'legacy_source']);
const reader = schema.aorta.revision;

/**
 * Reads `provider.connection.created` (the provider an object, formerly under `source`), `provider.connection.error` and
 * the retired `provider.connection.updated` (the provider a plain slug).
 */
export const readConnection: Reader<'connections'> = (eventType, body, receipt) => {
  const envelope = readEnvelope(eventType, body);
  if (envelope.kind === 'refused') return envelope;
  const { event, data, leftovers } = envelope;
  const { provider, source, ...rest } = data;
  const object = isObject(provider) ? provider : isObject(source) ? source : {};
  const slug = typeof provider === 'string' ? provider : object.slug;
  const record: Record<string, unknown> = { ...plan.empty, receipt, event, reader };
  // The plan knows the object's name and logo by their paths below `provider`.
  const { slug: _slug, ...named } = object;
  readFields(plan, { ...rest, ...(Object.keys(named).length > 0 ? { provider: named } : {}) }, 'data', record, leftovers);
  record.provider = typeof slug === 'string' && slug !== '' && slug.isWellFormed() ? slug : 'unknown';
  record.legacy_source = source === undefined || source === null ? null : jsonText(source);
  record.extra = extraText(leftovers);
  return { kind: 'record', record: record as never, refused: leftovers.refused };
};
