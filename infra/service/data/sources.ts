import type { Database } from '../storage/database.ts';
import type { Source } from './arrival.ts';

/** Returns the number of a source, which is the `source_id` of events. Equal sources have one number. */
export function sourceNumber(database: Database, source: Source): number {
  const text = JSON.stringify(source);
  const find = (): number | undefined =>
    database.get<{ source_id: number }>('select source_id from sources where source = ?', text)?.source_id;
  const known = find();
  if (known !== undefined) return known;
  database.run('insert into sources (source) values (?)', text);
  return find()!;
}
