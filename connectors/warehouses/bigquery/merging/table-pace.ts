import type { TableDeclaration } from '@aorta/schemas';
import { mergeIntervals } from '../cost/merge-interval.ts';
import { bookkeepingPerDay, withoutLandings } from '../cost/price.ts';
import type { BigQuerySettings } from '../options.ts';

export interface TablePaceOptions {
  readonly settings: Pick<BigQuerySettings, 'merge_every_s' | 'budget_per_day' | 'most_per_day' | 'workers'>;
  readonly tables: readonly TableDeclaration[];
  /** What a TiB costs that merges process: in a reservation that changes. */
  readonly pricePerTib: () => number;
  /** Load jobs of this worker in a day. */
  readonly landingsPerDay: () => number;
}

/** How often tables are merged: as configured, and those that every merge reads whole less often as they grow. */
export class TablePace {
  readonly #options: TablePaceOptions;
  readonly #bytes = new Map<string, number>();

  constructor(options: TablePaceOptions) {
    this.#options = options;
  }

  /** Hears what a table weighs. */
  weigh(table: string, bytes: number): void {
    this.#bytes.set(table, bytes);
  }

  /** What every table weighed when it was last seen. */
  weights(): ReadonlyMap<string, number> {
    return this.#bytes;
  }

  /** Milliseconds from one merge of a table to the next. */
  everyMs(target: TableDeclaration): number {
    return Math.max(this.#options.settings.merge_every_s * 1000, this.#budgeted(target));
  }

  /** Of a table that every merge reads whole, so that all of them keep to the budget. */
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
