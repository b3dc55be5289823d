import type { TimedWait, WaitingMerge, Warehouse } from '@aorta/connectors';
import {
  LONG_STEP_MS,
  type Metrics,
  Progress,
  type ProgressReports,
  type SetGauge,
  silentLogger,
  silentMetrics,
  steadyNow,
  unobserved,
} from '@aorta/runtime';
import { Lander, type LandingRound, type Loading, PART, type UpcomingLanding } from './lander.ts';
import type { LoadingMetrics } from './metrics.ts';

/**
 * Milliseconds for which the first publication waits, unless the loader is idle earlier. A short load publishes only when it ends.
 * While landing is behind, publishing would delay it, so the first publication waits longer.
 */
const FIRST_COPY_MS = { keepingUp: 2_000, behind: 30_000 };

/** Milliseconds between the rounds of an idle loader. Each round checks for merges and publications that are due. */
const IDLE_MS = 1_000;

export interface LoaderOptions extends Pick<Loading, 'log' | 'warehouse'>, Partial<Omit<Loading, 'log' | 'warehouse'>> {
  /** Maximum number of records that may wait to be landed. Above it, {@link Loader.ready} delays consumers. */
  readonly backlog?: number;
}

/** Work that is not due yet. It explains why and until when the loader is idle. Times are by `steadyNow`. */
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
    set('aorta_merge_due_seconds', { table, range }, (dueAt - steadyNow()) / 1000);
  }
}

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
    super('the loader stopped before it had caught up');
    this.name = 'Stopped';
  }
}

/** Runs rounds of landing, merging and publishing. */
class StreamLoader implements Loader {
  readonly #options: Loading;
  /** See {@link LoaderOptions.backlog}. */
  readonly #backlog: number;
  readonly #lander: Lander;
  readonly #pause: Pause;
  readonly #unwatch: () => void;
  readonly #loop: Promise<void>;
  readonly #begun = performance.now();
  /** The publication that is running in the background. */
  #publication: Promise<void> | undefined;
  #ended = false;
  #failure: { error: unknown } | undefined;
  readonly #failed = Promise.withResolvers<unknown>();
  /** Number of callers that are waiting for all records to be merged and published. */
  #finishing = 0;
  /** Callers that wait for the end of the current round. */
  #waiting: (() => void)[] = [];

  constructor(given: LoaderOptions) {
    const { logger = silentLogger, metrics = silentMetrics, progress = new Progress(), onStep = unobserved } = given;
    const { onLanded = () => {}, batch = defaultBatch, backlog = defaultBacklog } = given;
    const options = { ...given, logger, metrics, progress, onStep, onLanded, batch };
    this.#options = options;
    this.#backlog = backlog;
    this.#lander = new Lander(options);
    this.#pause = new Pause(options.progress);
    this.#unwatch = watchBacklog(options.metrics, options.warehouse);
    this.#loop = this.#run();
  }

  get failed(): Promise<unknown> {
    return this.#failed.promise;
  }

  wake(): void {
    this.#lander.reportEnds();
    this.#pause.wake();
  }

  async ready(): Promise<void> {
    const isFull = (): boolean => this.#lander.behind() > this.#backlog;
    if (isFull()) this.wake();
    await this.#hurry(() => isFull() && !this.#ended);
    this.#throwFailure();
  }

  async finish(): Promise<void> {
    this.#throwFailure();
    await this.#options.log.look?.();
    await this.#landAll();
    await this.#mergeAll();
    // All readable records are now in the tables, so a damaged partition can be reported.
    const damage = this.#lander.damage();
    if (damage !== undefined) throw damage;
  }

  async stop(): Promise<void> {
    this.#lander.stopping = true;
    this.wake();
    await this.#loop;
    this.#throwFailure();
  }

  upcoming(): Upcoming {
    const { warehouse } = this.#options;
    return {
      landings: this.#lander.upcoming(),
      merges: warehouse.waitingMerges(),
      waits: warehouse.waits?.() ?? [],
      publicationDueAt: warehouse.publicationDue?.() ?? null,
    };
  }

  /** Waits until the records that are already durable are landed. */
  async #landAll(): Promise<void> {
    const lacksRecords = this.#lander.lacksRecords();
    this.wake();
    await this.#hurry(() => {
      if (!lacksRecords()) return false;
      if (this.#ended) throw new Stopped();
      return true;
    });
  }

  /** Waits for the end of rounds while the condition holds. Meanwhile, no partition waits to gather more records. */
  async #hurry(lasts: () => boolean): Promise<void> {
    this.#lander.hurried++;
    try {
      while (lasts()) await this.#nextRound();
    } finally {
      this.#lander.hurried--;
    }
  }

  async #mergeAll(): Promise<void> {
    this.#finishing++;
    try {
      await this.#merge('all');
      await this.#publish('now');
    } finally {
      this.#finishing--;
    }
  }

  async #merge(extent: 'due' | 'all'): Promise<void> {
    const { warehouse, metrics, progress } = this.#options;
    const { targets } = await progress.during(PART, 'merging', warehouse.merge(extent), { deadlineMs: LONG_STEP_MS });
    for (const { table, range, rows, milliseconds } of targets) {
      metrics.observe('aorta_merge_seconds', { table, range }, milliseconds / 1000);
      metrics.count('aorta_merge_rows_total', { table, range }, rows);
    }
  }

  async #publish(pace: 'due' | 'now'): Promise<void> {
    const { warehouse, metrics, progress } = this.#options;
    const begun = performance.now();
    if (await progress.during(PART, 'publishing', warehouse.publish(pace), { deadlineMs: LONG_STEP_MS }))
      metrics.observe('aorta_publish_seconds', {}, (performance.now() - begun) / 1000);
  }

  /** Starts a publication in the background if one is due and none is running. If it fails, the loader fails. */
  #publishDue(): void {
    this.#publication ??= this.#publish('due')
      .catch((error: unknown) => {
        this.#fail(error);
        this.#pause.wake();
      })
      .finally(() => {
        this.#publication = undefined;
      });
  }

  async #run(): Promise<void> {
    try {
      while (!this.#lander.stopping && this.#failure === undefined) {
        this.#pause.begin();
        const round = await this.#round();
        this.#endWaits();
        if (this.#isIdleAfter(round)) await this.#pause.wait(round.gatheringMs);
      }
    } catch (error) {
      this.#fail(error);
    }
    await this.#publication;
    this.#ended = true;
    this.#unwatch();
    this.#lander.endLanes();
    this.#endWaits();
  }

  /** Lands one batch per partition with new records, runs the merges that are due, and starts a publication if it is due. */
  async #round(): Promise<LandingRound> {
    const round = await this.#lander.round();
    if (this.#lander.stopping) return round;
    await this.#merge('due');
    const begunLongAgo =
      performance.now() - this.#begun > (this.#lander.behind() === 0 ? FIRST_COPY_MS.keepingUp : FIRST_COPY_MS.behind);
    // If a caller is waiting for {@link finish}, that call publishes the tables when it finishes.
    if ((this.#pause.rested || begunLongAgo) && this.#finishing === 0) this.#publishDue();
    return round;
  }

  /** Returns whether there is nothing to do until the streams grow or the gathered records are due. */
  #isIdleAfter({ landed, gatheringMs }: LandingRound): boolean {
    if (landed > 0 || this.#lander.stopping) return false;
    return !this.#pause.woken || (gatheringMs > 0 && this.#lander.hurried === 0);
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

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

/** Starts a loader for all streams in this thread. The loader runs until it is stopped. */
export function startLoader(options: LoaderOptions): Loader {
  return new StreamLoader(options);
}
