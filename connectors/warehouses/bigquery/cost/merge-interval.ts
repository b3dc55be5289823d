import { LEAST_BYTES, mostBilled, priceOf } from './price.ts';

const DAY_S = 86_400;

/** A table without partitions: every merge reads it whole, whatever its clustering. */
export interface MergedTable {
  readonly name: string;
  readonly bytes: number;
  /** Landing tables and bookkeeping that a merge names beside it. */
  readonly others?: number;
}

/** What one merge of it is counted as, in bytes. */
export function mergeBytes({ bytes, others = 3 }: Omit<MergedTable, 'name'>): number {
  return mostBilled(Math.max(bytes, LEAST_BYTES), others);
}

/**
 * Seconds between merges of each of some tables, so that a day of them all costs no more than the budget. Waiting is shared
 * out so that the sum of the intervals is least: a table a hundred times as large is merged a tenth as often, not a
 * hundredth. `least` and `most` bound every interval; where `most` does, the budget is overrun, and the caller's cap holds
 * merges back.
 */
export function mergeIntervals(
  budgetPerDay: number,
  tables: readonly MergedTable[],
  pricePerTib: number,
  { least = 60, most = DAY_S }: { readonly least?: number; readonly most?: number } = {},
): Map<string, number> {
  const bounded = (seconds: number): number => Math.min(most, Math.max(least, seconds));
  const intervals = new Map<string, number>();
  let left = budgetPerDay;
  let open = tables.map(({ name, ...table }) => ({ name, cost: priceOf(mergeBytes(table), pricePerTib) }));
  // What a table that is merged as often as is allowed does not spend, the others may.
  for (;;) {
    const roots = open.reduce((sum, { cost }) => sum + Math.sqrt(cost), 0);
    const wanted = (cost: number): number => (left <= 0 ? most : (DAY_S * Math.sqrt(cost) * roots) / left);
    const quick = open.filter(({ cost }) => wanted(cost) < least);
    if (quick.length === 0) {
      for (const { name, cost } of open) intervals.set(name, bounded(wanted(cost)));
      return intervals;
    }
    for (const { name, cost } of quick) {
      intervals.set(name, least);
      left -= (DAY_S / least) * cost;
    }
    open = open.filter((table) => !quick.includes(table));
  }
}
