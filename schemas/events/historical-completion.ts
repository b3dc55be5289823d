import { type StreamRecords, streamSchemas } from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, readFields } from './fields.ts';
import { planOfStream } from './plans.ts';
import { resourceOf } from './resource.ts';
import type { Reader } from './summary.ts';

const plan = planOfStream('historical_completions');
const reader = streamSchemas.historical_completions.aorta.revision;

/** Reads `historical.data.{resource}.created`, which reports that a historical pull has succeeded. */
export const readHistoricalCompletion: Reader<'historical_completions'> = (eventType, body, receipt) => {
  const envelope = readEnvelope(eventType, body);
  if (envelope.kind === 'refused') return envelope;
  const resource = resourceOf(eventType);
  if (resource === undefined) return { kind: 'refused', reason: 'no_resource', place: 'event_type' };
  const { event, data, leftovers } = envelope;
  const record: StreamRecords['historical_completions'] = {
    ...plan.empty,
    receipt,
    event,
    reader,
    resource,
    provider: 'unknown',
    extra: null,
  };
  readFields(plan, data, record, { path: 'data', leftovers });
  if (record.provider === '') record.provider = 'unknown';
  record.extra = extraText(leftovers);
  return { kind: 'record', record: record, refused: leftovers.refused };
};
