import { randomUUID } from 'node:crypto';
import type { TableDeclaration } from '@aorta/schemas';
import type { ErasureReceipt } from '../erasure.ts';
import type { Jobs } from './client/jobs.ts';
import type { LandedBatch } from './landing/landed-batch.ts';
import { countStatement, type Dataset, eraseSteps, USER_PARAMETER } from './sql/index.ts';

/** Label of a landing table from which a user's rows were taken: its number of rows says nothing any more. */
export const ERASED = 'erased';

/** Carries out an erasure: the list first, then landed batches, then the tables, each to its end. */
export async function eraseUser(
  jobs: Jobs,
  dataset: Dataset,
  tables: readonly TableDeclaration[],
  batches: readonly LandedBatch[],
  user: string,
): Promise<ErasureReceipt> {
  const parameters = { [USER_PARAMETER]: user };
  const landed = new Map(batches.map((batch) => [batch.name, batch]));
  const counted: { table: string; rows: number }[] = [];
  let landedRows = 0;
  const steps = eraseSteps(
    dataset,
    tables,
    batches.map(({ name, stream, fields }) => ({ table: name, stream, fields })),
  );
  for (const { table, sql } of steps) {
    const batch = table === undefined ? undefined : landed.get(table);
    if (table !== undefined) {
      const there = await jobs.ifThere('erasing a user', () => jobs.client.getTable(table), table);
      // It was merged and dropped meanwhile: by a merge that knew the list, or before the tables are seen to.
      if (there === undefined) continue;
      const count = countStatement(dataset, table, there.schema?.fields ?? []);
      const [row] = await jobs.rows('erasing a user', count, parameters);
      const rows = Number(row?.[0] ?? 0);
      if (rows === 0) continue;
      if (batch === undefined) counted.push({ table, rows });
      else landedRows += rows;
      if (batch !== undefined)
        await jobs.call('erasing a user', () => jobs.client.patchTable(table, { labels: { aorta: ERASED } }), { of: table });
    }
    await jobs.query('erasing a user', `aorta_erase_${randomUUID()}`, { sql, parameters });
  }
  return { tables: counted.sort((a, b) => a.table.localeCompare(b.table, 'en')), landed: landedRows };
}
