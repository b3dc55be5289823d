import { errorFields, type Logger } from '@aorta/runtime';
import type { JobState } from '../client/client.ts';
import type { Jobs } from '../client/jobs.ts';
import type { Dataset } from '../sql/index.ts';
import { type Activity, activityStatement, spentStatement } from './activity.ts';
import { DaySpending } from './day-spending.ts';
import { bytesFor, costOf, HEAR_EVERY_MS, type Prices, perTibBySlots, priceOf, type Spent, spentBy } from './price.ts';
import { SlotRates } from './slot-rates.ts';

export interface BooksOptions {
  readonly jobs: Jobs;
  readonly dataset: Dataset;
  /** As whom it is written down. */
  readonly worker: string;
  readonly workers: number;
  readonly mostPerDay: number | undefined;
  readonly prices: Prices;
  readonly now: () => number;
  readonly logger: Logger;
}

/** Lines that are kept while they cannot be written; the waits beyond are left out. */
const MOST_LINES = 1_000;
const LINES_AT_ONCE = 500;

const NOTHING: Spent = { billedBytes: 0, slotMs: 0 };
const UNCAPPED = { mostPerDay: undefined, workers: 1 };

const added = (a: Spent, b: Spent, sign: 1 | -1): Spent => ({
  billedBytes: Math.max(0, a.billedBytes + sign * b.billedBytes),
  slotMs: Math.max(0, a.slotMs + sign * b.slotMs),
});

/** What was read of a table's costs: of other workers today, and what its merges took in the last days. */
interface ReadSpending extends Spent {
  readonly target: string;
  readonly estimatedBytes: number;
  readonly took: number;
}

const sumOf = (all: readonly Spent[]): Spent => all.reduce((sum, one) => added(sum, one, 1), NOTHING);

/** What a worker does that costs, and what it waits for: kept until it is written down, many lines in one statement. */
export class Books {
  readonly #options: BooksOptions;
  readonly #rates = new SlotRates();
  #spending: DaySpending;
  /** Bytes billed today: a metric, which no cap is about. */
  #bytes: DaySpending;
  #hasSlotTime = true;
  #lines: Activity[] = [];
  /** Of statements that are no merges, and not written down yet. */
  #bookkeeping: Spent = NOTHING;
  #writing: Promise<void> | undefined;
  #heardAt = Number.NEGATIVE_INFINITY;

  constructor(options: BooksOptions) {
    this.#options = options;
    this.#spending = new DaySpending(options, 0, options.now());
    this.#bytes = new DaySpending(UNCAPPED, 0, options.now());
  }

  /** Learns what others have spent today, as it begins. `hasSlotTime`: the record has a column for that. */
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

  /** Asks now and then what others have spent, where there is a cap that all of them share. */
  async hear(): Promise<void> {
    const { workers, mostPerDay, prices, now } = this.#options;
    if (workers === 1 || mostPerDay === undefined || now() - this.#heardAt < HEAR_EVERY_MS) return;
    this.#heardAt = now();
    this.#spending.hear(costOf(sumOf(await this.#read()), prices), now());
  }

  /** What a merge of so many bytes is likely to cost: by them, or in a reservation by the slot time that merges took before. */
  estimate(target: string, bytes: number): number {
    const { prices } = this.#options;
    if (!this.#rates.isReserved) return priceOf(bytes, prices.perTib);
    return costOf({ billedBytes: 0, slotMs: this.#rates.estimate(target, bytes) }, prices);
  }

  /** What may be spent now. */
  left(): number {
    // What bookkeeping cost counts before it is written down.
    return Math.max(0, this.#spending.left(this.#options.now()) - costOf(this.#bookkeeping, this.#options.prices));
  }

  /** Bytes that a merge may be billed for beyond its estimate; undefined: as many as it takes. In a reservation none are billed. */
  mostBytesBeyond(): number | undefined {
    const left = this.left();
    if (!Number.isFinite(left) || this.#rates.isReserved) return undefined;
    const bytes = bytesFor(left, this.#options.prices.perTib);
    return Number.isFinite(bytes) ? bytes : undefined;
  }

  /** What a finished job cost. */
  costOf(job: JobState): number {
    return costOf(spentBy(job), this.#options.prices);
  }

  /** Keeps an estimate back until it is known what was spent. */
  reserve(estimate: number): { settle(spent: number): void } {
    const { now } = this.#options;
    const reserved = this.#spending.reserve(estimate, now());
    return { settle: (spent) => reserved.settle(spent, now()) };
  }

  /** What was spent today, by the others too as far as it is known. */
  spent(): { readonly bytes: number; readonly cost: number } {
    const { prices, now } = this.#options;
    return {
      bytes: this.#bytes.spent(now()) + this.#bookkeeping.billedBytes,
      cost: this.#spending.spent(now()) + costOf(this.#bookkeeping, prices),
    };
  }

  /** What a TiB costs that merges process. */
  pricePerTib(): number {
    const { prices } = this.#options;
    return this.#rates.isReserved ? perTibBySlots(this.#rates.perByte, prices) : prices.perTib;
  }

  /** A query job has ended, of whatever kind. */
  billed(job: JobState): void {
    this.#bookkeeping = added(this.#bookkeeping, spentBy(job), 1);
  }

  /** A merge has ended. */
  merged(target: string, estimatedBytes: number, job: JobState): void {
    const spent = spentBy(job);
    // It was counted with all query jobs.
    this.#bookkeeping = added(this.#bookkeeping, spent, -1);
    this.#bytes.add(spent.billedBytes, this.#options.now());
    this.#rates.observe(target, estimatedBytes, spent.slotMs);
    this.#note({ what: 'merge', target, estimatedBytes, ...spent, waitedMs: 0 });
  }

  /** Something was waited for; 0 milliseconds where it waits for somebody, or for another day. */
  waited(reason: string, waitedMs: number, target = ''): void {
    // A service that is away for hours is not written about line by line.
    if (this.#lines.length >= MOST_LINES) return;
    this.#note({ what: 'wait', target, reason, estimatedBytes: 0, ...NOTHING, waitedMs });
  }

  #note(activity: Omit<Activity, 'at' | 'worker'>): void {
    const { now, worker } = this.#options;
    this.#lines.push({ ...activity, at: now(), worker });
  }

  /** Writes down what was done and waited for, in one statement; nothing where that is nothing. Never rejects: a line less is no harm. */
  async write(): Promise<void> {
    const { jobs, dataset, now, logger } = this.#options;
    await this.#writing;
    const spent = this.#bookkeeping;
    if (spent.billedBytes > 0 || spent.slotMs > 0) {
      this.#bookkeeping = NOTHING;
      this.#spending.add(costOf(spent, this.#options.prices), now());
      this.#bytes.add(spent.billedBytes, now());
      // Its statements are small: each is reckoned with the least that a table counts for, which is what is billed.
      this.#note({ what: 'bookkeeping', target: '', estimatedBytes: spent.billedBytes, ...spent, waitedMs: 0 });
    }
    const lines = this.#lines.splice(0, LINES_AT_ONCE);
    if (lines.length === 0) return;
    this.#writing = jobs
      .bookkeep('writing down what was done', activityStatement(dataset, lines, this.#hasSlotTime))
      .catch((error: unknown) => {
        logger.warn('what was done could not be written down', errorFields(error));
      });
    await this.#writing;
  }
}
