const DAY = 86_400_000;

const dayOf = (now: number): number => Math.floor(now / DAY);

/**
 * One worker's share of the daily budget (UTC). When a worker starts, the unspent budget is divided by the number of
 * workers. A worker that restarts repeatedly would get a new share each time. So a second limit applies: no worker may spend
 * more than the whole budget minus the known spending of other workers. The class is pure: the caller passes the time.
 */
export class DaySpending {
  readonly #most: number;
  readonly #workers: number;
  #day: number;
  /** Amounts that other workers had spent when this worker started, and when it last read them. */
  #before: number;
  #ofOthers: number;
  #own = 0;
  /** Sum of the estimated costs of running merges. */
  #reserved = 0;

  /** All amounts are in the bill's currency. If `mostPerDay` is undefined, there is no cap. `ofOthers` is what others have spent today. */
  constructor({ mostPerDay, workers }: { mostPerDay: number | undefined; workers: number }, ofOthers: number, now: number) {
    this.#most = mostPerDay ?? Number.POSITIVE_INFINITY;
    this.#workers = workers;
    this.#before = ofOthers;
    this.#ofOthers = ofOthers;
    this.#day = dayOf(now);
  }

  left(now: number): number {
    this.#turn(now);
    const share = (this.#most - this.#before) / this.#workers;
    const rest = this.#most - this.#ofOthers;
    return Math.max(0, Math.min(share, rest) - this.#own - this.#reserved);
  }

  /** Today's spending, including the known spending of other workers. */
  spent(now: number): number {
    this.#turn(now);
    return this.#ofOthers + this.#own;
  }

  /** Updates the amount that other workers have spent on the day of `now`. */
  hear(ofOthers: number, now: number): void {
    this.#turn(now);
    this.#ofOthers = Math.max(this.#ofOthers, ofOthers);
  }

  add(billed: number, now: number): void {
    this.#turn(now);
    this.#own += billed;
  }

  /** Reserves an estimate until `settle` reports the actual cost. */
  reserve(estimate: number, now: number): { settle(billed: number, now: number): void } {
    this.#turn(now);
    const day = this.#day;
    this.#reserved += estimate;
    return {
      settle: (billed, ended) => {
        this.#turn(ended);
        if (day === this.#day) this.#reserved -= estimate;
        // The whole cost of a merge that began yesterday counts toward today's spending.
        this.#own += billed;
      },
    };
  }

  /** Resets the budget if a new day has begun. */
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
