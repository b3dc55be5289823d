import { createHash } from 'node:crypto';
import {
  type Column,
  type ColumnType,
  deliveries,
  elementFields,
  type StreamName,
  type StreamRecords,
  type SummaryOrder,
  type TableDeclaration,
  versionTime,
} from '@aorta/schemas';
import { originOf } from '../../merging/origin.ts';
import { fieldOf, type TableField } from '../tables/fields.ts';

type AnyRecord = StreamRecords[StreamName];

/**
 * A column of a landing table. `type` says how a value is written: instants are microseconds since 1970 and dates days
 * in the record, texts in the file. JSON lands as text (`STRING`): a load refuses numbers that its JSON cannot hold
 * exactly, and one such number would refuse the whole batch; the merge reads it, rounded.
 */
export interface LandingColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly required: boolean;
  /** The value in a stream's record: what the codec gives, a list as it stands there. */
  readonly value: (record: AnyRecord) => unknown;
}

/** How a batch of a stream is landed: one row an event, in a table of its own. */
export interface LandingSchema {
  /** Columns of the row, the samples aside. */
  readonly columns: readonly LandingColumn[];
  /**
   * Columns of a timeseries event's samples: the record's array of the same name, in the form of `sampleValue` (empty, one
   * entry for all, or one a sample). They are landed as `_samples`, a list of records in the order of the event.
   */
  readonly samples: readonly Column[] | undefined;
  /** The schema of the table. */
  readonly fields: readonly TableField[];
  /** Eight hexadecimal digits, of names and types: another schema is another table. */
  readonly revision: string;
}

/** What a landed row is called by as a delivery. */
const landedDelivery = (name: string): string => (name === '_reader' ? name : `d_${name}`);

const versionNames = new Set(['_version_time', '_received_at', '_origin', '_offset', '_reader']);

const at = (record: AnyRecord, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, member) => (value as Record<string, unknown>)[member], record);

const member = (name: string) => (record: AnyRecord) => (record as unknown as Record<string, unknown>)[name] ?? null;

const event = (name: 'event_type' | 'team_id' | 'user_id') => (record: AnyRecord) =>
  'event' in record ? record.event[name] : member(name)(record);

/** The facts that `deliveries` keeps, from whatever record the delivery became; the stream is known by the batch. */
const deliveryValues: Readonly<Record<string, (record: AnyRecord, stream: StreamName) => unknown>> = {
  source: ({ receipt }) => receipt.source,
  source_partition: ({ receipt }) => receipt.partition,
  source_offset: ({ receipt }) => receipt.offset,
  received_at: ({ receipt }) => receipt.received_at,
  event_type: event('event_type'),
  delivery_id: ({ receipt }) => receipt.delivery_id,
  team_id: event('team_id'),
  // Of an event that comes without a user (a match review) the record's `user_id` is empty.
  user_id: (record) => event('user_id')(record) || null,
  provider: (record) => ('origin' in record ? record.origin.provider : member('provider')(record)),
  resource: member('resource'),
  samples: (record) => ('start_at' in record ? record.start_at.length : null),
  dead_letter_reason: (record) => ('reason' in record ? record.reason : null),
  redelivered: (_, stream) => stream === 'redelivered',
  body_bytes: ({ receipt }) => receipt.body_bytes,
};

function deliveryColumns(stream: StreamName): LandingColumn[] {
  const facts = deliveries.columns
    .filter(({ name }) => name in deliveryValues)
    .map(({ name, type, nullable }): LandingColumn => {
      const value = deliveryValues[name]!;
      return { name: landedDelivery(name), type, required: !nullable, value: (record) => value(record, stream) };
    });
  // The kept record of the same position has the row in `deliveries`; the dead letter of its parts has none.
  const counts = (record: AnyRecord): boolean => !(stream === 'dead_letters' && 'scope' in record && record.scope === 'part');
  return [...facts, { name: 'd_counts', type: 'bool', required: true, value: counts }];
}

const versionColumns: readonly LandingColumn[] = [
  { name: '_received_at', type: 'timestamp', required: true, value: ({ receipt }) => receipt.received_at },
  {
    name: '_origin',
    type: 'int64',
    required: true,
    value: ({ receipt }) => originOf(receipt.source, receipt.partition),
  },
  { name: '_offset', type: 'int64', required: true, value: ({ receipt }) => receipt.offset },
  { name: '_reader', type: 'int64', required: true, value: ({ reader }) => reader },
];

function recordValue({ path, nullable, type, default: fallback }: Column): (record: AnyRecord) => unknown {
  if (path.length === 1) {
    const [name] = path;
    return (record) =>
      (record as unknown as Record<string, unknown>)[name!] ?? (nullable || typeof type === 'object' ? null : (fallback ?? null));
  }
  return (record) => at(record, path) ?? null;
}

/** A type as it is landed: JSON as text, also within lists. */
function landedType(type: ColumnType): ColumnType {
  if (typeof type === 'string') return type === 'json' ? 'string' : type;
  const fields = elementFields(type);
  if (fields === undefined) return { list: type.list === 'json' ? 'string' : type.list };
  return { list: fields.map((field) => ({ ...field, type: field.type === 'json' ? 'string' : field.type })) };
}

/** A column's name in a landing table: as in the table of the stream. */
function payloadColumns(table: TableDeclaration, order: SummaryOrder): LandingColumn[] {
  const payload = table.columns.filter(({ name, perSample }) => !versionNames.has(name) && perSample !== true);
  const columns = payload.map(
    (column): LandingColumn => ({
      name: column.name,
      type: column.type,
      // Keys alone: a later version may let any other be null.
      required: table.key.includes(column.name) && !column.nullable,
      value: recordValue(column),
    }),
  );
  if (table.shape !== 'summary') return columns;
  return [
    ...columns,
    {
      name: '_version_time',
      type: 'timestamp',
      required: true,
      value: (record) => versionTime(record as StreamRecords['activity'], order),
    },
  ];
}

/** The landing of a stream under the landed columns of its table; `table` is undefined where the stream has none. */
export function landingSchema(stream: StreamName, table: TableDeclaration | undefined, order: SummaryOrder): LandingSchema {
  const payload = table === undefined ? [] : payloadColumns(table, order);
  const columns = [...deliveryColumns(stream), ...versionColumns, ...payload];
  const samples = table?.shape === 'timeseries' ? table.columns.filter(({ perSample }) => perSample) : undefined;
  const fields = columns.map(({ name, type, required }) => fieldOf({ name, type: landedType(type), required }));
  if (samples !== undefined) {
    const elements = samples.map(({ name, type }) => fieldOf({ name, type: landedType(type), required: name === 'start_at' }));
    fields.push({ name: '_samples', type: 'RECORD', mode: 'REPEATED', fields: elements });
  }
  const revision = createHash('sha256').update(JSON.stringify(fields)).digest('hex').slice(0, 8);
  return { columns, samples, fields, revision };
}

/** What tells landing tables apart: a resubmission has the same, a batch that is cut otherwise has not. */
export interface LandedTableKey {
  readonly stream: string;
  readonly partition: number;
  readonly incarnation: string;
  /** Positions of the first record and after the last one. */
  readonly from: number;
  readonly to: number;
  /** Of {@link LandingSchema}. */
  readonly revision: string;
  /** From 1: raised only where a load job of this name has failed for good. */
  readonly attempt: number;
}

/** Prefix of every table of ours that no declaration names. */
export const OWN = 'aorta_';
const LANDED = `${OWN}landed_`;

/** The part of a name that stands for an incarnation. */
export function incarnationHash(incarnation: string): string {
  return createHash('sha256').update(incarnation).digest('hex').slice(0, 16);
}

/** What the names of a stream's landing tables begin with, and no other's: no stream has two underscores in its name. */
export const landedTablePrefix = (stream: string): string => `${LANDED}${stream}__`;

/** The name of a batch's landing table, and of its load job. */
export function landedTableName({ stream, partition, incarnation, from, to, revision, attempt }: LandedTableKey): string {
  return `${landedTablePrefix(stream)}${partition}_${incarnationHash(incarnation)}_${from}_${to}_${revision}_${attempt}`;
}

/** A landing table's name taken apart; the incarnation as {@link incarnationHash} gives it. */
export type LandedTableFacts = Omit<LandedTableKey, 'incarnation' | 'stream'> & {
  readonly stream: string;
  readonly incarnationHash: string;
};

/** What a table's name says of the batch; undefined where it is no landing table. */
export function readLandedTableName(name: string): LandedTableFacts | undefined {
  const found = /^aorta_landed_([a-z_0-9]+)__(\d+)_([0-9a-f]{16})_(\d+)_(\d+)_([0-9a-f]{8})_(\d+)$/.exec(name);
  if (found === null) return undefined;
  const [, stream, partition, hash, from, to, revision, attempt] = found as unknown as [string, ...string[]];
  return {
    stream: stream!,
    partition: Number(partition),
    incarnationHash: hash!,
    from: Number(from),
    to: Number(to),
    revision: revision!,
    attempt: Number(attempt),
  };
}
