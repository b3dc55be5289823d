import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Row } from './row.ts';

/** Reads tables with SQL. */
export type Select = (sql: string) => Promise<Row[]>;

/** Opens the warehouse in the file of a folder with the official client of DuckDB. Rows are JSON. */
export async function inTables<T>(folder: string, use: (select: Select) => Promise<T>, file = 'health.duckdb'): Promise<T> {
  const database = await DuckDBInstance.create(join(folder, file), { access_mode: 'READ_ONLY' });
  const connection = await database.connect();
  try {
    await connection.run("set TimeZone = 'UTC'");
    return await use(async (sql) => {
      const answer = await connection.runAndReadAll(`select to_json(t)::varchar from (${sql}) t`);
      return answer.getRows().map(([text]) => JSON.parse(String(text)) as Row);
    });
  } finally {
    connection.disconnectSync();
    database.closeSync();
  }
}
