import { deliveries, tables } from '@aorta/schemas';
import type { Jobs } from '../client/jobs.ts';
import { type Dataset, tableName, text } from '../sql/index.ts';

/** Counts the rows of tables: name and number, a row each. */
export function countRowsStatement(dataset: Dataset, names: readonly string[]): string {
  const counts = names.map((name) => `SELECT ${text(name)} AS name, COUNT(*) AS n FROM ${tableName(dataset, name)}`);
  return counts.join('\nUNION ALL\n');
}

/** Rows of every table, by name; none of a table that is not there. Counting all rows of a table costs nothing. */
export async function countRows(jobs: Jobs, dataset: Dataset): Promise<Record<string, number>> {
  const step = 'counting rows';
  const listed = await jobs.call(step, () => jobs.client.listTables(), { of: dataset.dataset });
  const there = new Set(listed.map(({ name }) => name));
  const names = [...tables, deliveries].map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'en'));
  const some = names.filter((name) => there.has(name));
  const counted = some.length === 0 ? [] : await jobs.rows(step, countRowsStatement(dataset, some));
  const rows = new Map(counted.map(([name, count]) => [name as string, Number(count)]));
  return Object.fromEntries(names.map((name) => [name, rows.get(name) ?? 0]));
}
