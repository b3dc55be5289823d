import type { Database } from './database.ts';
import { text } from './sql/types.ts';

/** The comment of each table and view that analysts see, or null if it has none. */
export type Comments = ReadonlyMap<string, string | null>;

export interface Commented {
  readonly of: 'table' | 'view';
  readonly name: string;
  readonly doc: string;
}

export async function readComments(database: Database): Promise<Comments> {
  const rows = await database.rows(
    'reading comments',
    `select table_name, comment from duckdb_tables() where schema_name = 'main'
union all select view_name, comment from duckdb_views() where schema_name = 'main'`,
  );
  return new Map(rows.map(([name, comment]) => [String(name), comment as string | null]));
}

export const commentOn = ({ of, name, doc }: Commented): string => `comment on ${of} ${name} is ${text(doc)}`;

/** Sets the comments that are missing or differ. Returns whether there were any. */
export async function describeTables(database: Database, found: Comments, wanted: readonly Commented[]): Promise<boolean> {
  const statements = wanted.filter(({ name, doc }) => found.get(name) !== doc).map(commentOn);
  if (statements.length === 0) return false;
  const step = 'describing tables';
  await database.transaction(step, () => database.run(step, statements.join(';\n')));
  return true;
}
