import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { landedTable, type Privacy, userColumns } from '@aorta/connectors';
import { type TableRow, tableColumns } from '@aorta/connectors/warehouses';
import { type Column, tables as declared, deliveries, type TableDeclaration } from '@aorta/schemas';
import { boundValue, sqlType } from './values.ts';

/*
 * Each table `rows_NAME` has one row per key. Its view `NAME` hides the key and the version. An upsert replaces a row only
 * with a newer version.
 */

export const landedTables = (privacy: Privacy): readonly TableDeclaration[] => [
  ...declared.map((table) => landedTable(table, privacy)),
  deliveries,
];

export const holder = ({ name }: Pick<TableDeclaration, 'name'>): string => `rows_${name}`;

/** Returns the columns of a table in the file. The set is empty if the table does not exist. */
export function presentColumns(database: DatabaseSync, table: Pick<TableDeclaration, 'name'>): ReadonlySet<string> {
  const found = database.prepare('SELECT name FROM pragma_table_info(?)').all(holder(table));
  return new Set(found.map(({ name }) => String(name)));
}

/** Columns that every stored table has in addition to the declared ones. */
const ownColumns = ['_key TEXT PRIMARY KEY', '_version TEXT NOT NULL', '_loaded_at TIMESTAMP TEXT NOT NULL'];

/** Creates a table and its view. If the table already exists, adds any missing columns. */
export function makeTable(database: DatabaseSync, table: TableDeclaration): void {
  const present = presentColumns(database, table);
  const missing = tableColumns(table).filter(({ name }) => !present.has(name));
  if (present.size === 0)
    database.exec(`CREATE TABLE ${holder(table)} (${[...ownColumns, ...missing.map(definition)].join(', ')})`);
  else for (const column of missing) database.exec(`ALTER TABLE ${holder(table)} ADD COLUMN ${definition(column)}`);
  const shown = [...tableColumns(table).map(({ name }) => name), '_loaded_at'];
  database.exec(`DROP VIEW IF EXISTS ${table.name}`);
  database.exec(`CREATE VIEW ${table.name} AS SELECT ${shown.join(', ')} FROM ${holder(table)}`);
}

/** Returns the definition of a column. Existing rows get its default value, or an empty list if the column is a list. */
function definition(column: Column): string {
  const { name, type, default: fallback } = column;
  const before = boundValue(type, (fallback ?? (typeof type === 'object' ? [] : null)) as TableRow['values'][string]);
  const value = typeof before === 'string' ? literal(before) : String(before);
  return `${name} ${sqlType(type)}${before === null ? '' : ` DEFAULT ${value}`}`;
}

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** SQLite's current time, with six fractional digits like all instants. */
const NOW = "strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')";

/** Returns a function that upserts a row. The function skips a row if the table already has an equal or newer version. */
export function upserter(database: DatabaseSync, table: TableDeclaration): (row: TableRow) => void {
  const columns = tableColumns(table);
  const names = [...columns.map(({ name }) => name), '_key', '_version', '_loaded_at'];
  const statement =
    database.prepare(`INSERT INTO ${holder(table)} (${names.join(', ')}) VALUES (${[...names.slice(1).map(() => '?'), NOW].join(', ')})
ON CONFLICT (_key) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
WHERE excluded._version > ${holder(table)}._version`);
  return ({ key, version, values }) => {
    const bound = columns.map(({ name, type }): SQLInputValue => boundValue(type, values[name]));
    statement.run(...bound, keyText(key), versionText(version));
  };
}

/** Returns a key as text. Only `_origin` is a bigint, which JSON cannot represent. */
function keyText(key: TableRow['key']): string {
  return JSON.stringify(key.map((part) => (typeof part === 'bigint' ? String(part) : part)));
}

/** Returns a version as text that sorts in version order. The parts of a version may be negative. */
function versionText(version: TableRow['version']): string {
  return version.map((part) => String(BigInt(part) + 2n ** 63n).padStart(20, '0')).join(' ');
}

/** Deletes a user's rows from a table and returns the number of deleted rows. */
export function deleteUser(database: DatabaseSync, table: TableDeclaration, user: string): number {
  const columns = userColumns(table);
  if (columns.length === 0) return 0;
  const condition = columns.map((name) => `${name} = ?`).join(' OR ');
  const { changes } = database.prepare(`DELETE FROM ${holder(table)} WHERE ${condition}`).run(...columns.map(() => user));
  return Number(changes);
}

export function countRows(database: DatabaseSync): Record<string, number> {
  const names = [...declared, deliveries].map(({ name }) => name).sort();
  const count = (name: string) => Number(database.prepare(`SELECT count(*) AS rows FROM ${name}`).get()!.rows);
  return Object.fromEntries(names.map((name) => [name, count(name)]));
}
