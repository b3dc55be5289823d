import { open } from 'node:fs/promises';
import { type AortaError, isAortaError, systemCode, unreadable } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import { type Finding, failure } from '../adapter.ts';
import { WarehouseError } from '../errors.ts';
import { Database } from './database.ts';
import { DuckDbError } from './errors.ts';

/** DuckDB's storage format: a main header, and two database headers. The one with the higher iteration is valid. */
const HEADER_BYTES = 4096;
const HEADERS = 3;
const MAGIC_AT = 8;
const [ITERATION_AT, BLOCKS_AT, BLOCK_BYTES_AT] = [8, 32, 40];

/**
 * Returns the finding of `doctor` about the file of the warehouse itself. All other checks read its published copy, which shows
 * nothing of it. `deep`: whether to read all tables, so that DuckDB checks each block. No writer can open the warehouse meanwhile.
 */
export async function probeFile(path: string, deep: boolean): Promise<Finding> {
  const check = 'warehouse file';
  try {
    await checkHeaders(path);
    if (!deep) return { check, state: 'ok', found: path };
    return { check, state: 'ok', found: `all rows of ${counted(await readTables(path), 'table')} can be read` };
  } catch (error) {
    if (isAortaError(error) && error.code === 'AORTA-WAREHOUSE-LOCKED')
      return { check, state: 'ok', found: `${path} is in use by ${error.details.holder}, so it was not read` };
    return failure(check, error);
  }
}

/** Checks that the file is a DuckDB database and not shorter than its headers say. DuckDB would lock the file to do this. */
async function checkHeaders(path: string): Promise<void> {
  const headers = Buffer.alloc(HEADERS * HEADER_BYTES);
  let size: number;
  try {
    await using file = await open(path);
    ({ size } = await file.stat());
    await file.read(headers, 0, headers.length, 0);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw new WarehouseError('AORTA-WAREHOUSE-MISSING', { path });
    throw unreadable(path, error);
  }
  if (headers.toString('latin1', MAGIC_AT, MAGIC_AT + 4) !== 'DUCK')
    throw unreadableWarehouse(path, 'it is not a DuckDB database');
  const [one, other] = [headers.subarray(HEADER_BYTES), headers.subarray(2 * HEADER_BYTES)] as const;
  const valid = one.readBigUInt64LE(ITERATION_AT) > other.readBigUInt64LE(ITERATION_AT) ? one : other;
  const blocks = valid.readBigUInt64LE(BLOCKS_AT) * valid.readBigUInt64LE(BLOCK_BYTES_AT);
  if (BigInt(headers.length) + blocks > size) throw unreadableWarehouse(path, 'its end is missing');
}

function unreadableWarehouse(path: string, problem: string): AortaError {
  return new DuckDbError('AORTA-WAREHOUSE-UNREADABLE', { path, problem });
}

/** Returns the number of tables. */
async function readTables(path: string): Promise<number> {
  using database = await Database.open(path, { access_mode: 'READ_ONLY' });
  const names = await database.rows('listing the tables', 'select schema_name, table_name from duckdb_tables()');
  for (const [schema, table] of names) {
    try {
      await database.rows('reading a table', `select count(hash(t)) from "${schema}"."${table}" as t`);
    } catch (error) {
      const problem = `${isAortaError(error) ? error.details.problem : 'unknown failure'} in ${schema}.${table}`;
      throw unreadableWarehouse(path, problem);
    }
  }
  return names.length;
}
