export const TIB = 2 ** 40;

/** What processed bytes cost, in the currency of the price. */
export function priceOf(bytes: number, pricePerTib: number): number {
  return (bytes / TIB) * pricePerTib;
}

/** Bytes that an amount of money pays for. */
export function bytesFor(money: number, pricePerTib: number): number {
  return pricePerTib === 0 ? Number.POSITIVE_INFINITY : (money / pricePerTib) * TIB;
}
