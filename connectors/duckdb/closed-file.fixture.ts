import { DuckDBInstance } from '@duckdb/node-api';

/** Runs statements on a database file that no warehouse has open. Returns the rows of the last statement, as JSON values. */
export async function runIn(path: string, ...statements: readonly string[]): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  try {
    let rows: unknown[][] = [];
    for (const statement of statements) rows = (await connection.runAndReadAll(statement)).getRowsJson() as unknown[][];
    return rows;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
