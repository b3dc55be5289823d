import {
  type Column,
  deliveryPlace,
  elementFields,
  type ListType,
  type StreamName,
  type StreamRecords,
  type SummaryOrder,
  streamSchemas,
  type TableDeclaration,
  versionTime,
} from '@aorta/schemas';
import { originOf, placeIn } from '../merging/origin.ts';
import type { LandedRow } from './landed-row.ts';
import { landedDefault, landedType } from './sql/types.ts';

export type Cell = string | number | bigint | null;

/** A column of a stream's landed events, and how it is filled. */
export interface LandedColumn {
  readonly name: string;
  readonly type: 'varchar' | 'double' | 'bigint' | 'uinteger';
  readonly cell: (row: LandedRow) => Cell;
  /** Another column that always has the same value and is selected instead. */
  readonly sameAs?: string;
  /** Default, as an SQL expression, for rows landed before the column existed; undefined means null. */
  readonly default?: string;
  /** Fields of each object in a landed list of objects. */
  readonly fields?: readonly string[];
}

/** Version columns. They keep the names that they have in the tables. */
const versionNames = new Set(['_received_at', '_origin', '_offset', '_reader', '_version_time']);

const at = (record: LandedRow['record'], path: readonly string[]): unknown =>
  path.reduce<unknown>((value, member) => (value as Record<string, unknown>)[member], record);

function cellOf(column: Column): (row: LandedRow) => Cell {
  const [first, second] = column.path;
  const read =
    column.path.length === 1
      ? (row: LandedRow) => (row.record as unknown as Record<string, unknown>)[first!]
      : column.path.length === 2
        ? (row: LandedRow) => (row.record as unknown as Record<string, Record<string, unknown>>)[first!]![second!]
        : (row: LandedRow) => at(row.record, column.path);
  if (column.type === 'bool') {
    return (row) => {
      const value = read(row);
      return value === null ? null : value === true ? 1 : 0;
    };
  }
  if (typeof column.type === 'object') {
    const elements = elementsOf(column.type);
    return (row) => JSON.stringify(elements(read(row) as readonly unknown[]));
  }
  return read as (row: LandedRow) => Cell;
}

/**
 * Returns a function that converts a list to its landed form. If the list contains objects, the function drops the fields that
 * the privacy setting withholds, which are missing from `type`.
 */
function elementsOf(type: ListType): (list: readonly unknown[]) => readonly unknown[] {
  const { list: fields } = type;
  if (fields === 'bool') return (list) => list.map(Number);
  if (typeof fields === 'string') return (list) => list;
  return (list) =>
    (list as readonly Record<string, unknown>[]).map((element) =>
      Object.fromEntries(
        fields.map(({ name, type: fieldType }) => {
          const value = element[name];
          return [name, fieldType === 'bool' && value !== null ? Number(value) : value];
        }),
      ),
    );
}

/** Returns the columns for `deliveries`. Their values can be read from a record of any stream. */
function deliveryColumns(stream: StreamName, table: TableDeclaration | undefined): LandedColumn[] {
  const member = (name: string) => (row: LandedRow) => ((row.record as unknown as Record<string, Cell>)[name] ?? null) as Cell;
  const event = (name: 'event_type' | 'team_id' | 'user_id') => (row: LandedRow) =>
    'event' in row.record
      ? row.record.event[name]
      : ((row.record as unknown as { [name: string]: string | null | undefined })[name] ?? null);
  const whole = stream === 'dead_letters';
  // A fetched record is not a delivery, so it has no row in `deliveries`.
  const fetched = table?.shape === 'fetched';
  const payload = (name: string) => (table === undefined || fetched ? {} : { sameAs: `c_${name}` });
  return [
    { name: 'd_source', type: 'varchar', cell: ({ record }) => record.receipt.source },
    { name: 'd_source_partition', type: 'varchar', cell: ({ record }) => deliveryPlace(stream, record.receipt).partition },
    { name: 'd_source_offset', type: 'double', cell: ({ record }) => deliveryPlace(stream, record.receipt).offset },
    { name: 'd_received_at', type: 'double', cell: ({ record }) => record.receipt.received_at, sameAs: '_received_at' },
    { name: 'd_event_type', type: 'varchar', cell: event('event_type'), ...payload('event_type') },
    { name: 'd_delivery_id', type: 'varchar', cell: ({ record }) => record.receipt.delivery_id },
    { name: 'd_team_id', type: 'varchar', cell: event('team_id'), ...payload('team_id') },
    // An event without a user, such as a match review, has an empty `user_id` in its record.
    {
      name: 'd_user_id',
      type: 'varchar',
      cell: (row) => event('user_id')(row) || null,
      ...(streamSchemas[stream].aorta.user === 'optional' ? {} : payload('user_id')),
    },
    {
      name: 'd_provider',
      type: 'varchar',
      cell: (row) => ('origin' in row.record ? row.record.origin.provider : member('provider')(row)),
    },
    { name: 'd_resource', type: 'varchar', cell: member('resource') },
    { name: 'd_samples', type: 'double', cell: ({ record }) => ('start_at' in record ? record.start_at.length : null) },
    { name: 'd_dead_letter_reason', type: 'varchar', cell: ({ record }) => ('reason' in record ? record.reason : null) },
    { name: 'd_redelivered', type: 'double', cell: () => (stream === 'redelivered' ? 1 : 0) },
    { name: 'd_body_bytes', type: 'double', cell: ({ record }) => record.receipt.body_bytes },
    { name: 'd_body_crc32', type: 'double', cell: ({ record }) => record.receipt.body_crc32 },
    { name: 'd_arrived_at', type: 'double', cell: ({ record }) => record.receipt.arrived_at },
    // If only part of a delivery became a dead letter, the record of the remaining part provides the row in `deliveries`.
    {
      name: 'd_counts',
      type: 'double',
      cell: ({ record, part }) => (fetched || part > 0 || (whole && 'scope' in record && record.scope === 'part') ? 0 : 1),
    },
  ];
}

function versionColumns(stream: StreamName, table: TableDeclaration | undefined): LandedColumn[] {
  const place = placeIn(stream, table);
  return [
    { name: '_received_at', type: 'double', cell: ({ record }) => record.receipt.received_at },
    {
      name: '_origin',
      type: 'bigint',
      cell: ({ record: { receipt } }) => originOf(receipt.source, place(receipt).partition),
    },
    { name: '_offset', type: 'double', cell: ({ record }) => place(record.receipt).offset },
    { name: '_reader', type: 'double', cell: ({ record }) => record.reader },
  ];
}

/**
 * Returns the numeric columns of a timeseries table in which the samples of an event may differ. Values that differ are landed
 * separately, as chunks of doubles.
 */
export function sampleColumns(table: TableDeclaration): Column[] {
  return table.columns.filter((column) => column.perSample && landedType(column) === 'double');
}

/**
 * Returns the text columns of a timeseries table in which the samples of an event may differ. If the texts differ, the event is
 * split into several rows.
 */
export function sampleTexts(table: TableDeclaration): Column[] {
  return table.columns.filter((column) => column.perSample && landedType(column) === 'varchar');
}

/**
 * Returns the columns of a stream's landed events: columns for `deliveries` (`d_…`), version columns, payload columns (`c_…`),
 * and columns that tell a merge about the event's samples.
 */
export function landedEventColumns(stream: StreamName, table: TableDeclaration | undefined, order: SummaryOrder): LandedColumn[] {
  const columns: LandedColumn[] = [
    { name: 'no', type: 'uinteger', cell: ({ no }) => no },
    { name: 'part', type: 'uinteger', cell: ({ part }) => part },
    ...deliveryColumns(stream, table),
    ...versionColumns(stream, table),
  ];
  if (table === undefined) return columns;
  const payload = table.columns.filter((column) => !versionNames.has(column.name));
  for (const column of payload.filter(({ perSample }) => !perSample)) {
    const fallback = landedDefault(column);
    const fields = elementFields(column.type);
    columns.push({
      name: `c_${column.name}`,
      type: landedType(column),
      cell: cellOf(column),
      ...(fallback === undefined ? {} : { default: fallback }),
      ...(fields === undefined ? {} : { fields: fields.map(({ name }) => name) }),
    });
  }
  if (table.shape === 'summary') {
    columns.push({
      name: '_version_time',
      type: 'double',
      cell: ({ record }) => versionTime(record as StreamRecords['activity'], order),
    });
  }
  if (table.shape === 'timeseries') {
    for (const column of sampleTexts(table))
      columns.push({ name: `c_${column.name}`, type: 'varchar', cell: ({ texts }) => texts[column.name] ?? null });
    for (const column of sampleColumns(table)) {
      if (column.name === 'start_at') continue;
      // A single value applies to all samples of the event. If the samples have different values, the table of samples has them.
      const values = (row: LandedRow) => (row.record as unknown as Record<string, (number | null)[]>)[column.name]!;
      columns.push({
        name: `c_${column.name}`,
        type: 'double',
        cell: (row) => (values(row).length === 1 ? values(row)[0]! : null),
      });
    }
    columns.push(
      { name: 'first_at', type: 'double', cell: ({ firstAt }) => firstAt },
      { name: 'last_at', type: 'double', cell: ({ lastAt }) => lastAt },
      { name: 'ascending', type: 'double', cell: ({ ascending }) => (ascending ? 1 : 0) },
      { name: 'samples', type: 'double', cell: ({ samples }) => samples },
    );
  }
  return columns;
}
