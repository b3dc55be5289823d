import { isMainThread, Worker } from 'node:worker_threads';
import { inUse, type Landed, type OpenStreamLog, partitionName, type StreamNews, type StreamPartition } from '@aorta/connectors';
import {
  AortaError,
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
import { defaultBacklog, type Loader, type Upcoming } from '../loader.ts';
import {
  errorOf,
  type FromThread,
  failureOf,
  observation,
  type ThreadCalls,
  type ThreadSettings,
  type ThreadWork,
  type ToThread,
} from './messages.ts';
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

interface Waiting {
  readonly done: (value: unknown) => void;
  readonly failed: (error: Error) => void;
}

/** Calls to which the loader's thread has not responded yet. */
class PendingCalls {
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #failure: Error | undefined;

  /** The error that ended the thread. All later calls fail with the same error. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Sends a call with a new id. Resolves with the answer. Rejects if the call fails or the thread has ended. */
  send(say: (id: number) => void): Promise<unknown> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const id = ++this.#lastId;
    return new Promise((done, failed) => {
      this.#waiting.set(id, { done, failed });
      say(id);
    });
  }

  /** Handles the answer to a call, which is a value or an error. */
  answer(id: number, value: unknown, error: Error | undefined): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.done(value);
    else waiting?.failed(error);
  }

  /** Makes all pending and later calls reject with the first error passed to this method, and returns this error. */
  fail(error: Error): Error {
    this.#failure ??= error;
    for (const { failed } of this.#waiting.values()) failed(this.#failure);
    this.#waiting.clear();
    return this.#failure;
  }
}

class WorkerLoaderThread implements LoaderThread {
  readonly #options: LoaderThreadOptions;
  readonly #reports: ReturnType<typeof applyReports>;
  readonly #worker: Worker;
  readonly #observed: Int32Array | undefined;
  /** Stream ends that were last sent to the thread. */
  readonly #sentEnds = new Map<StreamName, number>();
  /** Landed positions, by partition name. */
  readonly #landed = new Map<string, Landed>();
  readonly #calls = new PendingCalls();
  readonly #ended: Promise<void>;
  readonly #unfollow: (() => void) | undefined;
  #upcoming: Upcoming | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  readonly #opening = Promise.withResolvers<void>();
  /** The error that ended the loader. The thread still responds to calls. */
  #loaderFailure: Error | undefined;
  readonly #loaderFailed = Promise.withResolvers<unknown>();
  #isOpen = false;

  constructor(options: LoaderThreadOptions) {
    this.#options = options;
    const { logger = silentLogger, metrics = silentMetrics, progress = new Progress() } = options;
    this.#reports = applyReports({ logger, metrics, progress });
    this.#observed = options.onStep === undefined ? undefined : new Int32Array(new SharedArrayBuffer(4));
    const { streams, warehouse, batch } = options;
    const backlog = options.log === undefined ? Number.POSITIVE_INFINITY : options.backlog;
    const work = { streams, warehouse, ...(batch === undefined ? {} : { batch }), ...(backlog === undefined ? {} : { backlog }) };
    const workerData: ThreadSettings = { work, views: this.#newEnds(), observed: this.#observed };
    this.#worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData });
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#unfollow = options.log?.onDurable(() => this.wake());
    this.#worker.once('error', (error) => this.#fail(errorOf(failureOf(error))));
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#fail(new AortaError('AORTA-BUG', { place: 'the jobs', problem: 'their thread ended' }));
        this.#reports.end();
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
    if (views.length > 0) this.#send({ kind: 'grown', views });
  }

  async ready(): Promise<void> {
    if (this.#calls.failure !== undefined) throw this.#calls.failure;
    if (this.#loaderFailure !== undefined) throw this.#loaderFailure;
    // While the warehouse is opening, the backlog is not known. Ingestion may continue, because its records are durable.
    if (!this.#isOpen) return;
    if (this.#options.log === undefined) return this.#checkFailure();
    // Calls the thread only if the backlog may be too large, because the thread may be busy with a batch.
    if (this.#behind() > (this.#options.backlog ?? defaultBacklog)) await this.#call('ready');
  }

  /** Checks whether the loader has failed. Kafka topics can hold any backlog, so ingestion does not wait for the loader. */
  async #checkFailure(): Promise<void> {
    if (performance.now() - this.#askedAt < ASKED_MS) return;
    this.#askedAt = performance.now();
    await this.#call('ready');
  }

  async finish(): Promise<void> {
    this.wake();
    await this.#call('finish');
  }

  async stop(): Promise<void> {
    await this.#call('stop');
  }

  landed(of: StreamPartition): Landed | undefined {
    return this.#landed.get(partitionName(of));
  }

  caughtUp(): boolean {
    const { log } = this.#options;
    return log !== undefined && inUse(log).every((of) => (this.landed(of)?.position ?? 0) >= log.end(of));
  }

  upcoming(): Upcoming | undefined {
    return this.#upcoming;
  }

  async rows(): Promise<Record<string, number>> {
    return (await this.#call('rows')) as Record<string, number>;
  }

  async publish(): Promise<void> {
    await this.#call('publish');
  }

  async close(): Promise<void> {
    this.#unfollow?.();
    if (this.#calls.failure === undefined) await this.#call('close');
    // Terminates the thread if it does not end by itself, for example because a library left a connection open.
    await within(END_MS, this.#ended).catch(() => this.#worker.terminate());
  }

  /** Last known number of records that have not been landed. The actual number may be lower, but not higher. */
  #behind(): number {
    const { log } = this.#options;
    if (log === undefined) return 0;
    return log.assigned().reduce((sum, of) => {
      const landed = this.landed(of);
      return sum + log.end(of) - (landed?.incarnation === log.incarnation(of) ? landed.position : log.start(of));
    }, 0);
  }

  /** Returns the stream ends that have not been sent to the thread yet. */
  #newEnds(): readonly StreamNews[] {
    const views = this.#options.log?.views?.(this.#sentEnds) ?? [];
    for (const { name, end } of views) this.#sentEnds.set(name, end);
    return views;
  }

  #receive(message: FromThread): void {
    switch (message.kind) {
      case 'opened':
        for (const [of, landed] of message.landed) this.#landed.set(partitionName(of), landed);
        this.#isOpen = true;
        this.#opening.resolve();
        break;
      case 'refused':
        this.#fail(errorOf(message.failure));
        break;
      case 'failed':
        this.#loaderFailure = errorOf(message.failure);
        this.#loaderFailed.resolve(this.#loaderFailure);
        break;
      case 'answer':
        this.#calls.answer(message.id, message.value, message.failure && errorOf(message.failure));
        break;
      case 'landed':
        this.#landed.set(partitionName(message.of), message.landed);
        break;
      case 'report':
        this.#reports.apply(message.report);
        break;
      case 'upcoming':
        this.#upcoming = message.upcoming;
        break;
      case 'step':
        this.#observe(message.step);
        break;
    }
  }

  #observe(step: Parameters<StepObserver>[0]): void {
    const state = this.#observed!;
    let outcome: number = observation.returned;
    try {
      this.#options.onStep?.(step);
    } catch {
      outcome = observation.threw;
    }
    Atomics.store(state, 0, outcome);
    Atomics.notify(state, 0);
  }

  #call(call: keyof ThreadCalls): Promise<unknown> {
    return this.#calls.send((id) => this.#send({ kind: 'call', id, call }));
  }

  #send(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  /** Makes all pending and later calls fail with this error. */
  #fail(error: Error): void {
    const failure = this.#calls.fail(error);
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
