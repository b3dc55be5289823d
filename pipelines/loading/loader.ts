import type { ReadableLog, TimedWait, WaitingMerge, Warehouse } from '@aorta/connectors';
import {
  LONG_STEP_MS,
  type Logger,
  type Metrics,
  Progress,
  type ProgressReports,
  type SetGauge,
  type StepObserver,
  silentLogger,
  silentMetrics,
  unobserved,
} from '@aorta/runtime';
import { Lander, type LandingRound } from './lander.ts';
import type { LoadingMetrics } from './metrics.ts';
import { LoadedPartitions, PART, type UpcomingLanding } from './partitions.ts';
import { Tables } from './tables.ts';

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

/** Work that is not due yet. It explains why and until when the loader is idle. Times are in milliseconds since 1970. */
export interface Upcoming {
  /** Partitions for which the loader is gathering records that it will land later. */
  readonly landings: readonly UpcomingLanding[];
  readonly merges: readonly WaitingMerge[];
  /** The current waits of the warehouse adapter. */
  readonly waits: readonly TimedWait[];
  /** Time at which the next publication is due. Null if there are no new rows, or if the warehouse never publishes its tables. */
  readonly publicationDueAt: number | null;
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

/** Sets the backlog gauges whenever the metrics are read, until the returned function is called. */
function watchBacklog(metrics: Metrics<LoadingMetrics>, warehouse: Warehouse): () => void {
  return metrics.watch((set) => {
    const { batches, records } = warehouse.backlog();
    set('aorta_warehouse_backlog_batches', {}, batches);
    set('aorta_warehouse_backlog_records', {}, records);
    setWaitingMerges(set, warehouse);
  });
}

function setWaitingMerges(set: SetGauge<LoadingMetrics>, warehouse: Warehouse): void {
  // Batches of one table may be due at different times. The gauge shows the earliest due time.
  for (const some of Map.groupBy(warehouse.waitingMerges(), ({ table, range }) => `${table}/${range}`).values()) {
    const { table, range } = some[0]!;
    const rows = some.reduce((sum, one) => sum + one.rows, 0);
    const dueAt = Math.min(...some.map((one) => one.dueAt));
    set('aorta_merge_waiting_rows', { table, range }, rows);
    set('aorta_merge_due_seconds', { table, range }, (dueAt - Date.now()) / 1000);
  }
}

/** Milliseconds between the rounds of an idle loader. Each round checks for merges and publications that are due. */
const IDLE_MS = 1_000;

/** Pauses an idle loader. A pause ends early when the streams grow. */
class Pause {
  readonly #progress: ProgressReports;
  #wake: () => void = () => {};
  #woken = false;
  #rested = false;

  constructor(progress: ProgressReports) {
    this.#progress = progress;
  }

  /** Marks the start of a round. The round may miss records that arrive after this call. */
  begin(): void {
    this.#woken = false;
  }

  wake(): void {
    this.#woken = true;
    this.#wake();
  }

  /** Returns whether the streams have grown since {@link begin} was called. */
  get woken(): boolean {
    return this.#woken;
  }

  /** Returns whether the loader has been idle for a whole pause. */
  get rested(): boolean {
    return this.#rested;
  }

  /**
   * Waits until the pause is over or the streams grow. `gatheringMs` is the number of milliseconds until the loader must
   * land the records that it is gathering, or 0 if it is not gathering records.
   */
  async wait(gatheringMs: number): Promise<void> {
    if (gatheringMs === 0) return this.#sleep(gatheringMs);
    // The loader counts as stalled only if it lands the gathered records much later than planned.
    const deadlineMs = LONG_STEP_MS + gatheringMs;
    const gathering = { deadlineMs, dueMs: gatheringMs };
    await this.#progress.during(PART, 'gathering records for a batch', this.#sleep(gatheringMs), gathering);
  }

  #sleep(gatheringMs: number): Promise<void> {
    const gathering = gatheringMs > 0;
    return new Promise((resolve) => {
      const end = (): void => {
        if (!gathering) this.#rested = true;
        resolve();
      };
      const timer = setTimeout(end, gathering ? Math.min(IDLE_MS, gatheringMs) : IDLE_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Thrown if the loader was stopped before it had landed all records. The next run lands the rest. */
export class Stopped extends Error {
  constructor() {
    super('the jobs stopped before they had caught up');
    this.name = 'Stopped';
  }
}

/** Runs rounds of landing, merging and publishing. */
class StreamLoader implements Loader {
  readonly #options: LoaderOptions;
  readonly #partitions: LoadedPartitions;
  readonly #lander: Lander;
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
    this.#partitions = new LoadedPartitions(log, warehouse, logger, progress);
    this.#lander = new Lander({
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
    this.#tables = new Tables(warehouse, metrics, progress);
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
    const round = await this.#lander.round();
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
