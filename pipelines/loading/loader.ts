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
  /** Receives the loader's position in each stream, and reports of what the loader is waiting for. */
  readonly progress?: ProgressReports;
  readonly onStep?: StepObserver;
  /** Maximum number of records and of encoded bytes in one landed batch. */
  readonly batch?: { readonly records: number; readonly bytes: number };
  /** Maximum number of records that may wait to be landed. Above it, {@link Loader.ready} delays consumers. */
  readonly backlog?: number;
}

/** Lands stream records, merges them into the tables, and publishes the tables. */
export interface Loader {
  /** Resolves with the error if the loader fails. This promise never rejects. */
  readonly failed: Promise<unknown>;
  /** Notifies the loader that the streams have grown. */
  wake(): void;
  /** Applies backpressure to consumers: resolves when the backlog is within its limit. Rejects if the loader has failed. */
  ready(): Promise<void>;
  /**
   * Lands and merges all durable records, and then publishes the tables. Rejects if the loader fails or a stream is damaged.
   * Rejects with {@link Stopped} if the loader is stopped.
   */
  finish(): Promise<void>;
  /** Stops the loader after its current step. Landed batches stay landed, even if they are not merged yet. */
  stop(): Promise<void>;
  /** Returns the work that is not due yet. */
  upcoming(): Upcoming;
}

const defaultBatch = { records: 20_480, bytes: 8 * 1024 * 1024 };
export const defaultBacklog = 80_000;

/** Maximum milliseconds that the first publication waits for the loader to be idle. Publishing earlier would delay landing. */
const FIRST_COPY_MS = 30_000;

/** Runs rounds of landing, merging and publishing. */
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
  /** Number of callers that are waiting for records to be landed. Meanwhile, no partition waits to gather more records. */
  #hurried = 0;
  /** Number of callers that are waiting for all records to be merged and published. */
  #finishing = 0;
  /** Callers that wait for the end of the current round. */
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
    // All readable records are now in the tables, so a damaged partition can be reported.
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

  /** Waits until the records that are already durable are landed. */
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

  /** Lands one batch per partition with new records, runs the merges that are due, and starts a publication if it is due. */
  async #round(): Promise<LandingRound> {
    const round = await this.#landing.round();
    if (this.#stopping) return round;
    await this.#tables.merge('due');
    const begunLongAgo = performance.now() - this.#begun > FIRST_COPY_MS;
    // If a caller is waiting for {@link finish}, that call publishes the tables when it finishes.
    if ((this.#pause.rested || begunLongAgo) && this.#finishing === 0)
      this.#tables.publishDue((error) => this.#failBeside(error));
    return round;
  }

  /** Returns whether there is nothing to do until the streams grow or the gathered records are due. */
  #isIdleAfter({ landed, gatheringMs }: LandingRound): boolean {
    if (landed > 0 || this.#stopping) return false;
    return !this.#pause.woken || (gatheringMs > 0 && this.#hurried === 0);
  }

  #reportUpgrade(): Promise<void> {
    return this.#tables.reportUpgrade(() => this.#partitions.caughtUp());
  }

  async #nextRound(): Promise<void> {
    this.#throwFailure();
    // Does not wake the loader, because the loader would then poll the partition without a pause while records are in flight.
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

  /** Called when a background task fails. Ends the loop after its current step. */
  #failBeside(error: unknown): void {
    this.#fail(error);
    this.#pause.wake();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

/** Starts a loader for all streams in this thread. The loader runs until it is stopped. */
export function startLoader(options: LoaderOptions): Loader {
  return new StreamLoader(options);
}
