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
import { readEnvelope, readUserData, userMembers } from './envelope.ts';
import { extraText, type JsonObject, planOf, readFields } from './fields.ts';
import { originMembers, readOrigin } from './origin.ts';
import type { ReadResult } from './read-result.ts';

/** A pure function that reads an event into the record of one stream. */
export type Reader<S extends StreamName> = (eventType: string, body: unknown, receipt: Receipt) => ReadResult<S>;

/** The fields that {@link summaryReader} itself sets. All other fields follow from the declaration. */
interface Made {
  receipt: Receipt | null;
  event: Envelope | null;
  reader: number | null;
  origin?: Source | null;
  extra: string | null;
}

/** The names of mandatory fields, which are neither nullable nor lists. */
type Demanded<Row> = {
  [F in keyof Row]: null extends Row[F] ? never : Row[F] extends readonly unknown[] ? never : F;
}[keyof Row];

/**
 * The streams whose records {@link summaryReader} can read. All their fields follow from the envelope and the declaration,
 * and only the key is mandatory. Any other stream needs its own reader, so the compiler rejects it as an argument of
 * {@link summaryReader}.
 */
export type SummaryStream = {
  [S in StreamName]: keyof StreamRecords[S] extends keyof Made | SourcedFields[S]
    ? Demanded<StreamRecords[S]> extends keyof Made | KeyFields[S]
      ? S
      : never
    : never;
}[StreamName];

/** A key column whose value comes from the event's `data`. */
interface KeyField {
  readonly name: string;
  /** Member of `data` that contains the value, such as `id`. */
  readonly member: string;
  /** Value of the column if the member is missing. Undefined if the member is mandatory. */
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
 * Creates the reader of a summary stream from its declaration. The reader refuses a summary without its key, which is
 * usually `id`. A key field that has a default may be missing. The reader refuses an invalid value even in such a field,
 * because two summaries could otherwise get the same key.
 */
export function summaryReader<S extends SummaryStream>(stream: S): Reader<S> {
  const schema = streamSchemas[stream];
  const hasOrigin = schema.fields.some(({ name }) => name === 'origin');
  const isUser = stream === 'users';
  const plan = planOf<Made>(schema, '$.data', [], hasOrigin ? originMembers : isUser ? userMembers : []);
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
    if (isUser) readUserData(event, data, leftovers);
    if (hasOrigin) record.origin = readOrigin(data, leftovers);
    readFields(plan, data, record, { path: 'data', leftovers });
    const missing = missingKey(record as Made & Record<string, unknown>, data, keys);
    if (missing !== undefined) return { kind: 'refused', reason: 'no_id', place: `data.${missing}` };
    record.extra = extraText(leftovers);
    // The record is complete, because SummaryStream admits only streams whose fields are all set above.
    return { kind: 'record', record: record as StreamRecords[S], refused: leftovers.refused };
  };
}

/**
 * Returns the key member that is missing or invalid, or undefined if the key is complete. If a missing key field has a
 * default, sets the field to its default.
 */
function missingKey(record: Record<string, unknown>, data: JsonObject, keys: readonly KeyField[]): string | undefined {
  for (const { name, member, absent } of keys) {
    if (record[name] !== null && record[name] !== '') continue;
    const sent = data[member] !== undefined && data[member] !== null && data[member] !== '';
    if (absent === undefined || sent) return member;
    record[name] = absent;
  }
  return undefined;
}
