import type { AortaError } from '@aorta/runtime';
import { type DuckDBConnection, type DuckDBPreparedStatement, StatementType } from '@duckdb/node-api';
import { WarehouseError } from '../../errors.ts';

/** Statement types that may run. EXPLAIN is not among them, because EXPLAIN ANALYZE runs its statement. */
const reading = new Set<StatementType>([StatementType.SELECT]);

/**
 * Prepares a text that is a single SELECT. DuckDB turns PIVOT without an IN list into several statements: some that create
 * temporary types with the found values, and the SELECT. The statements that create types run here. Rejects with
 * AORTA-QUERY-NOT-READ-ONLY for any other text, and with DuckDB's error if DuckDB refuses the statement.
 */
export async function prepareQuery(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
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
 * Whether a text that DuckDB can parse is one SELECT. Only a single SELECT fits into parentheses, without the semicolon and the
 * comments behind it.
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
