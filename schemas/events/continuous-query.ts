import type { AvroRecord } from '../streams/declaration.ts';
import { itemsOf } from '../streams/declaration.ts';
import { streamSchemas } from '../streams/streams.generated.ts';
import { readAround } from './envelope.ts';
import { extraText, isObject, keep, planOf, readFields } from './fields.ts';
import type { Reader } from './summary.ts';

const schema = streamSchemas.continuous_query_results;
const changes = schema.fields.find(({ name }) => name === 'changes')!;
const plan = planOf(itemsOf(changes.type) as AvroRecord, '$.data[*]');
const reader = schema.aorta.revision;

const isList = (data: unknown): data is readonly unknown[] => Array.isArray(data);

/** Reads `continuous_query.result_table.changed`, the one event whose data is a list: an element for each query that changed. */
export const readContinuousQuery: Reader<'continuous_query_results'> = (eventType, body, receipt) => {
  const envelope = readAround(eventType, body, isList);
  if (envelope.kind === 'refused') return envelope;
  const { event, data, leftovers } = envelope;
  const record: Record<string, unknown> = { receipt, event, reader, changes: [] };
  if (data.every(isObject)) {
    record.changes = data.map((element, index) => {
      const change = { ...plan.empty };
      readFields(plan, element, `data[${index}]`, change, leftovers);
      return change;
    });
  } else {
    // As with every list of objects: an element that is none leaves the list as it came, since its places would shift.
    keep(leftovers, 'data', data);
    leftovers.refused.push({ reason: 'value_does_not_fit', place: 'data' });
  }
  record.extra = extraText(leftovers);
  return { kind: 'record', record: record as never, refused: leftovers.refused };
};
