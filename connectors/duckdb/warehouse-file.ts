import { open } from 'node:fs/promises';
import { isAortaError, systemCode, unreadable } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import { type Finding, failure } from '../adapter.ts';
import { WarehouseError } from '../errors.ts';
import { Database } from './database.ts';
import { DuckDbError } from './errors.ts';

const MAGIC = Buffer.from('DUCK');
const MAGIC_AT = 8;

/**
 * Returns the finding of `doctor` about the file of the warehouse itself. All other checks read its published copy, which shows
 * nothing of it. `deep`: whether to read all tables, so that DuckDB checks each block.
 */
export async function probeFile(path: string, deep: boolean): Promise<Finding> {
  const check = 'warehouse file';
  try {
    await checkMagic(path);
    if (!deep) return { check, state: 'ok', found: path };
    return { check, state: 'ok', found: `all rows of ${counted(await readTables(path), 'table')} can be read` };
  } catch (error) {
    if (isAortaError(error) && error.code === 'AORTA-WAREHOUSE-LOCKED')
      return { check, state: 'ok', found: `${path} is in use by ${error.details.holder}, so it was not read` };
    return failure(check, error);
  }
}

async function checkMagic(path: string): Promise<void> {
  const found = Buffer.alloc(MAGIC.length);
  try {
    await using file = await open(path);
    await file.read(found, 0, MAGIC.length, MAGIC_AT);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw new WarehouseError('AORTA-WAREHOUSE-MISSING', { path });
    throw unreadable(path, error);
  }
  if (!found.equals(MAGIC)) throw new DuckDbError('AORTA-WAREHOUSE-UNREADABLE', { path, problem: 'it is not a DuckDB database' });
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
      throw new DuckDbError('AORTA-WAREHOUSE-UNREADABLE', { path, problem });
    }
  }
  return names.length;
}
