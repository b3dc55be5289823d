import type { TableDeclaration } from '@aorta/schemas';
import { bookkeepingPerDay, LEAST_BYTES, mostBilled, priceOf, withoutLandings } from '../cost/price.ts';
import type { BigQuerySettings } from '../options.ts';

export interface TablePaceOptions {
  readonly settings: Pick<BigQuerySettings, 'merge_every_s' | 'budget_per_day' | 'most_per_day' | 'workers'>;
  readonly tables: readonly TableDeclaration[];
  /** Price per TiB that merges process. It varies if jobs run in a reservation. */
  readonly pricePerTib: () => number;
  readonly landingsPerDay: () => number;
}

const DAY_S = 86_400;

/** An unpartitioned table. Every merge reads all of it, regardless of clustering. */
interface MergedTable {
  readonly name: string;
  readonly bytes: number;
  /** Number of landing and control tables that each merge references besides this table. */
  readonly others?: number;
}

export function mergeBytes({ bytes, others = 7 }: Omit<MergedTable, 'name'>): number {
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

/** Decides how often tables are merged: at the configured interval, or less often for large tables that each merge reads completely. */
export class TablePace {
  readonly #options: TablePaceOptions;
  readonly #bytes = new Map<string, number>();

  constructor(options: TablePaceOptions) {
    this.#options = options;
  }

  weigh(table: string, bytes: number): void {
    this.#bytes.set(table, bytes);
  }

  weights(): ReadonlyMap<string, number> {
    return this.#bytes;
  }

  everyMs(target: TableDeclaration): number {
    return Math.max(this.#options.settings.merge_every_s * 1000, this.#budgeted(target));
  }

  /** Interval that keeps all merges of unpartitioned tables within the budget. */
  #budgeted({ name, partition }: TableDeclaration): number {
    const { settings, tables, landingsPerDay, pricePerTib } = this.#options;
    const { budget_per_day: budget, most_per_day, workers } = settings;
    if (partition !== undefined || budget === undefined) return 0;
    const price = pricePerTib();
    const whole = tables.filter((table) => table.partition === undefined);
    const weighed = whole.map((table) => ({ name: table.name, bytes: this.#bytes.get(table.name) ?? 0 }));
    const landings = landingsPerDay() * workers;
    const left = withoutLandings(budget, landings, bookkeepingPerDay(landings, workers, most_per_day !== undefined), price);
    return (mergeIntervals(left, weighed, price).get(name) ?? 0) * 1000;
  }
}
