import { deliveries, type TableDeclaration } from '@aorta/schemas';
import { sampleColumns } from '../landed-row.ts';
import { columnDefinition } from './types.ts';

/** Format of the database file; a higher one is of a newer version of Aorta. */
export const FORMAT = 1;

/** Identity of a series of samples: what a sample's key has beside its time. */
export const seriesKey = ['user_id', 'resource', 'provider', 'source_type', 'sample_type', 'source_workout_id'] as const;

/** Statements that make the schemas and the bookkeeping of a new or existing file. */
export function bookkeeping(): string[] {
  return [
    'create schema if not exists aorta',
    'create schema if not exists landed',
    'create table if not exists aorta.format (format integer not null)',
    // Incarnation and position of each stream's landing: written in the transaction of the batch, so they cannot disagree.
    'create table if not exists aorta.positions (stream varchar not null, incarnation varchar not null, position bigint not null)',
    `create table if not exists aorta.batches (
  id bigint not null, stream varchar not null, incarnation varchar not null, first bigint not null, last bigint not null,
  landed_at timestamptz not null, next_no bigint not null, received_days integer[] not null,
  recent_days integer[] not null, recent_rows bigint not null, recent_merged boolean not null,
  old_days integer[] not null, old_rows bigint not null, old_merged boolean not null,
  sample_columns varchar[] not null
)`,
    `create table if not exists aorta.series (id integer not null, ${seriesKey.map((name) => `${name} varchar not null`).join(', ')})`,
  ];
}

const list = (definitions: readonly string[]): string => definitions.map((definition) => `  ${definition}`).join(',\n');

/** Columns of a timeseries table that are the same for all samples of an event, or texts: they stand once an event. */
export function eventColumns(table: TableDeclaration) {
  const numbers = new Set(sampleColumns(table).map((column) => column.name));
  const version = new Set(table.order);
  const identity = new Set<string>(['user_id', 'resource', 'provider', 'source_type']);
  return table.columns.filter(({ name }) => !numbers.has(name) && !version.has(name) && !identity.has(name));
}

/**
 * The tables of a declaration. No primary keys and no unique indexes: they slow every insert as a table grows; the merge
 * keeps keys unique. Samples are stored as numbers only, with their series and their event beside them: rows are then
 * appended and merged three times as fast as with the texts in every row, and the view of the table's name puts the
 * texts back.
 */
function createTable(table: TableDeclaration): string[] {
  if (table.shape !== 'timeseries') {
    const day = table.partition === '_day' ? ['_day date not null'] : [];
    return [
      `create table if not exists ${table.name} (\n${list([...table.columns.map(columnDefinition), ...day, '_loaded_at timestamptz not null'])}\n)`,
    ];
  }
  return [
    `create table if not exists aorta.${table.name}_events (\n${list([
      'id bigint not null',
      ...eventColumns(table).map((column) => columnDefinition({ ...column, nullable: true })),
      '_loaded_at timestamptz not null',
    ])}\n)`,
    `create table if not exists aorta.${table.name}_samples (\n${list([
      'series integer not null',
      'event bigint not null',
      ...sampleColumns(table).map(columnDefinition),
      '_day date not null',
      '_received_at timestamptz not null',
      '_origin bigint not null',
      '_offset bigint not null',
      '_reader bigint not null',
    ])}\n)`,
  ];
}

/** Names of the columns that a timeseries relation shows, in order. */
export function timeseriesView(table: TableDeclaration): string {
  const series = new Set<string>(['user_id', 'resource', 'provider', 'source_type']);
  const numbers = new Set(sampleColumns(table).map((column) => column.name));
  const shown = table.columns
    .filter(({ name }) => !table.order.includes(name))
    .map(({ name }) => {
      if (series.has(name)) return `k.${name}`;
      if (numbers.has(name)) return `s.${name}`;
      if (name === 'sample_type' || name === 'source_workout_id') return `coalesce(e.${name}, '') as ${name}`;
      return `e.${name}`;
    });
  const localDate = `case
    when e.time_basis = 'floating' then make_timestamp(epoch_us(s.start_at))::date
    else make_timestamp(epoch_us(s.start_at) + s.timezone_offset_s * 1000000)::date
  end as local_date`;
  return `create or replace view ${table.name} as
select
${list([...shown, localDate, 's._day', 's._received_at', 's._origin', 's._offset', 's._reader', 'e._loaded_at'])}
from aorta.${table.name}_samples s
join aorta.series k on k.id = s.series
join aorta.${table.name}_events e on e.id = s.event`;
}

/** Every table of the warehouse, the one of deliveries last. */
export function createTables(tables: readonly TableDeclaration[]): string[] {
  return [...tables, deliveries].flatMap(createTable);
}
