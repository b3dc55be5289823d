import type { Database } from '../storage/database.ts';

/**
 * Returns the number of a source, which is the `source_id` of events. Equal sources have one number. `source` is JSON: see
 * data/arrival.ts.
 */
export function sourceNumber(database: Database, source: string): number {
  return database.numberOf(
    'select source_id as number from sources where source = ?',
    'insert into sources (source) values (?)',
    source,
  );
}
