import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { constants, DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import {
  type Landed,
  type LandedPartition,
  landedTable,
  type Privacy,
  type QueryResult,
  type QueryValue,
  type TableDifference,
  type WaitingMerge,
  WarehouseError,
  type WarehouseReader,
  type WithheldValues,
} from '@aorta/connectors';
import { tableColumns } from '@aorta/connectors/warehouses';
import { isAortaError } from '@aorta/runtime';
import { tables as declared, elementFields, type TableDeclaration } from '@aorta/schemas';
import type { SqliteSettings } from './adapter.ts';
import { readPositions } from './control.ts';
import { countRows, holder, landedTables, literal, presentColumns } from './tables.ts';
import { queryValue } from './values.ts';

const { SQLITE_OK, SQLITE_DENY, SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE } = constants;

/** The actions that a query may take. Without this list, a read-only connection could attach a file and write to it. */
const reading = new Set([SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE]);

/** SQLite's error code for a statement that the authorizer refuses. */
const NOT_AUTHORIZED = 23;

/** Number of rows in a chunk of a query result. */
const CHUNK = 1000;

class SqliteReader implements WarehouseReader {
  readonly publishedAt = undefined;
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async query(sql: string): Promise<QueryResult> {
    if (sql.trim() === '') throw new WarehouseError('AORTA-QUERY-NOT-READ-ONLY', { statement: 'empty' });
    try {
      this.#database.setAuthorizer((action) => (reading.has(action) ? SQLITE_OK : SQLITE_DENY));
      const statement = this.#database.prepare(sql);
      // SQLite prepares only the first statement and ignores the rest.
      const rest = sql.slice(statement.sourceSQL.length).trim();
      if (rest !== '') throw new WarehouseError('AORTA-QUERY-NOT-READ-ONLY', { statement: 'more than one statement' });
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      const columns = statement.columns().map(({ name, type }) => ({ name, type }));
      const rows = statement.iterate() as unknown as Iterable<readonly SQLOutputValue[]>;
      return {
        columns: columns.map(({ name, type }) => ({ name, type: type ?? '' })),
        rows: chunks(
          rows,
          columns.map(({ type }) => type),
        ),
      };
    } catch (error) {
      throw queryFailure(error);
    } finally {
      this.#database.setAuthorizer(null);
    }
  }

  literal(text: string): string {
    return literal(text);
  }

  async rows(): Promise<Record<string, number>> {
    return countRows(this.#database);
  }

  async withheldValues(privacy: Privacy): Promise<readonly WithheldValues[]> {
    return declared.flatMap((table) => {
      const landed = new Set(valuesOf(landedTable(table, privacy)).map(({ name }) => name));
      const present = presentColumns(this.#database, table);
      return valuesOf(table)
        .filter(({ name, column }) => present.has(column) && !landed.has(name))
        .map((value) => ({ table: table.name, column: value.name, values: this.#count(table, value) }))
        .filter(({ values }) => values > 0);
    });
  }

  #count(table: TableDeclaration, { column, field }: ColumnValue): number {
    const from = field === undefined ? holder(table) : `${holder(table)}, json_each(${column}) AS element`;
    const value = field === undefined ? column : `element.value ->> ${literal(field)}`;
    return Number(this.#database.prepare(`SELECT count(${value}) AS found FROM ${from}`).get()!.found);
  }

  async tableDifferences(privacy: Privacy): Promise<readonly TableDifference[]> {
    return landedTables(privacy).flatMap((table) => {
      const present = presentColumns(this.#database, table);
      return tableColumns(table)
        .filter(({ name }) => !present.has(name))
        .map(({ name }): TableDifference => ({ table: table.name, column: name, what: 'is missing', fixedBy: 'run' }));
    });
  }

  async merged(): Promise<readonly (LandedPartition & Landed)[]> {
    return readPositions(this.#database);
  }

  async waitingMerges(): Promise<readonly WaitingMerge[]> {
    return [];
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** A value that a privacy class may withhold: a column, or a field of the objects in a list. */
interface ColumnValue {
  readonly name: string;
  readonly column: string;
  readonly field?: string;
}

function valuesOf(table: TableDeclaration): ColumnValue[] {
  return table.columns.flatMap(({ name, type }): ColumnValue[] => {
    const fields = elementFields(type);
    if (fields === undefined) return [{ name, column: name }];
    return fields.map((field) => ({ name: `${name}[].${field.name}`, column: name, field: field.name }));
  });
}

async function* chunks(
  rows: Iterable<readonly SQLOutputValue[]>,
  types: readonly (string | null)[],
): AsyncGenerator<readonly (readonly QueryValue[])[]> {
  let chunk: (readonly QueryValue[])[] = [];
  try {
    for (const row of rows) {
      chunk.push(row.map((value, index) => queryValue(types[index]!, value)));
      if (chunk.length < CHUNK) continue;
      yield chunk;
      chunk = [];
    }
  } catch (error) {
    throw queryFailure(error);
  }
  if (chunk.length > 0) yield chunk;
}

/** Converts an SQLite error to an Aorta error without SQLite's own message, which may quote a value. */
function queryFailure(error: unknown): Error {
  if (isAortaError(error)) return error;
  const { errcode } = error as { readonly errcode?: number };
  if (errcode === NOT_AUTHORIZED) return new WarehouseError('AORTA-QUERY-NOT-READ-ONLY', { statement: 'another statement' });
  const hint = 'Check the statement; `aorta schema` lists the tables.';
  return new WarehouseError('AORTA-QUERY-FAILED', { problem: `SQLite refused it with code ${errcode ?? 'unknown'}`, hint });
}

/**
 * Opens the warehouse for reading. Another process may write to it at the same time. Rejects with AORTA-WAREHOUSE-MISSING
 * if there is no file.
 */
export async function openSqliteReader(settings: SqliteSettings): Promise<WarehouseReader> {
  const path = resolve(settings.path);
  if (!existsSync(path)) throw new WarehouseError('AORTA-WAREHOUSE-MISSING', { path: settings.path });
  return new SqliteReader(new DatabaseSync(path, { readOnly: true, timeout: 10_000 }));
}
