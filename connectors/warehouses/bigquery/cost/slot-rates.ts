/** Assumed slot milliseconds per byte before the first merge: about 12 slot hours per TiB, more than merges usually take. */
const FIRST_RATE = 4e-5;

/** Weight of the newest merge in the moving average. */
const NEWEST = 0.3;

/**
 * Estimates the slot time of merges from their estimated bytes. In a reservation, slot time is billed, but a dry run returns only
 * bytes.
 */
export class SlotRates {
  readonly #rates = new Map<string, number>();
  #all: number | undefined;
  #isReserved = false;

  /** Whether the last merge was billed by slot time. */
  get isReserved(): boolean {
    return this.#isReserved;
  }

  /** Records the billed slot time of a merge; 0 if its bytes are billed. */
  observe(target: string, estimatedBytes: number, slotMs: number): void {
    this.#isReserved = slotMs > 0;
    if (slotMs <= 0 || estimatedBytes <= 0) return;
    const rate = slotMs / estimatedBytes;
    const mixed = (before: number | undefined): number => (before === undefined ? rate : before + NEWEST * (rate - before));
    this.#rates.set(target, mixed(this.#rates.get(target)));
    this.#all = mixed(this.#all);
  }

  /** Estimates the slot milliseconds of a merge. If the table has never been merged, uses the average of all tables. */
  estimate(target: string, estimatedBytes: number): number {
    return estimatedBytes * (this.#rates.get(target) ?? this.perByte);
  }

  /** Average slot milliseconds per byte over all tables. */
  get perByte(): number {
    return this.#all ?? FIRST_RATE;
  }
}
