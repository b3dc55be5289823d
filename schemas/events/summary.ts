import { type Receipt, type StreamName, type StreamRecords, streamSchemas } from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, planOf, readFields } from './fields.ts';
import { originMembers, readOrigin } from './origin.ts';
import type { Reading } from './verdict.ts';

/** A reader of one stream: pure, made once. */
export type Reader<S extends StreamName> = (eventType: string, body: unknown, receipt: Receipt) => Reading<S>;

/** The reader of a summary stream: all of it follows from the declaration. A summary needs its `id`. */
export function summaryReader<S extends StreamName>(stream: S): Reader<S> {
  const schema = streamSchemas[stream];
  const plan = planOf(schema, '$.data', ['id'], ['id', ...originMembers]);
  const reader = schema.aorta.revision;
  return (eventType, body, receipt) => {
    const envelope = readEnvelope(eventType, body);
    if (envelope.kind === 'refused') return envelope;
    const { event, data, leftovers } = envelope;
    const { id } = data;
    if (typeof id !== 'string' || id === '' || !id.isWellFormed()) return { kind: 'refused', reason: 'no_id', place: 'data.id' };
    const record: Record<string, unknown> = { ...plan.empty };
    record.receipt = receipt;
    record.event = event;
    record.reader = reader;
    record.origin = readOrigin(data, leftovers);
    record.id = id;
    readFields(plan, data, 'data', record, leftovers);
    record.extra = extraText(leftovers);
    return { kind: 'record', record: record as unknown as StreamRecords[S], refused: leftovers.refused };
  };
}
