import type { ReadableLog, Warehouse } from '@aorta/connectors';
import {
  type Logger,
  type Metrics,
  Progress,
  type ProgressReports,
  type StepObserver,
  silentLogger,
  silentMetrics,
  unobserved,
} from '@aorta/runtime';
import { watchBacklog } from './backlog-gauges.ts';
import { Landing, type LandingRound } from './landing.ts';
import type { LoadingMetrics } from './metrics.ts';
import { LoadedPartitions } from './partitions.ts';
import { Pause } from './pause.ts';
import { Stopped } from './stopped.ts';
import { Tables } from './tables.ts';
import type { Upcoming } from './upcoming.ts';

export interface LoaderOptions {
  readonly log: ReadableLog;
  readonly warehouse: Warehouse;
  readonly logger?: Logger;
  readonly metrics?: Metrics<LoadingMetrics>;
  /** Hears how far each stream is carried, and what is waited for. */
  readonly progress?: ProgressReports;
  readonly onStep?: StepObserver;
  /** Records and encoded bytes of one landed batch at most. */
  readonly batch?: { readonly records: number; readonly bytes: number };
  /** Encoded records that the loader may be behind before {@link Loader.ready} makes a consumer wait. */
  readonly backlog?: number;
}

/** The loader: lands what the streams hold, merges it into the tables and publishes them. */
export interface Loader {
  /** Resolves with the error when the loader has failed, and never otherwise. No caller has to wait for it. */
  readonly failed: Promise<unknown>;
  /** Tells the loader that the streams have grown. */
  wake(): void;
  /** Resolves when the loader is no more than the configured backlog behind: backpressure for a consumer. Rejects when the loader has failed. */
  ready(): Promise<void>;
  /** Lands and merges everything that is durable in the streams now, then publishes. Rejects when the loader has failed, and with {@link Stopped} when it was stopped before. */
  finish(): Promise<void>;
  /** Ends after the step under way; landed batches that are not merged stay landed. */
  stop(): Promise<void>;
  /** What waits for its time. */
  upcoming(): Upcoming;
}

const defaultBatch = { records: 20_480, bytes: 8 * 1024 * 1024 };
export const defaultBacklog = 80_000;

/**
 * A loader that finds work when it begins publishes nothing before it had a pause, or for so long: a copy of what was there
 * before helps nobody, and holds up what everybody waits for.
 */
const FIRST_COPY_MS = 30_000;

/** The loop of rounds, and who waits for them. */
class StreamLoader implements Loader {
  readonly #options: LoaderOptions;
  readonly #partitions: LoadedPartitions;
  readonly #landing: Landing;
  readonly #tables: Tables;
  readonly #pause: Pause;
  readonly #unwatch: () => void;
  readonly #loop: Promise<void>;
  readonly #begun = performance.now();
  #stopping = false;
  #ended = false;
  #failure: { error: unknown } | undefined;
  readonly #failed = Promise.withResolvers<unknown>();
  /** Callers that wait for everything to be landed: no partition gathers records for later. */
  #hurried = 0;
  /** Callers that wait for everything to be merged and published. */
  #finishing = 0;
  /** Callers that wait for the next round to end, to look again. */
  #waiting: (() => void)[] = [];

  constructor(options: LoaderOptions) {
    const { log, warehouse, logger = silentLogger, metrics = silentMetrics, onStep = unobserved } = options;
    const progress = options.progress ?? new Progress();
    this.#options = options;
    this.#partitions = new LoadedPartitions({ log, warehouse, logger, progress });
    this.#landing = new Landing({
      log,
      warehouse,
      partitions: this.#partitions,
      logger,
      metrics,
      progress,
      onStep,
      batch: options.batch ?? defaultBatch,
      isHurried: () => this.#hurried > 0,
      isStopping: () => this.#stopping,
    });
    this.#tables = new Tables({ warehouse, metrics, progress });
    this.#pause = new Pause(progress);
    this.#unwatch = watchBacklog(metrics, warehouse);
    this.#loop = this.#run();
  }

  get failed(): Promise<unknown> {
    return this.#failed.promise;
  }

  wake(): void {
    this.#partitions.reportEnds();
    this.#pause.wake();
  }

  async ready(): Promise<void> {
    const most = this.#options.backlog ?? defaultBacklog;
    if (this.#partitions.behind() > most) this.wake();
    this.#hurried++;
    try {
      while (this.#partitions.behind() > most && !this.#ended) await this.#nextRound();
    } finally {
      this.#hurried--;
    }
    this.#throwFailure();
  }

  async finish(): Promise<void> {
    this.#throwFailure();
    await this.#options.log.look?.();
    await this.#landAll();
    await this.#mergeAll();
    // What is whole is in the tables; the caller hears of what is not.
    const damage = this.#partitions.damage();
    if (damage !== undefined) throw damage;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.wake();
    await this.#loop;
    this.#throwFailure();
  }

  upcoming(): Upcoming {
    const { warehouse } = this.#options;
    return {
      landings: this.#partitions.landings(),
      merges: warehouse.waitingMerges(),
      waits: warehouse.waits?.() ?? [],
      publicationDueAt: warehouse.publicationDue?.() ?? null,
    };
  }

  /** Waits until everything that is durable now is landed. */
  async #landAll(): Promise<void> {
    const ends = [...this.#partitions.ends()];
    this.#hurried++;
    this.wake();
    try {
      while (ends.some(([partition, end]) => this.#partitions.isShort(partition, end))) {
        if (this.#ended) throw new Stopped();
        await this.#nextRound();
      }
    } finally {
      this.#hurried--;
    }
  }

  async #mergeAll(): Promise<void> {
    this.#finishing++;
    try {
      await this.#tables.merge('all');
      await this.#reportUpgrade();
      await this.#tables.publish('now');
    } finally {
      this.#finishing--;
    }
  }

  async #run(): Promise<void> {
    try {
      while (!this.#stopping && this.#failure === undefined) {
        this.#pause.begin();
        const round = await this.#round();
        if (round.landed === 0) await this.#reportUpgrade();
        this.#endWaits();
        if (this.#isIdleAfter(round)) await this.#pause.wait(round.gatheringMs);
      }
    } catch (error) {
      this.#fail(error);
    }
    await this.#tables.published();
    this.#ended = true;
    this.#unwatch();
    this.#partitions.endLanes();
    this.#endWaits();
  }

  /** One batch of every partition that has something new, then the merges and the publication that are due. */
  async #round(): Promise<LandingRound> {
    const round = await this.#landing.round();
    if (this.#stopping) return round;
    await this.#tables.merge('due');
    const begunLongAgo = performance.now() - this.#begun > FIRST_COPY_MS;
    // A caller that waits for everything publishes it afterwards.
    if ((this.#pause.rested || begunLongAgo) && this.#finishing === 0)
      this.#tables.publishDue((error) => this.#failBeside(error));
    return round;
  }

  /** Whether there is nothing to do before the streams grow, or what is gathered comes due. */
  #isIdleAfter({ landed, gatheringMs }: LandingRound): boolean {
    if (landed > 0 || this.#stopping) return false;
    return !this.#pause.woken || (gatheringMs > 0 && this.#hurried === 0);
  }

  #reportUpgrade(): Promise<void> {
    return this.#tables.reportUpgrade(() => this.#partitions.caughtUp());
  }

  async #nextRound(): Promise<void> {
    this.#throwFailure();
    // The loader is not woken for it: a partition whose records are still on their way would be looked at without a pause.
    await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    this.#throwFailure();
  }

  #endWaits(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#failed.resolve(this.#failure.error);
  }

  /** Ends the loop after its step under way, because of something that runs beside it. */
  #failBeside(error: unknown): void {
    this.#fail(error);
    this.#pause.wake();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

/** Starts the loader of every stream. It lands and merges in this process until stopped. */
export function startLoader(options: LoaderOptions): Loader {
  return new StreamLoader(options);
}
