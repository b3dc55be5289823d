import { createHash } from 'node:crypto';
import {
  type Column,
  type ColumnType,
  elementFields,
  type StreamName,
  type SummaryOrder,
  type TableDeclaration,
} from '@aorta/schemas';
import {
  type AnyRecord,
  deliveryFacts,
  type Fact,
  payloadColumns,
  payloadValue,
  standsForDelivery,
  versionFacts,
  versionTimeFacts,
} from '../../warehouses/landed-facts.ts';
import { fieldOf, type TableField } from '../tables/fields.ts';

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

const landed = ({ column: { name, type, nullable }, value }: Fact): LandingColumn => ({ name, type, required: !nullable, value });

function deliveryColumns(stream: StreamName): LandingColumn[] {
  const facts = deliveryFacts(stream).map((fact) => ({ ...landed(fact), name: `d_${fact.column.name}` }));
  const counts = (record: AnyRecord): boolean => standsForDelivery(stream, record);
  return [...facts, { name: 'd_counts', type: 'bool', required: true, value: counts }];
}

function recordValue(column: Column): (record: AnyRecord) => unknown {
  const read = payloadValue(column);
  const { path, nullable, type, default: fallback } = column;
  const missing = path.length > 1 || nullable || typeof type === 'object' ? null : (fallback ?? null);
  return (record) => read(record) ?? missing;
}

/** Returns the landed form of a type: JSON becomes text, even in lists. */
function landedType(type: ColumnType): ColumnType {
  if (typeof type === 'string') return type === 'json' ? 'string' : type;
  const fields = elementFields(type);
  if (fields === undefined) return { list: type.list === 'json' ? 'string' : type.list };
  return { list: fields.map((field) => ({ ...field, type: field.type === 'json' ? 'string' : field.type })) };
}

/** Returns the landing columns for the stream's own table. They have the same names as the columns of that table. */
function ownColumns(table: TableDeclaration, order: SummaryOrder): LandingColumn[] {
  const columns = payloadColumns(table).map(
    (column): LandingColumn => ({
      name: column.name,
      type: column.type,
      // Only key columns are required, because a later version may make any other column nullable.
      required: table.key.includes(column.name) && !column.nullable,
      value: recordValue(column),
    }),
  );
  return [...columns, ...versionTimeFacts(table, order).map(landed)];
}

/**
 * Returns the landing schema of a stream. `table` is the stream's table with only its landed columns, or undefined if the
 * stream has no table.
 */
export function landingSchema(stream: StreamName, table: TableDeclaration | undefined, order: SummaryOrder): LandingSchema {
  const payload = table === undefined ? [] : ownColumns(table, order);
  const columns = [...deliveryColumns(stream), ...versionFacts(stream, table).map(landed), ...payload];
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
