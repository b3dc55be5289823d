import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Source } from '@aorta/connectors';
import { builtIn } from '@aorta/connectors/registry';
import type { EventHubsProcess } from '@aorta/event-hubs-server';
import type { Tally } from '@aorta/ingestion';
import { AortaError, Progress, pause, silentLogger, silentMetrics } from '@aorta/runtime';
import { plainCall } from '../cli/printing/command-lines.ts';
import type { Setting } from '../config/configuration.ts';
import type { DataLocation } from '../config/data-location.ts';
import { configurationSchema } from '../config/schema.ts';
import { type LoadReport, reportOf } from '../report/load-report.ts';
import { openEnrichment } from '../run/enrichment.ts';
import { type PipelineOptions, runPipeline } from '../run/pipeline.ts';
import { configuredSources, type SourceOfRun, type SourcesOptions } from '../run/sources.ts';
import { type DemoOptions, hubsFolder, serviceFolder } from './folder.ts';
import { demoHubs } from './hubs.ts';

/** Least milliseconds between two batches of a source while the service sends, so that the service gets the processor. */
const BATCH_MS = 1000;

/** The endpoint of Aorta to which the service posts webhooks. */
interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
}

export interface ServiceProcessOptions extends DemoOptions {
  /** Connection string of the namespace. */
  readonly connection: string;
  /** SQLite file with the state of the service. */
  readonly path: string;
  readonly webhook: WebhookTarget;
}

/** Message of the service to its parent. The parent answers `clock` with `noted`. */
export type ServiceWord =
  | { readonly kind: 'ready'; readonly url: string; readonly key: string }
  | { readonly kind: 'clock'; readonly now: number }
  | ({ readonly kind: 'sent' } & Sent)
  | { readonly kind: 'failed'; readonly problem: string };

export type ParentWord = 'begin' | 'noted';

/** Numbers of the deliveries that the service has sent by the end of the demonstration. */
interface Sent {
  /** Number of events that the hubs hold, including repeated ones. */
  readonly events: number;
  /** Number of webhooks that the endpoint has accepted, including repeated ones. */
  readonly webhooks: number;
}

/** The service of a demonstration, in a process that ends on disposal, or when this process ends. */
interface DemoService extends AsyncDisposable {
  /** Address of the API. */
  readonly url: string;
  /** Key of the team. */
  readonly key: string;
  /** Returns the virtual time, in milliseconds since 1970. */
  now(): number;
  /** Lets the days of the demonstration pass. The endpoint must accept webhooks by now. */
  begin(): void;
  /** Resolves at the end of the last day. Rejects with AORTA-BUG if the service fails. Never settles after disposal. */
  readonly sent: Promise<Sent>;
}

interface StartingOptions extends DemoOptions {
  /** Folder of the demonstration. */
  readonly folder: string;
  readonly connection: string;
  readonly webhook: WebhookTarget;
}

/** Starts the service. Its state is in a file in the folder. */
async function startDemoService({ folder, ...options }: StartingOptions): Promise<DemoService> {
  const own = join(folder, serviceFolder);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  const given: ServiceProcessOptions = { ...options, path: join(own, 'service.sqlite') };
  const child = fork(join(import.meta.dirname, 'service.process.ts'), [JSON.stringify(given)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const { ready, sent, now } = listenTo(child);
  // A failure before the service is ready rejects both. The caller reports it, because it awaits `ready`.
  sent.catch(() => {});
  const end = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await exited;
  };
  try {
    const { url, key } = await ready;
    return { url, key, now, sent, begin: () => void child.send('begin' satisfies ParentWord), [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

function listenTo(child: ChildProcess) {
  const ready = Promise.withResolvers<{ readonly url: string; readonly key: string }>();
  const sent = Promise.withResolvers<Sent>();
  let virtual = 0;
  const fail = (problem: string): void => {
    const error = new AortaError('AORTA-BUG', { place: 'the service of the demonstration', problem });
    ready.reject(error);
    sent.reject(error);
  };
  child.on('message', (word: ServiceWord) => {
    switch (word.kind) {
      case 'ready':
        ready.resolve(word);
        break;
      case 'clock':
        virtual = word.now;
        child.send('noted' satisfies ParentWord);
        break;
      case 'sent':
        sent.resolve(word);
        break;
      case 'failed':
        fail(word.problem);
    }
  });
  // If the parent disconnects before everything is sent, the process exits with code 0 and sends no message.
  child.once('exit', (code, signal) => {
    if (code !== 0) fail(`ended with ${signal ?? code}`);
  });
  return { ready: ready.promise, sent: sent.promise, now: () => virtual };
}

export interface DemoRunOptions {
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

export interface DemoOutcome {
  readonly ended: 'done' | 'stopped';
  readonly report: LoadReport;
}

type Around = Pick<DemoRunOptions, 'folder' | 'place' | 'worker' | 'signal' | 'onProgress'>;

const LOOK_MS = 25;

/** Returns a free address on this machine, as `host:port`. */
async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `127.0.0.1:${port}`;
}

/** Resolves when an endpoint listens at the address, or when the signal aborts. */
async function whenListening(address: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isThere = await fetch(`http://${address}/livez`, { signal }).then(
      async (answer) => {
        await answer.body?.cancel();
        return answer.ok;
      },
      () => false,
    );
    if (isThere) return;
    await pause(LOOK_MS, signal);
  }
}

/**
 * Starts the service and the hubs, and loads everything that the service sends through the hubs and the webhook, as
 * `aorta run` does. At the end, fetches what the service has announced, and its answers about historical pulls.
 */
export async function loadFromService(options: DemoRunOptions): Promise<DemoOutcome> {
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
export async function loadAgain({ folder, ...options }: Omit<DemoRunOptions, 'made' | 'onSent'>): Promise<DemoOutcome> {
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

/**
 * Wraps a source so that at least `everyMs` milliseconds pass between two batches, until `end` settles. Batches are then larger,
 * and each of them costs a few durable writes.
 */
export function paced<Position>(source: Source<Position>, everyMs: number, end: Promise<unknown>): Source<Position> {
  const ended = new AbortController();
  const stop = (): void => ended.abort();
  end.then(stop, stop);
  return {
    name: source.name,
    commit: (positions) => source.commit(positions),
    ...(source.close === undefined ? {} : { close: () => source.close!() }),
    async *batches(signal) {
      const waiting = AbortSignal.any([signal, ended.signal]);
      for await (const batch of source.batches(signal)) {
        const begun = performance.now();
        yield batch;
        await pause(Math.max(0, begun + everyMs - performance.now()), waiting);
      }
    },
  };
}

/**
 * Wraps an endless source so that it ends after `total` deliveries. `total` may resolve while the source is being read. If
 * `total` rejects, the source fails with that error.
 */
export function endingAt<Position>(source: Source<Position>, total: Promise<number>): Source<Position> {
  return {
    name: source.name,
    commit: (positions) => source.commit(positions),
    ...(source.close === undefined ? {} : { close: () => source.close!() }),
    async *batches(signal) {
      const ended = new AbortController();
      let failure: { readonly reason: unknown } | undefined;
      let wanted = Number.POSITIVE_INFINITY;
      let taken = 0;
      const look = (): void => {
        if (taken >= wanted) ended.abort();
      };
      total.then(
        (known) => {
          wanted = known;
          look();
        },
        (reason: unknown) => {
          failure = { reason };
          ended.abort();
        },
      );
      for await (const batch of source.batches(AbortSignal.any([signal, ended.signal]))) {
        if (batch.before !== true) taken += batch.deliveries.length;
        look();
        yield batch;
      }
      if (failure !== undefined && !signal.aborted) throw failure.reason;
    },
  };
}

async function run(
  { place, worker, signal, onProgress }: Around,
  settings: object,
  { totals, now }: Course,
): Promise<DemoOutcome> {
  const configuration = configurationSchema.parse(settings);
  const setting: Setting = { file: undefined, configuration, unread: [], place, registry: builtIn, call: plainCall };
  // Warnings about transient errors are not printed, and errors that end the run are thrown.
  const logger = silentLogger;
  const progress = new Progress();
  const timed = now === undefined ? {} : { now };
  // On a busy machine, the hubs may answer later than a source waits by default.
  const around: SourcesOptions = { once: false, patient: true, worker, logger, metrics: silentMetrics, progress, ...timed };
  const enrichment = openEnrichment(setting, { ...around, once: true, which: 'all' });
  const jobs: PipelineOptions['jobs'] = (log) => enrichment.jobs(log).map((one) => ({ ...one, behindOthers: true }));
  try {
    const { ended, tally, tables } = await runPipeline({
      ...{ setting, jobs, signal, logger, progress, onProgress },
      sources: () =>
        configuredSources(setting, around).all.map(
          ({ open, againAfterMs }, index): SourceOfRun => ({
            open: async () => endingAt(paced(await open(), BATCH_MS, totals[index]!), totals[index]!),
            againAfterMs,
          }),
        ),
    });
    if (ended === 'done' && enrichment.problems.length > 0) throw enrichment.problems[0];
    return { ended, report: reportOf(tally, tables ?? {}) };
  } finally {
    await enrichment.close();
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
