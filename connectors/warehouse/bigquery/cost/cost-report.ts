import type { CostReport } from '../../warehouse.ts';
import { priceOf } from './price.ts';

export interface Prices {
  readonly pricePerTib: number;
  readonly mostPerDay: number | undefined;
}

type Cell = string | readonly string[] | null;

/** The report out of what `costStatement` and `waitsStatement` give. */
export function costReport(
  spent: readonly (readonly Cell[])[],
  waited: readonly (readonly Cell[])[],
  prices: Prices,
): CostReport {
  const { pricePerTib } = prices;
  const lines = spent.map(([day, what, target, times, estimated, billed]) => ({
    day: String(day),
    table: what === 'merge' ? String(target) : String(what),
    merges: what === 'merge' ? Number(times) : 0,
    estimatedBytes: Number(estimated),
    billedBytes: Number(billed),
    cost: priceOf(Number(billed), pricePerTib),
  }));
  const days = [...Map.groupBy(lines, ({ day }) => day)].map(([day, some]) => ({
    day,
    estimatedBytes: some.reduce((sum, one) => sum + one.estimatedBytes, 0),
    billedBytes: some.reduce((sum, one) => sum + one.billedBytes, 0),
    cost: some.reduce((sum, one) => sum + one.cost, 0),
    tables: some.map(({ day: _, ...one }) => one),
  }));
  const waits = waited.map(([reason, times, milliseconds, lastAt]) => ({
    reason: String(reason),
    times: Number(times),
    seconds: Number(milliseconds) / 1000,
    lastAt: new Date(Number(lastAt)).toISOString(),
  }));
  return { ...prices, days, waits };
}
