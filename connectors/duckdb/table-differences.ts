import { deliveries, tables } from '@aorta/schemas';
import type { Database } from './database.ts';
import { createTable } from './sql/create.ts';
import type { DatabaseColumn, DatabaseTable } from './sql/types.ts';

/**
 * A difference between a declared table and the table in the file. When Aorta opens a warehouse for writing, it removes the
 * differences by running their statements. If any difference is `refused`, opening fails and changes nothing. `doctor` only
 * reports the differences.
 */
export interface DatabaseDifference {
  readonly kind: 'create' | 'add' | 'change' | 'refused';
  readonly table: string;
  /** Absent if the difference concerns the whole table. */
  readonly column?: string;
  /** The difference, as the end of a sentence that names the column. */
  readonly what: string;
  readonly sql: readonly string[];
}

interface PresentColumn {
  readonly type: string;
  readonly nullable: boolean;
  /** The default expression as DuckDB formats it; null if the column has no default. */
  readonly default: string | null;
}

export type PresentTables = ReadonlyMap<string, ReadonlyMap<string, PresentColumn>>;

export async function presentTables(database: Database): Promise<PresentTables> {
  const rows = await database.rows(
    'reading the columns of the tables',
    `select case when schema_name = 'main' then '' else schema_name || '.' end || table_name, column_name, data_type, is_nullable, column_default
from duckdb_columns() where not internal and database_name = current_database() and table_oid in (select table_oid from duckdb_tables())`,
  );
  const tables = new Map<string, Map<string, PresentColumn>>();
  for (const [table, column, type, nullable, value] of rows as [string, string, string, boolean, string | null][]) {
    if (!tables.has(table)) tables.set(table, new Map());
    tables.get(table)!.set(column, { type, nullable, default: value });
  }
  return tables;
}

/** Returns a function that converts our type names to DuckDB's, so that they can be compared with a table's types. */
async function typeNames(database: Database, tables: readonly DatabaseTable[]): Promise<(type: string) => string> {
  const all = tables.flatMap(({ columns }) => columns.flatMap((column) => [column, ...(column.fields ?? [])]));
  const types = [...new Set(all.map(({ type }) => type))];
  const [names] = await database.rows('reading types', `select ${types.map((type) => `typeof(null::${type})`).join(', ')}`);
  const byType = new Map(types.map((type, index) => [type, String(names![index])]));
  return (type) => byType.get(type)!;
}

/** Returns the fields of the objects in a list column, with their types; empty if the elements are not objects. */
export async function fieldsOf(database: Database, table: string, column: string): Promise<Map<string, string>> {
  // Recursive unnesting makes every field a column. A list without objects stays one column.
  const described = await database.rows('reading types', `describe select unnest(${column}, recursive := true) from ${table}`);
  return new Map(described.map(([name, type]) => [String(name), String(type)]));
}

/** Returns every difference between the declared tables and those in the file. Changes nothing. */
export async function tableDifferences(
  database: Database,
  wanted: readonly DatabaseTable[],
  found: PresentTables,
): Promise<DatabaseDifference[]> {
  const comparing = { database, typeName: await typeNames(database, wanted), sameDefault: defaultComparer(database) };
  const differences: DatabaseDifference[] = [];
  for (const table of wanted) {
    const there = found.get(table.name);
    if (there === undefined) differences.push(missingTable(table));
    else differences.push(...(await columnDifferences(comparing, table, there)), ...unfillableColumns(table, there));
  }
  return differences;
}

function missingTable(table: DatabaseTable): DatabaseDifference {
  return { kind: 'create', table: table.name, what: 'is missing', sql: [createTable(table)] };
}

async function columnDifferences(
  comparing: Comparing,
  table: DatabaseTable,
  there: ReadonlyMap<string, PresentColumn>,
): Promise<DatabaseDifference[]> {
  const differences: DatabaseDifference[] = [];
  for (const column of table.columns) {
    const present = there.get(column.name);
    const compared = { ...comparing, table: table.name, column };
    differences.push(...(present === undefined ? missing(compared) : await changed(compared, present)));
  }
  return differences;
}

/**
 * Finds undeclared columns that inserts cannot fill, because they are never null and have no default. Either their privacy class
 * was switched off, or a newer version of Aorta added them.
 */
function unfillableColumns(table: DatabaseTable, there: ReadonlyMap<string, PresentColumn>): DatabaseDifference[] {
  const declared = new Set(table.columns.map(({ name }) => name));
  return [...there]
    .filter(([name, { nullable, default: value }]) => !declared.has(name) && !nullable && value === null)
    .map(([name]) => ({
      kind: 'change',
      table: table.name,
      column: name,
      what: 'is never null, has no default, and has no landed values',
      sql: [`alter table ${table.name} alter column ${name} drop not null`],
    }));
}

interface Comparing {
  readonly database: Database;
  readonly typeName: (type: string) => string;
  readonly sameDefault: (wanted: string, found: string) => Promise<boolean>;
}

interface Compared extends Comparing {
  readonly table: string;
  readonly column: DatabaseColumn;
}

function missing({ table, column }: Compared): DatabaseDifference[] {
  const { name, type, nullable, default: fallback } = column;
  const of = { table, column: name };
  if (!nullable && fallback === undefined) return [{ ...of, kind: 'refused', what: 'is missing and has no default', sql: [] }];
  const value = fallback === undefined ? '' : ` default (${fallback})`;
  const add = `alter table ${table} add column ${name} ${type}${value}`;
  // DuckDB can only add nullable columns.
  const never = nullable ? [] : [`alter table ${table} alter column ${name} set not null`];
  return [{ ...of, kind: 'add', what: 'is missing', sql: [add, ...never] }];
}

async function changed(compared: Compared, found: PresentColumn): Promise<DatabaseDifference[]> {
  const { database, table, column } = compared;
  const { name, nullable, default: fallback } = column;
  const of = { table, column: name };
  const alter = `alter table ${table} alter column ${name}`;
  const typed = await changedType(compared, found);
  if (typed.some(({ kind }) => kind === 'refused')) return typed;
  const differences = [...typed];
  if (nullable && !found.nullable)
    differences.push({
      ...of,
      kind: 'change',
      what: 'is never null but declared as nullable',
      sql: [`${alter} drop not null`],
    });
  // A column that contains nulls stays nullable, because a newer version of Aorta may have declared it as nullable.
  if (!nullable && found.nullable && !(await holdsNull(database, table, name)))
    differences.push({ ...of, kind: 'change', what: 'is nullable but declared as never null', sql: [`${alter} set not null`] });
  const { default: there } = found;
  if (fallback !== undefined && (there === null || !(await compared.sameDefault(fallback, there))))
    differences.push({ ...of, kind: 'change', what: 'has a different default', sql: [`${alter} set default (${fallback})`] });
  return differences;
}

async function changedType({ database, table, column, typeName }: Compared, found: PresentColumn): Promise<DatabaseDifference[]> {
  const { name, type, fields } = column;
  const of = { table, column: name };
  if (found.type === typeName(type)) return [];
  if (fields === undefined || !found.type.startsWith('STRUCT(') || !found.type.endsWith('[]'))
    return [{ ...of, kind: 'refused', what: `is ${found.type} instead of ${typeName(type)}`, sql: [] }];
  const known = await fieldsOf(database, table, name);
  const other = fields.find((field) => known.has(field.name) && known.get(field.name) !== typeName(field.type));
  if (other !== undefined) {
    const what = `has ${other.name} as ${known.get(other.name)} instead of ${typeName(other.type)}`;
    return [{ ...of, kind: 'refused', what, sql: [] }];
  }
  return fields
    .filter((field) => !known.has(field.name))
    .map((field) => ({
      table,
      column: `${name}[].${field.name}`,
      kind: 'add',
      what: 'is missing',
      sql: [`alter table ${table} add column ${name}.element.${field.name} ${field.type}`],
    }));
}

async function holdsNull(database: Database, table: string, column: string): Promise<boolean> {
  return (await database.rows('looking for nulls', `select 1 from ${table} where ${column} is null limit 1`)).length > 0;
}

/** Returns a function that compares two default expressions by value, because DuckDB reformats them. Caches the results. */
function defaultComparer(database: Database): (wanted: string, found: string) => Promise<boolean> {
  const known = new Map<string, boolean>();
  return async (wanted, found) => {
    const same = `select (${wanted}) is not distinct from (${found})`;
    // A default that was set by hand might not be a constant.
    if (!known.has(same)) known.set(same, (await database.rows('comparing defaults', same).catch(() => []))[0]?.[0] === true);
    return known.get(same)!;
  };
}

/** Returns the number of rows in each table. A table that the file lacks, because an older version wrote the file, has 0 rows. */
export async function countRows(database: Database): Promise<Record<string, number>> {
  const present = await database.rows('counting rows', "select schema_name || '.' || table_name from duckdb_tables()");
  const there = new Set(present.map(([name]) => name));
  const all = [...tables, deliveries].map(({ name, shape }) => ({
    name,
    holder: shape === 'timeseries' ? `control.${name}_samples` : `main.${name}`,
  }));
  const counts = all.map(({ name, holder }) => `${there.has(holder) ? `(select count(*) from ${holder})` : '0'} as ${name}`);
  const row = (await database.rows('counting rows', `select ${counts.join(', ')}`))[0]!;
  return Object.fromEntries(
    all.map(({ name }, index) => [name, Number(row[index])] as const).sort(([a], [b]) => a.localeCompare(b, 'en')),
  );
}
