import { createHash } from 'node:crypto';
import type { KeptTable } from '../../kept/kept-table.ts';
import { TIME_ZONES, timeZoneHash } from '../../time-zones.ts';
import type { View } from '../../views/dialect.ts';
import type { Database } from '../database.ts';
import { valueTypes } from '../sql/types.ts';
import { duckDbViews } from '../views-dialect.ts';

/** The definitions that the rows of the kept tables were computed with. A table without an entry has no valid rows. */
export const definitionsTable =
  'create table if not exists control.kept_definitions (name varchar not null, definition varchar not null)';

/** A kept table with a hash of everything that its rows depend on, except for the data. */
export interface DefinedTable {
  readonly table: KeptTable;
  readonly definition: string;
  /** Every name in the queries that the rows depend on. */
  readonly names: ReadonlySet<string>;
}

/** Returns every word of a query, including the names of the tables and views that it reads. */
const namesIn = (query: string): ReadonlySet<string> => new Set(query.match(/\w+/g));

/** Query for all rows of a kept table. */
export const wholeQuery = (table: KeptTable): string => table.query(duckDbViews, (name) => name);

/** Visits the query of a table, and the queries of all views that it reads. */
function visitQueries(table: KeptTable, views: ReadonlyMap<string, string>, visit: (query: string) => void): void {
  const seen = new Set<string>();
  const add = (query: string): void => {
    visit(query);
    for (const name of namesIn(query)) {
      if (seen.has(name) || !views.has(name)) continue;
      seen.add(name);
      add(views.get(name)!);
    }
  };
  add(wholeQuery(table));
}

/** Adds the definitions to the kept tables. A definition covers the queries of all views and kept tables that the table reads. */
export function definedTables(tables: readonly KeptTable[], views: readonly View[]): DefinedTable[] {
  const queries = new Map([
    ...views.map(({ name, query }) => [name, query ?? ''] as const),
    ...tables.map((table) => [table.name, wholeQuery(table)] as const),
    [TIME_ZONES, timeZoneHash] as const,
  ]);
  return tables.map((table) => {
    const { columns, key, scope } = table;
    const hash = createHash('sha256');
    hash.update(JSON.stringify([columns.map(({ name, type }) => [name, type]), key, scope]));
    const names = new Set<string>();
    visitQueries(table, queries, (query) => {
      hash.update(`${query}\n`);
      for (const name of namesIn(query)) names.add(name);
    });
    return { table, definition: hash.digest('hex').slice(0, 16), names };
  });
}

const columnsOf = ({ columns }: KeptTable): string =>
  columns.map(({ name, type }) => `${duckDbViews.name(name)} ${type === 'datetime' ? 'timestamp' : valueTypes[type]}`).join(', ');

const step = 'creating kept tables';

/** Returns the names of the tables whose rows were computed with another definition, or not at all. */
export async function outdatedTables(database: Database, defined: readonly DefinedTable[]): Promise<ReadonlySet<string>> {
  const rows = await database.rows('reading kept tables', 'select name, definition from control.kept_definitions');
  const found = new Map(rows.map(([name, definition]) => [String(name), String(definition)]));
  return new Set(
    defined.filter(({ table, definition }) => found.get(table.name) !== definition).map(({ table: { name } }) => name),
  );
}

/**
 * Creates missing tables and replaces those with another definition. They stay empty until the next recomputation. Returns
 * whether it replaced or created a table.
 */
export async function makeKeptTables(database: Database, defined: readonly DefinedTable[]): Promise<boolean> {
  const outdated = await outdatedTables(database, defined);
  if (outdated.size === 0) return false;
  const statements = defined
    .filter(({ table }) => outdated.has(table.name))
    .flatMap(({ table }) => [
      `create or replace table kept.${table.name} (${columnsOf(table)})`,
      `delete from control.kept_definitions where name = '${table.name}'`,
    ]);
  await database.transaction(step, () => database.run(step, statements.join(';\n')));
  return true;
}

/** Returns the statements that record the definition with which a table's rows were computed. */
export const recordDefinition = ({ table: { name }, definition }: DefinedTable): string[] => [
  `delete from control.kept_definitions where name = '${name}'`,
  `insert into control.kept_definitions values ('${name}', '${definition}')`,
];
