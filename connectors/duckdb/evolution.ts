import { eventsView, type LandedBatch } from './batches.ts';
import type { Database } from './database.ts';
import { DuckDbError } from './errors.ts';
import type { LandedColumn } from './landed-rows.ts';
import type { DatabaseTable } from './sql/types.ts';
import { presentTables, tableDifferences } from './table-differences.ts';

/** Changes made when the file was opened, and columns that are not declared. */
export interface Alignment {
  /** Whether tables or columns were added, so that readers need a new copy. */
  readonly changed: boolean;
  /** Columns that are not declared, by table. A newer version added them, or their privacy class was switched off. */
  readonly undeclared: ReadonlyMap<string, readonly string[]>;
}

/**
 * Adds missing tables, columns and list fields in place, and drops nothing. After a crash, the next opening completes the work.
 * Throws AORTA-WAREHOUSE-COLUMN without changing anything if a column has a different type, or if a column that is never null
 * has no default.
 */
export async function align(database: Database, path: string, wanted: readonly DatabaseTable[]): Promise<Alignment> {
  const found = await presentTables(database);
  const differences = await tableDifferences(database, wanted, found);
  for (const { kind, table, column, what } of differences)
    if (kind === 'refused') throw new DuckDbError('AORTA-WAREHOUSE-COLUMN', { path, table, column: column ?? '', problem: what });
  // All tables are created in one call, because a new file needs dozens of them.
  const created = differences.flatMap(({ kind, sql }) => (kind === 'create' ? sql : []));
  if (created.length > 0) await database.run('creating tables', created.join(';\n'));
  for (const { kind, sql } of differences)
    if (kind !== 'create') for (const statement of sql) await database.run('changing columns', statement);
  const undeclared = new Map<string, string[]>();
  for (const { name, columns } of wanted) {
    const declared = new Set(columns.map((column) => column.name));
    const others = [...(found.get(name)?.keys() ?? [])].filter((column) => !declared.has(column));
    if (others.length > 0) undeclared.set(name, others);
  }
  return { changed: differences.some(({ kind }) => kind === 'create' || kind === 'add'), undeclared };
}

/**
 * Returns the column names of each landed table and view. Uses a single query, because every query on `duckdb_columns()` scans
 * all tables and views.
 */
export async function landedRelations(database: Database): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await database.rows(
    'reading landed batches',
    "select 'landed.' || table_name, list(column_name) from duckdb_columns() where schema_name = 'landed' group by all",
  );
  return new Map(rows.map(([name, columns]) => [String(name), new Set((columns as { items: readonly string[] }).items)]));
}

async function viewDefinition(database: Database, view: string): Promise<string> {
  const [row] = await database.rows(
    'adding columns',
    `select sql from duckdb_views() where schema_name || '.' || view_name = '${view}'`,
  );
  return String(row![0])
    .replace(/^.*? AS /, '')
    .replace(/;\s*$/, '');
}

/**
 * Adds missing columns, with their default values, to a batch that an earlier version of Aorta landed. `there` contains the
 * names of the existing columns.
 */
export async function alignBatch(
  database: Database,
  batch: LandedBatch,
  columns: readonly LandedColumn[],
  there: ReadonlySet<string>,
): Promise<void> {
  const step = 'adding columns';
  const name = eventsView(batch);
  const missing = columns.filter((column) => !there.has(column.name));
  const grown = (await Promise.all(columns.map((column) => withAllFields(database, name, column, there)))).filter(
    (text) => text !== undefined,
  );
  if (missing.length === 0 && grown.length === 0) return;
  const definition = await viewDefinition(database, name);
  const added = missing.map((column) => `(${column.default ?? 'null'})::${column.type} as ${column.name}`);
  const replaced = grown.length === 0 ? '' : ` replace (${grown.join(', ')})`;
  await database.run(
    step,
    `create or replace view ${name} as select ${[`*${replaced}`, ...added].join(', ')} from (${definition})`,
  );
}

/**
 * Returns an expression that adds missing fields, with the value null, to the objects of a landed list. Returns undefined if
 * no fields are missing. All objects of the list have the same fields.
 */
async function withAllFields(
  database: Database,
  view: string,
  { name, fields = [] }: LandedColumn,
  there: ReadonlySet<string>,
): Promise<string | undefined> {
  if (fields.length === 0 || !there.has(name)) return undefined;
  const [first] = await database.rows(
    'adding columns',
    `select json_keys(${name}, '$[0]') from ${view} where ${name} <> '[]' limit 1`,
  );
  if (first === undefined) return undefined;
  const known = (first[0] as { items: readonly string[] }).items;
  const added = fields.filter((field) => !known.includes(field)).map((field) => `"${field}":null,`);
  if (added.length === 0) return undefined;
  const element = `'{${added.join('')}' || substr(v::varchar, 2)`;
  return `'[' || array_to_string([${element} for v in from_json(${name}, '["JSON"]')], ',') || ']' as ${name}`;
}
