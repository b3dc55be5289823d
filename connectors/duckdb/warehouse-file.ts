import { open } from 'node:fs/promises';
import { type AortaError, isAortaError, systemCode, unreadable } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import { type Finding, failure } from '../adapter.ts';
import { WarehouseError } from '../errors.ts';
import { Database } from './database.ts';
import { DuckDbError } from './errors.ts';

/** The magic bytes in DuckDB's main header, and their offset. */
const [MAGIC, MAGIC_AT] = ['DUCK', 8] as const;

/**
 * Returns the finding of `doctor` about the warehouse file. The other checks read its published copy, so they do not notice damage
 * to the file. With `deep`, reads all tables, so that DuckDB checks every block in use. During that time, no writer can open
 * the file.
 */
export async function probeFile(path: string, deep: boolean): Promise<Finding> {
  const check = 'warehouse file';
  try {
    await checkHeader(path);
    if (!deep) return { check, state: 'ok', found: path };
    return { check, state: 'ok', found: `all rows of ${counted(await readTables(path), 'table')} can be read` };
  } catch (error) {
    if (isAortaError(error) && error.code === 'AORTA-WAREHOUSE-LOCKED')
      return { check, state: 'ok', found: `${path} is in use by ${error.details.holder}, so it was not read` };
    return failure(check, error);
  }
}

/** Checks that the file is a DuckDB database, without locking it as DuckDB would. */
async function checkHeader(path: string): Promise<void> {
  const header = Buffer.alloc(MAGIC_AT + MAGIC.length);
  try {
    await using file = await open(path);
    await file.read(header, 0, header.length, 0);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw new WarehouseError('AORTA-WAREHOUSE-MISSING', { path });
    throw unreadable(path, error);
  }
  if (header.toString('latin1', MAGIC_AT) !== MAGIC) throw unreadableWarehouse(path, 'it is not a DuckDB database');
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
