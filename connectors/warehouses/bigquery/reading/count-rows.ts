import { deliveries, tables } from '@aorta/schemas';
import type { Jobs } from '../client/jobs.ts';
import { forMany } from '../layout.ts';

/** Rows of every table, by name; 0 of a table that is not there. The service keeps the number: no query, and no bill. */
export async function countRows(jobs: Jobs): Promise<Record<string, number>> {
  const step = 'counting rows';
  const names = [...tables, deliveries].map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'en'));
  const rows = await forMany(names, async (name) => {
    const table = await jobs.ifThere(step, () => jobs.client.getTable(name), name);
    return [name, Number(table?.numRows ?? 0)] as const;
  });
  return Object.fromEntries(rows);
}
