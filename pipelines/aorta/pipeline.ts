import { stat } from 'node:fs/promises';
import type { Source, Tally } from '@aorta/consumers';
import { consume, createRouter, openRedeliveryWindow } from '@aorta/consumers';
import { type JobsThread, type JobsThreadOptions, startJobsThread, type Upcoming } from '@aorta/jobs';
import { lockFolder, makeFolder, openKafkaStreams, openLocalLog, type StreamLog } from '@aorta/streams';
import {
  type AortaError,
  LONG_STEP_MS,
  type Logger,
  type Metrics,
  Progress,
  pause,
  type StepObserver,
  silentLogger,
  silentMetrics,
  unobserved,
  whenAborted,
} from '@aorta/telemetry';
import type { DuckDbSettings } from '@aorta/warehouse';
import type { Setting } from './configuration/configuration.ts';
import type { Configuration } from './configuration/schema.ts';
import { clientIdOf } from './supervision/worker-name.ts';
import { addTallies, noTally } from './tallies.ts';
import { joinIngestion } from './workers/ingestion-group.ts';
import { type KeepingOptions, type KeptReport, keepWorkerReport } from './workers/keep-report.ts';

/** What one run is made of. `load`, `run` and `demo` differ in this only. */
export interface PipelineOptions {
  readonly setting: Pick<Setting, 'configuration' | 'place'>;
  /** Gives the sources, once everything behind them stands; where only jobs run, those that belong to these. */
  readonly sources: (surroundings: SourceSurroundings) => Promise<readonly SourceOfRun[]> | readonly SourceOfRun[];
  /** Goes on until the signal comes: `run`. Without it a run ends when all sources are drained. */
  readonly untilStopped?: boolean;
  readonly only?: 'consumers' | 'jobs' | undefined;
  /** Ends the run in order: what is being done is finished, flushed and committed. */
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  /** Hears how far every part is, and what it waits for; for as long as the run is starting, that too. */
  readonly progress?: Progress;
  /** As whom this process reports what it does, see {@link keepWorkerReport}. */
  readonly worker?: ReportedWorker;
  /** Passed to every part: where fault tests end the process. */
  readonly onStep?: StepObserver;
  readonly onProgress?: (tally: Tally) => void;
}

/** What a report says of the process beside its parts. */
type ReportedWorker = Pick<KeepingOptions, 'clients' | 'sources' | 'supervisor'>;

/** A source, to be opened for every look at it. */
export interface SourceOfRun {
  open(): Promise<Source> | Source;
  /** Milliseconds from its being drained to the next look, in a run that goes on. */
  readonly againAfterMs: number;
  /** Looks at what the others have brought: in a run that ends, it begins when they have. */
  readonly behindOthers?: true;
}

interface SourceSurroundings {
  /** What the sources are taken into. */
  readonly log: StreamLog;
  /** Brings what the streams hold already into the tables, so that readers see what an interrupted run has left. */
  readonly catchUp: () => Promise<void>;
}

export interface PipelineOutcome {
  readonly ended: 'done' | 'stopped';
  readonly tally: Tally;
  /** Rows of the tables; undefined where only consumers ran. */
  readonly tables: Readonly<Record<string, number>> | undefined;
}

/**
 * One run: streams and warehouse are opened (which takes their locks), sources are taken into the streams and the streams
 * into the tables at the same time, and everything is closed again, whatever happens. Where one side fails the other is
 * stopped, and the first error is thrown; what was taken until then is durable.
 */
export async function runPipeline(options: PipelineOptions): Promise<PipelineOutcome> {
  const closing: Closing = [];
  let outcome: PipelineOutcome;
  try {
    outcome = await runParts(options, closing);
  } catch (error) {
    // What fails in closing after a failure is its consequence, and says less.
    await closeAll(closing, error).catch(() => {});
    throw error;
  }
  await closeAll(closing);
  return outcome;
}

/** How the parts that were opened are closed, in the order of opening. They hear what ended the run, if something failed. */
type Closing = ((error?: unknown) => Promise<void>)[];

async function closeAll(closing: Closing, error?: unknown): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closing.toReversed()) await close(error).catch((failed: unknown) => failures.push(failed));
  if (failures.length > 0) throw failures[0];
}

async function runParts(options: PipelineOptions, closing: Closing): Promise<PipelineOutcome> {
  const { setting, signal, progress = new Progress() } = options;
  const started = progress.wait('run', 'starting', { deadlineMs: 0 });
  const running = { ...options, progress };
  let parts: Parts | undefined;
  const report = async (): Promise<void> => {
    const kept = await keepReport(running, () => parts?.jobs?.upcoming());
    closing.push((error) => kept.close(error));
  };
  parts = await openParts(running, closing, report);
  const consumed = await (parts.log === undefined ? waitForStop(running, parts, started) : consumeAll(running, parts, started));
  if (parts.jobs !== undefined) {
    if (signal?.aborted !== true) await finish(parts.jobs, signal);
    else await leave(parts.jobs, setting);
  }
  if (consumed.error !== undefined) throw consumed.error;
  const ended = signal?.aborted === true ? 'stopped' : 'done';
  options.logger?.debug('run ended', { ended, streams: setting.place.streams });
  return { ended, tally: consumed.tally, tables: await parts.jobs?.rows() };
}

/** Reports to other processes what this one does. */
function keepReport(
  { setting, only, worker, progress, logger }: Running,
  upcoming: () => Upcoming | undefined,
): Promise<KeptReport> {
  return keepWorkerReport({
    clients: [],
    sources: [],
    supervisor: null,
    ...worker,
    place: setting.place,
    parts: only === undefined ? ['ingestion', 'loading'] : only === 'consumers' ? ['ingestion'] : ['loading'],
    progress,
    upcoming,
    logger: logger ?? silentLogger,
  });
}

/** A run has its progress, whether somebody looks at it or not. */
type Running = PipelineOptions & { readonly progress: Progress };

async function openParts(
  { setting, only, untilStopped, progress, logger = silentLogger, metrics = silentMetrics, onStep }: Running,
  closing: Closing,
  report: () => Promise<void>,
): Promise<Parts> {
  const { place, configuration } = setting;
  const { warehouse, privacy } = configuration;
  const start = (streams: Pick<JobsThreadOptions, 'log' | 'streams'>): JobsThread =>
    startJobsThread({
      ...streams,
      warehouse:
        warehouse.type === 'bigquery' ? { ...warehouse, privacy } : { ...duckDbOf(warehouse), path: place.warehouse, privacy },
      logger,
      metrics,
      progress,
      ...(onStep === undefined ? {} : { onStep }),
    });
  const closeJobs = (jobs: JobsThread): void => {
    closing.push(() => jobs.close());
    closing.push(() => jobs.stop());
  };

  if (configuration.streams.type === 'kafka') {
    const settings = configuration.streams;
    let log: StreamLog | undefined;
    if (only !== 'jobs') {
      // What consumers remember of redeliveries is one process's: another one on this machine has a data folder of its own.
      await makeFolder(place.streams);
      const lock = await lockFolder(place.streams);
      closing.push(() => lock.release());
      await report();
      const opened = await openKafkaStreams({
        settings,
        clientId: clientIdOf('consumers'),
        append: true,
        logger,
        metrics,
        progress,
        ...(onStep === undefined ? {} : { onStep }),
      });
      log = opened;
      closing.push(() => opened.close());
      if (untilStopped === true) closing.push(joinIngestion(settings, logger));
    } else await report();
    if (only === 'consumers') return { log, jobs: undefined };
    const jobs = start({ streams: { kafka: settings, clientId: clientIdOf('jobs') } });
    closeJobs(jobs);
    return { log, jobs };
  }

  let jobs: JobsThread | undefined;
  const log = await openLocalLog({
    folder: place.streams,
    logger,
    metrics,
    onStep: (step) => {
      if (step === 'append:durable') jobs?.wake();
      onStep?.(step);
    },
  });
  closing.push(() => log.close());
  await report();
  if (only === 'consumers') return { log, jobs: undefined };
  jobs = start({ log, streams: place.streams });
  closeJobs(jobs);
  return { log, jobs };
}

function duckDbOf({
  type: _,
  ...settings
}: Extract<Configuration['warehouse'], { type: 'duckdb' }>): Omit<DuckDbSettings, 'type'> {
  return settings;
}

interface Parts {
  /** What is appended to; undefined where only jobs run on topics, and find their records by themselves. */
  readonly log: StreamLog | undefined;
  readonly jobs: JobsThread | undefined;
}

interface Consumed {
  readonly tally: Tally;
  readonly error?: AortaError;
}

async function consumeAll(options: Running, parts: Parts, started: () => void): Promise<Consumed> {
  const { setting, untilStopped, signal, progress, metrics = silentMetrics } = options;
  const { jobs } = parts;
  const log = parts.log!;
  // Taking in begins while the warehouse opens. Who takes what there is keeps nothing of it if that does not open: until
  // then it stays in memory, which topics would not leave it in.
  const permission = untilStopped === true ? undefined : jobs?.opened;
  if (setting.configuration.streams.type === 'kafka') await permission;
  const sources = await options.sources({ log, catchUp: async () => jobs?.finish() });
  if (sources.length === 0 && options.only === 'jobs') return waitForStop(options, parts, started);
  const failure = new AbortController();
  const stop = AbortSignal.any([failure.signal, ...(signal === undefined ? [] : [signal])]);
  // A source may rest for minutes between two looks: the run ends without waiting for the next one.
  jobs?.failed.then(() => failure.abort());
  const window = await openRedeliveryWindow({
    log,
    folder: setting.place.streams,
    limits: setting.configuration.redelivery_window,
  });
  metrics.watch((set) => set('aorta_redelivery_window_bytes', {}, window.bytes()));
  const router = createRouter(setting.configuration.routes);
  const opened = await Promise.all(sources.map(async (source) => source.open()));
  if (jobs === undefined) started();
  else jobs.opened.then(started, () => failure.abort());
  const tallies = new Map<SourceOfRun, { earlier: Tally; now: Tally }>();
  const total = (): Tally => addTallies([...tallies.values()].flatMap(({ earlier, now }) => [earlier, now]));

  /** One source, look after look; gives what it ended with. */
  const take = async (source: SourceOfRun, first: Source): Promise<AortaError | undefined> => {
    const tally = { earlier: noTally, now: noTally };
    tallies.set(source, tally);
    for (let look = first; ; look = await source.open()) {
      const result = await consume(look, log, {
        window,
        router,
        bodyBytes: setting.configuration.limits.body_bytes,
        signal: stop,
        onStep: options.onStep ?? unobserved,
        permission,
        logger: options.logger ?? silentLogger,
        metrics,
        progress,
        ...(jobs === undefined ? {} : { ready: () => jobs.ready() }),
        onProgress: (now) => {
          tally.now = now;
          options.onProgress?.(total());
        },
      });
      tally.earlier = addTallies([tally.earlier, result.tally]);
      tally.now = noTally;
      if (result.error !== undefined || untilStopped !== true || stop.aborted) return result.error;
      await pause(source.againAfterMs, stop);
      // Also where nothing comes in, a job that failed ends the run.
      if (jobs !== undefined) await progress.during('run', 'the jobs are behind', jobs.ready(), { deadlineMs: LONG_STEP_MS });
      if (stop.aborted) return undefined;
    }
  };

  const first = sources.map(({ behindOthers }) => (behindOthers === true ? undefined : Promise.withResolvers<void>()));
  const results = await Promise.allSettled(
    sources.map(async (source, index) => {
      try {
        if (source.behindOthers === true && untilStopped !== true) await Promise.all(first.map((other) => other?.promise));
        const error = await take(source, opened[index]!);
        if (error !== undefined) failure.abort();
        return error;
      } catch (error) {
        failure.abort();
        throw error;
      } finally {
        first[index]?.resolve();
      }
    }),
  );
  // Says so before what follows from it does.
  await jobs?.opened;
  const broken = results.find((result) => result.status === 'rejected');
  if (broken !== undefined) throw broken.reason;
  const error = results.find((result) => result.status === 'fulfilled' && result.value !== undefined) as
    | PromiseFulfilledResult<AortaError>
    | undefined;
  return { tally: total(), ...(error === undefined ? {} : { error: error.value }) };
}

/** Milliseconds between two looks whether jobs that run alone have failed. */
const JOBS_ALONE_MS = 1000;

/** Jobs alone: they look for work by themselves. */
async function waitForStop({ untilStopped, signal }: PipelineOptions, { jobs }: Parts, started: () => void): Promise<Consumed> {
  await jobs?.opened;
  started();
  while (untilStopped === true && signal?.aborted !== true) {
    await pause(JOBS_ALONE_MS, signal);
    await jobs?.ready();
  }
  return { tally: noTally };
}

/** A warehouse of more bytes is not copied on the way out: who stops a run does not wait for minutes. */
const quicklyCopied = 1e9;

/** Ends the jobs after the step under way, and shows readers what was merged until then. */
async function leave(jobs: JobsThread, { configuration, place }: PipelineOptions['setting']): Promise<void> {
  await jobs.stop();
  if (configuration.warehouse.type !== 'duckdb') return;
  const { size } = await stat(place.warehouse);
  if (size < quicklyCopied) await jobs.publish();
}

/** Brings everything into the tables and publishes them; a stop ends that after the step under way. */
async function finish(jobs: JobsThread, signal: AbortSignal | undefined): Promise<void> {
  const finished = jobs.finish();
  if (signal === undefined) return finished;
  const stopped = Symbol('stopped');
  const outcome = await Promise.race([finished, whenAborted(signal).then(() => stopped)]);
  if (outcome !== stopped) return;
  await jobs.stop();
  // What is merging or being published now is a step under way; what is not landed waits for the next run.
  if (jobs.caughtUp()) await finished;
  else finished.catch(() => {});
}
