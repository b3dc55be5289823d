import { bytesFor } from './price.ts';

const DAY = 86_400_000;

const dayOf = (now: number): number => Math.floor(now / DAY);

/**
 * What a worker may spend in a day (UTC), and has spent. What others had spent when this one began counts for all of them
 * alike: the rest of the day is shared out. A worker that is started again and again would have a share of the rest every
 * time; so nobody spends more than all of them have left, as far as it is known. Pure: whoever asks brings the time.
 */
export class DaySpending {
  readonly #mostBytes: number;
  readonly #workers: number;
  #day: number;
  /** Of others: as this one began, and as was heard of last. */
  #before: number;
  #ofOthers: number;
  #own = 0;
  /** Estimates of what runs now. */
  #reserved = 0;

  /** `mostPerDay` in the currency of the price; undefined: no cap. `ofOthers` is what other workers have been billed for today. */
  constructor(
    { mostPerDay, pricePerTib, workers }: { mostPerDay: number | undefined; pricePerTib: number; workers: number },
    ofOthers: number,
    now: number,
  ) {
    this.#mostBytes = mostPerDay === undefined ? Number.POSITIVE_INFINITY : bytesFor(mostPerDay, pricePerTib);
    this.#workers = workers;
    this.#before = ofOthers;
    this.#ofOthers = ofOthers;
    this.#day = dayOf(now);
  }

  /** Bytes that may still be billed today. */
  left(now: number): number {
    this.#turn(now);
    const share = (this.#mostBytes - this.#before) / this.#workers;
    const rest = this.#mostBytes - this.#ofOthers;
    return Math.max(0, Math.min(share, rest) - this.#own - this.#reserved);
  }

  /** Bytes billed today, with those of the others as far as they are known. */
  spent(now: number): number {
    this.#turn(now);
    return this.#ofOthers + this.#own;
  }

  /** Hears what others have been billed for on the day of `now`. */
  hear(ofOthers: number, now: number): void {
    this.#turn(now);
    this.#ofOthers = Math.max(this.#ofOthers, ofOthers);
  }

  /** Something was billed that nobody had asked for beforehand. */
  add(billed: number, now: number): void {
    this.#turn(now);
    this.#own += billed;
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
    this.#before = 0;
    this.#ofOthers = 0;
    this.#own = 0;
    this.#reserved = 0;
  }
}
