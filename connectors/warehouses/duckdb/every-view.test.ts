import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { privacyOptions } from '../../privacy.ts';
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

test('no column of a view is wider than 64 bits', async () => {
  const columns = await rows(`select table_name, column_name, data_type from duckdb_columns()
    where database_name = 'aorta' and table_name in (${views.map((view) => `'${view}'`).join(', ')})`);
  expect(columns.length).toBeGreaterThan(1000);
  expect(columns.filter(([, , type]) => /HUGEINT|DECIMAL/.test(String(type)))).toEqual([]);
});
