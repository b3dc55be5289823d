import type { StreamLog } from '@aorta/connectors';
import type { Tally } from '@aorta/ingestion';
import { type LoaderThread, type LoaderThreadOptions, startLoaderThread } from '@aorta/loading';
import {
  type AortaError,
  firstError,
  isAortaError,
  type Logger,
  lockFolder,
  type Metrics,
  makeFolder,
  Progress,
  pause,
  type StepObserver,
  silentLogger,
  silentMetrics,
  whenAborted,
} from '@aorta/runtime';
import { configuredStreams, configuredWarehouse } from '../config/adapters.ts';
import type { Setting } from '../config/configuration.ts';
import { noTally } from '../report/load-report.ts';
import { type KeepingOptions, keepWorkerReport } from '../report/worker-report.ts';
import { type Ingested, Ingestion } from './ingestion.ts';
import { joinIngestion } from './ingestion-group.ts';
import type { JobOfRun } from './job.ts';
import { clientIdOf, everything, type RunParts, reportedParts, writesStreams } from './parts.ts';
import type { SourceOfRun } from './sources.ts';

/** The sections of the configuration that a pipeline reads, if it appends deliveries and loads them. */
export const pipelineSections = [
  'routes',
  'redelivery_window',
  'limits',
  'streams',
  'warehouse',
  'privacy',
  'preferences',
] as const;

/** Interval, in milliseconds, at which a run with only the loader checks whether the loader has failed. */
const LOADER_ALONE_MS = 1000;

export type PipelineSetting = Pick<Setting<(typeof pipelineSections)[number]>, 'configuration' | 'place'> &
  Partial<Pick<Setting, 'registry'>>;

/** Options of one run. The commands `load`, `run` and `demo` differ only in these options. */
export interface PipelineOptions {
  readonly setting: PipelineSetting;
  /** Returns the sources. Called once, after the stream log is open. */
  readonly sources: (surroundings: SourceSurroundings) => Promise<readonly SourceOfRun[]> | readonly SourceOfRun[];
  /** Returns the enrichment jobs. */
  readonly jobs?: (log: StreamLog) => readonly JobOfRun[];
  /** The parts to run. Default: all parts. */
  readonly parts?: RunParts;
  /** Whether the run continues until the signal aborts, as `aorta run` does. Otherwise it ends when all sources are drained. */
  readonly untilStopped?: boolean;
  /** Stops the run gracefully: the run finishes, flushes and commits the current step. */
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  /** Receives the progress of every part, the reason why a part waits, and whether the run is still starting. */
  readonly progress?: Progress;
  /** Facts about this process for the worker report; see {@link keepWorkerReport}. */
  readonly worker?: ReportedWorker;
  /** Passed to every part, so that fault tests can kill the process at a given step. */
  readonly onStep?: StepObserver;
  readonly onProgress?: (tally: Tally) => void;
  /** Called with each error that ends the run. Nothing is closed before the first call has ended. Never rejects. */
  readonly onFailure?: (error: unknown) => Promise<void>;
}

type ReportedWorker = Pick<KeepingOptions, 'clients' | 'sources' | 'supervisor'>;

interface SourceSurroundings {
  /** The log that deliveries are appended to. */
  readonly log: StreamLog;
  /**
   * Loads the records already in the streams and publishes the tables, so that the tables contain everything that an
   * interrupted run ingested.
   */
  readonly catchUp: () => Promise<void>;
}

export interface PipelineOutcome {
  readonly ended: 'done' | 'stopped';
  readonly tally: Tally;
  /** Number of rows by table; undefined if this run does not load. */
  readonly tables: Readonly<Record<string, number>> | undefined;
  /** The losses of records in the streams, except those whose damaged file the operator has deleted. */
  readonly losses: readonly AortaError[];
}

/**
 * Runs a pipeline: opens the streams and the warehouse and takes their locks, then ingests and loads at the same time. If
 * one part fails, stops the others and throws the first error. Deliveries ingested before the error are durable. Closes
 * everything that it opened, even after an error.
 */
export async function runPipeline(options: PipelineOptions): Promise<PipelineOutcome> {
  return new RunningPipeline(options).run();
}

class RunningPipeline {
  readonly #options: PipelineOptions;
  readonly #setting: PipelineSetting;
  readonly #parts: RunParts;
  readonly #observers: { readonly logger: Logger; readonly metrics: Metrics; readonly progress: Progress };
  /** The log that deliveries are appended to. Undefined if the run only loads from topics: the loader opens its own reader. */
  #log: StreamLog | undefined;
  #loader: LoaderThread | undefined;
  /**
   * Functions that close the opened parts, in the order in which the parts were opened. They receive the error that ended the
   * run, if any.
   */
  readonly #closing: ((error?: unknown) => Promise<void>)[] = [];
  /** Ends the wait that reports the run as not ready while it is stopping. */
  #stopped: (() => void) | undefined;

  constructor(options: PipelineOptions) {
    const { parts = everything, logger = silentLogger, metrics = silentMetrics, progress = new Progress() } = options;
    this.#options = options;
    this.#setting = options.setting;
    this.#parts = parts;
    this.#observers = { logger, metrics, progress };
  }

  async run(): Promise<PipelineOutcome> {
    const { signal } = this.#options;
    const askedToStop = (): void => void this.#stops();
    signal?.addEventListener('abort', askedToStop, { once: true });
    const started = this.#observers.progress.wait('run', 'starting', { deadlineMs: 0 });
    try {
      const outcome = await this.#openAndWork(started);
      await this.#stops();
      await this.#close();
      return outcome;
    } catch (error) {
      await this.#stops(error);
      // If closing also fails, the first error is more informative.
      await this.#close(error).catch(() => {});
      throw error;
    } finally {
      signal?.removeEventListener('abort', askedToStop);
      started();
      this.#stopped?.();
    }
  }

  async #openAndWork(started: () => void): Promise<PipelineOutcome> {
    const { signal } = this.#options;
    const { logger } = this.#observers;
    await this.#open();
    const { tally, error } = await (this.#log === undefined ? this.#onlyLoad(started) : this.#ingest(this.#log, started));
    await this.#endLoading();
    if (error !== undefined) throw error;
    const ended = signal?.aborted === true ? 'stopped' : 'done';
    logger.debug('run ended', { ended, streams: this.#setting.place.streams });
    return { ended, tally, tables: await this.#loader?.rows(), losses: this.#log?.losses?.() ?? [] };
  }

  /** Opens the streams, the worker report and the loader. */
  async #open(): Promise<void> {
    const { onStep } = this.#options;
    const { adapter, at } = configuredStreams(this.#setting);
    const { address, isShared } = adapter;
    const streamLog = await adapter.load();
    const opening = { ...at, clientId: clientIdOf('ingestion') };
    const open = async (): Promise<StreamLog> => {
      const log = await streamLog.open({ ...opening, ...this.#observers, onStep });
      this.#closing.push(() => log.close());
      return log;
    };
    if (!isShared) {
      this.#log = await open();
      await this.#keepReport();
    } else if (writesStreams(this.#parts)) {
      await this.#lockDataFolder();
      await this.#keepReport();
      this.#log = await open();
      if (this.#options.untilStopped === true && this.#parts.ingestion)
        this.#closing.push(joinIngestion(streamLog, opening, this.#observers.logger));
    } else await this.#keepReport();
    const streams = { address, ...at, clientId: clientIdOf('loading') };
    if (this.#parts.loading) this.#startLoader(isShared || this.#log === undefined ? { streams } : { log: this.#log, streams });
  }

  /** The data folder holds the redelivery window of one process, so two processes cannot share a folder. */
  async #lockDataFolder(): Promise<void> {
    const { streams } = this.#setting.place;
    await makeFolder(streams);
    const lock = await lockFolder(streams);
    this.#closing.push(() => lock.release());
  }

  /** Starts writing the worker report, from which other processes learn what this process does. */
  async #keepReport(): Promise<void> {
    const { logger, progress } = this.#observers;
    const kept = await keepWorkerReport({
      clients: [],
      sources: [],
      supervisor: null,
      ...this.#options.worker,
      place: this.#setting.place,
      parts: reportedParts(this.#parts),
      progress,
      upcoming: () => this.#loader?.upcoming(),
      logger,
    });
    this.#closing.push((error) => kept.close(error));
  }

  #startLoader(streams: Pick<LoaderThreadOptions, 'log' | 'streams'>): void {
    const { onStep } = this.#options;
    const { adapter, settings } = configuredWarehouse(this.#setting);
    const { privacy, preferences } = this.#setting.configuration;
    const loader = startLoaderThread({
      ...streams,
      warehouse: { address: adapter.address, settings, privacy, preferences },
      ...this.#observers,
      onStep,
    });
    this.#loader = loader;
    this.#closing.push(() => loader.close());
    this.#closing.push(() => loader.stop());
  }

  /** Reads the sources and runs the enrichment jobs, until all are drained, the signal aborts or one of them fails. */
  async #ingest(log: StreamLog, started: () => void): Promise<Ingested> {
    const { untilStopped = false, signal, onStep, onProgress } = this.#options;
    const loader = this.#loader;
    // Ingestion starts while the warehouse is opening. If the warehouse fails to open, a run without `untilStopped` must not
    // append anything, so the log holds the deliveries in memory until the warehouse is open. Topics cannot hold deliveries
    // back, so a run on topics waits here.
    const permission = untilStopped ? undefined : loader?.opened;
    if (configuredStreams(this.#setting).adapter.isShared) await permission;
    const sources = await this.#options.sources({ log, catchUp: async () => loader?.finish() });
    const jobs = this.#options.jobs?.(log) ?? [];
    if (sources.length + jobs.length === 0 && !writesStreams(this.#parts)) return this.#onlyLoad(started);
    const ingestion = new Ingestion({
      setting: this.#setting,
      sources,
      jobs,
      log,
      loader,
      permission,
      untilStopped,
      signal,
      onStep,
      onProgress,
      ...this.#observers,
      onFailure: (error) => this.#stops(error),
    });
    return await ingestion.run(started);
  }

  /** Waits until a run with only the loader ends. The loader works on its own thread. */
  async #onlyLoad(started: () => void): Promise<Ingested> {
    const { untilStopped, signal } = this.#options;
    await this.#loader?.opened;
    started();
    while (untilStopped === true && signal?.aborted !== true) {
      await pause(LOADER_ALONE_MS, signal);
      await this.#loader?.ready();
    }
    return { tally: noTally };
  }

  async #endLoading(): Promise<void> {
    const { signal } = this.#options;
    if (this.#loader === undefined) return;
    if (signal?.aborted !== true) await finish(this.#loader, signal);
    else await leave(this.#loader, this.#setting);
  }

  /** Reports that the run is stopping. It is then not ready: it accepts nothing new, and closing may take seconds. */
  async #stops(error?: unknown): Promise<void> {
    const first = firstError(error);
    const why = isAortaError(first) ? `stopping: ${first.message}` : 'stopping';
    this.#stopped ??= this.#observers.progress.wait('run', why, { deadlineMs: 0 });
    if (error !== undefined) await this.#options.onFailure?.(error);
  }

  /** Closes the opened parts, the last one first. Closes all of them, then rejects with the first failure, if any. */
  async #close(error?: unknown): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closing.splice(0).toReversed())
      await close(error).catch((failed: unknown) => failures.push(failed));
    if (failures.length > 0) throw failures[0];
  }
}

/** Stops the loader after its current step. Publishes the merged rows if publishing takes only seconds. */
async function leave(loader: LoaderThread, setting: PipelineSetting): Promise<void> {
  await loader.stop();
  const { adapter, settings } = configuredWarehouse(setting);
  if (await adapter.isPublishedSoon?.(settings)) await loader.publish();
}

/** Loads all records and publishes the tables. After a stop request, the loader only finishes its current step. */
async function finish(loader: LoaderThread, signal: AbortSignal | undefined): Promise<void> {
  const finished = loader.finish();
  if (signal === undefined) return finished;
  const stopped = Symbol('stopped');
  const outcome = await Promise.race([finished, whenAborted(signal).then(() => stopped)]);
  if (outcome !== stopped) return;
  await loader.stop();
  // If everything has been landed, the current step is a merge or the publication, so wait for it. Otherwise, the next run
  // loads the rest.
  if (loader.caughtUp()) await finished;
  else finished.catch(() => {});
}
