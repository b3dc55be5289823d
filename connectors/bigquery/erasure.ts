import { randomUUID } from 'node:crypto';
import type { TableDeclaration } from '@aorta/schemas';
import type { ErasureReceipt } from '../warehouse.ts';
import type { JobRunner } from './client/jobs.ts';
import type { DatasetState } from './dataset-state.ts';
import { ERASED } from './landing/landed-batch.ts';
import { changedUserStatement, shortenedCalendarsStatement } from './sql/changed-days.ts';
import { countStatement, eraseSteps, suppressStatement, USER_PARAMETER } from './sql/erase.ts';

const step = 'erasing a user';

/** Default time travel in hours, and the fixed fail-safe period in days. */
const TIME_TRAVEL_HOURS = 168;
const FAIL_SAFE_DAYS = 7;

/**
 * Erases a user: adds the user to the suppression list, then deletes the user's rows from landed batches, then from the target
 * tables. Each step ends before the next one begins. Landed batches are listed after the user is on the suppression list.
 * Merges skip the user's rows in batches that are landed later, and those landing tables are dropped after their merge.
 */
export async function eraseUser(
  user: string,
  jobs: JobRunner,
  state: DatasetState,
  tables: readonly TableDeclaration[],
): Promise<ErasureReceipt> {
  const { client } = jobs;
  const parameters = { [USER_PARAMETER]: user };
  const run = (sql: string) => jobs.query(step, `aorta_erase_${randomUUID()}`, { sql, parameters });
  await run(suppressStatement(client));
  await state.see();
  const batches = state.batches();
  const landed = new Set(batches.map(({ name }) => name));
  // A merge that began before the user was on the suppression list may still be running. Its rows are not visible yet.
  const fed = tables.filter(({ stream }) => batches.some((batch) => stream === '*' || batch.stream === stream));
  const mayBeMerging = new Set(fed.map(({ name }) => name));
  const counted: { table: string; rows: number }[] = [];
  let landedRows = 0;
  const steps = eraseSteps(
    client,
    tables,
    batches.map(({ name, stream, fields }) => ({ table: name, stream, fields })),
  );
  await run(shortenedCalendarsStatement(client, `@${USER_PARAMETER}`));
  for (const { table, sql } of steps) {
    if (table === undefined) continue;
    const there = await jobs.table(table, step);
    // The batch was merged and dropped meanwhile. Either the merge skipped the user's rows, or the next steps delete them.
    if (there === undefined) continue;
    const count = countStatement(client, table, there.schema?.fields ?? []);
    const [row] = await jobs.rows(step, count, { parameters, mostBytes: Number.POSITIVE_INFINITY });
    const rows = Number(row?.[0] ?? 0);
    if (rows === 0 && !mayBeMerging.has(table)) continue;
    if (landed.has(table)) {
      landedRows += rows;
      await jobs.call(step, () => client.patchTable(table, { labels: { aorta: ERASED } }), { of: table });
    } else if (rows > 0) counted.push({ table, rows });
    await run(sql);
  }
  if (counted.length > 0 || landedRows > 0) await run(changedUserStatement(client, `@${USER_PARAMETER}`));
  const { maxTimeTravelHours } = await jobs.call(step, () => client.getDataset(), { of: client.dataset });
  const kept = { timeTravelHours: Number(maxTimeTravelHours ?? TIME_TRAVEL_HOURS), failSafeDays: FAIL_SAFE_DAYS };
  return { tables: counted.sort((a, b) => a.table.localeCompare(b.table, 'en')), landed: landedRows, kept };
}
