import { createHash } from 'node:crypto';
import type { TableDeclaration } from '@aorta/schemas';
import { isShown, type View } from '../views/dialect.ts';
import { type Commented, type Comments, commentOn } from './comments.ts';
import type { Database } from './database.ts';
import { forgetMade, isMade, recordMade } from './made.ts';
import { timeseriesView } from './sql/create.ts';
import { duckDbView } from './views-dialect.ts';

interface Standing {
  readonly comments: Comments;
  /** Views refer to their table's columns by name, so they are also recreated if a table has changed. */
  readonly tablesChanged: boolean;
}

/**
 * Creates every view of the landed tables, unless all of them already exist and were created by the same statements. Returns
 * whether it created the views.
 */
export async function makeViews(
  database: Database,
  landed: readonly TableDeclaration[],
  views: readonly View[],
  { comments, tablesChanged }: Standing,
): Promise<boolean> {
  const step = 'creating views';
  const samples = landed.filter(({ shape }) => shape === 'timeseries');
  const described: readonly Commented[] = [...samples, ...views.filter(isShown)].map(({ name, doc }) => ({
    of: 'view',
    name,
    doc,
  }));
  const statements = [...samples.map(timeseriesView), ...views.map(duckDbView), ...described.map(commentOn)];
  const made = createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, 16);
  // A view that was replaced by hand lost its comment. DuckDB's own text of a view cannot be compared, because it changes when
  // the file is reopened.
  const isStanding = described.every(({ name, doc }) => comments.get(name) === doc);
  if (isStanding && !tablesChanged && (await isMade(database, step, 'views', made))) return false;
  // A new view has no comments on its columns.
  // There are dozens of statements. One transaction writes to the disk once, and one call halves the time.
  await database.transaction(step, () =>
    database.run(step, [...statements, forgetMade('column_comments'), ...recordMade('views', made)].join(';\n')),
  );
  return true;
}
