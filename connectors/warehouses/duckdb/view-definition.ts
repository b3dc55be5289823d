import type { Database } from './database.ts';

const step = 'changing a landed batch';

export async function viewDefinition(database: Database, view: string): Promise<string> {
  const [row] = await database.rows(step, `select sql from duckdb_views() where schema_name || '.' || view_name = '${view}'`);
  return String(row![0])
    .replace(/^.*? AS /, '')
    .replace(/;\s*$/, '');
}

/** Recreates a view with some columns replaced by expressions (`… as name`). */
export async function replaceInView(database: Database, view: string, replaced: readonly string[]): Promise<void> {
  const definition = await viewDefinition(database, view);
  await database.run(step, `create or replace view ${view} as select * replace (${replaced.join(', ')}) from (${definition})`);
}
