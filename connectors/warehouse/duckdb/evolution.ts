import { AortaError } from '@aorta/telemetry';
import { eventsView, type LandedBatch } from './batches.ts';
import type { Database } from './database.ts';
import type { LandedColumn } from './landed-row.ts';
import { createTable, EVENTS_VIEW_FORMAT } from './sql/create.ts';
import type { DatabaseColumn, DatabaseTable } from './sql/types.ts';
import { viewDefinition } from './view-definition.ts';

/** What opening changed, and what it found beyond the declarations. */
export interface Alignment {
  /** Tables or columns were added: readers have to see them. */
  readonly changed: boolean;
  /** Columns that stand in a table and not in its declaration, by table: of a newer version, or of a class that was switched off. */
  readonly strangers: ReadonlyMap<string, readonly string[]>;
}

interface PresentColumn {
  readonly type: string;
  readonly nullable: boolean;
}

/** Tables of the database with their columns. */
async function present(database: Database): Promise<Map<string, Map<string, PresentColumn>>> {
  const rows = await database.rows(
    'reading the columns of the tables',
    `select case when schema_name = 'main' then '' else schema_name || '.' end || table_name, column_name, data_type, is_nullable
from duckdb_columns() where not internal and database_name = current_database()`,
  );
  const tables = new Map<string, Map<string, PresentColumn>>();
  for (const [table, column, type, nullable] of rows as [string, string, string, boolean][]) {
    if (!tables.has(table)) tables.set(table, new Map());
    tables.get(table)!.set(column, { type, nullable });
  }
  return tables;
}

/** DuckDB's own names for types as we write them, so that they can be compared with what a table says. */
async function typeNames(database: Database, tables: readonly DatabaseTable[]): Promise<(type: string) => string> {
  const all = tables.flatMap(({ columns }) => columns.flatMap((column) => [column, ...(column.fields ?? [])]));
  const types = [...new Set(all.map(({ type }) => type))];
  const [names] = await database.rows('reading types', `select ${types.map((type) => `typeof(null::${type})`).join(', ')}`);
  const byType = new Map(types.map((type, index) => [type, String(names![index])]));
  return (type) => byType.get(type)!;
}

/** The fields of a list's objects as a table has them, with their types; none where it holds no objects. */
export async function fieldsOf(database: Database, table: string, column: string): Promise<Map<string, string>> {
  // Unnested to the end, every field is a column of its own; what is no list of objects stays one column.
  const described = await database.rows('reading types', `describe select unnest(${column}, recursive := true) from ${table}`);
  return new Map(described.map(([name, type]) => [String(name), String(type)]));
}

/** What is wrong with the column that a table has for a declared one; undefined where it is the same, or can be made so. */
async function difference(
  database: Database,
  table: string,
  wanted: DatabaseColumn,
  found: PresentColumn | undefined,
  typeName: (type: string) => string,
): Promise<string | undefined> {
  if (found === undefined) return wanted.nullable || wanted.default !== undefined ? undefined : 'is missing, and has no default';
  if (found.type === typeName(wanted.type)) return undefined;
  if (wanted.fields !== undefined && found.type.startsWith('STRUCT(') && found.type.endsWith('[]')) {
    const fields = await fieldsOf(database, table, wanted.name);
    const other = wanted.fields.find(({ name, type }) => fields.has(name) && fields.get(name) !== typeName(type));
    return other === undefined
      ? undefined
      : `has ${other.name} as ${fields.get(other.name)} there and ${typeName(other.type)} here`;
  }
  return `is ${found.type} there and ${typeName(wanted.type)} here`;
}

/**
 * Adds the declared tables, columns and fields of lists that are missing, in place, and takes nothing away. A crash in
 * between leaves what the next opening finishes. Throws AORTA-WAREHOUSE-COLUMN, and has then changed nothing, where a
 * column has another type, or is never null and cannot be added for want of a default.
 */
export async function align(database: Database, path: string, wanted: readonly DatabaseTable[]): Promise<Alignment> {
  const found = await present(database);
  const typeName = await typeNames(database, wanted);
  for (const { name, columns } of wanted) {
    const there = found.get(name);
    for (const column of there === undefined ? [] : columns) {
      const problem = await difference(database, name, column, there!.get(column.name), typeName);
      if (problem !== undefined)
        throw new AortaError('AORTA-WAREHOUSE-COLUMN', { path, table: name, column: column.name, problem });
    }
  }

  const missing = wanted.filter(({ name }) => !found.has(name));
  if (missing.length > 0) await database.run('creating tables', missing.map(createTable).join(';\n'));
  let changed = missing.length > 0;
  const strangers = new Map<string, string[]>();
  for (const table of wanted) {
    const there = found.get(table.name);
    if (there === undefined) continue;
    for (const { name, type, nullable, fields = [], default: fallback } of table.columns) {
      const column = there.get(name);
      if (column === undefined) {
        const value = fallback === undefined ? '' : ` default (${fallback})`;
        await database.run('adding columns', `alter table ${table.name} add column ${name} ${type}${value}`);
        changed = true;
      }
      if (column !== undefined && fields.length > 0 && column.type !== typeName(type)) {
        const known = await fieldsOf(database, table.name, name);
        for (const field of fields.filter((one) => !known.has(one.name))) {
          await database.run(
            'adding columns',
            `alter table ${table.name} add column ${name}.element.${field.name} ${field.type}`,
          );
          changed = true;
        }
      }
      if (nullable && column?.nullable === false) {
        await database.run('changing columns', `alter table ${table.name} alter column ${name} drop not null`);
      }
      // DuckDB adds columns as nullable ones. A null of a newer version, to which the column may be null, stays.
      if (!nullable && column?.nullable !== false && !(await holdsNull(database, table.name, name))) {
        await database.run('changing columns', `alter table ${table.name} alter column ${name} set not null`);
      }
    }
    const declared = new Set(table.columns.map(({ name }) => name));
    const others = [...there.keys()].filter((name) => !declared.has(name));
    if (others.length > 0) strangers.set(table.name, others);
  }
  return { changed, strangers };
}

async function holdsNull(database: Database, table: string, column: string): Promise<boolean> {
  return (await database.rows('changing columns', `select 1 from ${table} where ${column} is null limit 1`)).length > 0;
}

/** Gives a batch that an earlier version landed the columns that have come since: they hold their default. */
export async function alignBatch(database: Database, batch: LandedBatch, columns: readonly LandedColumn[]): Promise<void> {
  const step = 'adding columns';
  const name = eventsView(batch);
  const present = await database.rows(
    step,
    `select column_name from duckdb_columns() where schema_name || '.' || table_name = '${name}'`,
  );
  const there = new Set(present.map(([column]) => column));
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

/** A landed list whose objects lack fields that have come since, with these as null; undefined where they lack none. All objects of a batch have the same. */
async function withAllFields(
  database: Database,
  view: string,
  { name, fields = [] }: LandedColumn,
  there: ReadonlySet<unknown>,
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

/** Brings the bookkeeping of format 1 to format 2. */
export async function upgrade(database: Database, format: number): Promise<void> {
  if (format >= EVENTS_VIEW_FORMAT) return;
  const step = 'upgrading the format';
  await database.transaction(step, async () => {
    await database.run(step, 'alter table aorta.batches add column if not exists sample_columns varchar[]');
    // Until format 2 every numeric column stood beside each sample, and no column of an event was a literal of a view.
    await database.run(
      step,
      `update aorta.batches b set sample_columns = coalesce((
  select list(column_name order by column_index) from duckdb_columns()
  where schema_name = 'landed' and table_name = 's' || b.id and column_name not in ('no', 'ordinal')
), []) where sample_columns is null`,
    );
    const events = await database.rows(
      step,
      "select table_name from duckdb_tables() where schema_name = 'landed' and table_name like 'e%'",
    );
    for (const [name] of events as [string][]) {
      const rows = name.replace('e', 'r');
      await database.run(step, `alter table landed.${name} rename to ${rows}`);
      await database.run(step, `create view landed.${name} as select * from landed.${rows}`);
    }
    await database.run(step, `update aorta.format set format = ${EVENTS_VIEW_FORMAT}`);
  });
}
