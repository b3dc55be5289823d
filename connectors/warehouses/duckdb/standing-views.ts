import { createHash } from 'node:crypto';
import type { TableDeclaration } from '@aorta/schemas';
import type { View } from '../views/dialect.ts';
import type { Database } from './database.ts';
import { timeseriesView } from './sql/create.ts';
import { duckDbView } from './views-dialect.ts';

/**
 * Creates every view of the landed tables, unless all of them already exist and were created by the same statements. Returns
 * whether it created the views. Views refer to their table's columns by name, so they are also recreated if a table has changed.
 */
export async function makeViews(
  database: Database,
  landed: readonly TableDeclaration[],
  views: readonly View[],
  tablesChanged: boolean,
): Promise<boolean> {
  const step = 'creating views';
  const samples = landed.filter(({ shape }) => shape === 'timeseries').map(timeseriesView);
  const statements = [...samples, ...views.map(duckDbView)];
  const names = statements.flatMap((statement) => /^create or replace view (\w+)/.exec(statement)?.slice(1) ?? []);
  // A view that was replaced by hand does not have this comment. DuckDB's own text of a view cannot be compared, because it
  // changes when the file is reopened.
  const made = createHash('sha256').update(statements.join('\n')).digest('hex');
  const comment = `Made by Aorta, which makes it again where it was changed (${made.slice(0, 16)})`;
  const [standing] = await database.rows(
    step,
    `select count(*) from duckdb_views() where schema_name = 'main' and comment = '${comment}' and view_name in ('${names.join("', '")}')`,
  );
  if (Number(standing![0]) === names.length && !tablesChanged) return false;
  const comments = names.map((name) => `comment on view ${name} is '${comment}'`);
  // There are dozens of statements. One transaction writes to the disk once, and one call halves the time.
  await database.transaction(step, () => database.run(step, [...statements, ...comments].join(';\n')));
  return true;
}
