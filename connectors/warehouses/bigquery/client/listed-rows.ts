import type { Jobs } from './jobs.ts';
import { type TextRow, textRow } from './rows.ts';

/** Rows of one call, and rows beyond which a query is better. */
const ROWS_AT_ONCE = 10_000;
const MOST_ROWS = 50_000;

/**
 * The rows of a control table, without a query: each query is billed for 10 MB at least of every table that it names.
 * Undefined where there are so many that a query is better.
 */
export async function listedRows(jobs: Jobs, step: string, table: string): Promise<readonly TextRow[] | undefined> {
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
