import { streamSchemas } from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, planOf, readFields } from './fields.ts';
import { resourceOf } from './resource.ts';
import type { Reader } from './summary.ts';

const schema = streamSchemas.historical_completions;
const plan = planOf(schema, '$.data');
const reader = schema.aorta.revision;

/** Reads `historical.data.{resource}.created`: a pull has ended well. */
export const readHistoricalCompletion: Reader<'historical_completions'> = (eventType, body, receipt) => {
  const envelope = readEnvelope(eventType, body);
  if (envelope.kind === 'refused') return envelope;
  const resource = resourceOf(eventType);
  if (resource === undefined) return { kind: 'refused', reason: 'no_resource', place: 'event_type' };
  const { event, data, leftovers } = envelope;
  const record: Record<string, unknown> = { ...plan.empty, receipt, event, reader, resource };
  readFields(plan, data, 'data', record, leftovers);
  if (record.provider === null || record.provider === '') record.provider = 'unknown';
  record.extra = extraText(leftovers);
  return { kind: 'record', record: record as never, refused: leftovers.refused };
};
