import type { JobRunner } from './jobs.ts';
import { type TextRow, textRow } from './rows.ts';

/** Page size, and the maximum number of rows that are read without a query. */
const ROWS_AT_ONCE = 10_000;
const MOST_ROWS = 50_000;

/** Returns the rows of a control table without a query, which would be billed at least 10 MB. Returns undefined if there are too many rows. */
export async function listedRows(jobs: JobRunner, step: string, table: string): Promise<readonly TextRow[] | undefined> {
  const rows: TextRow[] = [];
  let page: string | undefined;
  do {
    const answer = await jobs.call(step, () => jobs.client.listRows(table, page, ROWS_AT_ONCE), { of: table });
    rows.push(...answer.rows.map(textRow));
    page = answer.next;
    if (page !== undefined && rows.length >= MOST_ROWS) return undefined;
  } while (page !== undefined);
  return rows;
}
