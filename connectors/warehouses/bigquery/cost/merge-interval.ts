import { LEAST_BYTES, mostBilled, priceOf } from './price.ts';

const DAY_S = 86_400;

/** An unpartitioned table. Every merge reads all of it, regardless of clustering. */
export interface MergedTable {
  readonly name: string;
  readonly bytes: number;
  /** Number of landing and control tables that each merge references besides this table. */
  readonly others?: number;
}

export function mergeBytes({ bytes, others = 3 }: Omit<MergedTable, 'name'>): number {
  return mostBilled(Math.max(bytes, LEAST_BYTES), others);
}

/**
 * Computes the interval between merges of each table, in seconds, so that the merges of a day stay within the budget. The sum
 * of the intervals is minimal: a table 100 times as large is merged a tenth as often, not a hundredth as often. `least` and
 * `most` bound every interval. If `most` shortens an interval, merges may exceed the budget until the caller's cap blocks them.
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
  // A table at its shortest interval leaves part of its budget to the other tables.
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
