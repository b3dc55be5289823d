import { deliveries, tables } from '@aorta/schemas';
import type { Database } from './database.ts';

/** Returns the number of rows in each table. A table that the file lacks, because an older version wrote the file, has 0 rows. */
export async function countRows(database: Database): Promise<Record<string, number>> {
  const present = await database.rows('counting rows', "select schema_name || '.' || table_name from duckdb_tables()");
  const there = new Set(present.map(([name]) => name));
  const all = [...tables, deliveries].map(({ name, shape }) => ({
    name,
    holder: shape === 'timeseries' ? `control.${name}_samples` : `main.${name}`,
  }));
  const counts = all.map(({ name, holder }) => `${there.has(holder) ? `(select count(*) from ${holder})` : '0'} as ${name}`);
  const row = (await database.rows('counting rows', `select ${counts.join(', ')}`))[0]!;
  return Object.fromEntries(
    all.map(({ name }, index) => [name, Number(row[index])] as const).sort(([a], [b]) => a.localeCompare(b, 'en')),
  );
}
