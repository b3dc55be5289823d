import { errorFields, type Logger } from '@aorta/runtime';
import type { JobState } from '../client/client.ts';
import type { JobRunner } from '../client/jobs.ts';
import type { Dataset } from '../sql/index.ts';
import { type Activity, activityStatement, spentStatement } from './activity.ts';
import { DaySpending } from './day-spending.ts';
import { bytesFor, costOf, HEAR_EVERY_MS, type Prices, perTibBySlots, priceOf, type Spent, spentBy } from './price.ts';
import { SlotRates } from './slot-rates.ts';

export interface BooksOptions {
  readonly jobs: JobRunner;
  readonly dataset: Dataset;
  /** Name of this worker in the stored activities. */
  readonly worker: string;
  readonly workers: number;
  readonly mostPerDay: number | undefined;
  readonly prices: Prices;
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

/** Costs of one table, read from the stored activities: what other workers spent today, and the slot time of recent merges. */
interface ReadSpending extends Spent {
  readonly target: string;
  readonly estimatedBytes: number;
  readonly took: number;
}

const sumOf = (all: readonly Spent[]): Spent => all.reduce((sum, one) => added(sum, one, 1), NOTHING);

/** Records what a worker spends and what it waits for. One statement stores many records. */
export class SpendingLog {
  readonly #options: BooksOptions;
  readonly #rates = new SlotRates();
  #spending: DaySpending;
  /** Bytes billed today. Used only as a metric, so there is no cap. */
  #bytes: DaySpending;
  #hasSlotTime = true;
  #lines: Activity[] = [];
  /** Bookkeeping usage that is not stored yet: the bytes and slot time of all statements except merges. */
  #bookkeeping: Spent = NOTHING;
  #writing: Promise<void> | undefined;
  #heardAt = Number.NEGATIVE_INFINITY;

  constructor(options: BooksOptions) {
    this.#options = options;
    this.#spending = new DaySpending(options, 0, options.now());
    this.#bytes = new DaySpending(UNCAPPED, 0, options.now());
  }

  /** Reads what other workers have spent today. `hasSlotTime` says whether the activity table has a column for slot time. */
  async open(hasSlotTime: boolean): Promise<void> {
    this.#hasSlotTime = hasSlotTime;
    const rows = await this.#read();
    const { prices, now } = this.#options;
    const spent = sumOf(rows);
    this.#spending = new DaySpending(this.#options, costOf(spent, prices), now());
    this.#bytes = new DaySpending(UNCAPPED, spent.billedBytes, now());
    for (const { target, estimatedBytes, took } of rows) if (took > 0) this.#rates.observe(target, estimatedBytes, took);
  }

  async #read(): Promise<readonly ReadSpending[]> {
    const { jobs, dataset, worker, now } = this.#options;
    const sql = spentStatement(dataset, worker, now(), this.#hasSlotTime);
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
    const { workers, mostPerDay, prices, now } = this.#options;
    if (workers === 1 || mostPerDay === undefined || now() - this.#heardAt < HEAR_EVERY_MS) return;
    this.#heardAt = now();
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
    this.#writing = jobs
      .bookkeep('storing activities', activityStatement(dataset, lines, this.#hasSlotTime))
      .catch((error: unknown) => {
        logger.warn('cannot store activities', errorFields(error));
      });
    await this.#writing;
  }
}
