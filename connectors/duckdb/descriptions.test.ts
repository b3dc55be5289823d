import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ColumnType, tables } from '@aorta/schemas';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { landedTable, privacyOptions } from '../privacy.ts';
import { isShown, type ShownView, type ViewColumn } from '../warehouses/views/dialect.ts';
import { views } from '../warehouses/views/views.ts';
import { runIn } from './closed-file.fixture.ts';
import { openDuckDbWarehouse } from './duckdb-warehouse.ts';
import { duckDbOptions } from './options.ts';
import { publishedPath } from './published-copy.ts';
import { duckDbViews } from './views-dialect.ts';

const privacy = privacyOptions.parse({ identifiers: true });
const folder = mkdtempSync(join(tmpdir(), 'aorta-described-'));
const path = join(folder, 'warehouse.duckdb');
const shown: readonly ShownView[] = views(
  duckDbViews,
  tables.map((table) => landedTable(table, privacy)),
  tables,
  {},
).filter(isShown);

/** Reads the published copy, as analysts do. */
async function rows(sql: string): Promise<string[][]> {
  const instance = await DuckDBInstance.create(publishedPath(path), { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const found = (await connection.runAndReadAll(sql)).getRows();
  connection.closeSync();
  instance.closeSync();
  return found.map((row) => row.map(String));
}

async function published(): Promise<void> {
  const { type: _, ...settings } = duckDbOptions.parse({ type: 'duckdb', path });
  const warehouse = await openDuckDbWarehouse({ ...settings, privacy });
  // An erasure publishes a copy even if no table has changed.
  await warehouse.erase('nobody');
  await warehouse.close();
}

beforeAll(published);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const databaseTypes: Readonly<Record<Exclude<ViewColumn['type'], object>, string>> = {
  string: 'VARCHAR',
  int64: 'BIGINT',
  float64: 'DOUBLE',
  bool: 'BOOLEAN',
  timestamp: 'TIMESTAMP WITH TIME ZONE',
  date: 'DATE',
  json: 'JSON',
  datetime: 'TIMESTAMP',
};

const typeOf = (type: ColumnType | 'datetime'): string => (typeof type === 'object' ? 'list' : databaseTypes[type]);

const kindOf = (type: string): string => (/\[\]$/.test(type) ? 'list' : type);

test('each view has the described columns in the described order, with the described types', async () => {
  const columns = await rows(
    `select table_name, column_name, data_type from duckdb_columns() where schema_name = 'main' order by table_name, column_index`,
  );
  const found = Map.groupBy(columns, ([view]) => view!);
  for (const { name, columns: described } of shown) {
    const own = found.get(name)!.map(([, column, type]) => [column!, type!] as const);
    expect({ name, columns: own.map(([column]) => column) }).toEqual({ name, columns: described.map((column) => column.name) });
    const types = described.map(({ type }) => typeOf(type));
    expect({ name, types: own.map(([, type]) => kindOf(type)) }).toEqual({ name, types });
  }
});

/** Changes the file with a statement, and publishes it. */
async function publishAfter(statement: string): Promise<void> {
  await runIn(path, statement);
  await published();
}

const commentsOnColumns = (): Promise<string[][]> =>
  rows(
    `select table_name, column_name, comment from duckdb_columns()
     where schema_name = 'main' and not internal order by table_name, column_index`,
  );

test('each table and view has a comment', async () => {
  const relations = await rows(
    `select table_name, comment from duckdb_tables() where schema_name = 'main'
     union all select view_name, comment from duckdb_views() where schema_name = 'main' and not internal order by 1`,
  );
  expect(relations.length).toBeGreaterThan(140);
  expect(relations.filter(([, comment]) => !/^\S.*[.!]$/s.test(comment!))).toEqual([]);
  expect(relations).toContainEqual(['timeseries', 'One sample of a timeseries resource.']);
});

test('each column has a comment from the first publication on, and gets it again if another program replaced its view', async () => {
  const comments = await commentsOnColumns();
  expect(comments.length).toBeGreaterThan(2500);
  expect(comments.filter(([, , comment]) => !/^\S.*[.!](?: \(.+\))?$/s.test(comment!))).toEqual([]);
  expect(comments).toContainEqual([
    'lab_order_history',
    'order_id',
    'Id of the order. The newest version of an id replaces the others.',
  ]);
  expect(comments).toContainEqual(['person_days', 'weight_kg', 'Weight, from samples, or from a summary of the day. (kg)']);
  await publishAfter('create or replace view heartrate as select 1 as one');
  expect(await commentsOnColumns()).toEqual(comments);
});

test('each description is a sentence', () => {
  const all = shown.flatMap(({ name, doc, columns }) => [[name, doc], ...columns.map((one) => [`${name}.${one.name}`, one.doc])]);
  expect(all.filter(([, doc]) => !/^\S.*[.!]$/s.test(doc!))).toEqual([]);
});
