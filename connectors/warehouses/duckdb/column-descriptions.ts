import { createHash } from 'node:crypto';
import { descriptionOf } from '../views/columns.ts';
import type { ViewColumn } from '../views/dialect.ts';
import type { Database } from './database.ts';
import { isMade, recordMade } from './made.ts';
import { countRows } from './row-counts.ts';
import { text } from './sql/types.ts';

/**
 * Number of rows from which the columns of a file have comments. DuckDB takes half a second to make all of them, which is too
 * much for a small file.
 */
const LEAST_DESCRIBED_ROWS = 1000;

/** A table or view with its columns. */
export interface DescribedRelation {
  readonly name: string;
  readonly columns: readonly ViewColumn[];
}

const step = 'describing columns';

/** Makes the comments of all columns, unless the file has them or has too few rows. Returns whether the file has them. */
export async function describeColumns(database: Database, relations: readonly DescribedRelation[]): Promise<boolean> {
  const rows = Object.values(await countRows(database)).reduce((total, count) => total + count, 0);
  if (rows < LEAST_DESCRIBED_ROWS) return false;
  const statements = relations.flatMap(({ name: relation, columns }) =>
    columns.map((column) => `comment on column ${relation}."${column.name}" is ${text(descriptionOf(column))}`),
  );
  const content = createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, 16);
  if (await isMade(database, step, 'column_comments', content)) return true;
  await database.transaction(step, () =>
    database.run(step, [...statements, ...recordMade('column_comments', content)].join(';\n')),
  );
  return true;
}
