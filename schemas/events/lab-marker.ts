import { type StreamRecords, streamSchemas } from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, readFields } from './fields.ts';
import { planOfStream } from './plans.ts';
import type { Reader } from './summary.ts';

const schema = streamSchemas.lab_markers;
const plan = planOfStream('lab_markers', [], ['id']);
const reader = schema.aorta.revision;

/** Reads a marker. The id of a marker may be a number or a string. */
export const readLabMarker: Reader<'lab_markers'> = (eventType, body, receipt) => {
  const envelope = readEnvelope(eventType, body, schema.aorta.user);
  if (envelope.kind === 'refused') return envelope;
  const { event, data, leftovers } = envelope;
  const { id } = data;
  if (!(Number.isSafeInteger(id) || (typeof id === 'string' && id !== '' && id.isWellFormed())))
    return { kind: 'refused', reason: 'no_id', place: 'data.id' };
  const record: StreamRecords['lab_markers'] = {
    ...plan.empty,
    receipt,
    event,
    reader,
    marker_id: String(id),
    extra: null,
  };
  readFields(plan, data, record, { path: 'data', leftovers });
  record.extra = extraText(leftovers);
  return { kind: 'record', record: record, refused: leftovers.refused };
};
