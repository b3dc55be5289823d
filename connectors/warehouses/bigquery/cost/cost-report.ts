import type { CostReport } from '../../../warehouse.ts';
import { costOf } from './price.ts';

export interface ReportedPrices {
  readonly pricePerTib: number;
  readonly pricePerSlotHour: number;
  readonly mostPerDay: number | undefined;
}

type Cell = string | readonly string[] | null;

export function costReport(
  spent: readonly (readonly Cell[])[],
  waited: readonly (readonly Cell[])[],
  prices: ReportedPrices,
): CostReport {
  const { pricePerTib: perTib, pricePerSlotHour: perSlotHour } = prices;
  const lines = spent.map(([day, what, target, times, estimated, billed, slotMs]) => ({
    day: String(day),
    table: what === 'merge' ? String(target) : String(what),
    merges: what === 'merge' ? Number(times) : 0,
    estimatedBytes: Number(estimated),
    billedBytes: Number(billed),
    slotHours: Number(slotMs) / 3_600_000,
    cost: costOf({ billedBytes: Number(billed), slotMs: Number(slotMs) }, { perTib, perSlotHour }),
  }));
  const days = [...Map.groupBy(lines, ({ day }) => day)].map(([day, some]) => ({
    day,
    estimatedBytes: some.reduce((sum, one) => sum + one.estimatedBytes, 0),
    billedBytes: some.reduce((sum, one) => sum + one.billedBytes, 0),
    slotHours: some.reduce((sum, one) => sum + one.slotHours, 0),
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
