import { privacyOptions } from '@aorta/connectors';
import { duckDbOptions } from '@aorta/connectors/duckdb';
import { openDuckDbWarehouse } from '@aorta/connectors/duckdb/module';
import { DuckDBInstance } from '@duckdb/node-api';
import { statements } from './year-of-samples.ts';

const open = (path: string) =>
  openDuckDbWarehouse({ ...duckDbOptions.parse({ type: 'duckdb', path }), privacy: privacyOptions.parse({}) });

/** Creates a warehouse with 10 million samples. SQL statements fill the tables, and then the warehouse computes the kept tables. */
export async function makeWarehouse(path: string): Promise<void> {
  await (await open(path)).close();
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  try {
    await connection.run("set TimeZone = 'UTC'");
    for (const statement of statements) await connection.run(statement);
    // A merge computes each kept table that has no definition.
    await connection.run('delete from control.kept_definitions');
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  const warehouse = await open(path);
  await warehouse.merge('all');
  await warehouse.close();
}
