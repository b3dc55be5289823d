export const TIB = 2 ** 40;

/** What processed bytes cost, in the currency of the price. */
export function priceOf(bytes: number, pricePerTib: number): number {
  return (bytes / TIB) * pricePerTib;
}

/** What the service is paid for, in the currency of the bill. */
export interface Prices {
  /** A TiB of processed bytes, where these are billed. */
  readonly perTib: number;
  /** An hour of a slot, in a reservation (BigQuery Editions). */
  readonly perSlotHour: number;
}

/** What is paid for: bytes or slot time, never both of one job. */
export interface Spent {
  readonly billedBytes: number;
  readonly slotMs: number;
}

/** What is paid for a finished query job. */
export function spentBy(job: {
  readonly processedBytes: number;
  readonly billedBytes: number;
  readonly slotMs: number;
  readonly isReserved: boolean;
}): Spent {
  const bySlots = job.billedBytes === 0 && (job.isReserved || job.processedBytes > 0);
  return { billedBytes: job.billedBytes, slotMs: bySlots ? job.slotMs : 0 };
}

const HOUR_MS = 3_600_000;

export function costOf({ billedBytes, slotMs }: Spent, { perTib, perSlotHour }: Prices): number {
  return priceOf(billedBytes, perTib) + (slotMs / HOUR_MS) * perSlotHour;
}

/** What a TiB costs that takes so much slot time for each byte: so a budget of a day is kept to in a reservation, too. */
export function perTibBySlots(slotMsPerByte: number, { perSlotHour }: Prices): number {
  return ((slotMsPerByte * TIB) / HOUR_MS) * perSlotHour;
}

/** The service counts at least so much for each table that a statement names. */
export const LEAST_BYTES = 10 * 2 ** 20;

/** What a statement may be billed for that processes so many bytes of so many tables: each of them counts for something. */
export function mostBilled(processed: number, tables: number): number {
  return processed + tables * LEAST_BYTES;
}

/**
 * What is left of a day's budget for reading the tables themselves, when bookkeeping is paid. Every landing table is named by the merge of its own
 * table, however seldom that comes, and small as it is it counts for something. A tenth is always left.
 */
export function withoutLandings(budget: number, landingsPerDay: number, bookkeepingBytes: number, pricePerTib: number): number {
  return Math.max(budget / 10, budget - priceOf(landingsPerDay * LEAST_BYTES + bookkeepingBytes, pricePerTib));
}

/** How often a worker asks what the others have spent, where there is a cap that all of them share. */
export const HEAR_EVERY_MS = 600_000;

/** Records of merged batches are deleted when so many batches are gone. */
export const FORGOTTEN_AT_ONCE = 500;

/** What bookkeeping beside merges is billed for in a day: reading control tables is free, deleting from them and asking for sums is not. */
export function bookkeepingPerDay(landings: number, workers: number, isCapped: boolean): number {
  const forgets = landings / FORGOTTEN_AT_ONCE;
  const hears = isCapped && workers > 1 ? (workers * 86_400_000) / HEAR_EVERY_MS : 0;
  // Each worker asks once as it begins. Needless positions are deleted once, by a statement that names them twice.
  return (forgets + hears + workers + 1) * LEAST_BYTES;
}

/** Bytes that an amount of money pays for. */
export function bytesFor(money: number, pricePerTib: number): number {
  return pricePerTib === 0 ? Number.POSITIVE_INFINITY : (money / pricePerTib) * TIB;
}
