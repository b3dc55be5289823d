import { type StreamRecords, streamSchemas } from '../streams/streams.generated.ts';
import { readAround } from './envelope.ts';
import { extraText, isObject, keep, readFields } from './fields.ts';
import { planOfNested } from './plans.ts';
import type { Reader } from './summary.ts';

const plan = planOfNested('continuous_query_results', 'changes', '$.data[*]');
const reader = streamSchemas.continuous_query_results.aorta.revision;

const isList = (data: unknown): data is readonly unknown[] => Array.isArray(data);

/** Reads `continuous_query.result_table.changed`. It is the only event whose data is a list, with one element per changed query. */
export const readContinuousQuery: Reader<'continuous_query_results'> = (eventType, body, receipt) => {
  const envelope = readAround(eventType, body, isList);
  if (envelope.kind === 'refused') return envelope;
  const { event, data, leftovers } = envelope;
  const record: StreamRecords['continuous_query_results'] = { receipt, event, reader, changes: [], extra: null };
  if (data.every(isObject)) {
    record.changes = data.map((element, index) => {
      const change = { ...plan.empty };
      readFields(plan, element, change, { path: `data[${index}]`, leftovers });
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
