import { randomUUID } from 'node:crypto';
import type { StreamLog } from '@aorta/connectors';
import { openServiceClient, ServiceAccess, type ServiceClient } from '@aorta/connectors/service';
import {
  doJob,
  Emitter,
  JobAssignments,
  type OpenEmitter,
  type OpenJob,
  type OpenState,
  type OpenStreams,
  openHistoricalPulls,
  openLabCatalogue,
  openLabResults,
  openSentResources,
  openUsers,
  openWorkoutStreams,
  PULLS_GROUP,
  PULLS_JOB,
  stateIn,
} from '@aorta/enrichment';
import { type AortaError, errorFields, type Logger, type Metrics, type Progress, STALLED_AFTER_MS } from '@aorta/runtime';
import { type ConfiguredStreams, configuredStreams } from '../config/adapters.ts';
import type { Setting } from '../config/configuration.ts';
import type { JobOfRun } from './job.ts';
import { clientIdOf } from './parts.ts';

export interface EnrichmentOptions {
  /** Whether the run ends when no work is left. */
  readonly once: boolean;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly progress: Progress;
  /** Returns the current time in milliseconds since 1970. It may stand still. Default: the system clock. */
  readonly now?: () => number;
}

/** The enrichment jobs. They fetch data that is missing from events, and they track historical pulls. */
export interface Enrichment {
  /** Creates the jobs, which append to `log`. */
  jobs(log: StreamLog): JobOfRun[];
  /** Errors from failed polls. Empty in a run that does not end by itself. */
  readonly problems: readonly AortaError[];
  /** Releases the jobs that are assigned to this worker. Never rejects. */
  close(): Promise<void>;
}

/** Deadline of a call that probes whether the service is available. */
const PROBE_MS = 5_000;

/** Name of the group that assigns jobs to workers. */
const WORK = 'fetching';

const jobs = {
  workoutStreams: 'workout-streams',
  labResults: 'lab-results',
  users: 'users',
  labCatalogue: 'lab-catalogue',
  sentResources: 'completeness',
  pulls: PULLS_JOB,
} as const;
type JobName = (typeof jobs)[keyof typeof jobs];

/**
 * Returns the name of a job. The job writes it to receipts as the source, and uses it as its group when it reads streams.
 * Jobs are also assigned to workers by name.
 */
const nameOf = (job: JobName): string => (job === jobs.pulls ? job : `service-${job}`);

/**
 * Groups that a worker joins if it runs enrichment: the group that assigns jobs, and the groups in which its jobs read
 * streams.
 */
export const enrichmentGroups: readonly string[] = [WORK, nameOf(jobs.workoutStreams), nameOf(jobs.labResults), PULLS_GROUP];

/** Creates the configured jobs of enrichment. With shared streams, at most one worker runs a job at a time. */
export function openEnrichment(setting: Setting, options: EnrichmentOptions): Enrichment {
  const streams = configuredStreams(setting);
  const problems: AortaError[] = [];
  const place = streams.adapter.isShared ? shared(streams, options) : beside(streams, options);
  const service = watchedService(setting, options);
  return {
    problems,
    jobs: (log) => jobsIn(place, log, setting, { ...options, problems, client: service?.client }),
    close: async () => {
      service?.access.close();
      await place.assignments?.close();
    },
  };
}

/**
 * Opens a client for the service, and reports outages of the service in the readiness check and the status. Returns
 * undefined if no service is configured.
 */
function watchedService(
  { configuration }: Setting,
  { logger, progress }: EnrichmentOptions,
): { readonly client: ServiceClient; readonly access: ServiceAccess } | undefined {
  const { service: settings, health } = configuration;
  if (settings === undefined) return undefined;
  const probe = (): Promise<unknown> => client.users({ offset: 0, limit: 1 }, AbortSignal.timeout(PROBE_MS));
  const deadlineMs = health === undefined ? STALLED_AFTER_MS : health.stalled_after_s * 1000;
  const access = new ServiceAccess({ host: new URL(settings.base_url).host, probe, logger, progress, deadlineMs });
  const client = openServiceClient(settings, { observer: access });
  return { client, access };
}

/** The streams that the jobs read, and where the jobs keep their state. */
interface EnrichmentPlace {
  readonly assignments: JobAssignments | undefined;
  /** Partition in the receipts of fetched data. Two processes that can own the same jobs have different partitions. */
  readonly partition: string;
  readonly state: (job: JobName) => OpenState;
  /** Opens the streams that the job reads. `log` is the run's log. */
  streams(job: JobName, log: StreamLog): OpenStreams;
}

const stateOf =
  ({ adapter, at }: ConfiguredStreams, logger: Logger) =>
  (job: JobName): OpenState =>
    stateIn(async () => {
      const kept = await (await adapter.load()).openKept(at, nameOf(job));
      if (kept.damage !== undefined) logger.warn('job starts over', { job: nameOf(job), ...errorFields(kept.damage) });
      return kept;
    }, adapter.isShared !== true);

/**
 * Returns the place of jobs with local streams. They read through the run's log, because only one process can open local
 * streams for writing.
 */
function beside(streams: ConfiguredStreams, { logger }: EnrichmentOptions): EnrichmentPlace {
  return {
    state: stateOf(streams, logger),
    assignments: undefined,
    partition: '0',
    // Only the tracker of historical pulls commits a position, because other processes display it.
    streams: (job, log) => async () => ({
      log,
      commit: job === jobs.pulls ? (of, position) => log.commit(PULLS_GROUP, of, position) : undefined,
      close: async () => {},
    }),
  };
}

/**
 * Returns the place of jobs with shared streams. Each job reads in its own group, and the next worker that runs the job reads
 * its state. Every shared stream log implements `own` and `openGroupReader`.
 */
function shared({ adapter, at: place }: ConfiguredStreams, { logger }: EnrichmentOptions): EnrichmentPlace {
  const at = { ...place, clientId: clientIdOf('enrichment') };
  return {
    state: stateOf({ adapter, at }, logger),
    assignments: new JobAssignments(async (told) => {
      const { own } = await adapter.load();
      return own!(at, { work: WORK, shares: Object.values(jobs).map(nameOf), ...told });
    }),
    partition: randomUUID(),
    streams: (job) => async (carried, streams) => {
      const group = nameOf(job);
      const { openGroupReader } = await adapter.load();
      const log = await openGroupReader!({ ...at, group, streams, carried, logger });
      return { log, commit: (of, position) => log.commit(group, of, position), close: () => log.close() };
    },
  };
}

function jobsIn(
  place: EnrichmentPlace,
  log: StreamLog,
  { configuration }: Setting,
  options: EnrichmentOptions & { readonly problems: AortaError[]; readonly client: ServiceClient | undefined },
): JobOfRun[] {
  const { once, logger, metrics, progress, problems, client, now } = options;
  const timed = now === undefined ? {} : { now };
  // The tracker waits until its clock allows the next call, so this clock must move.
  const moving = now === undefined ? undefined : movingFrom(now);
  const { service: settings, historical_pulls: pulls } = configuration;
  const configured: JobOfRun[] = [];
  const add = (job: JobName, open: (openEmitter: OpenEmitter) => Promise<OpenJob>, behindOthers: boolean): void => {
    const clock = job === jobs.pulls ? moving : now;
    const name = nameOf(job);
    const work: JobOfRun['work'] = ({ signal, openIntake }) => {
      const openEmitter: OpenEmitter = (source) => new Emitter({ source, partition: place.partition, log, openIntake, ...timed });
      return doJob(
        {
          name,
          open: () => open(openEmitter),
          assignments: place.assignments,
          once,
          logger,
          now: clock,
        },
        signal,
      );
    };
    configured.push({ name, work, behindOthers });
  };

  if (pulls !== undefined) {
    const openLog = place.streams(jobs.pulls, log);
    const state = place.state(jobs.pulls);
    const clock = moving === undefined ? {} : { clock: moving };
    const options = { openLog, state, client, settings: pulls, once, logger, metrics, progress, ...clock };
    add(jobs.pulls, (openEmitter) => openHistoricalPulls({ ...options, openEmitter }), true);
  }
  if (settings === undefined || client === undefined) return configured;

  const announced = (job: JobName, open: typeof openWorkoutStreams): void => {
    const options = { client, openLog: place.streams(job, log), state: place.state(job), logger, metrics, ...timed };
    add(job, (openEmitter) => open({ ...options, openEmitter }), true);
  };
  const polled = (job: JobName, seconds: number, open: typeof openUsers): void => {
    if (seconds === 0) return;
    const onProblem = (error: AortaError): void => void (once && problems.push(error));
    const restsFirst = place.assignments !== undefined && !once;
    const options = { client, state: place.state(job), logger, onProblem, everyMs: seconds * 1000, restsFirst, ...timed };
    add(job, (openEmitter) => open({ ...options, openEmitter }), false);
  };
  const { fetch } = settings;
  if (fetch.workout_streams) announced(jobs.workoutStreams, openWorkoutStreams);
  if (fetch.lab_results) announced(jobs.labResults, openLabResults);
  polled(jobs.users, fetch.users_s, openUsers);
  polled(jobs.labCatalogue, fetch.lab_catalogue_s, openLabCatalogue);
  polled(jobs.sentResources, fetch.completeness_s, openSentResources);
  return configured;
}

/** Returns a clock that reads another clock on its first call, and from then on moves in real time. */
function movingFrom(now: () => number): () => number {
  let start: number | undefined;
  return () => {
    start ??= now() - performance.now();
    return Math.round(start + performance.now());
  };
}
