/** Slot time for a byte before any was observed: about 12 slot hours for a TiB, which is more than merges usually take. */
const FIRST_RATE = 4e-5;

/** What the newest merge counts for beside those before it. */
const NEWEST = 0.3;

/**
 * Slot time that merges take for each byte that they were estimated at. In a reservation (BigQuery Editions) no bytes are
 * billed and slot time is paid for; a dry run tells only the bytes. Pure.
 */
export class SlotRates {
  /** Milliseconds for a byte, by table. */
  readonly #rates = new Map<string, number>();
  #all: number | undefined;
  #isReserved = false;

  /** Whether slot time is paid for, as far as the last merge tells. */
  get isReserved(): boolean {
    return this.#isReserved;
  }

  /** A merge took so much slot time that is paid for; 0: its bytes are billed. */
  observe(target: string, estimatedBytes: number, slotMs: number): void {
    this.#isReserved = slotMs > 0;
    if (slotMs <= 0 || estimatedBytes <= 0) return;
    const rate = slotMs / estimatedBytes;
    const mixed = (before: number | undefined): number => (before === undefined ? rate : before + NEWEST * (rate - before));
    this.#rates.set(target, mixed(this.#rates.get(target)));
    this.#all = mixed(this.#all);
  }

  /** Milliseconds of a slot that a merge into a table is likely to take; of a table that was not merged yet, by the others. */
  estimate(target: string, estimatedBytes: number): number {
    return estimatedBytes * (this.#rates.get(target) ?? this.perByte);
  }

  /** Milliseconds for a byte, of all tables. */
  get perByte(): number {
    return this.#all ?? FIRST_RATE;
  }
}
