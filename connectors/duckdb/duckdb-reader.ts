import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { AortaError, isAortaError, systemCode, unreadable } from '@aorta/runtime';
import { type Column, elementFields, type StreamName, type TableDeclaration, tables } from '@aorta/schemas';
import {
  DuckDBArrayType,
  type DuckDBConnection,
  DuckDBListType,
  DuckDBMapType,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  DuckDBStructType,
  type DuckDBType,
  DuckDBUnionType,
  StatementType,
} from '@duckdb/node-api';
import { WarehouseError } from '../errors.ts';
import { landedTable, type Privacy, withheld } from '../privacy.ts';
import type { QueryResult, QueryValue } from '../query-values.ts';
import type {
  CopyDifference,
  Landed,
  LandedPartition,
  TableDifference,
  WaitingMerge,
  WarehouseReader,
  WithheldValues,
} from '../warehouse.ts';
import { Backlog } from './backlog.ts';
import { batchOf, mergedPositions, selectBatches } from './batches.ts';
import { Database } from './database.ts';
import { DuckDbError } from './errors.ts';
import { FORMAT, readFormat } from './format.ts';
import { duckDbOptions, type OldDatesPace } from './options.ts';
import { copyDifference, publishedPath, walPath } from './published-copy.ts';
import { queryFailure } from './query-failure.ts';
import { queryValue } from './query-value.ts';
import { databaseTables } from './sql/create.ts';
import { countRows, fieldsOf, presentTables, tableDifferences } from './table-differences.ts';
import { duckDbViews } from './views-dialect.ts';

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

/**
 * Throws AORTA-QUERY-FAILED if a result contains objects whose members have no names, such as `row(1, 2)`. DuckDB's client
 * library stores members by name, so only the last unnamed member would remain.
 */
function checkMembers(types: readonly DuckDBType[]): void {
  const index = types.findIndex(losesMembers);
  if (index === -1) return;
  throw new WarehouseError('AORTA-QUERY-FAILED', {
    problem: `column ${index + 1} of the result has objects whose members cannot be told apart by their names`,
    hint: 'Name the members, for example {a: 1, b: 2}, or cast the column to varchar.',
  });
}

function losesMembers(type: DuckDBType): boolean {
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) return losesMembers(type.valueType);
  if (type instanceof DuckDBMapType) return losesMembers(type.keyType) || losesMembers(type.valueType);
  if (type instanceof DuckDBUnionType) return type.memberTypes.some(losesMembers);
  if (!(type instanceof DuckDBStructType)) return false;
  const { entryNames, entryTypes } = type;
  // An assignment to `__proto__` sets no member.
  return new Set(entryNames).size < entryNames.length || entryNames.includes('__proto__') || entryTypes.some(losesMembers);
}

/** Statement types that may run. EXPLAIN is not among them, because EXPLAIN ANALYZE runs its statement. */
const reading = new Set<StatementType>([StatementType.SELECT]);

/**
 * Prepares a text that is a single SELECT. DuckDB turns PIVOT without an IN list into several statements: some that create
 * temporary types with the found values, and the SELECT. The statements that create types run here. Rejects with
 * AORTA-QUERY-NOT-READ-ONLY for any other text, and with DuckDB's error if DuckDB refuses the statement.
 */
async function prepareQuery(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
  if ((await countStatements(connection, `select 1;\n${sql}`)) === 1) throw notReadOnly('empty');
  const statements = await connection.extractStatements(sql);
  const last = statements.count - 1;
  if (last > 0 && !(await isOneSelect(connection, sql))) throw notReadOnly('more than one statement, or not a SELECT');
  for (let index = 0; index < last; index += 1) await (await statements.prepare(index)).run();
  const prepared = await statements.prepare(last);
  if (reading.has(prepared.statementType)) return prepared;
  throw notReadOnly((StatementType[prepared.statementType] ?? 'another statement').toUpperCase().replaceAll('_', ' '));
}

/**
 * Whether a text that DuckDB can parse is one SELECT. Only a single SELECT can be put in parentheses, after the semicolon
 * and comments at its end are removed.
 */
async function isOneSelect(connection: DuckDBConnection, sql: string): Promise<boolean> {
  for (let end = sql.length; end > 0; end = sql.lastIndexOf(';', end - 1)) {
    if ((await countStatements(connection, `from (${sql.slice(0, end)}\n)`)) > 0)
      return (await countStatements(connection, `select 1${sql.slice(end)}`)) === 1;
  }
  return false;
}

/** Returns the number of statements in a text, or 0 if DuckDB cannot parse it. */
async function countStatements(connection: DuckDBConnection, sql: string): Promise<number> {
  return connection.extractStatements(sql).then(
    ({ count }) => count,
    () => 0,
  );
}

function notReadOnly(statement: string): AortaError {
  return new WarehouseError('AORTA-QUERY-NOT-READ-ONLY', { statement });
}

/**
 * Counts stored values that a privacy setting withholds, in columns and in the objects of lists. These values were landed before
 * the setting changed.
 */
async function withheldValues(
  database: Database,
  tables: readonly TableDeclaration[],
  privacy: Privacy,
): Promise<WithheldValues[]> {
  const step = 'looking for withheld values';
  const present = await database.rows(
    step,
    "select schema_name || '.' || table_name, column_name from duckdb_columns() where schema_name in ('main', 'control')",
  );
  const standsIn = new Set(present.map(([table, column]) => `${table}.${column}`));
  const found: WithheldValues[] = [];
  for (const table of tables)
    for (const holder of holdersOf(table))
      for (const column of table.columns.filter(({ name }) => standsIn.has(`${holder}.${name}`)))
        for (const { name, value, from } of await withheldIn(database, { table, holder, column }, privacy)) {
          const values = Number((await database.rows(step, `select count(${value}) from ${from}`))[0]![0]);
          if (values > 0) found.push({ table: table.name, column: name, values });
        }
  return found;
}

/** Returns the database tables that hold the columns of a declaration. */
function holdersOf({ name, shape }: TableDeclaration): string[] {
  return shape === 'timeseries' ? [`control.${name}_events`, `control.${name}_samples`] : [`main.${name}`];
}

interface StandingColumn {
  readonly table: TableDeclaration;
  readonly holder: string;
  readonly column: Column;
}

/** Returns expressions that count the withheld values in a column itself or in the fields of the objects in its list. */
async function withheldIn(
  database: Database,
  { table, holder, column }: StandingColumn,
  privacy: Privacy,
): Promise<{ readonly name: string; readonly value: string; readonly from: string }[]> {
  const { name } = column;
  const whole = withheld(table, column, privacy) !== undefined;
  const fields = elementFields(column.type);
  if (fields === undefined) return whole ? [{ name, value: name, from: holder }] : [];
  const known = await fieldsOf(database, holder, name);
  return fields
    .filter((field) => known.has(field.name) && (whole || withheld(table, field, privacy) !== undefined))
    .map((field) => ({
      name: `${name}[].${field.name}`,
      value: `element.${field.name}`,
      from: `(select unnest(${name}) as element from ${holder})`,
    }));
}

interface OpenedTables {
  readonly path: string;
  /** Undefined if the file has no control tables, because its creation was interrupted. */
  readonly format: number | undefined;
  readonly tables: readonly TableDeclaration[];
  readonly publishedAt: string | undefined;
  readonly pace: OldDatesPace;
}

class DuckDbReader implements WarehouseReader {
  readonly publishedAt: string | undefined;
  readonly #database: Database;
  readonly #path: string;
  readonly #format: number | undefined;
  readonly #tables: readonly TableDeclaration[];
  readonly #pace: OldDatesPace;
  /** Connections of queries whose rows have not all been read. */
  readonly #querying = new Set<Database>();

  constructor(database: Database, { path, format, tables, publishedAt, pace }: OpenedTables) {
    this.#database = database;
    this.#path = path;
    this.#format = format;
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

  async copyDifference(deep: boolean): Promise<CopyDifference | undefined> {
    return this.publishedAt === undefined ? undefined : copyDifference(resolve(this.#path), deep);
  }

  rows(): Promise<Record<string, number>> {
    return countRows(this.#database);
  }

  withheldValues(privacy: Privacy): Promise<readonly WithheldValues[]> {
    return withheldValues(this.#database, this.#tables, privacy);
  }

  async tableDifferences(privacy: Privacy): Promise<readonly TableDifference[]> {
    const found = this.#format;
    if (found !== undefined && found > FORMAT)
      throw new AortaError('AORTA-DATA-NEWER', { path: this.#path, found, known: FORMAT });
    const wanted = databaseTables(this.#tables.map((table) => landedTable(table, privacy)));
    const differences = await tableDifferences(this.#database, wanted, await presentTables(this.#database));
    return differences.map(({ kind, table, column, what }) => ({
      table,
      column,
      what,
      fixedBy: kind === 'refused' ? 'person' : 'run',
    }));
  }

  async merged(): Promise<readonly (LandedPartition & Landed)[]> {
    if (this.#format === undefined) return [];
    const rows = await this.#database.rows('reading positions', mergedPositions);
    return rows.map(([stream, partition, incarnation, position]) => ({
      stream: stream as StreamName,
      partition: Number(partition),
      incarnation: incarnation as string,
      position: Number(position),
    }));
  }

  async waitingMerges(): Promise<readonly WaitingMerge[]> {
    if (this.#format === undefined) return [];
    const batches = (await this.#database.rows('reading landed batches', selectBatches)).map(batchOf);
    return new Backlog(batches, this.#tables, this.#pace).waiting();
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
 * Converts the error of opening the warehouse itself. Before the first publication, no copy exists, and a writer that has
 * just started holds the lock.
 */
function warehouseFailure(error: unknown, path: string): unknown {
  const isLocked = isAortaError(error) && error.code === 'AORTA-WAREHOUSE-LOCKED';
  return isLocked ? new DuckDbError('AORTA-WAREHOUSE-UNPUBLISHED', { path }) : error;
}

/**
 * Converts the error of opening the copy. The remedies for the warehouse file do not apply to a copy, which the next
 * publication replaces.
 */
function copyFailure(error: unknown, path: string): unknown {
  if (!isAortaError(error)) return error;
  const { holder, problem } = error.details;
  if (error.code === 'AORTA-WAREHOUSE-LOCKED') return new DuckDbError('AORTA-COPY-HELD', { path, holder: String(holder) });
  if (error.code === 'AORTA-WAREHOUSE-UNREADABLE')
    return new DuckDbError('AORTA-COPY-UNREADABLE', { path, problem: String(problem) });
  return error;
}

/**
 * Returns the first of the files that exists. Throws AORTA-WAREHOUSE-MISSING, AORTA-COPY-DENIED or
 * AORTA-FILE-UNREADABLE.
 */
function readableFile(files: readonly string[], path: string): string {
  for (const file of files)
    try {
      accessSync(file, constants.R_OK);
      return file;
    } catch (error) {
      const code = systemCode(error);
      if (code === 'EACCES') throw new DuckDbError('AORTA-COPY-DENIED', { path: file });
      if (code !== 'ENOENT') throw unreadable(file, error);
    }
  throw new WarehouseError('AORTA-WAREHOUSE-MISSING', { path });
}

/**
 * Opens the published copy of a warehouse for reading, even while a writer runs. If nothing was published yet, opens the
 * warehouse itself. Rejects with AORTA-WAREHOUSE-MISSING if neither exists, with AORTA-WAREHOUSE-UNPUBLISHED if a writer has
 * just started, and with AORTA-WAREHOUSE-OLDER if an older version with a different format wrote the tables. Rejects with
 * AORTA-COPY-WAL or AORTA-COPY-HELD if another program writes to the copy, and with AORTA-COPY-DENIED without a permission.
 */
export async function openDuckDbReader(options: DuckDbReaderOptions): Promise<WarehouseReader> {
  const path = resolve(options.path);
  const published = publishedPath(path);
  const file = readableFile([published, path], options.path);
  const refuseWal = () => {
    if (file === published && existsSync(walPath(path))) throw new DuckDbError('AORTA-COPY-WAL', { path: published });
  };
  refuseWal();
  const bounds: Record<string, string> =
    options.memory === undefined
      ? {}
      : { memory_limit: options.memory, threads: String(Math.min(THREADS, availableParallelism())) };
  using opening = new DisposableStack();
  const opened = await Database.open(file, { ...settings, ...bounds }).catch((error: unknown) => {
    refuseWal();
    throw file === published ? copyFailure(error, file) : warehouseFailure(error, options.path);
  });
  const database = opening.use(opened);
  refuseWal();
  await database.run('preparing the session', "set global TimeZone = 'UTC'");
  await database.run('preparing the session', 'set lock_configuration = true');
  const format = await readFormat(database, options.path);
  const publishedAt = file === published ? statSync(published).mtime.toISOString() : undefined;
  const { pace = duckDbOptions.parse({ type: 'duckdb', path }) } = options;
  opening.move();
  return new DuckDbReader(database, { path: options.path, format, tables: options.tables ?? tables, publishedAt, pace });
}
