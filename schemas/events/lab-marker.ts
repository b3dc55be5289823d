import { streamSchemas } from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, planOf, readFields } from './fields.ts';
import type { Reader } from './summary.ts';

const schema = streamSchemas.lab_markers;
const plan = planOf(schema, '$.data', ['marker_id'], ['id']);
const reader = schema.aorta.revision;

/** Reads a marker, whose id is a number, or a text. */
export const readLabMarker: Reader<'lab_markers'> = (eventType, body, receipt) => {
  const envelope = readEnvelope(eventType, body, schema.aorta.user);
  if (envelope.kind === 'refused') return envelope;
  const { event, data, leftovers } = envelope;
  const { id } = data;
  if (!(Number.isSafeInteger(id) || (typeof id === 'string' && id !== '' && id.isWellFormed())))
    return { kind: 'refused', reason: 'no_id', place: 'data.id' };
  const record: Record<string, unknown> = { ...plan.empty, receipt, event, reader, marker_id: String(id) };
  readFields(plan, data, 'data', record, leftovers);
  record.extra = extraText(leftovers);
  return { kind: 'record', record: record as never, refused: leftovers.refused };
};
