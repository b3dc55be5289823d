const DAY = 86_400_000;

const dayOf = (now: number): number => Math.floor(now / DAY);

/**
 * What a worker may spend in a day (UTC), and has spent. What others had spent when this one began counts for all of them
 * alike: the rest of the day is shared out. A worker that is started again and again would have a share of the rest every
 * time; so nobody spends more than all of them have left, as far as it is known. Pure: whoever asks brings the time.
 */
export class DaySpending {
  readonly #most: number;
  readonly #workers: number;
  #day: number;
  /** Of others: as this one began, and as was heard of last. */
  #before: number;
  #ofOthers: number;
  #own = 0;
  /** Estimates of what runs now. */
  #reserved = 0;

  /** `mostPerDay` and all amounts are money; undefined: no cap. `ofOthers` is what other workers have spent today. */
  constructor({ mostPerDay, workers }: { mostPerDay: number | undefined; workers: number }, ofOthers: number, now: number) {
    this.#most = mostPerDay ?? Number.POSITIVE_INFINITY;
    this.#workers = workers;
    this.#before = ofOthers;
    this.#ofOthers = ofOthers;
    this.#day = dayOf(now);
  }

  /** What may still be spent today. */
  left(now: number): number {
    this.#turn(now);
    const share = (this.#most - this.#before) / this.#workers;
    const rest = this.#most - this.#ofOthers;
    return Math.max(0, Math.min(share, rest) - this.#own - this.#reserved);
  }

  /** What was spent today, by the others too as far as it is known. */
  spent(now: number): number {
    this.#turn(now);
    return this.#ofOthers + this.#own;
  }

  /** Hears what others have spent on the day of `now`. */
  hear(ofOthers: number, now: number): void {
    this.#turn(now);
    this.#ofOthers = Math.max(this.#ofOthers, ofOthers);
  }

  /** Something was spent that nobody had asked for beforehand. */
  add(billed: number, now: number): void {
    this.#turn(now);
    this.#own += billed;
  }

  /** Keeps an estimate back until it is known what was spent: `settle` says it. */
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
