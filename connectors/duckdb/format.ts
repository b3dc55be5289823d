import { WarehouseError } from '../errors.ts';
import type { Database } from './database.ts';

/**
 * Format of the database file. Raise it if older programs could no longer use the file safely. New tables and columns do not
 * require a new format. Files with a lower format are refused: no released version has written them.
 */
export const FORMAT = 6;

/**
 * Returns the format of a file, or undefined if the file has no control tables. Rejects with AORTA-WAREHOUSE-OLDER if the format
 * is older than that of this version.
 */
export async function readFormat(database: Database, path: string): Promise<number | undefined> {
  const step = 'reading the format';
  const [table] = await database.rows(
    step,
    "select table_name from duckdb_tables() where database_name = current_database() and schema_name = 'control' and table_name = 'format'",
  );
  if (table === undefined) return undefined;
  const [row] = await database.rows(step, 'select max(format) from control.format');
  const found = row![0] as number | null;
  if (found === null) return undefined;
  if (found < FORMAT) throw new WarehouseError('AORTA-WAREHOUSE-OLDER', { path, found, known: FORMAT });
  return found;
}
