import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { AortaError, isAortaError } from '@aorta/runtime';
import { type StreamName, type TableDeclaration, tables } from '@aorta/schemas';
import type { DuckDBResult } from '@duckdb/node-api';
import { WarehouseError } from '../../errors.ts';
import { landedTable, type Privacy } from '../../privacy.ts';
import type { QueryResult, QueryValue } from '../../query-values.ts';
import type { Landed, LandedPartition, TableDifference, WaitingMerge, WarehouseReader, WithheldValues } from '../../warehouse.ts';
import { Backlog } from './backlog.ts';
import { batchOf, hasControlTables, mergedPositions, selectBatches } from './batches.ts';
import { Database } from './database.ts';
import { DuckDbError } from './errors.ts';
import { duckDbOptions, type OldDatesPace } from './options.ts';
import { publishedPath } from './publish.ts';
import { queryFailure } from './query-failure.ts';
import { checkMembers } from './query-members.ts';
import { prepareQuery } from './query-statement.ts';
import { queryValue } from './query-value.ts';
import { countRows } from './row-counts.ts';
import { databaseTables, FORMAT } from './sql/create.ts';
import { presentTables, tableDifferences } from './table-differences.ts';
import { duckDbViews } from './views-dialect.ts';
import { withheldValues } from './withheld-values.ts';

/**
 * Settings that make a reader truly read-only. A read-only connection can still write files with COPY and read any file by
 * name, so file access is off. The configuration is locked, so that no statement can turn file access on again.
 */
const settings = {
  access_mode: 'READ_ONLY',
  enable_external_access: 'false',
  autoload_known_extensions: 'false',
  autoinstall_known_extensions: 'false',
};

/** Maximum number of threads if memory is limited, because each thread has its own buffers. */
const THREADS = 4;

/** Converts the rows of a result, and calls `end` after the last one. */
async function* rowsOf(result: DuckDBResult, end: () => void): AsyncIterable<readonly (readonly QueryValue[])[]> {
  try {
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return;
      yield chunk.getRows().map((row) => row.map(queryValue));
    }
  } catch (error) {
    throw queryFailure(error);
  } finally {
    end();
  }
}

interface OpenedTables {
  readonly path: string;
  readonly tables: readonly TableDeclaration[];
  readonly publishedAt: string | undefined;
  readonly pace: OldDatesPace;
}

class DuckDbReader implements WarehouseReader {
  readonly publishedAt: string | undefined;
  readonly #database: Database;
  readonly #path: string;
  readonly #tables: readonly TableDeclaration[];
  readonly #pace: OldDatesPace;
  /** Connections of queries whose rows have not all been read. */
  readonly #querying = new Set<Database>();

  constructor(database: Database, { path, tables, publishedAt, pace }: OpenedTables) {
    this.#database = database;
    this.#path = path;
    this.#tables = tables;
    this.#pace = pace;
    this.publishedAt = publishedAt;
  }

  async query(sql: string): Promise<QueryResult> {
    // A connection has one open result: a second query would end the rows of the first one early, without an error.
    const own = await this.#database.beside();
    this.#querying.add(own);
    const end = () => {
      if (this.#querying.delete(own)) own.disconnect();
    };
    try {
      const result = await (await prepareQuery(own.connection, sql)).stream();
      const types = result.columnTypes();
      checkMembers(types);
      const columns = result.columnNames().map((name, index) => ({ name, type: String(types[index]) }));
      return { columns, rows: rowsOf(result, end) };
    } catch (error) {
      end();
      throw error instanceof AortaError ? error : queryFailure(error);
    }
  }

  literal(text: string): string {
    return duckDbViews.text(text);
  }

  rows(): Promise<Record<string, number>> {
    return countRows(this.#database);
  }

  withheldValues(privacy: Privacy): Promise<readonly WithheldValues[]> {
    return withheldValues(this.#database, this.#tables, privacy);
  }

  async tableDifferences(privacy: Privacy): Promise<readonly TableDifference[]> {
    if (await this.#hasControlTables()) {
      const [format] = await this.#database.rows('reading the format', 'select max(format) from control.format');
      const found = Number(format![0]);
      if (found > FORMAT) throw new AortaError('AORTA-DATA-NEWER', { path: this.#path, found, known: FORMAT });
    }
    const wanted = databaseTables(this.#tables.map((table) => landedTable(table, privacy)));
    const differences = await tableDifferences(this.#database, wanted, await presentTables(this.#database));
    return differences.map(({ kind, table, column, what }) => ({
      table,
      ...(column === undefined ? {} : { column }),
      what,
      fixedBy: kind === 'refused' ? 'person' : 'run',
    }));
  }

  async merged(): Promise<readonly (LandedPartition & Landed)[]> {
    if (!(await this.#hasControlTables())) return [];
    const rows = await this.#database.rows('reading positions', mergedPositions);
    return rows.map(([stream, partition, incarnation, position]) => ({
      stream: stream as StreamName,
      partition: Number(partition),
      incarnation: incarnation as string,
      position: Number(position),
    }));
  }

  async waitingMerges(): Promise<readonly WaitingMerge[]> {
    if (!(await this.#hasControlTables())) return [];
    const batches = (await this.#database.rows('reading landed batches', selectBatches)).map(batchOf);
    const tableOf = (stream: StreamName) => this.#tables.find((table) => table.stream === stream);
    const backlog = new Backlog(batches, (stream) => tableOf(stream)?.shape === 'timeseries', this.#pace);
    return backlog.waiting((stream) => tableOf(stream)?.name);
  }

  /** Returns false for a copy published by an earlier version of Aorta. The next run of this version moves its control tables. */
  async #hasControlTables(): Promise<boolean> {
    return (await this.#database.rows('reading the format', hasControlTables))[0]![0] === true;
  }

  async close(): Promise<void> {
    for (const connection of this.#querying) connection.disconnect();
    this.#querying.clear();
    this.#database.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

export interface DuckDbReaderOptions {
  readonly path: string;
  /** The writer's settings for merges of old samples. If omitted, the default of each setting applies. */
  readonly pace?: OldDatesPace;
  /** Default: the table declarations of this version of Aorta. */
  readonly tables?: readonly TableDeclaration[];
  /** Value of DuckDB's `memory_limit`, such as `2GB`. If omitted, DuckDB may use most of the machine's memory. */
  readonly memory?: string;
}

/**
 * Opens the published copy of a warehouse for reading, even while a writer runs. If nothing was published yet, opens the
 * warehouse itself. Rejects with AORTA-WAREHOUSE-MISSING if neither exists, and with AORTA-WAREHOUSE-UNPUBLISHED if a writer
 * has just started.
 */
export async function openDuckDbReader(options: DuckDbReaderOptions): Promise<WarehouseReader> {
  const path = resolve(options.path);
  const published = publishedPath(path);
  const file = existsSync(published) ? published : path;
  if (!existsSync(file)) throw new WarehouseError('AORTA-WAREHOUSE-MISSING', { path: options.path });
  const bounds =
    options.memory === undefined
      ? {}
      : { memory_limit: options.memory, threads: String(Math.min(THREADS, availableParallelism())) };
  using opening = new DisposableStack();
  const opened = await Database.open(file, { ...settings, ...bounds }).catch((error: unknown) => {
    // Before the first publication, only the warehouse file itself exists, and the writer has locked it.
    const unpublished = file === path && isAortaError(error) && error.code === 'AORTA-WAREHOUSE-LOCKED';
    throw unpublished ? new DuckDbError('AORTA-WAREHOUSE-UNPUBLISHED', { path: options.path }) : error;
  });
  const database = opening.use(opened);
  await database.run('preparing the session', "set global TimeZone = 'UTC'");
  await database.run('preparing the session', 'set lock_configuration = true');
  const publishedAt = file === published ? statSync(published).mtime.toISOString() : undefined;
  const { pace = duckDbOptions.parse({ type: 'duckdb', path }) } = options;
  opening.move();
  return new DuckDbReader(database, { path: options.path, tables: options.tables ?? tables, publishedAt, pace });
}
