import type { TableDeclaration } from '@aorta/schemas';
import { mergeIntervals } from '../cost/merge-interval.ts';
import { bookkeepingPerDay, withoutLandings } from '../cost/price.ts';
import type { BigQuerySettings } from '../options.ts';

export interface TablePaceOptions {
  readonly settings: Pick<BigQuerySettings, 'merge_every_s' | 'budget_per_day' | 'most_per_day' | 'workers'>;
  readonly tables: readonly TableDeclaration[];
  /** Price per TiB that merges process. It varies if jobs run in a reservation. */
  readonly pricePerTib: () => number;
  readonly landingsPerDay: () => number;
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
