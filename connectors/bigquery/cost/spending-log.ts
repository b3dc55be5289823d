import { errorFields, type Logger } from '@aorta/runtime';
import type { JobState } from '../client/client.ts';
import type { JobRunner } from '../client/jobs.ts';
import type { Dataset } from '../sql/types.ts';
import { type Activity, activityStatement, spentStatement } from './activity.ts';
import { bytesFor, costOf, HEAR_EVERY_MS, type Prices, perTibBySlots, priceOf, type Spent, spentBy } from './price.ts';

/** Assumed slot milliseconds per byte before the first merge: about 12 slot hours per TiB, more than merges usually take. */
const FIRST_RATE = 4e-5;

/** Weight of the newest merge in the moving average. */
const NEWEST = 0.3;

const DAY = 86_400_000;

export interface SpendingLogOptions {
  readonly jobs: JobRunner;
  readonly dataset: Dataset;
  /** Name of this worker in the stored activities. */
  readonly worker: string;
  readonly workers: number;
  readonly mostPerDay: number | undefined;
  readonly prices: Prices;
  /** Returns the time of day, by the system clock in milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** Maximum number of activities kept in memory while they cannot be stored. Beyond this number, waits are dropped. */
const MOST_LINES = 1_000;
const LINES_AT_ONCE = 500;

const NOTHING: Spent = { billedBytes: 0, slotMs: 0 };
const UNCAPPED = { mostPerDay: undefined, workers: 1 };

const added = (a: Spent, b: Spent, sign: 1 | -1): Spent => ({
  billedBytes: Math.max(0, a.billedBytes + sign * b.billedBytes),
  slotMs: Math.max(0, a.slotMs + sign * b.slotMs),
});

const sumOf = (all: readonly Spent[]): Spent => all.reduce((sum, one) => added(sum, one, 1), NOTHING);

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
  /**
   * `#before` is the amount that other workers had spent when this worker started; `#ofOthers` is the amount that it last
   * read.
   */
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

  /**
   * Starts a new budget when the day changes. If the clock was set back to the day before, keeps the current budget, because
   * the budget of that day is already spent. If the clock was set back further, the recorded day was wrong, and a new budget
   * starts.
   */
  #turn(now: number): void {
    const day = dayOf(now);
    if (day === this.#day || day === this.#day - 1) return;
    this.#day = day;
    this.#before = 0;
    this.#ofOthers = 0;
    this.#own = 0;
    this.#reserved = 0;
  }
}

/** Costs of one table, read from the stored activities: what other workers spent today, and the slot time of recent merges. */
interface ReadSpending extends Spent {
  readonly target: string;
  readonly estimatedBytes: number;
  readonly took: number;
}

/** Records what a worker spends and what it waits for. One statement stores many records. */
export class SpendingLog {
  readonly #options: SpendingLogOptions;
  readonly #rates = new SlotRates();
  #spending: DaySpending;
  /** Bytes billed today. Used only as a metric, so there is no cap. */
  #bytes: DaySpending;
  #lines: Activity[] = [];
  /** Bookkeeping usage that is not stored yet: the bytes and slot time of all statements except merges. */
  #bookkeeping: Spent = NOTHING;
  #writing: Promise<void> | undefined;
  #heardAt = Number.NEGATIVE_INFINITY;

  constructor(options: SpendingLogOptions) {
    this.#options = options;
    this.#spending = new DaySpending(options, 0, options.now());
    this.#bytes = new DaySpending(UNCAPPED, 0, options.now());
  }

  /** Reads what other workers have spent today. */
  async open(): Promise<void> {
    const rows = await this.#read();
    const { prices, now } = this.#options;
    const spent = sumOf(rows);
    this.#spending = new DaySpending(this.#options, costOf(spent, prices), now());
    this.#bytes = new DaySpending(UNCAPPED, spent.billedBytes, now());
    for (const { target, estimatedBytes, took } of rows) if (took > 0) this.#rates.observe(target, estimatedBytes, took);
  }

  async #read(): Promise<readonly ReadSpending[]> {
    const { jobs, dataset, worker, now } = this.#options;
    const sql = spentStatement(dataset, worker, now());
    return (await jobs.rows('reading the costs of the day', sql)).map(([target, billed, slots, estimated, took]) => ({
      target: String(target),
      billedBytes: Number(billed),
      slotMs: Number(slots),
      estimatedBytes: Number(estimated),
      took: Number(took),
    }));
  }

  /** Reads what other workers have spent, at most once per {@link HEAR_EVERY_MS}. Does nothing if the workers share no cap. */
  async hear(): Promise<void> {
    const { jobs, workers, mostPerDay, prices, now } = this.#options;
    if (workers === 1 || mostPerDay === undefined || jobs.now() - this.#heardAt < HEAR_EVERY_MS) return;
    this.#heardAt = jobs.now();
    this.#spending.hear(costOf(sumOf(await this.#read()), prices), now());
  }

  /** Estimates the cost of a merge from its bytes, or in a reservation from the slot time of earlier merges. */
  estimate(target: string, bytes: number): number {
    const { prices } = this.#options;
    if (!this.#rates.isReserved) return priceOf(bytes, prices.perTib);
    return costOf({ billedBytes: 0, slotMs: this.#rates.estimate(target, bytes) }, prices);
  }

  left(): number {
    // Bookkeeping counts even before it is stored.
    return Math.max(0, this.#spending.left(this.#options.now()) - costOf(this.#bookkeeping, this.#options.prices));
  }

  /** Maximum bytes that may be billed for a merge beyond its estimate; undefined if unlimited. In a reservation, no bytes are billed. */
  mostBytesBeyond(): number | undefined {
    const left = this.left();
    if (!Number.isFinite(left) || this.#rates.isReserved) return undefined;
    const bytes = bytesFor(left, this.#options.prices.perTib);
    return Number.isFinite(bytes) ? bytes : undefined;
  }

  costOf(job: JobState): number {
    return costOf(spentBy(job), this.#options.prices);
  }

  /** Reserves an estimate until the actual cost is known. */
  reserve(estimate: number): { settle(spent: number): void } {
    const { now } = this.#options;
    const reserved = this.#spending.reserve(estimate, now());
    return { settle: (spent) => reserved.settle(spent, now()) };
  }

  /** Today's spending, including the known spending of other workers. */
  spent(): { readonly bytes: number; readonly cost: number } {
    const { prices, now } = this.#options;
    return {
      bytes: this.#bytes.spent(now()) + this.#bookkeeping.billedBytes,
      cost: this.#spending.spent(now()) + costOf(this.#bookkeeping, prices),
    };
  }

  /** Price of one TiB processed by merges. */
  pricePerTib(): number {
    const { prices } = this.#options;
    return this.#rates.isReserved ? perTibBySlots(this.#rates.perByte, prices) : prices.perTib;
  }

  billed(job: JobState): void {
    this.#bookkeeping = added(this.#bookkeeping, spentBy(job), 1);
  }

  merged(target: string, estimatedBytes: number, job: JobState): void {
    const spent = spentBy(job);
    // `billed` has already counted the job as bookkeeping.
    this.#bookkeeping = added(this.#bookkeeping, spent, -1);
    this.#bytes.add(spent.billedBytes, this.#options.now());
    this.#rates.observe(target, estimatedBytes, spent.slotMs);
    this.#note({ what: 'merge', target, estimatedBytes, ...spent, waitedMs: 0 });
  }

  /** Records a wait. `waitedMs` is 0 if a merge is blocked until the operator acts or the next day begins. */
  waited(reason: string, waitedMs: number, target = ''): void {
    // Limits the number of rows during a long outage.
    if (this.#lines.length >= MOST_LINES) return;
    this.#note({ what: 'wait', target, reason, estimatedBytes: 0, ...NOTHING, waitedMs });
  }

  #note(activity: Omit<Activity, 'at' | 'worker'>): void {
    const { now, worker } = this.#options;
    this.#lines.push({ ...activity, at: now(), worker });
  }

  /** Stores the recorded activities in one statement. Never rejects, because a lost row does no harm. */
  async write(): Promise<void> {
    const { jobs, dataset, now, logger } = this.#options;
    await this.#writing;
    const spent = this.#bookkeeping;
    if (spent.billedBytes > 0 || spent.slotMs > 0) {
      this.#bookkeeping = NOTHING;
      this.#spending.add(costOf(spent, this.#options.prices), now());
      this.#bytes.add(spent.billedBytes, now());
      // Bookkeeping statements are small, so the estimate equals what is billed.
      this.#note({ what: 'bookkeeping', target: '', estimatedBytes: spent.billedBytes, ...spent, waitedMs: 0 });
    }
    const lines = this.#lines.splice(0, LINES_AT_ONCE);
    if (lines.length === 0) return;
    this.#writing = jobs.bookkeep('storing activities', activityStatement(dataset, lines)).catch((error: unknown) => {
      logger.warn('cannot store activities', errorFields(error));
    });
    await this.#writing;
  }
}
