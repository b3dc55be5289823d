import type { Database } from '../storage/database.ts';

/**
 * Returns the number of a source, which is the `source_id` of events. Equal sources have one number. `source` is JSON: see
 * data/arrival.ts.
 */
export function sourceNumber(database: Database, source: string): number {
  const find = (): number | undefined =>
    database.get<{ source_id: number }>('select source_id from sources where source = ?', source)?.source_id;
  const known = find();
  if (known !== undefined) return known;
  database.run('insert into sources (source) values (?)', source);
  return find()!;
}
