import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideBigQuery } from '@aorta/bigquery-server';
import { type Column, tables as declaredTables, deliveries, type ValueType } from '@aorta/schemas';
import { DuckDBDateValue, DuckDBInstance, DuckDBListValue, DuckDBTimestampTZValue, DuckDBTimestampValue } from '@duckdb/node-api';
import { fieldOf, tableFields } from '../../../connectors/bigquery/tables/fields.ts';
import { createView } from '../../../connectors/bigquery/tables/plan.ts';
import { bigQueryViews } from '../../../connectors/bigquery/views-dialect.ts';
import { createTable } from '../../../connectors/duckdb/sql/create.ts';
import { databaseColumn } from '../../../connectors/duckdb/sql/types.ts';
import { duckDbView, duckDbViews } from '../../../connectors/duckdb/views-dialect.ts';
import { isShown, type View, type ViewDialect } from '../../../connectors/warehouses/views/dialect.ts';

/** Loads the same rows into DuckDB and into BigQuery, and reads views over them. */

export type Row = Readonly<Record<string, unknown>>;

const tables = [...declaredTables, deliveries];

/** Rows for a table. Without columns, it is a declared table, and columns that a row omits get values that no view reads. */
export interface Relation {
  readonly name: string;
  readonly columns?: Readonly<Record<string, ValueType>>;
  readonly rows: readonly Row[];
}

export interface LoadedViews extends AsyncDisposable {
  /** Runs a query in which `{name}` is a table or view. Values are plain: numbers, texts, ISO times, parsed JSON. */
  query(sql: string): Promise<Row[]>;
}

/** Creates the relations in a new warehouse, and then the views in their order. */
export type OpenViews = (
  relations: readonly Relation[],
  views: (dialect: ViewDialect) => readonly View[],
) => Promise<LoadedViews>;

const fillers: Readonly<Record<ValueType, unknown>> = {
  string: 'unread',
  int64: 0,
  float64: 0,
  bool: false,
  timestamp: '2020-01-01T00:00:00Z',
  date: '2020-01-01',
  json: '{}',
};

function columnsOf({ name, columns }: Relation): Column[] {
  if (columns === undefined) {
    const table = tables.find((one) => one.name === name)!;
    return table.columns.map((column) => ({ ...column, nullable: column.nullable && !table.key.includes(column.name) }));
  }
  return Object.entries(columns).map(([column, type]) => ({
    name: column,
    type,
    nullable: true,
    class: 'measure',
    doc: '',
    path: [],
  }));
}

/** Returns the extra columns of a declared table with their values: `_loaded_at`, and of partitioned tables `_day` and of samples `local_date`. */
const added = ({ name, columns }: Relation): Row => {
  if (columns !== undefined) return {};
  const { partition, shape } = tables.find((table) => table.name === name)!;
  return {
    ...(shape === 'timeseries' ? { local_date: null } : {}),
    ...(partition === '_day' ? { _day: '2020-01-01' } : {}),
    _loaded_at: '2020-01-01T00:00:00Z',
  };
};

/** Returns the rows as lines of JSON. */
function lines(relation: Relation): string {
  const columns = columnsOf(relation);
  return relation.rows
    .map((row) => {
      const filled = columns.map(({ name, type, nullable }) => {
        if (typeof type !== 'string') return [name, row[name] ?? []];
        return [name, row[name] ?? (nullable ? null : fillers[type])];
      });
      return `${JSON.stringify({ ...Object.fromEntries(filled), ...added(relation), ...pick(row, Object.keys(added(relation))) })}\n`;
    })
    .join('');
}

const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.filter((name) => name in row).map((name) => [name, row[name]]));

export const duckDbWith: OpenViews = async (relations, views) => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-views-'));
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  for (const relation of relations) {
    const columns = columnsOf(relation).map(databaseColumn);
    const more = Object.entries(added(relation)).map(([name]) => ({
      name,
      type: name === '_loaded_at' ? 'timestamptz' : 'date',
      nullable: true,
    }));
    const all = [...columns, ...more];
    await connection.run(createTable({ name: relation.name, columns: all.map((column) => ({ ...column, nullable: true })) }));
    if (relation.rows.length === 0) continue;
    const file = join(folder, `${relation.name}.ndjson`);
    writeFileSync(file, lines(relation));
    const types = all.map(({ name, type }) => `${name}: '${type}'`).join(', ');
    await connection.run(
      `insert into ${relation.name} by name select * from read_json('${file}', format = 'nd', columns = {${types}})`,
    );
  }
  for (const view of views(duckDbViews)) await connection.run(duckDbView(view));
  return {
    query: async (sql) => {
      const found = await connection.runAndReadAll(sql.replace(/\{(\w+)\}/g, '$1'));
      return found.getRowObjects().map((row) => mapped(row, plainDuckDb));
    },
    async [Symbol.asyncDispose]() {
      connection.disconnectSync();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

export const bigQueryWith: OpenViews = async (relations, views) => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-views-'));
  const provided = await provideBigQuery();
  const client = provided.client();
  const dataset = { project: provided.project, dataset: `aorta_views_${randomUUID().replaceAll('-', '_')}` };
  await client.createDataset(dataset.dataset);
  const dialect = bigQueryViews(dataset);
  for (const relation of relations) {
    const declared = tables.find(({ name }) => name === relation.name);
    const fields = relation.columns === undefined ? tableFields(declared!) : columnsOf(relation).map((column) => fieldOf(column));
    await client.dataset(dataset.dataset).createTable(relation.name, { schema: { fields } as never });
    if (relation.rows.length === 0) continue;
    const file = join(folder, `${relation.name}.ndjson`);
    writeFileSync(file, lines(relation));
    const table = client.dataset(dataset.dataset).table(relation.name);
    const [job] = await table.load(file, { sourceFormat: 'NEWLINE_DELIMITED_JSON' });
    if (job.status?.errorResult !== undefined) throw new Error(job.status.errorResult.message);
  }
  for (const view of views(dialect).filter(isShown)) await client.query({ query: createView(dataset, view) });
  return {
    query: async (sql) => {
      const [rows] = await client.query({ query: sql.replace(/\{(\w+)\}/g, (_, name: string) => dialect.table(name)) });
      return (rows as Row[]).map((row) => mapped(row, plainBigQuery));
    },
    async [Symbol.asyncDispose]() {
      if (provided.provider === 'project') await client.dataset(dataset.dataset).delete({ force: true });
      await provided.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const mapped = (row: Row, plain: (value: unknown) => unknown): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]));

/** Numbers with the precision that sums in different orders share. */
const number = (value: number): number => Number(value.toPrecision(11));
const instant = (milliseconds: number): string => new Date(milliseconds).toISOString();
const local = (milliseconds: number): string => instant(milliseconds).slice(0, -1);

/** JSON is text in both clients. Its numbers are rounded like all others. */
function plainText(value: string): unknown {
  // A unit such as `{steps}` is no JSON.
  if (!/^(\[|\{["}])/.test(value)) return value;
  return JSON.parse(value, (_, one) => (typeof one === 'number' ? number(one) : one));
}

function plainDuckDb(value: unknown): unknown {
  if (typeof value === 'bigint') return number(Number(value));
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string') return plainText(value);
  if (value instanceof DuckDBTimestampTZValue) return instant(Number(value.micros) / 1000);
  if (value instanceof DuckDBTimestampValue) return local(Number(value.micros) / 1000);
  if (value instanceof DuckDBDateValue) return instant(value.days * 86_400_000).slice(0, 10);
  if (value instanceof DuckDBListValue) return value.items.map(plainDuckDb);
  return value;
}

function plainBigQuery(value: unknown): unknown {
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string') return plainText(value);
  if (Array.isArray(value)) return value.map(plainBigQuery);
  if (typeof value !== 'object' || value === null) return value;
  const text = (value as { value?: unknown }).value;
  if (typeof text !== 'string') return JSON.parse(JSON.stringify(value));
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  return text.endsWith('Z') ? instant(Date.parse(text)) : local(Date.parse(`${text}Z`));
}

/** Expected values, in the form in which the views return them. */
export function rounded(row: Row): Row {
  return JSON.parse(JSON.stringify(row), (_, one) => (typeof one === 'number' ? number(one) : one));
}
