import { type StreamRecords, streamSchemas } from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, isObject, type JsonObject, keep, type Leftovers, readFields } from './fields.ts';
import { parseInstant } from './instant.ts';
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
    reported_at: null,
    collected_at: null,
    received_at: null,
    items: [],
    extra: null,
  };
  readFields(plan, dataWithoutInstants(data, record), record, { path: 'data', leftovers });
  if (record.order_id === '') return { kind: 'refused', reason: 'no_id', place: 'data.order_id' };
  const { results = [] } = data;
  if (Array.isArray(results) && results.every(isObject))
    record.items = results.map((result, index) => resultOf(result, `data.results[${index}]`, leftovers));
  else if (results !== null && keep(leftovers, 'data.results', results))
    leftovers.refused.push({ reason: 'value_does_not_fit', place: 'data.results' });
  record.extra = extraText(leftovers);
  return { kind: 'record', record: record, refused: leftovers.refused };
};

/** The service may send an instant in place of a date. Each of these dates has a field for it. */
const instants = { date_reported: 'reported_at', date_collected: 'collected_at', date_received: 'received_at' } as const;
const endsWithOffset = /:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)$/i;

/** Fills the instants of the record, and returns the data without them. A time without an offset could be in any time zone. */
function dataWithoutInstants(data: JsonObject, record: StreamRecords['lab_results']): JsonObject {
  if (!isObject(data.metadata)) return data;
  const metadata: Record<string, unknown> = { ...data.metadata };
  for (const [date, field] of Object.entries(instants)) {
    const sent = metadata[date];
    const instant = typeof sent === 'string' && endsWithOffset.test(sent) ? parseInstant(sent) : Number.NaN;
    if (Number.isNaN(instant)) continue;
    record[field] = instant;
    metadata[date] = null;
  }
  return { ...data, metadata };
}

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
