import { type StreamRecords, streamSchemas } from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, isObject, readFields } from './fields.ts';
import { planOfStream } from './plans.ts';
import type { Reader } from './summary.ts';

const schema = streamSchemas.delivery_failures;
const plan = planOfStream('delivery_failures');
const reader = schema.aorta.revision;

/** Reads `message.attempt.exhausted`. The webhook service sends it in its own envelope, which consists of `type` and `data`. */
export const readDeliveryFailure: Reader<'delivery_failures'> = (eventType, body, receipt) => {
  const { type: _type, ...rest } = isObject(body) ? body : {};
  const envelope = readEnvelope(eventType, rest, schema.aorta.user);
  if (envelope.kind === 'refused') return envelope;
  const { event, data, leftovers } = envelope;
  const record: StreamRecords['delivery_failures'] = { ...plan.empty, receipt, event, reader, extra: null };
  readFields(plan, data, record, { path: 'data', leftovers });
  record.extra = extraText(leftovers);
  return { kind: 'record', record: record, refused: leftovers.refused };
};
