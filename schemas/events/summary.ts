import {
  type Envelope,
  type KeyFields,
  type Receipt,
  type Source,
  type SourcedFields,
  type StreamName,
  type StreamRecords,
  streamSchemas,
} from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, type JsonObject, planOf, readFields } from './fields.ts';
import { originMembers, readOrigin } from './origin.ts';
import type { Reading } from './verdict.ts';

/** A reader of one stream: pure, made once. */
export type Reader<S extends StreamName> = (eventType: string, body: unknown, receipt: Receipt) => Reading<S>;

/** What {@link summaryReader} gives a record itself; the plan and the key, which follow from the declaration, are the rest. */
interface Made {
  receipt: Receipt | null;
  event: Envelope | null;
  reader: number | null;
  origin?: Source | null;
  extra: string | null;
}

/** Fields that are never empty: neither null nor a list. */
type Demanded<Row> = {
  [F in keyof Row]: null extends Row[F] ? never : Row[F] extends readonly unknown[] ? never : F;
}[keyof Row];

/**
 * The streams whose record is the envelope's facts and what the declaration reads, with no field that has to be there
 * beside the key. A stream of another form has a reader of its own, and is a compile error in {@link summaryReader}.
 */
export type SummaryStream = {
  [S in StreamName]: keyof StreamRecords[S] extends keyof Made | SourcedFields[S]
    ? Demanded<StreamRecords[S]> extends keyof Made | KeyFields[S]
      ? S
      : never
    : never;
}[StreamName];

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
export function summaryReader<S extends SummaryStream>(stream: S): Reader<S> {
  const schema = streamSchemas[stream];
  const hasOrigin = schema.fields.some(({ name }) => name === 'origin');
  const plan = planOf<Made>(schema, '$.data', [], hasOrigin ? originMembers : []);
  const keys = keyFields(schema);
  const reader = schema.aorta.revision;
  return (eventType, body, receipt) => {
    const envelope = readEnvelope(eventType, body, schema.aorta.user);
    if (envelope.kind === 'refused') return envelope;
    const { event, data, leftovers } = envelope;
    const record: Made = { ...plan.empty };
    record.receipt = receipt;
    record.event = event;
    record.reader = reader;
    if (hasOrigin) record.origin = readOrigin(data, leftovers);
    readFields(plan, data, record, { path: 'data', leftovers });
    const missing = missingKey(record as Made & Record<string, unknown>, data, keys);
    if (missing !== undefined) return { kind: 'refused', reason: 'no_id', place: `data.${missing}` };
    record.extra = extraText(leftovers);
    // Nothing of a summary's record is left open now: SummaryStream says that it has no field beside these.
    return { kind: 'record', record: record as StreamRecords[S], refused: leftovers.refused };
  };
}

/** The member of the key that was not sent, or is not legible; undefined if the key is whole. Fills what may be absent. */
function missingKey(record: Record<string, unknown>, data: JsonObject, keys: readonly KeyField[]): string | undefined {
  for (const { name, member, absent } of keys) {
    if (record[name] !== null && record[name] !== '') continue;
    const sent = data[member] !== undefined && data[member] !== null && data[member] !== '';
    if (absent === undefined || sent) return member;
    record[name] = absent;
  }
  return undefined;
}
