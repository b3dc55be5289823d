import { createHash } from 'node:crypto';
import type { TableDeclaration } from '@aorta/schemas';
import { views } from '../views/views.ts';
import type { Database } from './database.ts';
import { timeseriesView } from './sql/create.ts';
import { duckDbView, duckDbViews } from './views-dialect.ts';

/**
 * Makes every view of the landed tables, unless all stand as an opening with the same statements made them. Gives true where it made
 * them. A
 * view follows its tables by their columns' names, so a table that was changed asks for its views anew.
 */
export async function makeViews(
  database: Database,
  landed: readonly TableDeclaration[],
  declared: readonly TableDeclaration[],
  tablesChanged: boolean,
): Promise<boolean> {
  const step = 'creating views';
  const samples = landed.filter(({ shape }) => shape === 'timeseries').map(timeseriesView);
  const statements = [...samples, ...views(duckDbViews, landed, declared).map(duckDbView)];
  const names = statements.flatMap((statement) => /^create or replace view (\w+)/.exec(statement)?.slice(1) ?? []);
  // A view that a person makes in place of ours has no comment. DuckDB's own text of a view would not do to compare: it
  // is another one once the file has been opened again.
  const made = createHash('sha256').update(statements.join('\n')).digest('hex');
  const comment = `Made by Aorta, which makes it again where it was changed (${made.slice(0, 16)})`;
  const [standing] = await database.rows(
    step,
    `select count(*) from duckdb_views() where schema_name = 'main' and comment = '${comment}' and view_name in ('${names.join("', '")}')`,
  );
  if (Number(standing![0]) === names.length && !tablesChanged) return false;
  const comments = names.map((name) => `comment on view ${name} is '${comment}'`);
  // There are dozens: in one transaction they cost one write to the disk, and in one call half the time.
  await database.transaction(step, () => database.run(step, [...statements, ...comments].join(';\n')));
  return true;
}
