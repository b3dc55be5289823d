import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAortaError } from '@aorta/runtime';
import { DuckDBInstance } from '@duckdb/node-api';
import { jsonOf, type QueryValue } from '../query-values.ts';
import type { WarehouseReader } from '../warehouse.ts';
import { openDuckDbReader } from './duckdb-reader.ts';

/** A reader of a file with a table `t`, and a table `people` whose only value is `secret`. */
export class ReadTables implements AsyncDisposable {
  readonly path: string;
  readonly reader: WarehouseReader;
  readonly #folder: string;

  private constructor(folder: string, path: string, reader: WarehouseReader) {
    this.#folder = folder;
    this.path = path;
    this.reader = reader;
  }

  static async open(): Promise<ReadTables> {
    const folder = mkdtempSync(join(tmpdir(), 'aorta-'));
    const path = join(folder, 'warehouse.duckdb');
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    await connection.run("create table t as select * from (values ('a', 1), ('b', 2), ('a', 3)) rows (k, v)");
    await connection.run("create table people as select 'secret' as name");
    connection.closeSync();
    instance.closeSync();
    return new ReadTables(folder, path, await openDuckDbReader({ path }));
  }

  async rows(sql: string): Promise<(readonly QueryValue[])[]> {
    const found: (readonly QueryValue[])[] = [];
    for await (const batch of (await this.reader.query(sql)).rows) found.push(...batch);
    return found;
  }

  /** Returns the rows as they are after a round trip through JSON. */
  async objects(sql: string): Promise<unknown[]> {
    const { columns } = await this.reader.query(sql);
    return (await this.rows(sql)).map((row) =>
      Object.fromEntries(columns.map(({ name }, index) => [name, JSON.parse(jsonOf(row[index]))])),
    );
  }

  /** Returns the code and the text of the error of a query. */
  async failure(sql: string): Promise<string> {
    try {
      return `${(await this.rows(sql)).length} rows`;
    } catch (error) {
      return isAortaError(error) ? `${error.code}: ${error.message} ${error.remedy}` : String(error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.reader.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
