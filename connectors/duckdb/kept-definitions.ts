import { createHash } from 'node:crypto';
import { type KeptTable, wholeQuery } from '../warehouses/kept/kept-table.ts';
import { TIME_ZONES, timeZoneHash } from '../warehouses/time-zones.ts';
import type { View } from '../warehouses/views/dialect.ts';
import type { Database } from './database.ts';
import { valueTypes } from './sql/types.ts';
import { duckDbViews } from './views-dialect.ts';

/** A hash of everything that stored rows depend on, except for the data. */
export interface Definition {
  readonly name: string;
  readonly hash: string;
  /** Every name in the queries that compute the rows, and in those of the views that they read. */
  readonly reads: ReadonlySet<string>;
}

export interface DefinedTable extends Definition {
  readonly table: KeptTable;
}

/** Returns every word of a query outside of string literals, including the names of the tables and views that it reads. */
const namesIn = (query: string): ReadonlySet<string> => new Set(query.replaceAll(/'(?:[^']|'')*'/g, "''").match(/\w+/g));

/** Query for all rows of a kept table. */
export const wholeQueryOf = (table: KeptTable): string => wholeQuery(table, duckDbViews, duckDbViews.table);

/** Visits queries, and the queries of all views that they read. */
function visitQueries(queries: readonly string[], views: ReadonlyMap<string, string>, visit: (query: string) => void): void {
  const seen = new Set<string>();
  const add = (query: string): void => {
    visit(query);
    for (const name of namesIn(query)) {
      if (seen.has(name) || !views.has(name)) continue;
      seen.add(name);
      add(views.get(name)!);
    }
  };
  for (const query of queries) add(query);
}

/**
 * Returns a function that defines stored rows by the queries that compute them. A definition covers the queries of all views and kept
 * tables that these read. `shape` is what the rows depend on besides.
 */
export function definer(tables: readonly KeptTable[], views: readonly View[]) {
  const ofViews = new Map(views.map(({ name, query }) => [name, query ?? '']));
  const all = new Map([
    ...ofViews,
    ...tables.map((table) => [table.name, wholeQueryOf(table)] as const),
    [TIME_ZONES, timeZoneHash] as const,
  ]);
  return (name: string, queries: readonly string[], shape: unknown): Definition => {
    const hash = createHash('sha256').update(JSON.stringify(shape));
    visitQueries(queries, all, (query) => hash.update(`${query}\n`));
    const reads = new Set<string>();
    visitQueries(queries, ofViews, (query) => {
      for (const read of namesIn(query)) reads.add(read);
    });
    return { name, hash: hash.digest('hex').slice(0, 16), reads };
  };
}

export function definedTables(tables: readonly KeptTable[], views: readonly View[]): DefinedTable[] {
  const define = definer(tables, views);
  return tables.map((table) => {
    const { name, columns, key, scope } = table;
    const shape = [columns.map((column) => [column.name, column.type]), key, scope];
    return { ...define(name, [wholeQueryOf(table)], shape), table };
  });
}

/** Returns the column definitions of a kept table. */
export const columnsOf = ({ columns }: KeptTable): string =>
  columns.map(({ name, type }) => `${duckDbViews.name(name)} ${type === 'datetime' ? 'timestamp' : valueTypes[type]}`).join(', ');

/** Returns the names whose rows were computed with another definition, or not at all. */
export async function outdatedNames(database: Database, defined: readonly Definition[]): Promise<ReadonlySet<string>> {
  const rows = await database.rows('reading kept tables', 'select name, definition from control.kept_definitions');
  const found = new Map(rows.map(([name, hash]) => [String(name), String(hash)]));
  return new Set(defined.filter(({ name, hash }) => found.get(name) !== hash).map(({ name }) => name));
}

/** Creates missing tables and replaces those with another definition. They stay empty until the next recomputation. */
export async function makeKeptTables(database: Database, defined: readonly DefinedTable[]): Promise<void> {
  const outdated = await outdatedNames(database, defined);
  const creating = 'creating kept tables';
  const names = await database.rows(creating, "select table_name from duckdb_tables() where schema_name = 'kept'");
  const present = new Set(names.map(([name]) => String(name)));
  const statements = defined
    .filter(({ name }) => outdated.has(name) || !present.has(name))
    .flatMap(({ name, table }) => [
      `create or replace table kept.${name} (${columnsOf(table)})`,
      `delete from control.kept_definitions where name = '${name}'`,
    ]);
  if (statements.length > 0) await database.transaction(creating, () => database.run(creating, statements.join(';\n')));
}

/** Returns the statements that record the definition with which rows were computed. */
export const recordDefinition = ({ name, hash }: Definition): string[] => [
  `delete from control.kept_definitions where name = '${name}'`,
  `insert into control.kept_definitions values ('${name}', '${hash}')`,
];
