import { errorFields, type Logger } from '@aorta/telemetry';
import type { Jobs } from '../client/jobs.ts';
import type { Dataset } from '../sql/index.ts';
import { type Activity, activityStatement, spentStatement } from './activity.ts';
import { DaySpending } from './day-spending.ts';
import { HEAR_EVERY_MS } from './price.ts';

export interface BooksOptions {
  readonly jobs: Jobs;
  readonly dataset: Dataset;
  /** As whom it is written down. */
  readonly worker: string;
  readonly workers: number;
  readonly mostPerDay: number | undefined;
  readonly pricePerTib: number;
  readonly now: () => number;
  readonly logger: Logger;
}

/** Lines that are kept while they cannot be written; the waits beyond are left out. */
const MOST_LINES = 1_000;
const LINES_AT_ONCE = 500;

/** What a worker does that costs, and what it waits for: kept until it is written down, many lines in one statement. */
export class Books {
  readonly #options: BooksOptions;
  #spending: DaySpending;
  #lines: Activity[] = [];
  #bookkeepingBytes = 0;
  #writing: Promise<void> | undefined;
  #heardAt = Number.NEGATIVE_INFINITY;

  constructor(options: BooksOptions) {
    this.#options = options;
    this.#spending = new DaySpending(options, 0, options.now());
  }

  /** Learns what others have spent today, as it begins. */
  async open(): Promise<void> {
    this.#spending = new DaySpending(this.#options, await this.#spentByOthers(), this.#options.now());
  }

  async #spentByOthers(): Promise<number> {
    const { jobs, dataset, worker, now } = this.#options;
    const [row] = await jobs.rows('reading the costs of the day', spentStatement(dataset, worker, now()));
    return Number(row?.[0] ?? 0);
  }

  /** Asks now and then what others have spent, where there is a cap that all of them share. */
  async hear(): Promise<void> {
    const { workers, mostPerDay, now } = this.#options;
    if (workers === 1 || mostPerDay === undefined || now() - this.#heardAt < HEAR_EVERY_MS) return;
    this.#heardAt = now();
    this.#spending.hear(await this.#spentByOthers(), now());
  }

  /** Bytes that may be billed now. */
  left(): number {
    // What was billed for bookkeeping counts before it is written down.
    return Math.max(0, this.#spending.left(this.#options.now()) - Math.max(0, this.#bookkeepingBytes));
  }

  /** Keeps an estimate back until it is known what was billed. */
  reserve(estimate: number): { settle(billed: number): void } {
    const { now } = this.#options;
    const reserved = this.#spending.reserve(estimate, now());
    return { settle: (billed) => reserved.settle(billed, now()) };
  }

  /** Bytes billed today, with those of the others as far as they are known. */
  spent(): number {
    return this.#spending.spent(this.#options.now()) + Math.max(0, this.#bookkeepingBytes);
  }

  /** A query job was billed, of whatever kind. */
  billed(bytes: number): void {
    this.#bookkeepingBytes += bytes;
  }

  /** A merge was billed. */
  merged(target: string, estimatedBytes: number, billedBytes: number): void {
    // It was counted with what all query jobs were billed for.
    this.#bookkeepingBytes -= billedBytes;
    this.#note({ what: 'merge', target, estimatedBytes, billedBytes, waitedMs: 0 });
  }

  /** Something was waited for; 0 milliseconds where it waits for somebody, or for another day. */
  waited(reason: string, waitedMs: number, target = ''): void {
    // A service that is away for hours is not written about line by line.
    if (this.#lines.length >= MOST_LINES) return;
    this.#note({ what: 'wait', target, reason, estimatedBytes: 0, billedBytes: 0, waitedMs });
  }

  #note(activity: Omit<Activity, 'at' | 'worker'>): void {
    const { now, worker } = this.#options;
    this.#lines.push({ ...activity, at: now(), worker });
  }

  /** Writes down what was done and waited for, in one statement; nothing where that is nothing. Never rejects: a line less is no harm. */
  async write(): Promise<void> {
    const { jobs, dataset, now, logger } = this.#options;
    await this.#writing;
    if (this.#bookkeepingBytes > 0) {
      const billedBytes = this.#bookkeepingBytes;
      this.#bookkeepingBytes = 0;
      this.#spending.add(billedBytes, now());
      // Its statements are small: each is reckoned with the least that a table counts for, which is what is billed.
      this.#note({ what: 'bookkeeping', target: '', estimatedBytes: billedBytes, billedBytes, waitedMs: 0 });
    }
    const lines = this.#lines.splice(0, LINES_AT_ONCE);
    if (lines.length === 0) return;
    this.#writing = jobs.bookkeep('writing down what was done', activityStatement(dataset, lines)).catch((error: unknown) => {
      logger.warn('what was done could not be written down', errorFields(error));
    });
    await this.#writing;
  }
}
