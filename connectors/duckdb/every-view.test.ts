import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { privacyOptions } from '../privacy.ts';
import { openDuckDbWarehouse } from './duckdb-warehouse.ts';
import { duckDbOptions } from './options.ts';

/** Reads every view of a new warehouse, whose file is attached to an in-memory database under the name `aorta`. */

const folder = mkdtempSync(join(tmpdir(), 'aorta-'));
const path = join(folder, 'warehouse.duckdb');
let connection: DuckDBConnection;
let views: readonly string[];
beforeAll(async () => {
  const settings = { ...duckDbOptions.parse({ type: 'duckdb', path }), privacy: privacyOptions.parse({}) };
  await (await openDuckDbWarehouse(settings)).close();
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`attach '${path}' as aorta (read_only)`);
  views = (await rows("select view_name from duckdb_views() where database_name = 'aorta' and not internal")).map(String);
});
afterAll(() => {
  connection.closeSync();
  rmSync(folder, { recursive: true, force: true });
});

async function rows(sql: string): Promise<unknown[][]> {
  return (await connection.runAndReadAll(sql)).getRowsJson();
}

/** Returns the first line of the error of a statement, or `undefined` if it runs. */
async function failure(sql: string): Promise<string | undefined> {
  return rows(sql).then(
    () => undefined,
    (error: Error) => `${sql}: ${error.message.split('\n')[0]}`,
  );
}

test('every view of a file attached under the name `aorta` can be queried, with and without the schema', async () => {
  expect(views.length).toBeGreaterThan(100);
  const spelled = ['aorta.main.person_days', 'aorta.main.timeseries', 'aorta.activity', 'aorta.main.deliveries'];
  const failed: (string | undefined)[] = [];
  for (const name of [...views.map((view) => `aorta.${view}`), ...spelled]) failed.push(await failure(`from ${name}`));
  await connection.run('use aorta');
  for (const name of ['person_days', 'aorta.person_days', 'aorta.main.person_days']) failed.push(await failure(`from ${name}`));
  await connection.run('use memory');
  expect(failed.filter((one) => one !== undefined)).toEqual([]);
});

test('no column of a view is wider than 64 bits', async () => {
  const columns = await rows(`select table_name, column_name, data_type from duckdb_columns()
    where database_name = 'aorta' and table_name in (${views.map((view) => `'${view}'`).join(', ')})`);
  expect(columns.length).toBeGreaterThan(1000);
  expect(columns.filter(([, , type]) => /HUGEINT|DECIMAL/.test(String(type)))).toEqual([]);
});

test('no view has a WITH in a subquery, which DuckDB 1.4.0 and 1.4.1 cannot read from the file', async () => {
  const nested = await rows(`select view_name from duckdb_views()
    where database_name = 'aorta' and not internal and regexp_matches(sql, '\\(\\s*with\\s', 'i')`);
  expect(nested).toEqual([]);
});
