import { deliveries, type TableDeclaration } from '@aorta/schemas';
import { sampleColumns } from '../landed-rows.ts';
import { suppressionTables } from './erase.ts';
import { columnDefinition, type DatabaseColumn, type DatabaseTable, databaseColumn } from './types.ts';

/** Columns that identify a series of samples: the key of a sample without its time. */
export const seriesKey = ['user_id', 'resource', 'provider', 'source_type', 'sample_type', 'source_workout_id'] as const;

/** Returns the statements that create the schemas and control tables, if they do not exist. */
export function bookkeeping(): string[] {
  return [
    'create schema if not exists control',
    'create schema if not exists landed',
    'create schema if not exists kept',
    // Changes that the kept tables do not contain yet. A merge adds its changes in its own transaction. `day` is a date of samples
    // in UTC, or a local date of summaries. It is NULL if only the user is known. A receipt without a
    // user has an empty one.
    'create table if not exists control.changed_days (user_id varchar not null, day date)',
    // The days of each user that have changed, and the dates on which days far from them depend: see `changed-person-days.ts`.
    'create table if not exists control.changed_person_days (user_id varchar not null, local_date date not null, changed_at timestamptz not null)',
    'create table if not exists control.day_bounds (user_id varchar not null, kind varchar not null, bound varchar not null, local_date date not null)',
    // The definitions that the rows of the kept tables were computed with. A table without an entry has no valid rows.
    'create table if not exists control.kept_definitions (name varchar not null, definition varchar not null)',
    // The schema that the latest preparation made, as JSON: see `MadeSchema`.
    'create table if not exists control.made_schema (content varchar not null)',
    'create table if not exists control.format (format integer not null)',
    // The transaction that lands a batch also updates the position of its partition, so that position and batches always agree.
    'create table if not exists control.positions (stream varchar not null, incarnation varchar not null, position bigint not null, partition integer default 0)',
    `create table if not exists control.batches (
  id bigint not null, stream varchar not null, incarnation varchar not null, first bigint not null, last bigint not null,
  landed_at timestamptz not null, next_no bigint not null, received_days integer[] not null,
  recent_days integer[] not null, recent_rows bigint not null, recent_merged boolean not null,
  old_days integer[] not null, old_rows bigint not null, old_merged boolean not null,
  sample_columns varchar[] not null, partition integer, records bigint
)`,
    ...suppressionTables,
    `create table if not exists control.series (id integer not null, ${seriesKey.map((name) => `${name} varchar not null`).join(', ')})`,
  ];
}

/**
 * Returns the columns of a timeseries table that hold text or have the same value for all samples of an event. They are stored
 * once per event.
 */
export function eventColumns(table: TableDeclaration) {
  const numbers = new Set(sampleColumns(table).map((column) => column.name));
  const version = new Set(table.order);
  const identity = new Set<string>(['user_id', 'resource', 'provider', 'source_type']);
  return table.columns.filter(({ name }) => !numbers.has(name) && !version.has(name) && !identity.has(name));
}

const required = (name: string, type: string): DatabaseColumn => ({ name, type, nullable: false });

/**
 * Returns the database tables that store a declared table. They have no primary keys or unique indexes, which slow down inserts
 * as a table grows. The merge keeps keys unique. Samples are stored as numbers only, with references to their series and event.
 * Appending and merging them is three times as fast as with texts in every row. The view with the table's name adds the texts.
 */
function databaseTablesOf(table: TableDeclaration): DatabaseTable[] {
  if (table.shape !== 'timeseries') {
    const day = table.partition === '_day' ? [required('_day', 'date')] : [];
    const columns = [...table.columns.map(databaseColumn), ...day, required('_loaded_at', 'timestamptz')];
    return [{ name: table.name, columns }];
  }
  return [
    {
      name: `control.${table.name}_events`,
      columns: [
        required('id', 'bigint'),
        ...eventColumns(table).map((column) => databaseColumn({ ...column, nullable: true })),
        required('_loaded_at', 'timestamptz'),
      ],
    },
    {
      name: `control.${table.name}_samples`,
      columns: [
        required('series', 'integer'),
        required('event', 'bigint'),
        ...sampleColumns(table).map(databaseColumn),
        required('_day', 'date'),
        required('_received_at', 'timestamptz'),
        required('_origin', 'bigint'),
        required('_offset', 'bigint'),
        required('_reader', 'bigint'),
      ],
    },
  ];
}

export function databaseTables(tables: readonly TableDeclaration[]): DatabaseTable[] {
  return [...tables, deliveries].flatMap(databaseTablesOf);
}

export function createTable({ name, columns }: DatabaseTable): string {
  return `create table ${name} (\n${list(columns.map(columnDefinition))}\n)`;
}

const list = (definitions: readonly string[]): string => definitions.map((definition) => `  ${definition}`).join(',\n');

/** Returns the statement that creates the view of a timeseries table. The view joins the samples with their series and events. */
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
from control.${table.name}_samples s
join control.series k on k.id = s.series
join control.${table.name}_events e on e.id = s.event`;
}
