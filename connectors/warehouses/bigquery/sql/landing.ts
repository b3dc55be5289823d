import { createHash } from 'node:crypto';
import {
  type Column,
  type ColumnType,
  deliveries,
  deliveryPlace,
  elementFields,
  type StreamName,
  type StreamRecords,
  type SummaryOrder,
  type TableDeclaration,
  versionTime,
} from '@aorta/schemas';
import { originOf, placeIn } from '../../merging/origin.ts';
import { fieldOf, type TableField } from '../tables/fields.ts';

type AnyRecord = StreamRecords[StreamName];

/**
 * A column of a landing table. Records store instants as microseconds since 1970 and dates as days since 1970. The file that
 * is uploaded for the load job contains both as text. JSON is landed as text (`STRING`), because a load job refuses the whole
 * batch if BigQuery's JSON cannot hold one number exactly. The merge parses the text and rounds such numbers.
 */
export interface LandingColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly required: boolean;
  readonly value: (record: AnyRecord) => unknown;
}

/** How a batch of a stream is landed: one row per event, in its own table. */
export interface LandingSchema {
  readonly columns: readonly LandingColumn[];
  /**
   * Columns of the samples in a timeseries event. For each column, the record has an array. The array is empty, or it has one
   * entry for all samples, or one entry per sample (see `sampleValue`). The samples are landed as `_samples`, a list of
   * records in the same order as in the event.
   */
  readonly samples: readonly Column[] | undefined;
  readonly fields: readonly TableField[];
  /** Hash of the fields, as eight hexadecimal digits. Batches with different schemas get different tables. */
  readonly revision: string;
}

const landedDelivery = (name: string): string => (name === '_reader' ? name : `d_${name}`);

const versionNames = new Set(['_version_time', '_received_at', '_origin', '_offset', '_reader']);

const at = (record: AnyRecord, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, member) => (value as Record<string, unknown>)[member], record);

const member = (name: string) => (record: AnyRecord) => (record as unknown as Record<string, unknown>)[name] ?? null;

const event = (name: 'event_type' | 'team_id' | 'user_id') => (record: AnyRecord) =>
  'event' in record ? record.event[name] : member(name)(record);

/**
 * Functions that read the columns of `deliveries` from a record of any stream. `stream` is the stream that contains the
 * record.
 */
const deliveryValues: Readonly<Record<string, (record: AnyRecord, stream: StreamName) => unknown>> = {
  source: ({ receipt }) => receipt.source,
  source_partition: ({ receipt }, stream) => deliveryPlace(stream, receipt).partition,
  source_offset: ({ receipt }, stream) => deliveryPlace(stream, receipt).offset,
  received_at: ({ receipt }) => receipt.received_at,
  event_type: event('event_type'),
  delivery_id: ({ receipt }) => receipt.delivery_id,
  team_id: event('team_id'),
  // An event without a user, such as a match review, has an empty `user_id` in its record.
  user_id: (record) => event('user_id')(record) || null,
  provider: (record) => ('origin' in record ? record.origin.provider : member('provider')(record)),
  resource: member('resource'),
  samples: (record) => ('start_at' in record ? record.start_at.length : null),
  dead_letter_reason: (record) => ('reason' in record ? record.reason : null),
  redelivered: (_, stream) => stream === 'redelivered',
  body_bytes: ({ receipt }) => receipt.body_bytes,
  body_crc32: ({ receipt }) => receipt.body_crc32,
  arrived_at: ({ receipt }) => receipt.arrived_at,
};

function deliveryColumns(stream: StreamName): LandingColumn[] {
  const facts = deliveries.columns
    .filter(({ name }) => name in deliveryValues)
    .map(({ name, type, nullable }): LandingColumn => {
      const value = deliveryValues[name]!;
      return { name: landedDelivery(name), type, required: !nullable, value: (record) => value(record, stream) };
    });
  // If only a part of a delivery is a dead letter, the record of the rest of the delivery provides the row in `deliveries`.
  const counts = (record: AnyRecord): boolean => !(stream === 'dead_letters' && 'scope' in record && record.scope === 'part');
  return [...facts, { name: 'd_counts', type: 'bool', required: true, value: counts }];
}

function versionColumns(stream: StreamName, table: TableDeclaration | undefined): LandingColumn[] {
  const place = placeIn(stream, table);
  return [
    { name: '_received_at', type: 'timestamp', required: true, value: ({ receipt }) => receipt.received_at },
    {
      name: '_origin',
      type: 'int64',
      required: true,
      value: ({ receipt }) => originOf(receipt.source, place(receipt).partition),
    },
    { name: '_offset', type: 'int64', required: true, value: ({ receipt }) => place(receipt).offset },
    { name: '_reader', type: 'int64', required: true, value: ({ reader }) => reader },
  ];
}

function recordValue({ path, nullable, type, default: fallback }: Column): (record: AnyRecord) => unknown {
  if (path.length === 1) {
    const [name] = path;
    return (record) =>
      (record as unknown as Record<string, unknown>)[name!] ?? (nullable || typeof type === 'object' ? null : (fallback ?? null));
  }
  return (record) => at(record, path) ?? null;
}

/** Returns the landed form of a type: JSON becomes text, even in lists. */
function landedType(type: ColumnType): ColumnType {
  if (typeof type === 'string') return type === 'json' ? 'string' : type;
  const fields = elementFields(type);
  if (fields === undefined) return { list: type.list === 'json' ? 'string' : type.list };
  return { list: fields.map((field) => ({ ...field, type: field.type === 'json' ? 'string' : field.type })) };
}

/** Returns the landing columns for the stream's own table. They have the same names as the columns of that table. */
function payloadColumns(table: TableDeclaration, order: SummaryOrder): LandingColumn[] {
  const payload = table.columns.filter(({ name, perSample }) => !versionNames.has(name) && perSample !== true);
  const columns = payload.map(
    (column): LandingColumn => ({
      name: column.name,
      type: column.type,
      // Only key columns are required, because a later version may make any other column nullable.
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

/**
 * Returns the landing schema of a stream. `table` is the stream's table with only its landed columns, or undefined if the
 * stream has no table.
 */
export function landingSchema(stream: StreamName, table: TableDeclaration | undefined, order: SummaryOrder): LandingSchema {
  const payload = table === undefined ? [] : payloadColumns(table, order);
  const columns = [...deliveryColumns(stream), ...versionColumns(stream, table), ...payload];
  const samples = table?.shape === 'timeseries' ? table.columns.filter(({ perSample }) => perSample) : undefined;
  const fields = columns.map(({ name, type, required }) => fieldOf({ name, type: landedType(type), required }));
  if (samples !== undefined) {
    const elements = samples.map(({ name, type }) => fieldOf({ name, type: landedType(type), required: name === 'start_at' }));
    fields.push({ name: '_samples', type: 'RECORD', mode: 'REPEATED', fields: elements });
  }
  const plain = fields.map(withoutDescription);
  const revision = createHash('sha256').update(JSON.stringify(plain)).digest('hex').slice(0, 8);
  return { columns, samples, fields: plain, revision };
}

/**
 * Removes descriptions before the schema is hashed. Otherwise, a reworded description would rename landing tables, and a batch
 * that is landed again would get a second table.
 */
function withoutDescription({ description: _, fields, ...field }: TableField): TableField {
  return fields === undefined ? field : { ...field, fields: fields.map(withoutDescription) };
}

/**
 * Identifies a landing table. If a batch is submitted again, it has the same key. Batches with different positions have
 * different keys.
 */
export interface LandedTableKey {
  readonly stream: string;
  readonly partition: number;
  readonly incarnation: string;
  /** Position of the first record, and the position after the last record. */
  readonly from: number;
  readonly to: number;
  readonly revision: string;
  /** Starts at 1 and increases after each attempt that does not produce a complete table. */
  readonly attempt: number;
}

/** Prefix of internal tables, such as landing tables and control tables. Declared tables must not use it. */
export const OWN = 'aorta_';
const LANDED = `${OWN}landed_`;

/** Returns the hash that represents an incarnation in the name of a landing table. */
export function incarnationHash(incarnation: string): string {
  return createHash('sha256').update(incarnation).digest('hex').slice(0, 16);
}

/** Prefix of a stream's landing tables. It is unique, because no stream name contains two consecutive underscores. */
export const landedTablePrefix = (stream: string): string => `${LANDED}${stream}__`;

/** Returns the name of a batch's landing table, which is also the id of its load job. */
export function landedTableName({ stream, partition, incarnation, from, to, revision, attempt }: LandedTableKey): string {
  return `${landedTablePrefix(stream)}${partition}_${incarnationHash(incarnation)}_${from}_${to}_${revision}_${attempt}`;
}

/** The parts of a landing table's name. The name contains the {@link incarnationHash} instead of the incarnation itself. */
export type LandedTableFacts = Omit<LandedTableKey, 'incarnation' | 'stream'> & {
  readonly stream: string;
  readonly incarnationHash: string;
};

/** Parses the name of a landing table. Returns undefined if the name has a different form. */
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
