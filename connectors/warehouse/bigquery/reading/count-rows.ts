import { deliveries, tables } from '@aorta/schemas';
import type { Jobs } from '../client/jobs.ts';
import { type Dataset, tableName, text } from '../sql/index.ts';

/** Rows of every table, by name; none of a table that is not there. Counting all rows of a table costs nothing. */
export async function countRows(jobs: Jobs, dataset: Dataset): Promise<Record<string, number>> {
  const step = 'counting rows';
  const listed = await jobs.call(step, () => jobs.client.listTables(), { of: dataset.dataset });
  const there = new Set(listed.map(({ name }) => name));
  const names = [...tables, deliveries].map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'en'));
  const counts = names
    .filter((name) => there.has(name))
    .map((name) => `SELECT ${text(name)} AS name, COUNT(*) AS n FROM ${tableName(dataset, name)}`);
  const counted = counts.length === 0 ? [] : await jobs.rows(step, counts.join('\nUNION ALL\n'));
  const rows = new Map(counted.map(([name, count]) => [name as string, Number(count)]));
  return Object.fromEntries(names.map((name) => [name, rows.get(name) ?? 0]));
}
