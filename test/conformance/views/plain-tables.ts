import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProvidedBigQuery } from '@aorta/bigquery-server';
import { landedTable, privacyOptions } from '@aorta/connectors';
import { type ColumnType, tables as declared, type TableDeclaration } from '@aorta/schemas';
import { DuckDBInstance } from '@duckdb/node-api';
import { bigQueryViews } from '../../../connectors/bigquery/views-dialect.ts';
import { duckDbViews } from '../../../connectors/duckdb/views-dialect.ts';
import type { View, ViewDialect } from '../../../connectors/warehouses/views/dialect.ts';

/** The tables as the views see them by default. */
export const landed: readonly TableDeclaration[] = declared.map((table) => landedTable(table, privacyOptions.parse({})));

/** Times are written as in `2026-01-01T00:00:00Z`, and dates as in `2026-01-01`. */
export type Row = Readonly<Record<string, string | number | null>>;

/** A warehouse with empty tables that have the columns of the declared ones. Tests insert rows and query views. */
export interface PlainWarehouse {
  readonly dialect: ViewDialect;
  /** Inserts at least one row. */
  insert(table: string, rows: readonly Row[]): Promise<void>;
  clear(): Promise<void>;
  createView(view: Pick<View, 'name' | 'query'>): Promise<void>;
  /** Runs a query whose columns are texts and numbers. */
  rows(query: string): Promise<unknown[][]>;
  close(): Promise<void>;
}

/** Opens a warehouse with the given tables. */
export type OpenPlainWarehouse = (tables: readonly string[]) => Promise<PlainWarehouse>;

interface PlainColumn {
  readonly name: string;
  readonly type: string;
}

function plainColumns(table: TableDeclaration): PlainColumn[] {
  const single = (type: ColumnType): type is Extract<ColumnType, string> => typeof type === 'string';
  const own = table.columns.flatMap(({ name, type }) => (single(type) ? [{ name, type }] : []));
  const computed = table.shape === 'timeseries' ? ['local_date', '_day'] : [];
  return [...own, ...computed.map((name) => ({ name, type: 'date' })), { name: '_loaded_at', type: 'timestamp' }];
}

/** Views for samples that all have a local date of their own, and hours in UTC. `stored-tables.ts` has the views that find them. */
export const localViews = ({ table }: ViewDialect): View[] =>
  ['timeseries', 'blood_pressure'].map((name) => ({
    name: `${name}_local`,
    doc: '',
    columns: [],
    query: `select *, extract(hour from start_at) as local_hour from ${table(name)}`,
  }));

const columnsOf = (names: readonly string[]): ReadonlyMap<string, readonly PlainColumn[]> =>
  new Map(landed.filter(({ name }) => names.includes(name)).map((table) => [table.name, plainColumns(table)]));

/** Opens a DuckDB database in memory with the given tables. */
export async function plainDuckDb(names: readonly string[]): Promise<PlainWarehouse> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const tables = columnsOf(names);
  const types: Readonly<Record<string, string>> = {
    string: 'varchar',
    int64: 'bigint',
    float64: 'double',
    bool: 'boolean',
    timestamp: 'timestamptz',
    date: 'date',
    json: 'json',
  };
  for (const [name, columns] of tables)
    await connection.run(`create table ${name} (${columns.map((one) => `${one.name} ${types[one.type]}`).join(', ')})`);
  const literal = (type: string, value: string | number | null): string =>
    typeof value === 'string' ? `'${value.replaceAll("'", "''")}'::${types[type]}` : String(value);
  return {
    dialect: duckDbViews,
    insert: async (table, rows) => {
      const used = tables.get(table)!.filter(({ name }) => rows.some((row) => row[name] !== undefined));
      const values = rows.map((row) => `(${used.map(({ name, type }) => literal(type, row[name] ?? null)).join(', ')})`);
      await connection.run(`insert into ${table} (${used.map(({ name }) => name).join(', ')}) values ${values.join(', ')}`);
    },
    clear: async () => {
      for (const name of tables.keys()) await connection.run(`delete from ${name}`);
    },
    createView: async ({ name, query }) => {
      await connection.run(`create view ${name} as ${query}`);
    },
    rows: async (query) => {
      const found = (await connection.runAndReadAll(query)).getRows();
      return found.map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value)));
    },
    close: async () => connection.disconnectSync(),
  };
}

let datasets = 0;

/** Creates a BigQuery dataset with the given tables. */
export async function plainBigQuery(provided: ProvidedBigQuery, names: readonly string[]): Promise<PlainWarehouse> {
  const client = provided.client();
  const dataset = { project: provided.project, dataset: `aorta_plain_${process.pid}_${++datasets}` };
  await client.createDataset(dataset.dataset);
  const own = client.dataset(dataset.dataset);
  const dialect = bigQueryViews(dataset);
  const tables = columnsOf(names);
  for (const [name, columns] of tables) {
    const schema = { fields: columns.map((one) => ({ name: one.name, type: one.type.toUpperCase() })) };
    await own.createTable(name, { schema });
  }
  const folder = mkdtempSync(join(tmpdir(), 'aorta-plain-'));
  return {
    dialect,
    // A load job takes a fraction of the time of an INSERT statement.
    insert: async (table, rows) => {
      const file = join(folder, `${table}.ndjson`);
      writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      await own.table(table).load(file, { sourceFormat: 'NEWLINE_DELIMITED_JSON' });
    },
    clear: async () => {
      for (const name of tables.keys()) await client.query(`delete from ${dialect.table(name)} where true`);
    },
    createView: async ({ name, query }) => {
      await client.query(`create view ${dialect.table(name)} as ${query}`);
    },
    rows: async (query) => {
      const [found] = (await client.query(query)) as unknown as [Record<string, unknown>[]];
      return found.map((row) => Object.values(row));
    },
    close: async () => {
      rmSync(folder, { recursive: true, force: true });
      await own.delete({ force: true });
    },
  };
}
