export const TIB = 2 ** 40;

/** What processed bytes cost, in the currency of the price. */
export function priceOf(bytes: number, pricePerTib: number): number {
  return (bytes / TIB) * pricePerTib;
}

/** The service counts at least so much for each table that a statement names. */
export const LEAST_BYTES = 10 * 2 ** 20;

/** What a statement may be billed for that processes so many bytes of so many tables: each of them counts for something. */
export function mostBilled(processed: number, tables: number): number {
  return processed + tables * LEAST_BYTES;
}

/**
 * What is left of a day's budget for reading the tables themselves: every landing table is named by the merge of its own
 * table, however seldom that comes, and small as it is it counts for something. A tenth is always left.
 */
export function withoutLandings(budget: number, landingsPerDay: number, pricePerTib: number): number {
  return Math.max(budget / 10, budget - priceOf(landingsPerDay * LEAST_BYTES, pricePerTib));
}

/** Bytes that an amount of money pays for. */
export function bytesFor(money: number, pricePerTib: number): number {
  return pricePerTib === 0 ? Number.POSITIVE_INFINITY : (money / pricePerTib) * TIB;
}
