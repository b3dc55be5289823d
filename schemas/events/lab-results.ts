import { type StreamRecords, streamSchemas } from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, isObject, type JsonObject, keep, type Leftovers, readFields } from './fields.ts';
import { noNumbers, resultValue } from './lab-result-value.ts';
import { notFetched } from './not-fetched.ts';
import { planOfNested, planOfStream } from './plans.ts';
import type { Reader } from './summary.ts';

type Result = StreamRecords['lab_results']['items'][number];

const plan = planOfStream('lab_results', ['items'], ['results']);
const resultPlan = planOfNested('lab_results', 'items', '$.data.results[*]', ['type', 'result_type']);
const reader = streamSchemas.lab_results.aorta.revision;

/** Reads the results of an order. Each result contains its text and the numbers parsed from that text. */
export const readLabResults: Reader<'lab_results'> = (eventType, body, receipt) => {
  const refusal = notFetched(eventType);
  if (refusal !== undefined) return refusal;
  const envelope = readEnvelope(eventType, body);
  if (envelope.kind === 'refused') return envelope;
  const { event, data, leftovers } = envelope;
  const record: StreamRecords['lab_results'] = {
    ...plan.empty,
    receipt,
    event,
    reader,
    order_id: '',
    items: [],
    extra: null,
  };
  readFields(plan, data, record, { path: 'data', leftovers });
  if (record.order_id === '') return { kind: 'refused', reason: 'no_id', place: 'data.order_id' };
  const { results = [] } = data;
  if (Array.isArray(results) && results.every(isObject))
    record.items = results.map((result, index) => resultOf(result, `data.results[${index}]`, leftovers));
  else if (results !== null && keep(leftovers, 'data.results', results))
    leftovers.refused.push({ reason: 'value_does_not_fit', place: 'data.results' });
  record.extra = extraText(leftovers);
  return { kind: 'record', record: record, refused: leftovers.refused };
};

function resultOf(sent: JsonObject, path: string, leftovers: Leftovers): Result {
  const own: Leftovers = { extra: undefined, refused: leftovers.refused };
  const type = sent.result_type ?? sent.type;
  const result: Result = {
    ...resultPlan.empty,
    ...noNumbers,
    result_type: typeof type === 'string' && type.isWellFormed() ? type : null,
    fields_extra: null,
  };
  // Some labs send numbers instead of strings.
  const text = typeof sent.result === 'number' && Number.isFinite(sent.result) ? { result: String(sent.result) } : {};
  readFields(resultPlan, { ...sent, ...text }, result, { path, leftovers: own });
  Object.assign(result, resultValue(result.result_type, result.result));
  result.fields_extra = extraText(own);
  return result;
}
