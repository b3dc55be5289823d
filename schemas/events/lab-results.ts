import { type AvroRecord, itemsOf } from '../streams/declaration.ts';
import { streamSchemas } from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, isObject, type JsonObject, keep, type Leftovers, planOf, readFields } from './fields.ts';
import { resultValue } from './lab-result-value.ts';
import { notFetched } from './not-fetched.ts';
import type { Reader } from './summary.ts';

const schema = streamSchemas.lab_results;
const plan = planOf(schema, '$.data', ['items'], ['results']);
const resultPlan = planOf(
  itemsOf(schema.fields.find(({ name }) => name === 'items')!.type) as AvroRecord,
  '$.data.results[*]',
  [],
  ['type', 'result_type'],
);
const reader = schema.aorta.revision;

/** Reads the results of an order: each as its text, and beside it what that says in numbers. */
export const readLabResults: Reader<'lab_results'> = (eventType, body, receipt) => {
  const refusal = notFetched(eventType);
  if (refusal !== undefined) return refusal;
  const envelope = readEnvelope(eventType, body);
  if (envelope.kind === 'refused') return envelope;
  const { event, data, leftovers } = envelope;
  const record: Record<string, unknown> = { ...plan.empty, receipt, event, reader };
  readFields(plan, data, 'data', record, leftovers);
  if (typeof record.order_id !== 'string' || record.order_id === '')
    return { kind: 'refused', reason: 'no_id', place: 'data.order_id' };
  const { results = [] } = data;
  if (Array.isArray(results) && results.every(isObject))
    record.items = results.map((result, index) => resultOf(result, `data.results[${index}]`, leftovers));
  else if (results !== null && keep(leftovers, 'data.results', results))
    leftovers.refused.push({ reason: 'value_does_not_fit', place: 'data.results' });
  record.extra = extraText(leftovers);
  return { kind: 'record', record: record as never, refused: leftovers.refused };
};

function resultOf(sent: JsonObject, path: string, leftovers: Leftovers): Record<string, unknown> {
  const own: Leftovers = { extra: undefined, refused: leftovers.refused };
  const result: Record<string, unknown> = { ...resultPlan.empty };
  // Some labs' numbers come as such: their text is what JSON has for them.
  const text = typeof sent.result === 'number' && Number.isFinite(sent.result) ? { result: String(sent.result) } : {};
  readFields(resultPlan, { ...sent, ...text }, path, result, own);
  const type = sent.result_type ?? sent.type;
  result.result_type = typeof type === 'string' && type.isWellFormed() ? type : null;
  Object.assign(result, resultValue(result.result_type as string | null, result.result as string | null));
  result.fields_extra = extraText(own);
  return result;
}
