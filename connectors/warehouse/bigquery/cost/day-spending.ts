import { bytesFor } from './price.ts';

const DAY = 86_400_000;

const dayOf = (now: number): number => Math.floor(now / DAY);

/**
 * What a worker may spend in a day (UTC), and has spent. What others had spent when this one began counts for all of them
 * alike: the rest of the day is shared out. Pure: whoever asks brings the time.
 */
export class DaySpending {
  readonly #mostBytes: number;
  readonly #workers: number;
  #day: number;
  #ofAll: number;
  #own = 0;
  /** Estimates of what runs now. */
  #reserved = 0;

  /** `mostPerDay` in the currency of the price; undefined: no cap. `ofAll` is what all workers have been billed for today. */
  constructor(
    { mostPerDay, pricePerTib, workers }: { mostPerDay: number | undefined; pricePerTib: number; workers: number },
    ofAll: number,
    now: number,
  ) {
    this.#mostBytes = mostPerDay === undefined ? Number.POSITIVE_INFINITY : bytesFor(mostPerDay, pricePerTib);
    this.#workers = workers;
    this.#ofAll = ofAll;
    this.#day = dayOf(now);
  }

  /** Bytes that may still be billed today. */
  left(now: number): number {
    this.#turn(now);
    return Math.max(0, (this.#mostBytes - this.#ofAll) / this.#workers - this.#own - this.#reserved);
  }

  /** Bytes billed today, with those of the others as far as they are known. */
  spent(now: number): number {
    this.#turn(now);
    return this.#ofAll + this.#own;
  }

  /** Keeps an estimate back until it is known what was billed: `settle` says it. */
  reserve(estimate: number, now: number): { settle(billed: number, now: number): void } {
    this.#turn(now);
    const day = this.#day;
    this.#reserved += estimate;
    return {
      settle: (billed, ended) => {
        this.#turn(ended);
        if (day === this.#day) this.#reserved -= estimate;
        // What began yesterday is billed when it ends.
        this.#own += billed;
      },
    };
  }

  /** A new day begins. */
  #turn(now: number): void {
    const day = dayOf(now);
    if (day <= this.#day) return;
    this.#day = day;
    this.#ofAll = 0;
    this.#own = 0;
    this.#reserved = 0;
  }
}
