import { type StreamRecords, streamSchemas } from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, isObject, type JsonObject, keep, type Leftovers, planOfNested, planOfStream, readFields } from './fields.ts';
import { parseInstant } from './instant.ts';
import { notFetched } from './read-result.ts';
import type { Reader } from './summary.ts';

const noNumbers: ResultValue = { result_number: null, result_sign: null, result_low: null, result_high: null };
const signs = { '≤': '<=', '≥': '>=' } as const;

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

/** Dates that the service may send as instants, each with the field for the instant. */
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

interface ResultValue {
  readonly result_number: number | null;
  readonly result_sign: '<' | '<=' | '>' | '>=' | null;
  readonly result_low: number | null;
  readonly result_high: number | null;
}

const digits = String.raw`(?:\d+(?:\.\d*)?|\.\d+)`;
/** A number as laboratories write it: with leading zeros, a leading or trailing point, or U+2212 as its minus sign. */
const number = String.raw`[-+−]?${digits}(?:[eE][-+−]?\d+)?`;
const single = new RegExp(`^(<=|>=|<|>|≤|≥)?\\s*(${number})$`);
const range = new RegExp(`^(${number})\\s*(?:-|–|−|to)\\s*(${number})$`, 'i');

const numberOf = (text: string): number => Number(text.replaceAll('−', '-'));

/**
 * Parses the text of a lab result. Only the types `numeric` and `range` have numbers. Digits in a comment or a coded
 * value are ignored. A result with a comma is not parsed, because the comma may separate thousands or decimals. A range
 * whose first number is the greater one is not parsed, because the text means something else, such as a date.
 */
export function resultValue(type: string | null, text: string | null): ResultValue {
  if (text === null || (type !== 'numeric' && type !== 'range')) return noNumbers;
  const one = single.exec(text.trim());
  if (one !== null) {
    const value = numberOf(one[2]!);
    if (!Number.isFinite(value)) return noNumbers;
    const sign = (one[1] as ResultValue['result_sign'] | keyof typeof signs | undefined) ?? null;
    return { ...noNumbers, result_number: value, result_sign: sign === '≤' || sign === '≥' ? signs[sign] : sign };
  }
  const both = type === 'range' ? range.exec(text.trim()) : null;
  if (both === null) return noNumbers;
  const [low, high] = [numberOf(both[1]!), numberOf(both[2]!)];
  const inOrder = Number.isFinite(low) && Number.isFinite(high) && low <= high;
  return inOrder ? { ...noNumbers, result_low: low, result_high: high } : noNumbers;
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

const markerSchema = streamSchemas.lab_markers;
const markerPlan = planOfStream('lab_markers', [], ['id']);
const markerReader = markerSchema.aorta.revision;

/** Reads a marker. The id of a marker may be a number or a string. */
export const readLabMarker: Reader<'lab_markers'> = (eventType, body, receipt) => {
  const envelope = readEnvelope(eventType, body, markerSchema.aorta.user);
  if (envelope.kind === 'refused') return envelope;
  const { event, data, leftovers } = envelope;
  const { id } = data;
  if (!(Number.isSafeInteger(id) || (typeof id === 'string' && id !== '' && id.isWellFormed())))
    return { kind: 'refused', reason: 'no_id', place: 'data.id' };
  const record: StreamRecords['lab_markers'] = {
    ...markerPlan.empty,
    receipt,
    event,
    reader: markerReader,
    marker_id: String(id),
    extra: null,
  };
  readFields(markerPlan, data, record, { path: 'data', leftovers });
  record.extra = extraText(leftovers);
  return { kind: 'record', record: record, refused: leftovers.refused };
};
