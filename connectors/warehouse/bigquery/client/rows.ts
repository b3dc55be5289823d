import type { ResultPage } from './client.ts';
import type { Jobs } from './jobs.ts';

/** A row: each value as text, a list of texts, or null. */
export type TextRow = readonly (string | readonly string[] | null)[];

/** A row as the REST API writes it, as texts. */
export function textRow({ f }: ResultPage['rows'][number]): TextRow {
  return f.map(({ v }) => {
    if (v === null || v === undefined) return null;
    if (Array.isArray(v)) return v.map((one: { readonly v: unknown }) => String(one.v));
    return String(v);
  });
}

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
