import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tables } from '@aorta/schemas';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { createTable, databaseTables } from './create.ts';

test('DuckDB opens a file whose process was killed after it created and described all tables', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-recovery-'));
  const [path, copy] = [join(folder, 'killed.duckdb'), join(folder, 'copy.duckdb')];
  const all = databaseTables(tables);
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run('create schema control');
  for (const table of all) {
    await connection.run(createTable(table));
    await connection.run(`comment on column ${table.name}."${table.columns[0]!.name}" is 'described'`);
  }
  // A killed process leaves the database and its write-ahead log as they are now.
  for (const ending of ['', '.wal']) copyFileSync(`${path}${ending}`, `${copy}${ending}`);
  connection.closeSync();
  instance.closeSync();

  const opened = await DuckDBInstance.create(copy);
  const reading = await opened.connect();
  const described = await reading.runAndReadAll("select count(*)::integer from duckdb_columns() where comment = 'described'");
  expect(described.getRows()).toEqual([[all.length]]);
  reading.closeSync();
  opened.closeSync();
  rmSync(folder, { recursive: true });
});
