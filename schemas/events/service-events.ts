import { type StreamRecords, streamSchemas } from '../streams/streams.generated.ts';
import { readAround, readEnvelope } from './envelope.ts';
import { extraText, isObject, keep, planOfNested, planOfStream, readFields } from './fields.ts';
import { jsonText, unkeepable } from './json-text.ts';
import type { Reader } from './summary.ts';

const rawEventReader = streamSchemas.raw_events.aorta.revision;
const changePlan = planOfNested('continuous_query_results', 'changes', '$.data[*]');
const continuousQueryReader = streamSchemas.continuous_query_results.aorta.revision;

const isSent = (data: unknown): data is NonNullable<unknown> => data !== undefined && data !== null;

/** Reads `raw.{provider}.{dataset}`. The provider's data may have any form and is kept as sent. */
export const readRawEvent: Reader<'raw_events'> = (eventType, body, receipt) => {
  const envelope = readAround(eventType, body, isSent);
  if (envelope.kind === 'refused') return envelope;
  const { event, data, leftovers } = envelope;
  const reason = unkeepable(data);
  if (reason !== undefined) return { kind: 'refused', reason, place: 'data' };
  const [, provider, ...dataset] = eventType.split('.');
  const record = {
    receipt,
    event,
    reader: rawEventReader,
    provider: provider || 'unknown',
    dataset: dataset.join('.'),
    payload: jsonText(data),
    extra: extraText(leftovers),
  };
  return { kind: 'record', record, refused: leftovers.refused };
};

const isList = (data: unknown): data is readonly unknown[] => Array.isArray(data);

/** Reads `continuous_query.result_table.changed`. It is the only event whose data is a list, with one element per changed query. */
export const readContinuousQuery: Reader<'continuous_query_results'> = (eventType, body, receipt) => {
  const envelope = readAround(eventType, body, isList);
  if (envelope.kind === 'refused') return envelope;
  const { event, data, leftovers } = envelope;
  const record: StreamRecords['continuous_query_results'] = {
    receipt,
    event,
    reader: continuousQueryReader,
    changes: [],
    extra: null,
  };
  if (data.every(isObject)) {
    record.changes = data.map((element, index) => {
      const change = { ...changePlan.empty };
      readFields(changePlan, element, change, { path: `data[${index}]`, leftovers });
      return change;
    });
  } else {
    // If an element is not an object, `extra` keeps the whole list, as for every list of objects. If only that element were
    // omitted, the indexes of the elements after it would change.
    keep(leftovers, 'data', data);
    leftovers.refused.push({ reason: 'value_does_not_fit', place: 'data' });
  }
  record.extra = extraText(leftovers);
  return { kind: 'record', record: record, refused: leftovers.refused };
};

const failureSchema = streamSchemas.delivery_failures;
const failurePlan = planOfStream('delivery_failures');
const failureReader = failureSchema.aorta.revision;

/** Reads `message.attempt.exhausted`. The webhook service sends it in its own envelope, which consists of `type` and `data`. */
export const readDeliveryFailure: Reader<'delivery_failures'> = (eventType, body, receipt) => {
  const { type: _type, ...rest } = isObject(body) ? body : {};
  const envelope = readEnvelope(eventType, rest, failureSchema.aorta.user);
  if (envelope.kind === 'refused') return envelope;
  const { event, data, leftovers } = envelope;
  const record: StreamRecords['delivery_failures'] = { ...failurePlan.empty, receipt, event, reader: failureReader, extra: null };
  readFields(failurePlan, data, record, { path: 'data', leftovers });
  record.extra = extraText(leftovers);
  return { kind: 'record', record: record, refused: leftovers.refused };
};
