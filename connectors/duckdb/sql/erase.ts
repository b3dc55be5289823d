import { text } from './types.ts';

/** The two tables of the suppression list. One contains keyed hashes of erased users, and the other contains the key. */
export const suppressionTables: readonly string[] = [
  'create table if not exists control.suppressed (user_hash varchar not null, suppressed_at timestamptz not null)',
  'create table if not exists control.suppression_key (key varchar not null)',
];

/** Keyed hash of a user's id: SHA-256 of the key and the id, in hexadecimal. */
const hashOf = (user: string): string => `sha256((select min(key) from control.suppression_key) || ${user})`;

/** Condition that excludes erased users. Rows without a user are never suppressed. */
export function notSuppressed(users: readonly string[]): string {
  return users
    .map((user) => `coalesce(${hashOf(user)}, '') not in (select user_hash from control.suppressed)`)
    .join('\n    and ');
}

/** Returns the statements that add a user to the suppression list. `key` is used if the file has no key yet. */
export function suppress(user: string, key: string): string[] {
  return [
    `insert into control.suppression_key select ${text(key)} where not exists (from control.suppression_key)`,
    `insert into control.suppressed select ${hashOf(text(user))}, current_timestamp
where ${hashOf(text(user))} not in (select user_hash from control.suppressed)`,
  ];
}

/** Query that returns whether any user is on the suppression list. */
export const anySuppressed = 'select exists (from control.suppressed)';

/** Selects every table and view that may contain user ids: its schema, its name, and the columns that may contain them. */
export const userRelations = `select schema_name, table_name, list(column_name)
from duckdb_columns()
where not internal and database_name = current_database()
  and column_name in ('user_id', 'data_user_id', 'd_user_id', 'c_user_id', 'c_data_user_id')
group by all order by all`;

export const everyTable = `select schema_name, table_name from duckdb_tables()
where not internal and database_name = current_database() order by all`;

export const ofUser = (columns: readonly string[], user: string): string =>
  columns.map((column) => `${column} = ${text(user)}`).join(' or ');

/** Counts a user's events and rows in a landed batch. */
export function countLanded(view: string, condition: string): string {
  return `select count(*) filter (part = 0), count(*) from ${view} where ${condition}`;
}

/**
 * Deletes rows from a landed batch. Copies the remaining rows into a new table with all columns, including those that the old
 * view supplies as constants.
 */
export function rewriteBatch(view: string, rows: string, samples: string | undefined, condition: string): string[] {
  const kept = `${rows}_kept`;
  return [
    `create table ${kept} as select * from ${view} where not coalesce(${condition}, false)`,
    `drop view ${view}`,
    `drop table ${rows}`,
    `alter table ${kept} rename to ${rows.slice(rows.indexOf('.') + 1)}`,
    `create view ${view} as select * from ${rows}`,
    ...(samples === undefined ? [] : [`delete from ${samples} where no not in (select no from ${rows})`]),
  ];
}

/** Deletes a user's samples and their events. The row count of the second statement is the number of samples. */
export function eraseSamples(table: string, eventColumns: readonly string[], user: string): string[] {
  const series = `select id from control.series where user_id = ${text(user)}`;
  const named = eventColumns.length === 0 ? 'false' : ofUser(eventColumns, user);
  const events = `select id from control.${table}_events where ${named}
  union select event from control.${table}_samples where series in (${series})`;
  return [
    `create or replace temp table erasing as ${events}`,
    `delete from control.${table}_samples where series in (${series}) or event in (select id from erasing)`,
    `delete from control.${table}_events where id in (select id from erasing)`,
    'drop table erasing',
  ];
}

/** Deletes a user's series. Must run after the user's samples are deleted. */
export const eraseSeries = (user: string): string => `delete from control.series where user_id = ${text(user)}`;
