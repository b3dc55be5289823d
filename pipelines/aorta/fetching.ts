import { join } from 'node:path';
import {
  type FetchingJob,
  FetchingSource,
  memoryInFile,
  memoryInTopic,
  type OpenAnnouncements,
  type OpenEvidence,
  type OpenMemory,
  openHistoricalPulls,
  openLabCatalogue,
  openLabResults,
  openSentResources,
  openUsers,
  openWorkoutStreams,
  PULLS_GROUP,
  PULLS_JOB,
  type PullsMemory,
  pullsMemoryInFiles,
  pullsMemoryInTopic,
  Turns,
} from '@aorta/jobs';
import type { StreamName } from '@aorta/schemas';
import { openServiceClient, ServiceAccess, type ServiceClient } from '@aorta/service-client';
import { type KafkaStreamsSettings, openKafkaOwnership, openKafkaStreams, openKeptState, type StreamLog } from '@aorta/streams';
import { type AortaError, type Logger, type Metrics, type Progress, STALLED_AFTER_MS } from '@aorta/telemetry';
import type { Setting } from './configuration/configuration.ts';
import type { SourceOfRun } from './pipeline.ts';
import { clientIdOf } from './supervision/worker-name.ts';

export interface FetchingOptions {
  /** A run that ends when everything that is there has been taken. */
  readonly once: boolean;
  readonly only: 'consumers' | 'jobs' | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly progress: Progress;
}

/** The jobs that fetch from the service, or follow what it does, beside the configured sources. */
export interface Fetching {
  /** As sources of a run, which appends to that log. */
  sources(log: StreamLog): SourceOfRun[];
  /** Why something could not be asked for, in a run that ends. */
  readonly problems: readonly AortaError[];
  /** Gives up this worker's share. Never rejects. */
  close(): Promise<void>;
}

/** A probe of the service may take so long, in milliseconds. */
const PROBE_MS = 5_000;

/** What is shared out among workers. */
const WORK = 'fetching';

/** The jobs, by the names of what they remember. */
const jobs = {
  workoutStreams: 'workout-streams',
  labResults: 'lab-results',
  users: 'users',
  labCatalogue: 'lab-catalogue',
  sentResources: 'completeness',
  pulls: PULLS_JOB,
} as const;
type JobName = (typeof jobs)[keyof typeof jobs];

/** As a source, as a share of the work, and as a group that reads. */
const nameOf = (job: JobName): string => (job === jobs.pulls ? job : `service-${job}`);

/** Groups of a worker that fetches: that of its shares, and those in which it reads what its jobs go by. */
export const fetchingGroups: readonly string[] = [WORK, nameOf(jobs.workoutStreams), nameOf(jobs.labResults), PULLS_GROUP];

/** The jobs that the configuration asks for. With topics of Kafka each is done by one of all workers that take deliveries in. */
export function openFetching(setting: Setting, options: FetchingOptions): Fetching {
  const { streams } = setting.configuration;
  const problems: AortaError[] = [];
  if (streams.type === 'kafka' && options.only === 'jobs') return { sources: () => [], problems, close: async () => {} };
  const place = streams.type === 'kafka' ? inTopics(streams, options) : beside(setting);
  const service = watchedService(setting, options);
  return {
    problems,
    sources: (log) => sourcesIn(place, log, setting, { ...options, problems, client: service?.client }),
    close: async () => {
      service?.access.close();
      await place.turns?.close();
    },
  };
}

/** A client of the service whose outages readiness and status show. Undefined if no service is configured. */
function watchedService(
  { configuration }: Setting,
  { logger, progress }: FetchingOptions,
): { readonly client: ServiceClient; readonly access: ServiceAccess } | undefined {
  const { service: settings, health } = configuration;
  if (settings === undefined) return undefined;
  const probe = (): Promise<unknown> => client.users({ offset: 0, limit: 1 }, AbortSignal.timeout(PROBE_MS));
  const deadlineMs = health === undefined ? STALLED_AFTER_MS : health.stalled_after_s * 1000;
  const access = new ServiceAccess({ host: new URL(settings.base_url).host, probe, logger, progress, deadlineMs });
  const client = openServiceClient(settings, { observer: access });
  return { client, access };
}

/** Where jobs read what they go by, and remember what they did. */
interface FetchingPlace {
  readonly turns: Turns | undefined;
  memory(job: JobName): OpenMemory;
  announcements(job: JobName, log: StreamLog): OpenAnnouncements;
  evidence(log: StreamLog): OpenEvidence;
  pullsMemory(): Promise<PullsMemory>;
}

/** With local streams: files beside them, and their one writer. */
function beside({ place }: Setting): FetchingPlace {
  return {
    turns: undefined,
    memory: (job) => memoryInFile(join(place.streams, 'service', `${job}.json`)),
    announcements: (_, log) => async () => withoutClosing(log),
    evidence: (log) => async () => ({ log, close: async () => {} }),
    pullsMemory: async () => pullsMemoryInFiles(join(place.streams, 'historical-pulls')),
  };
}

/** The log stays its owner's, and nobody has to know how far single jobs are. */
function withoutClosing(log: StreamLog): Pick<StreamLog, 'assigned' | 'incarnation' | 'start' | 'end' | 'read'> {
  return {
    assigned: () => log.assigned(),
    incarnation: (of) => log.incarnation(of),
    start: (of) => log.start(of),
    end: (of) => log.end(of),
    read: (of, from, limit) => log.read(of, from, limit),
  };
}

/** With topics: groups of their own, and a topic that whoever goes on reads. */
function inTopics(settings: KafkaStreamsSettings, { logger }: FetchingOptions): FetchingPlace {
  const clientId = clientIdOf('fetching');
  const reading = (group: string, streams: readonly StreamName[], heard: Parameters<OpenEvidence>[0]): Promise<StreamLog> => {
    // What retention has dropped unheard cannot be had any more; a line says so.
    const read = { group, streams, carried: heard, overtaken: 'continue', onNews: () => {} } as const;
    return openKafkaStreams({ settings, clientId, logger, read });
  };
  return {
    turns: new Turns((told) =>
      openKafkaOwnership({ settings, clientId, work: WORK, shares: Object.values(jobs).map(nameOf), ...told }),
    ),
    memory: (job) => memoryInTopic(() => openKeptState(settings, clientId, nameOf(job))),
    announcements: (job) => async (heard, stream) => {
      const log = await reading(nameOf(job), [stream], heard);
      return {
        ...withoutClosing(log),
        look: async () => log.look?.(),
        tell: (of, position) => log.commit(nameOf(job), of, position),
        close: () => log.close(),
      };
    },
    // Answers are appended by the log of the deliveries, and heard by this one.
    evidence: (appending) => async (heard, streams) => {
      const log = await reading(PULLS_GROUP, streams, heard);
      return {
        log: {
          ...withoutClosing(log),
          look: async () => log.look?.(),
          commit: (group, of, position) => log.commit(group, of, position),
          append: (stream, record) => appending.append(stream, record),
          flush: () => appending.flush(),
        },
        close: () => log.close(),
      };
    },
    pullsMemory: async () => pullsMemoryInTopic(await openKeptState(settings, clientId, nameOf(jobs.pulls))),
  };
}

function sourcesIn(
  place: FetchingPlace,
  log: StreamLog,
  { configuration }: Setting,
  options: FetchingOptions & { readonly problems: AortaError[]; readonly client: ServiceClient | undefined },
): SourceOfRun[] {
  const { once, only, logger, metrics, progress, problems, client } = options;
  const { service: settings, historical_pulls: pulls } = configuration;
  const sources: SourceOfRun[] = [];
  const add = (job: JobName, open: () => Promise<FetchingJob>, how: Omit<SourceOfRun, 'open'>): void => {
    const name = nameOf(job);
    sources.push({ open: () => new FetchingSource({ name, open, turns: place.turns, once }), ...how });
  };

  if (pulls !== undefined) {
    const open = async (): Promise<FetchingJob> =>
      openHistoricalPulls({
        openLog: place.evidence(log),
        memory: await place.pullsMemory(),
        client,
        settings: pulls,
        once,
        logger,
        metrics,
        progress,
      });
    add(jobs.pulls, open, { againAfterMs: 0, behindOthers: true });
  }
  if (settings === undefined || client === undefined || only === 'jobs') return sources;

  const announced = (job: JobName, open: typeof openWorkoutStreams): void => {
    const options = { client, openLog: place.announcements(job, log), memory: place.memory(job), once, logger, metrics };
    add(job, () => open(options), { againAfterMs: 0, behindOthers: true });
  };
  const polled = (job: JobName, seconds: number, open: typeof openUsers): void => {
    if (seconds === 0) return;
    // Another worker may have asked a moment ago.
    const restMs = place.turns === undefined || once ? 0 : seconds * 1000;
    const onProblem = (error: AortaError): void => void (once && problems.push(error));
    const options = { client, memory: place.memory(job), logger, onProblem, restMs };
    add(job, () => open(options), { againAfterMs: seconds * 1000 });
  };
  const { fetch } = settings;
  if (fetch.workout_streams) announced(jobs.workoutStreams, openWorkoutStreams);
  if (fetch.lab_results) announced(jobs.labResults, openLabResults);
  polled(jobs.users, fetch.users_s, openUsers);
  polled(jobs.labCatalogue, fetch.lab_catalogue_s, openLabCatalogue);
  polled(jobs.sentResources, fetch.completeness_s, openSentResources);
  return sources;
}
