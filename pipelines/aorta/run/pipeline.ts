import type { Source, StreamLog } from '@aorta/connectors';
import { consume, createRouter, Intake, openRedeliveryWindow, type Tally } from '@aorta/ingestion';
import { type LoaderThread, type LoaderThreadOptions, startLoaderThread, type Upcoming } from '@aorta/loading';
import {
  type AortaError,
  firstError,
  isAortaError,
  LONG_STEP_MS,
  type Logger,
  lockFolder,
  type Metrics,
  makeFolder,
  Progress,
  pause,
  type StepObserver,
  silentLogger,
  silentMetrics,
  unobserved,
  whenAborted,
} from '@aorta/runtime';
import { configuredStreams, configuredWarehouse } from '../config/adapters.ts';
import type { Setting } from '../config/configuration.ts';
import { type KeepingOptions, type KeptReport, keepWorkerReport } from '../report/keep-report.ts';
import { addTallies, noTally } from '../report/load-report.ts';
import { joinIngestion } from './claims.ts';
import { type WorkerOfRun, worked } from './job.ts';
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

export type PipelineSetting = Pick<Setting<(typeof pipelineSections)[number]>, 'configuration' | 'place'> &
  Partial<Pick<Setting, 'registry'>>;

/** Options of one run. The commands `load`, `run` and `demo` differ only in these options. */
export interface PipelineOptions {
  readonly setting: PipelineSetting;
  /** Returns the sources. Called once, after the stream log is open. */
  readonly sources: (surroundings: SourceSurroundings) => Promise<readonly SourceOfRun[]> | readonly SourceOfRun[];
  /** Returns the enrichment jobs. */
  readonly workers?: (log: StreamLog) => readonly WorkerOfRun[];
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
}

/**
 * Runs a pipeline: opens the streams and the warehouse and takes their locks, then ingests and loads at the same time. If
 * one part fails, stops the others and throws the first error. Deliveries ingested before the error are durable. Closes
 * everything that it opened, even after an error.
 */
export async function runPipeline(options: PipelineOptions): Promise<PipelineOutcome> {
  const { progress = new Progress(), signal } = options;
  const closing: Closing = [];
  // A run that is stopping is not ready: it accepts nothing new, and closing may take seconds.
  let stopping: (() => void) | undefined;
  const stop = (error?: unknown): void => {
    const first = firstError(error);
    const why = isAortaError(first) ? `stopping: ${first.message}` : 'stopping';
    stopping ??= progress.wait('run', why, { deadlineMs: 0 });
  };
  const askedToStop = (): void => stop();
  signal?.addEventListener('abort', askedToStop, { once: true });
  let outcome: PipelineOutcome;
  try {
    outcome = await runParts({ ...options, progress, stops: stop }, closing);
    stop();
    await closeAll(closing.splice(0));
  } catch (error) {
    stop(error);
    // If closing also fails, the first error is more informative.
    await closeAll(closing.splice(0), error).catch(() => {});
    throw error;
  } finally {
    signal?.removeEventListener('abort', askedToStop);
    stopping?.();
  }
  return outcome;
}

/**
 * Functions that close the opened parts, in the order in which the parts were opened. They receive the error that ended the
 * run, if any.
 */
type Closing = ((error?: unknown) => Promise<void>)[];

async function closeAll(closing: Closing, error?: unknown): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closing.toReversed()) await close(error).catch((failed: unknown) => failures.push(failed));
  if (failures.length > 0) throw failures[0];
}

async function runParts(running: Running, closing: Closing): Promise<PipelineOutcome> {
  const { setting, signal, progress } = running;
  const started = progress.wait('run', 'starting', { deadlineMs: 0 });
  let parts: Parts | undefined;
  const report = async (): Promise<void> => {
    const kept = await keepReport(running, () => parts?.loader?.upcoming());
    closing.push((error) => kept.close(error));
  };
  parts = await openParts(running, closing, report);
  const consumed = await (parts.log === undefined ? waitForStop(running, parts, started) : consumeAll(running, parts, started));
  if (parts.loader !== undefined) {
    if (signal?.aborted !== true) await finish(parts.loader, signal);
    else await leave(parts.loader, setting);
  }
  if (consumed.error !== undefined) throw consumed.error;
  const ended = signal?.aborted === true ? 'stopped' : 'done';
  running.logger?.debug('run ended', { ended, streams: setting.place.streams });
  return { ended, tally: consumed.tally, tables: await parts.loader?.rows() };
}

/** Starts writing the worker report, from which other processes learn what this process does. */
function keepReport(
  { setting, parts = everything, worker, progress, logger }: Running,
  upcoming: () => Upcoming | undefined,
): Promise<KeptReport> {
  return keepWorkerReport({
    clients: [],
    sources: [],
    supervisor: null,
    ...worker,
    place: setting.place,
    parts: reportedParts(parts),
    progress,
    upcoming,
    logger: logger ?? silentLogger,
  });
}

/**
 * Options of a run whose progress is reported. `stops` makes readiness fail while the run is stopping. Its argument is
 * the error that ended the run, if any.
 */
type Running = PipelineOptions & { readonly progress: Progress; readonly stops: (error?: unknown) => void };

async function openParts(
  { setting, parts = everything, untilStopped, progress, logger = silentLogger, metrics = silentMetrics, onStep }: Running,
  closing: Closing,
  report: () => Promise<void>,
): Promise<Parts> {
  const { place } = setting;
  const start = (streams: Pick<LoaderThreadOptions, 'log' | 'streams'>): LoaderThread => {
    const { adapter, settings } = configuredWarehouse(setting);
    const { privacy, preferences } = setting.configuration;
    return startLoaderThread({
      ...streams,
      warehouse: { address: adapter.address, settings, privacy, preferences },
      logger,
      metrics,
      progress,
      ...(onStep === undefined ? {} : { onStep }),
    });
  };
  const closeLoader = (loader: LoaderThread): void => {
    closing.push(() => loader.close());
    closing.push(() => loader.stop());
  };

  const { adapter: streamLog, at } = configuredStreams(setting);
  const { address, isShared } = streamLog;
  const { open, ...shared } = await streamLog.load();
  const opening = { ...at, clientId: clientIdOf('ingestion') };
  const observed = { logger, metrics, progress, ...(onStep === undefined ? {} : { onStep }) };
  const reading = { address, ...at, clientId: clientIdOf('loading') };
  if (isShared) {
    let log: StreamLog | undefined;
    if (writesStreams(parts)) {
      // The data folder holds the redelivery window of one process, so two processes cannot share a folder.
      await makeFolder(place.streams);
      const lock = await lockFolder(place.streams);
      closing.push(() => lock.release());
      await report();
      const opened = await open({ ...opening, ...observed });
      log = opened;
      closing.push(() => opened.close());
      if (untilStopped === true && parts.ingestion) closing.push(joinIngestion(shared, opening, logger));
    } else await report();
    if (!parts.loading) return { log, loader: undefined };
    const loader = start({ streams: reading });
    closeLoader(loader);
    return { log, loader };
  }

  const log = await open({ ...opening, ...observed });
  closing.push(() => log.close());
  await report();
  if (!parts.loading) return { log, loader: undefined };
  const loader = start({ log, streams: reading });
  closeLoader(loader);
  return { log, loader };
}

interface Parts {
  /** The log that deliveries are appended to. Undefined if the run only loads from topics: the loader opens its own reader. */
  readonly log: StreamLog | undefined;
  readonly loader: LoaderThread | undefined;
}

interface Consumed {
  readonly tally: Tally;
  readonly error?: AortaError;
}

async function consumeAll(options: Running, open: Parts, started: () => void): Promise<Consumed> {
  const { setting, untilStopped, signal, progress, metrics = silentMetrics } = options;
  const { loader } = open;
  const log = open.log!;
  // Ingestion starts while the warehouse is opening. If the warehouse fails to open, a run without `untilStopped` must not
  // append anything, so the log holds the deliveries in memory until the warehouse is open. Topics cannot hold deliveries
  // back, so a run on topics waits here.
  const permission = untilStopped === true ? undefined : loader?.opened;
  if (configuredStreams(setting).adapter.isShared) await permission;
  const sources = await options.sources({ log, catchUp: async () => loader?.finish() });
  const workers = options.workers?.(log) ?? [];
  if (sources.length + workers.length === 0 && !writesStreams(options.parts ?? everything))
    return waitForStop(options, open, started);
  const failure = new AbortController();
  const fail = (error: unknown): void => {
    options.stops(error);
    failure.abort();
  };
  const stop = AbortSignal.any([failure.signal, ...(signal === undefined ? [] : [signal])]);
  // If the loader fails, the run ends at once, even if a source is pausing for minutes between two passes.
  loader?.failed.then(fail);
  const window = await openRedeliveryWindow({
    log,
    folder: setting.place.streams,
    limits: setting.configuration.redelivery_window,
    metrics,
  });
  const router = createRouter(setting.configuration.routes);
  const opened = await Promise.all(sources.map(async (source) => source.open()));
  if (loader === undefined) started();
  else loader.opened.then(started, fail);
  const tallies = new Map<SourceOfRun | WorkerOfRun, { earlier: Tally; now: Tally }>();
  const total = (): Tally => addTallies([...tallies.values()].flatMap(({ earlier, now }) => [earlier, now]));

  /** Options that sources and jobs share. */
  const intake = {
    window,
    router,
    bodyBytes: setting.configuration.limits.body_bytes,
    signal: stop,
    onStep: options.onStep ?? unobserved,
    permission,
    metrics,
    progress,
    ...(loader === undefined ? {} : { ready: () => loader.ready() }),
  };
  /** Runs one job. Returns the error that ended the job, if any. */
  const work = (worker: WorkerOfRun): Promise<AortaError | undefined> => {
    const tally = { earlier: noTally, now: noTally };
    tallies.set(worker, tally);
    const openIntake = (): Intake => {
      tally.earlier = addTallies([tally.earlier, tally.now]);
      tally.now = noTally;
      return new Intake({
        ...intake,
        source: worker.name,
        log,
        onProgress: (now) => {
          tally.now = now;
          options.onProgress?.(total());
        },
      });
    };
    return worked(worker, { signal: stop, openIntake }, { logger: options.logger ?? silentLogger, progress });
  };

  /** Reads one source, pass after pass. Returns the error that stopped the reading, if any. */
  const take = async (source: SourceOfRun, first: Source): Promise<AortaError | undefined> => {
    const tally = { earlier: noTally, now: noTally };
    tallies.set(source, tally);
    for (let look = first; ; look = await source.open()) {
      const result = await consume(look, log, {
        ...intake,
        logger: options.logger ?? silentLogger,
        onProgress: (now) => {
          tally.now = now;
          options.onProgress?.(total());
        },
      });
      tally.earlier = addTallies([tally.earlier, result.tally]);
      tally.now = noTally;
      if (result.error !== undefined || untilStopped !== true || stop.aborted) return result.error;
      await pause(source.againAfterMs, stop);
      // If the loader failed, ready() rejects and ends the run, even without new deliveries.
      if (loader !== undefined) await progress.during('run', 'the jobs are behind', loader.ready(), { deadlineMs: LONG_STEP_MS });
      if (stop.aborted) return undefined;
    }
  };

  const parts = [
    ...sources.map((source, index) => ({ behind: false, run: () => take(source, opened[index]!) })),
    ...workers.map((worker) => ({ behind: worker.behindOthers === true, run: () => work(worker) })),
  ];
  const first = parts.map(({ behind }) => (behind ? undefined : Promise.withResolvers<void>()));
  const results = await Promise.allSettled(
    parts.map(async ({ behind, run }, index) => {
      try {
        if (behind && untilStopped !== true) await Promise.all(first.map((other) => other?.promise));
        const error = await run();
        if (error !== undefined) fail(error);
        return error;
      } catch (error) {
        fail(error);
        throw error;
      } finally {
        first[index]?.resolve();
      }
    }),
  );
  // If the warehouse failed to open, throw that error rather than a later one that it caused.
  await loader?.opened;
  const broken = results.find((result) => result.status === 'rejected');
  if (broken !== undefined) throw broken.reason;
  const error = results.find((result) => result.status === 'fulfilled' && result.value !== undefined) as
    | PromiseFulfilledResult<AortaError>
    | undefined;
  return { tally: total(), ...(error === undefined ? {} : { error: error.value }) };
}

/** Interval, in milliseconds, at which a run with only the loader checks whether the loader has failed. */
const LOADER_ALONE_MS = 1000;

/** Waits until a run with only the loader ends. The loader works on its own thread. */
async function waitForStop({ untilStopped, signal }: PipelineOptions, { loader }: Parts, started: () => void): Promise<Consumed> {
  await loader?.opened;
  started();
  while (untilStopped === true && signal?.aborted !== true) {
    await pause(LOADER_ALONE_MS, signal);
    await loader?.ready();
  }
  return { tally: noTally };
}

/** Stops the loader after its current step. Publishes the merged rows if publishing takes only seconds. */
async function leave(loader: LoaderThread, setting: PipelineOptions['setting']): Promise<void> {
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
