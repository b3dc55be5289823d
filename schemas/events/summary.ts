import { type Receipt, type StreamName, type StreamRecords, streamSchemas } from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, planOf, readFields } from './fields.ts';
import { originMembers, readOrigin } from './origin.ts';
import type { Reading } from './verdict.ts';

/** A reader of one stream: pure, made once. */
export type Reader<S extends StreamName> = (eventType: string, body: unknown, receipt: Receipt) => Reading<S>;

/** A key column that stands in the data: without it there is nothing to tell summaries apart by. */
interface KeyField {
  readonly name: string;
  /** Member of the data, such as `id`. */
  readonly member: string;
  /** What it is where it was not sent; undefined where it is demanded. */
  readonly absent: string | undefined;
}

function keyFields({ fields, aorta }: (typeof streamSchemas)[StreamName]): KeyField[] {
  return fields
    .filter(({ name, source }) => aorta.key?.includes(name) && source?.startsWith('$.data.'))
    .map((field) => ({
      name: field.name,
      member: field.source!.slice('$.data.'.length),
      absent: field.default as string | undefined,
    }));
}

/**
 * The reader of a summary stream: all of it follows from the declaration. A summary needs its key: mostly its `id`. A key
 * field that has a default may be absent, but not sent as something else: two summaries would become one.
 */
export function summaryReader<S extends StreamName>(stream: S): Reader<S> {
  const schema = streamSchemas[stream];
  const hasOrigin = schema.fields.some(({ name }) => name === 'origin');
  const plan = planOf(schema, '$.data', [], hasOrigin ? originMembers : []);
  const keys = keyFields(schema);
  const reader = schema.aorta.revision;
  return (eventType, body, receipt) => {
    const envelope = readEnvelope(eventType, body, schema.aorta.user);
    if (envelope.kind === 'refused') return envelope;
    const { event, data, leftovers } = envelope;
    const record: Record<string, unknown> = { ...plan.empty };
    record.receipt = receipt;
    record.event = event;
    record.reader = reader;
    if (hasOrigin) record.origin = readOrigin(data, leftovers);
    readFields(plan, data, 'data', record, leftovers);
    for (const { name, member, absent } of keys) {
      if (record[name] !== null && record[name] !== '') continue;
      const sent = data[member] !== undefined && data[member] !== null && data[member] !== '';
      if (absent === undefined || sent) return { kind: 'refused', reason: 'no_id', place: `data.${member}` };
      record[name] = absent;
    }
    record.extra = extraText(leftovers);
    return { kind: 'record', record: record as unknown as StreamRecords[S], refused: leftovers.refused };
  };
}
