import type { Database } from './database.ts';
import { CONTROL_SCHEMA_FORMAT, FIRST_VERSIONS_FORMAT } from './sql/create.ts';

/**
 * Moves the tables of a file before format 5 from the schema `aorta` to `control`. If a file that is attached as `aorta` has a
 * schema of the same name, DuckDB refuses the views that read it as ambiguous.
 */
export async function moveControlTables(database: Database): Promise<void> {
  const step = 'upgrading the format';
  const schemas = await database.rows(step, 'select schema_name from duckdb_schemas() where database_name = current_database()');
  const present = new Set(schemas.map(([name]) => name));
  if (!present.has('aorta') || present.has('control')) return;
  await database.transaction(step, async () => {
    await database.run(step, 'create schema control');
    const tables = await database.rows(step, "select table_name, sql from duckdb_tables() where schema_name = 'aorta'");
    for (const [name, sql] of tables as [string, string][]) {
      await database.run(step, sql.replace('CREATE TABLE aorta.', 'CREATE TABLE control.'));
      await database.run(step, `insert into control.${name} from aorta.${name}`);
    }
    await database.run(step, 'drop schema aorta cascade');
    await database.run(
      step,
      `update control.format set format = ${CONTROL_SCHEMA_FORMAT} where format = ${FIRST_VERSIONS_FORMAT}`,
    );
  });
}
