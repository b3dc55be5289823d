import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { builtIn } from '@aorta/connectors/registry';
import type { EventHubsProcess } from '@aorta/event-hubs-server';
import type { Tally } from '@aorta/ingestion';
import { Progress, silentLogger, silentMetrics } from '@aorta/runtime';
import type { Setting } from '../configuration/configuration.ts';
import type { DataLocation } from '../configuration/data-location.ts';
import { configurationSchema } from '../configuration/schema.ts';
import { openFetching } from '../fetching.ts';
import { type PipelineOptions, runPipeline, type SourceOfRun } from '../pipeline.ts';
import { plainCall } from '../printing/command-lines.ts';
import { type LoadReport, reportOf } from '../report.ts';
import { configuredSources, type SourcesOptions } from '../sources.ts';
import { endingAt } from './ending.ts';
import { type DemoOptions, hubsFolder } from './folder.ts';
import { demoHubs } from './hubs.ts';
import { paced } from './paced.ts';
import { type Sent, startDemoService } from './service.ts';
import { freeAddress, whenListening } from './webhook-address.ts';

/** Least milliseconds between two batches of a source while the service sends, so that the service gets the processor. */
const BATCH_MS = 1000;

export interface TakingOptions {
  /** Folder of the demonstration. */
  readonly folder: string;
  readonly place: DataLocation;
  readonly made: DemoOptions;
  /** Name under which this process claims partitions. */
  readonly worker: string;
  readonly signal: AbortSignal;
  readonly onSent: (sent: Sent) => void;
  readonly onProgress: (tally: Tally) => void;
}

export interface Taken {
  readonly ended: 'done' | 'stopped';
  readonly report: LoadReport;
}

type Around = Pick<TakingOptions, 'folder' | 'place' | 'worker' | 'signal' | 'onProgress'>;

/**
 * Starts the service and the hubs, and loads everything that the service sends through the hubs and the webhook, as
 * `aorta run` does. At the end, fetches what the service has announced, and its answers about historical pulls.
 */
export async function takeFromService(options: TakingOptions): Promise<Taken> {
  const { folder, made, signal, onSent } = options;
  await using hubs = await openHubs(folder);
  const address = await freeAddress();
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const webhook = { url: `http://${address}/webhook`, secret };
  const connection = hubs.connectionString;
  await using service = await startDemoService({ ...made, folder, connection, webhook });
  const settings = {
    sources: [hubSource(folder, connection), { type: 'webhook', listen: address, secrets: [secret] }],
    service: { base_url: service.url, key: service.key, fetch: { lab_results: false, lab_catalogue_s: 0 } },
    // The service stops with the demonstration, so the board shows its last answers as current for some days.
    historical_pulls: { calls_a_minute: 60_000, page_users: 500, stale_after_h: 72 },
  };
  const sent = service.sent.then((all) => {
    onSent(all);
    return all;
  });
  // The sources handle a rejection while they are read. Without this line, a later rejection would be unhandled.
  sent.catch(() => {});
  const begun = new AbortController();
  const waiting = AbortSignal.any([signal, begun.signal]);
  void whenListening(address, waiting)
    .then(() => waiting.aborted || service.begin())
    .catch(() => {});
  try {
    return await run(options, settings, {
      totals: [sent.then(({ events }) => events), sent.then(({ webhooks }) => webhooks)],
      now: service.now,
    });
  } finally {
    begun.abort();
  }
}

/**
 * Loads all events of the hubs again, from the first one. They keep their offsets, so no row of the tables changes.
 */
export async function takeAgain({ folder, ...options }: Omit<TakingOptions, 'made' | 'onSent'>): Promise<Taken> {
  await using hubs = await openHubs(folder);
  const held = heldBy(hubs);
  held.catch(() => {});
  return await run({ folder, ...options }, { sources: [hubSource(folder, hubs.connectionString)] }, { totals: [held] });
}

interface Course {
  /** Number of deliveries after which each source ends. */
  readonly totals: readonly Promise<number>[];
  /** Returns the time of arrival, in milliseconds since 1970. */
  readonly now?: () => number;
}

async function run({ place, worker, signal, onProgress }: Around, settings: object, { totals, now }: Course): Promise<Taken> {
  const configuration = configurationSchema.parse(settings);
  const setting: Setting = { file: undefined, configuration, unread: [], place, registry: builtIn, call: plainCall };
  // Warnings about transient errors are not printed, and errors that end the run are thrown.
  const logger = silentLogger;
  const progress = new Progress();
  const timed = now === undefined ? {} : { now };
  // On a busy machine, the hubs may answer later than a source waits by default.
  const around: SourcesOptions = { once: false, patient: true, worker, logger, metrics: silentMetrics, progress, ...timed };
  const fetching = openFetching(setting, { ...around, once: true, which: 'all' });
  const workers: PipelineOptions['workers'] = (log) => fetching.workers(log).map((one) => ({ ...one, behindOthers: true }));
  try {
    const { ended, tally, tables } = await runPipeline({
      ...{ setting, workers, signal, logger, progress, onProgress },
      sources: () =>
        configuredSources(setting, around).all.map(
          ({ open, againAfterMs }, index): SourceOfRun => ({
            open: async () => endingAt(paced(await open(), BATCH_MS, totals[index]!), totals[index]!),
            againAfterMs,
          }),
        ),
    });
    if (ended === 'done' && fetching.problems.length > 0) throw fetching.problems[0];
    return { ended, report: reportOf(tally, tables ?? {}) };
  } finally {
    await fetching.close();
  }
}

/** Starts the hubs in another process. They store their events in the folder. */
async function openHubs(folder: string): Promise<EventHubsProcess & AsyncDisposable> {
  // Imported only here, because the published package does not contain the local servers.
  const { spawnEventHubs } = await import('@aorta/event-hubs-server');
  const own = join(folder, hubsFolder);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  const hubs = await spawnEventHubs({ hubs: demoHubs, folder: own, sendersSetTimes: true });
  return { ...hubs, [Symbol.asyncDispose]: hubs.stop };
}

async function heldBy({ faults }: Pick<EventHubsProcess, 'faults'>): Promise<number> {
  const { hubs } = await faults.state();
  return hubs.flatMap(({ partitions }) => partitions).reduce((sum, { last }) => sum + last + 1, 0);
}

/** Settings of the source that reads the hubs from their first event. Deletes the checkpoints of an earlier demonstration. */
function hubSource(folder: string, connection: string): object {
  const checkpoints = join(folder, hubsFolder, 'checkpoints');
  rmSync(checkpoints, { recursive: true, force: true });
  const hubs = demoHubs.map(({ name }) => name);
  return { type: 'event-hubs', connection, hubs, checkpoints: { type: 'file', folder: checkpoints } };
}
