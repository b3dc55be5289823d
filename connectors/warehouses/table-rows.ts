import {
  type Column,
  type DeliveryPlace,
  dayOfInstant,
  deliveries,
  deliveryPlace,
  elementFields,
  resourcesKeyedByType,
  type StreamName,
  type StreamRecords,
  type SummaryOrder,
  sampleValue,
  type TableDeclaration,
  type TimeseriesStream,
  versionTime,
} from '@aorta/schemas';
import { userColumns } from '../warehouse.ts';
import { partitionDay } from './merging/landed-dates.ts';
import { originOf, placeIn } from './merging/origin.ts';

const keyedByType = new Set<unknown>(resourcesKeyedByType);

/**
 * A value in the form that records use: an instant in microseconds since 1970, a date in days since 1970, JSON as text. A list
 * is an array of such values or of objects that contain them. Only `_origin` is a bigint.
 */
export type TableValue = string | number | bigint | boolean | null | readonly TableElement[];
export type TableElement = string | number | boolean | null | { readonly [field: string]: string | number | boolean | null };

/** A row that a record adds to a table, unless the table has a newer version of the row. */
export interface TableRow {
  readonly table: TableDeclaration;
  /** Identifies the row in its table. For samples it differs from the values of the key columns, see {@link tableRows}. */
  readonly key: readonly TableValue[];
  /**
   * Numbers that are compared one by one, starting with the first. The greater version replaces the smaller one. If both are
   * equal, either row may be kept.
   */
  readonly version: readonly (number | bigint)[];
  /** Has a value for each of {@link tableColumns}. */
  readonly values: Readonly<Record<string, TableValue>>;
}

type AnyRecord = StreamRecords[StreamName];

const computed = (name: string, type: 'date' | 'timestamp', nullable: boolean, doc: string): Column => ({
  name,
  type,
  nullable,
  class: 'measure',
  doc,
  path: [],
});

const localDate = computed('local_date', 'date', true, 'Local date of the sample; NULL if the event does not determine it.');
const day = computed('_day', 'date', false, 'Partition: the date of the key’s time in UTC, limited to 2010-01-01…2036-12-31.');
export const loadedAt: Column = computed('_loaded_at', 'timestamp', false, 'When the row was last merged.');

/** Returns the declared and the computed columns of a table, except `_loaded_at`, which the warehouse sets. */
export function tableColumns(table: TableDeclaration): readonly Column[] {
  return [...table.columns, ...(table.shape === 'timeseries' ? [localDate] : []), ...(table.partition === '_day' ? [day] : [])];
}

/**
 * Returns the rows that a record adds to its stream's own table, if there is one, and to `deliveries`. `table` must contain
 * only the landed columns, see `landedTable`. This function is meant to be simple, not fast. A warehouse that loads millions
 * of samples builds its rows column by column instead, as its client library expects them.
 *
 * A sample's key includes `sample_type` and `source_workout_id` only if its resource requires them. The row always has both
 * values in its columns.
 */
export function tableRows(
  stream: StreamName,
  record: AnyRecord,
  table: TableDeclaration | undefined,
  order: SummaryOrder = 'updated_at',
): readonly TableRow[] {
  const delivery = deliveryRow(stream, record, table);
  return [...ownRows(stream, record, table, order), ...(delivery === undefined ? [] : [delivery])];
}

/** Returns the users whose data the rows contain. Erasing one of these users removes the rows. */
export function usersOf(rows: readonly TableRow[]): ReadonlySet<string> {
  const values = rows.flatMap(({ table, values: row }) => userColumns(table).map((name) => row[name]));
  return new Set(values.filter((value) => typeof value === 'string'));
}

function ownRows(
  stream: StreamName,
  record: AnyRecord,
  table: TableDeclaration | undefined,
  order: SummaryOrder,
): readonly TableRow[] {
  if (table === undefined) return [];
  if ('start_at' in record) return sampleRows(record, table);
  const place = placeIn(stream, table)(record.receipt);
  const values: Record<string, TableValue> = {};
  for (const column of table.columns)
    values[column.name] =
      column.name === '_version_time'
        ? versionTime(record as StreamRecords['activity'], order)
        : columnValue(record, column, place);
  return [rowOf(table, values)];
}

function rowOf(table: TableDeclaration, values: Readonly<Record<string, TableValue>>): TableRow {
  return {
    table,
    key: table.key.map((name) => values[name] ?? null),
    version: table.order.map((name) => values[name] as number | bigint),
    values,
  };
}

function columnValue(record: AnyRecord, column: Column, place: DeliveryPlace = record.receipt): TableValue {
  if (column.name === '_origin') return originOf(record.receipt.source, place.partition);
  if (column.name === '_offset') return place.offset;
  const value = atPath(record, column.path) ?? column.default ?? (typeof column.type === 'object' ? [] : null);
  const fields = elementFields(column.type);
  if (fields === undefined) return value as TableValue;
  // The record may contain fields that are not landed.
  return (value as readonly Readonly<Record<string, string | number | boolean | null>>[]).map((element) =>
    Object.fromEntries(fields.map(({ name }) => [name, element[name] ?? null])),
  );
}

function atPath(record: AnyRecord, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, member) => (value as Readonly<Record<string, unknown>> | undefined)?.[member], record);
}

function sampleRows(record: StreamRecords[TimeseriesStream], table: TableDeclaration): TableRow[] {
  const ofEvent = Object.fromEntries(
    table.columns.filter(({ perSample }) => !perSample).map((column) => [column.name, columnValue(record, column)]),
  );
  const ofSample = table.columns
    .filter(({ perSample }) => perSample)
    .map(({ name, path }) => ({ name, values: atPath(record, path) as readonly (string | number | null)[] }));
  return record.start_at.map((start, index) => {
    const values: Record<string, TableValue> = { ...ofEvent };
    for (const { name, values: all } of ofSample) values[name] = sampleValue(all, index);
    values.sample_type ??= '';
    values.source_workout_id ??= '';
    values.local_date = localDay(start, values);
    values._day = partitionDay(start);
    const { version } = rowOf(table, values);
    // If samples of one event share a key, the last sample is kept.
    return { table, key: sampleKey(table, values), version: [...version, index], values };
  });
}

function localDay(start: number, { time_basis, timezone_offset_s }: Readonly<Record<string, TableValue>>): number | null {
  if (time_basis === 'floating') return dayOfInstant(start);
  return typeof timezone_offset_s === 'number' ? dayOfInstant(start + timezone_offset_s * 1_000_000) : null;
}

function sampleKey(table: TableDeclaration, values: Readonly<Record<string, TableValue>>): TableValue[] {
  const counts = (name: string): boolean => {
    if (name === 'sample_type') return keyedByType.has(values.resource);
    return name !== 'source_workout_id' || String(values.resource).startsWith('workout_');
  };
  return table.key.map((name) => (counts(name) ? (values[name] ?? null) : ''));
}

/** Returns the row of `deliveries`; undefined for a fetched record and for a dead letter that contains only a part of a delivery. */
function deliveryRow(stream: StreamName, record: AnyRecord, table: TableDeclaration | undefined): TableRow | undefined {
  if (table?.shape === 'fetched' || (stream === 'dead_letters' && 'scope' in record && record.scope === 'part')) return undefined;
  const { receipt } = record;
  const place = deliveryPlace(stream, receipt);
  const member = (name: string): TableValue => (record as unknown as Readonly<Record<string, TableValue>>)[name] ?? null;
  const ofEvent = (name: 'event_type' | 'team_id' | 'user_id' | 'client_user_id'): TableValue =>
    'event' in record ? record.event[name] : member(name);
  const values: Record<string, TableValue> = {
    source: receipt.source,
    source_partition: place.partition,
    source_offset: place.offset,
    received_at: receipt.received_at,
    event_type: ofEvent('event_type'),
    delivery_id: receipt.delivery_id,
    team_id: ofEvent('team_id'),
    // A record contains an empty string if the event has no user.
    user_id: ofEvent('user_id') || null,
    client_user_id: ofEvent('client_user_id'),
    provider: 'origin' in record ? record.origin.provider : member('provider'),
    source_type: 'origin' in record ? record.origin.source_type : member('source_type'),
    resource: member('resource'),
    samples: 'start_at' in record ? record.start_at.length : null,
    stream,
    dead_letter_reason: 'reason' in record ? record.reason : null,
    redelivered: stream === 'redelivered',
    body_bytes: receipt.body_bytes,
    body_crc32: receipt.body_crc32,
    arrived_at: receipt.arrived_at,
    _reader: record.reader,
    _day: partitionDay(receipt.received_at),
  };
  return { ...rowOf(deliveries, values), version: [reached(stream, values), record.reader] };
}

/**
 * Ranks rows by how far the delivery was processed. If a delivery failed and a replay after a fix succeeds, the new row
 * therefore replaces the old one.
 */
function reached(stream: StreamName, { dead_letter_reason, redelivered }: Readonly<Record<string, TableValue>>): number {
  if (dead_letter_reason !== null) return 0;
  if (redelivered === true) return 1;
  return stream === 'unrouted' ? 2 : 3;
}
