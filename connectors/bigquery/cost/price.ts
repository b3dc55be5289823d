import type { CostReport } from '../../warehouse.ts';

export const TIB = 2 ** 40;
const HOUR_MS = 3_600_000;

/** Minimum bytes billed for each table that a statement references. */
export const LEAST_BYTES = 10 * 2 ** 20;

/** Milliseconds between two reads of other workers' spending, if the workers share a cap. */
export const HEAR_EVERY_MS = 600_000;

/** Number of batches whose merge records are deleted at a time. */
export const FORGOTTEN_AT_ONCE = 500;

/** Returns the cost of processed bytes, in the currency of the price. */
export function priceOf(bytes: number, pricePerTib: number): number {
  return (bytes / TIB) * pricePerTib;
}

/** BigQuery's prices, in the currency of the bill. */
export interface Prices {
  /** Price of a TiB of processed bytes, if bytes are billed. */
  readonly perTib: number;
  /** Price of a slot hour, in a reservation (BigQuery Editions). */
  readonly perSlotHour: number;
}

/** The billed usage of a job: either bytes or slot time, never both. */
export interface Spent {
  readonly billedBytes: number;
  readonly slotMs: number;
}

export function spentBy(job: {
  readonly processedBytes: number;
  readonly billedBytes: number;
  readonly slotMs: number;
  readonly isReserved: boolean;
}): Spent {
  const bySlots = job.billedBytes === 0 && (job.isReserved || job.processedBytes > 0);
  return { billedBytes: job.billedBytes, slotMs: bySlots ? job.slotMs : 0 };
}

export function costOf({ billedBytes, slotMs }: Spent, { perTib, perSlotHour }: Prices): number {
  return priceOf(billedBytes, perTib) + (slotMs / HOUR_MS) * perSlotHour;
}

/** Converts slot time per byte to a price per TiB, so that a daily budget also works in a reservation. */
export function perTibBySlots(slotMsPerByte: number, { perSlotHour }: Prices): number {
  return ((slotMsPerByte * TIB) / HOUR_MS) * perSlotHour;
}

/** Returns the maximum bytes billed for a statement, including the minimum for each table. */
export function mostBilled(processed: number, tables: number): number {
  return processed + tables * LEAST_BYTES;
}

/**
 * Returns the part of the daily budget that remains for reading target tables, after the cost of bookkeeping and of landing
 * tables. Each landing table that a merge references is billed at least the minimum. At least a tenth of the budget is
 * always left.
 */
export function withoutLandings(budget: number, landingsPerDay: number, bookkeepingBytes: number, pricePerTib: number): number {
  return Math.max(budget / 10, budget - priceOf(landingsPerDay * LEAST_BYTES + bookkeepingBytes, pricePerTib));
}

/**
 * Returns the bytes billed per day for bookkeeping outside merges. Reading control tables is free, but deleting rows and
 * adding up costs are not.
 */
export function bookkeepingPerDay(landings: number, workers: number, isCapped: boolean): number {
  const forgets = landings / FORGOTTEN_AT_ONCE;
  const hears = isCapped && workers > 1 ? (workers * 86_400_000) / HEAR_EVERY_MS : 0;
  // Each worker queries the spending once when it starts. Superseded positions are deleted once a day, by a statement that
  // references their table twice.
  return (forgets + hears + workers + 1) * LEAST_BYTES;
}

export function bytesFor(money: number, pricePerTib: number): number {
  return pricePerTib === 0 ? Number.POSITIVE_INFINITY : (money / pricePerTib) * TIB;
}

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
