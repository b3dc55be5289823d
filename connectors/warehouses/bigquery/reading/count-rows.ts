import { deliveries, tables } from '@aorta/schemas';
import type { JobRunner } from '../client/jobs.ts';
import { forMany } from '../layout.ts';

/** Returns the number of rows by table; 0 if the table does not exist. The numbers are part of the metadata, so no query is billed. */
export async function countRows(jobs: JobRunner): Promise<Record<string, number>> {
  const step = 'counting rows';
  const names = [...tables, deliveries].map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'en'));
  const rows = await forMany(names, async (name) => {
    const table = await jobs.ifThere(step, () => jobs.client.getTable(name), name);
    return [name, Number(table?.numRows ?? 0)] as const;
  });
  return Object.fromEntries(rows);
}
