import { text } from './types.ts';

/** Tables of the suppression list: keyed hashes of the users who were erased, and the key. */
export const suppressionTables: readonly string[] = [
  'create table if not exists aorta.suppressed (user_hash varchar not null, suppressed_at timestamptz not null)',
  'create table if not exists aorta.suppression_key (key varchar not null)',
];

/** The keyed hash of a user's id: SHA-256 of the key and the id, in hexadecimal digits. */
const hashOf = (user: string): string => `sha256((select min(key) from aorta.suppression_key) || ${user})`;

/** Condition of rows whose user was not erased. A row without a user is nobody's. */
export function notSuppressed(users: readonly string[]): string {
  return users.map((user) => `coalesce(${hashOf(user)}, '') not in (select user_hash from aorta.suppressed)`).join('\n    and ');
}

/** Statements that put a user onto the list; `key` is taken where there is none yet. */
export function suppress(user: string, key: string): string[] {
  return [
    `insert into aorta.suppression_key select ${text(key)} where not exists (from aorta.suppression_key)`,
    `insert into aorta.suppressed select ${hashOf(text(user))}, current_timestamp
where ${hashOf(text(user))} not in (select user_hash from aorta.suppressed)`,
  ];
}

/** Whether anybody is on the list. */
export const anySuppressed = 'select exists (from aorta.suppressed)';

/** Every table and view with a column that may name a user: schema, name, and the columns. */
export const userRelations = `select schema_name, table_name, list(column_name)
from duckdb_columns()
where not internal and database_name = current_database()
  and column_name in ('user_id', 'data_user_id', 'd_user_id', 'c_user_id', 'c_data_user_id')
group by all order by all`;

/** Every table's name with its schema. */
export const everyTable = `select schema_name, table_name from duckdb_tables()
where not internal and database_name = current_database() order by all`;

export const ofUser = (columns: readonly string[], user: string): string =>
  columns.map((column) => `${column} = ${text(user)}`).join(' or ');

/** Of a landed batch: how many events and rows are a user's. */
export function countLanded(view: string, condition: string): string {
  return `select count(*) filter (part = 0), count(*) from ${view} where ${condition}`;
}

/**
 * Takes rows out of a landed batch. Its rows are written anew, with all of their columns: a value that was the same in
 * all of them stands in the text of the view, where nothing can be deleted.
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

/** Deletes a user's samples, and the events that they came with. Gives the statement whose count is that of the samples first. */
export function eraseSamples(table: string, eventColumns: readonly string[], user: string): string[] {
  const series = `select id from aorta.series where user_id = ${text(user)}`;
  const named = eventColumns.length === 0 ? 'false' : ofUser(eventColumns, user);
  const events = `select id from aorta.${table}_events where ${named}
  union select event from aorta.${table}_samples where series in (${series})`;
  return [
    `create or replace temp table erasing as ${events}`,
    `delete from aorta.${table}_samples where series in (${series}) or event in (select id from erasing)`,
    `delete from aorta.${table}_events where id in (select id from erasing)`,
    'drop table erasing',
  ];
}

/** Deletes a user's series: after their samples. */
export const eraseSeries = (user: string): string => `delete from aorta.series where user_id = ${text(user)}`;
