import { isMainThread, type Worker } from 'node:worker_threads';
import { inUse, type Landed, type OpenStreamLog, partitionName, type StreamNews, type StreamPartition } from '@aorta/connectors';
import {
  AortaError,
  errorFields,
  type Logger,
  type Metrics,
  Progress,
  type ProgressReports,
  type StepObserver,
  silentLogger,
  silentMetrics,
  within,
} from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import { LoadingError } from '../errors.ts';
import { defaultBacklog, type Loader, type Upcoming } from '../loader.ts';
import {
  errorOf,
  failureOf,
  type LoaderCalls,
  type MainCalls,
  OtherThread,
  observation,
  type ThreadSettings,
  type ThreadWork,
} from './calls.ts';
import { takeThread } from './prestart.ts';
import { applyReports } from './reports.ts';

export interface LoaderThreadOptions extends ThreadWork {
  /**
   * The log to which the main thread appends. Undefined if several workers append to the streams, because the loader then
   * finds new records itself.
   */
  readonly log?: OpenStreamLog | undefined;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  readonly progress?: ProgressReports;
  /** Called in the main thread at each step, while the loader's thread waits. */
  readonly onStep?: StepObserver;
}

/** The loader and its warehouse, running in a separate thread. */
export interface LoaderThread extends Omit<Loader, 'upcoming'> {
  /** Resolves when the warehouse is open. Rejects if it cannot be opened. Other methods can be called earlier. */
  readonly opened: Promise<void>;
  /** Returns the landed position of a partition, or undefined if no record of the partition has been landed. */
  landed(of: StreamPartition): Landed | undefined;
  /**
   * Returns whether all records in the log have been landed. For Kafka topics, always returns false, because the main
   * thread does not know the ends of the topics.
   */
  caughtUp(): boolean;
  /** Returns the upcoming work from the loader's last report, which is sent every second. Undefined before the first report. */
  upcoming(): Upcoming | undefined;
  /** Returns the number of rows in each table. */
  rows(): Promise<Record<string, number>>;
  /** Publishes all merged rows. */
  publish(): Promise<void>;
  /** Closes the warehouse and ends the thread. Call {@link stop} first. */
  close(): Promise<void>;
}

/** Minimum interval, in milliseconds, between checks for a failed loader. Used if several workers append to the streams. */
const ASKED_MS = 500;
/** Maximum time, in milliseconds, that the thread may take to end after everything in it is closed. */
const END_MS = 5_000;

class WorkerLoaderThread implements LoaderThread {
  readonly #options: LoaderThreadOptions;
  readonly #worker: Worker;
  readonly #thread: OtherThread<LoaderCalls>;
  /** Stream ends that were last sent to the thread. */
  readonly #sentEnds = new Map<StreamName, number>();
  /** Landed positions, by partition name. */
  readonly #landed = new Map<string, Landed>();
  readonly #ended: Promise<void>;
  readonly #unfollow: (() => void) | undefined;
  #upcoming: Upcoming | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  readonly #opening = Promise.withResolvers<void>();
  /** The work on streams that are shorter than their landed positions. Resolves with the first error, and never rejects. */
  #renewed: Promise<AortaError | undefined> = Promise.resolve(undefined);
  /** The error that ended the loader. The thread still responds to calls. */
  #loaderFailure: Error | undefined;
  readonly #loaderFailed = Promise.withResolvers<unknown>();
  #isOpen = false;

  constructor(options: LoaderThreadOptions) {
    this.#options = options;
    const { log, onStep, streams, warehouse } = options;
    const observed = onStep === undefined ? undefined : new Int32Array(new SharedArrayBuffer(4));
    const limits = log === undefined ? { ...options.limits, backlog: Number.POSITIVE_INFINITY } : (options.limits ?? {});
    const settings: ThreadSettings = { work: { streams, warehouse, limits }, views: this.#newEnds(), observed };
    const endsAtOpen = new Map(this.#sentEnds);
    const { worker, begin } = takeThread();
    begin(settings);
    this.#worker = worker;
    this.#thread = new OtherThread(this.#worker);
    const { logger = silentLogger, metrics = silentMetrics, progress = new Progress() } = options;
    const { reports, end } = applyReports({ logger, metrics, progress });
    this.#thread.serve<MainCalls>({
      ...reports,
      opened: (landed) => {
        for (const [of, position] of landed) this.#landed.set(partitionName(of), position);
        this.#renewed = this.#renewShorter(landed, endsAtOpen).catch((error: unknown) => this.#fail(errorOf(failureOf(error))));
        this.#isOpen = true;
        this.#opening.resolve();
      },
      refused: (failure) => this.#fail(errorOf(failure)),
      failed: (failure) => {
        this.#loaderFailure = errorOf(failure);
        this.#loaderFailed.resolve(this.#loaderFailure);
      },
      landed: (of, landed) => void this.#landed.set(partitionName(of), landed),
      replaceDamaged: async (of, position) => {
        await log?.replaceDamaged?.(of, position);
        this.#sendWhole(of);
      },
      upcoming: (upcoming) => {
        this.#upcoming = upcoming;
      },
      step: (step) => {
        let outcome: number = observation.returned;
        try {
          onStep?.(step);
        } catch {
          outcome = observation.threw;
        }
        Atomics.store(observed!, 0, outcome);
        Atomics.notify(observed!, 0);
      },
    });
    this.#unfollow = log?.onDurable(() => this.wake());
    this.#worker.once('error', (error) => this.#fail(errorOf(failureOf(error))));
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#fail(new AortaError('AORTA-BUG', { place: 'the loader', problem: 'its thread ended' }));
        end();
        resolve();
      });
    });
    // Every call rejects with the same error, so it need not be handled here.
    this.opened.catch(() => {});
  }

  get opened(): Promise<void> {
    return this.#opening.promise;
  }

  get failed(): Promise<unknown> {
    return this.#loaderFailed.promise;
  }

  wake(): void {
    const views = this.#newEnds();
    if (views.length > 0) this.#thread.tell('see', views);
  }

  async ready(): Promise<void> {
    if (this.#thread.failure !== undefined) throw this.#thread.failure;
    if (this.#loaderFailure !== undefined) throw this.#loaderFailure;
    // While the warehouse is opening, the backlog is not known. Ingestion may continue, because its records are durable.
    if (!this.#isOpen) return;
    if (this.#options.log === undefined) return this.#checkFailure();
    // Calls the thread only if the backlog may be too large, because the thread may be busy with a batch.
    if (this.#behind() > (this.#options.limits?.backlog ?? defaultBacklog)) await this.#thread.call('ready');
  }

  /** Checks whether the loader has failed. Kafka topics can hold any backlog, so ingestion does not wait for the loader. */
  async #checkFailure(): Promise<void> {
    if (performance.now() - this.#askedAt < ASKED_MS) return;
    this.#askedAt = performance.now();
    await this.#thread.call('ready');
  }

  async finish(): Promise<void> {
    await this.opened;
    const shorter = await this.#renewed;
    this.wake();
    await this.#thread.call('finish');
    if (shorter !== undefined) throw shorter;
  }

  stop(): Promise<void> {
    return this.#thread.call('stop');
  }

  landed(of: StreamPartition): Landed | undefined {
    return this.#landed.get(partitionName(of));
  }

  caughtUp(): boolean {
    const { log } = this.#options;
    return log !== undefined && inUse(log).every((of) => this.#landedIn(log, of) >= log.end(of));
  }

  upcoming(): Upcoming | undefined {
    return this.#upcoming;
  }

  rows(): Promise<Record<string, number>> {
    return this.#thread.call('rows');
  }

  async publish(): Promise<void> {
    await this.#thread.call('publish');
  }

  async close(): Promise<void> {
    this.#unfollow?.();
    try {
      if (this.#thread.failure === undefined) await this.#thread.call('close');
    } finally {
      // Terminates the thread if it does not end by itself, for example because a library left a connection open.
      await within(END_MS, this.#ended).catch(() => this.#worker.terminate());
    }
  }

  /** Last known number of records that have not been landed. The actual number may be lower, but not higher. */
  #behind(): number {
    const { log } = this.#options;
    if (log === undefined) return 0;
    return log.assigned().reduce((sum, of) => sum + log.end(of) - this.#landedIn(log, of), 0);
  }

  /** Returns the landed position in the present incarnation of a partition. */
  #landedIn(log: OpenStreamLog, of: StreamPartition): number {
    const landed = this.landed(of);
    return landed?.incarnation === log.incarnation(of) ? landed.position : log.start(of);
  }

  /** Returns the stream ends that have not been sent to the thread yet. */
  #newEnds(): readonly StreamNews[] {
    const views = this.#options.log?.views?.(this.#sentEnds) ?? [];
    for (const { name, end } of views) this.#sentEnds.set(name, end);
    return views;
  }

  /** Sends the whole view of a stream before anything that is sent later. */
  #sendWhole({ stream }: StreamPartition): void {
    this.#sentEnds.delete(stream);
    this.wake();
  }

  /**
   * Finds streams that were shorter than their landed positions before this process appended anything, and has every reader
   * read them from their start. Otherwise the loader would skip as many new records as are missing. Returns the first error.
   */
  async #renewShorter(
    landed: readonly (readonly [StreamPartition, Landed])[],
    endsAtOpen: ReadonlyMap<StreamName, number>,
  ): Promise<AortaError | undefined> {
    const { log, logger = silentLogger } = this.#options;
    let first: AortaError | undefined;
    for (const [of, { incarnation, position }] of landed) {
      const end = endsAtOpen.get(of.stream) ?? 0;
      if (log?.renew === undefined || incarnation !== log.incarnation(of) || position <= end) continue;
      const error = new LoadingError('AORTA-STREAM-SHORTER', { stream: of.stream, end, position });
      logger.error('a stream is read again', errorFields(error));
      first ??= error;
      await log.renew(of);
      this.#sendWhole(of);
    }
    return first;
  }

  /** Makes all pending and later calls fail with this error. */
  #fail(error: Error): undefined {
    const failure = this.#thread.fail(error);
    this.#opening.reject(failure);
    this.#loaderFailed.resolve(failure);
  }
}

/** Starts the loader in a separate thread, which also opens the warehouse, so that neither opening nor landing blocks ingestion. */
export function startLoaderThread(options: LoaderThreadOptions): LoaderThread {
  // DuckDB creates its files with the umask of the process. A thread cannot set the umask, so it is set here.
  if (isMainThread) process.umask(0o077);
  return new WorkerLoaderThread(options);
}
