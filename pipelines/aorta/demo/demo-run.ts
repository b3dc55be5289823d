import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { builtIn } from '@aorta/connectors/registry';
import type { EventHubsProcess } from '@aorta/event-hubs-server';
import type { Tally } from '@aorta/ingestion';
import { lockFolder, pause, silentLogger } from '@aorta/runtime';
import { plainCall } from '../cli/printing/command-lines.ts';
import type { Setting } from '../config/configuration.ts';
import type { DataLocation } from '../config/data-location.ts';
import { configurationSchema } from '../config/schema.ts';
import { addTallies, type LoadReport, reportOf } from '../report/load-report.ts';
import { type RunConfiguredOptions, type RunOutcome, runConfigured } from '../run/configured-run.ts';
import { everything } from '../run/parts.ts';
import { type DemoService, type Sent, startDemoService } from './demo-service.ts';
import { hubsFolder } from './folder.ts';
import { demoHubs } from './hubs.ts';
import type { Course } from './scenario.ts';

const LOOK_MS = 25;

/** Returns the wanted port if it is free. Otherwise, returns another free port of this machine. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Resolves when an endpoint listens at the address. Rejects if the signal aborts. */
async function whenListening(address: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const isThere = await fetch(`http://${address}/livez`, { signal }).then(
      async (answer) => {
        await answer.body?.cancel();
        return answer.ok;
      },
      () => false,
    );
    if (isThere) return;
    signal.throwIfAborted();
    await pause(LOOK_MS, signal);
  }
}

/**
 * Starts the hubs in another process. They store their events in the folder. They keep their port if it is free, because the
 * names of checkpoints contain the address. With a different port, Aorta reads all events again, and no row changes.
 */
async function openHubs(folder: string): Promise<EventHubsProcess & AsyncDisposable> {
  // Imported only here, because the published package does not contain the local servers.
  const { spawnEventHubs } = await import('@aorta/event-hubs-server');
  const own = join(folder, hubsFolder);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  const file = join(own, 'port');
  const port = await freePort(existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
  writeFileSync(file, String(port));
  const hubs = await spawnEventHubs({ hubs: demoHubs, folder: own, sendersSetTimes: true, port });
  return { ...hubs, [Symbol.asyncDispose]: hubs.stop };
}

export interface DemoOptions {
  /** Folder of the demonstration. */
  readonly folder: string;
  readonly place: DataLocation;
  readonly seed: number;
  readonly course: Course;
  /** Virtual time up to which the service runs, in milliseconds since 1970. */
  readonly end: number;
  /** Name under which this process claims partitions. */
  readonly worker: string;
  readonly signal: AbortSignal;
}

export interface DemoOutcome {
  readonly ended: 'done' | 'stopped';
  readonly report: LoadReport;
}

/** The service stops with the demonstration, so the board shows its last answers as current for some days. */
const pulls = { calls_a_minute: 60_000, page_users: 500, stale_after_h: 72 };

/**
 * A demonstration: the service, the hubs, and Aorta, which loads everything that the service sends through the hubs and the
 * webhook. All of them continue where an earlier process stopped.
 */
export class Demo implements AsyncDisposable {
  readonly service: DemoService;
  readonly #options: DemoOptions;
  readonly #connection: string;
  readonly #webhook: string;
  readonly #opened: AsyncDisposableStack;

  private constructor(
    options: DemoOptions,
    service: DemoService,
    {
      connection,
      webhook,
      opened,
    }: { readonly connection: string; readonly webhook: string; readonly opened: AsyncDisposableStack },
  ) {
    this.#options = options;
    this.service = service;
    this.#connection = connection;
    this.#webhook = webhook;
    this.#opened = opened;
  }

  /** Starts the service and the hubs. Throws AORTA-DATA-LOCKED if another process runs the demonstration of this folder. */
  static async open(options: DemoOptions): Promise<Demo> {
    const { folder, seed, course, end } = options;
    await using opened = new AsyncDisposableStack();
    opened.use(await lockFolder(folder));
    const { connectionString: connection } = opened.use(await openHubs(folder));
    const webhook = `127.0.0.1:${await freePort()}`;
    const service = opened.use(
      await startDemoService(folder, { seed, course, end, connection, webhook: `http://${webhook}/webhook` }),
    );
    return new Demo(options, service, { connection, webhook, opened: opened.move() });
  }

  /**
   * Lets the days pass and loads what the service sends meanwhile. Then loads the rest, and fetches the data that the
   * service has only announced and its answers about historical pulls.
   */
  async run(onSent: (sent: Sent) => void, onProgress: (tally: Tally) => void): Promise<DemoOutcome> {
    const { signal } = this.#options;
    const over = new AbortController();
    const { sent, failure } = this.service;
    const stopped = AbortSignal.any([signal, over.signal]);
    const ended = Promise.race([sent, failure])
      .then(onSent)
      .finally(() => over.abort());
    void whenListening(this.#webhook, stopped).then(
      () => this.service.begin(),
      () => {},
    );
    const parts = { ...everything, enrichment: false };
    const first = await this.#load({ once: false, parts, signal: stopped, onProgress });
    if (signal.aborted) return first;
    await ended;
    const last = await this.#load({ once: true, parts: everything, signal });
    return { ended: last.ended, report: reportOf(addTallies([first.tally, last.tally]), last.report.tables) };
  }

  /**
   * Continues in real time until the signal aborts. The service then follows this machine's clock, and Aorta serves its
   * health and metrics at a port of 127.0.0.1. Calls `onReady` when everything listens. Rejects if the service or `onReady`
   * fails.
   */
  async stay(healthPort: number, onReady: () => Promise<void>): Promise<void> {
    const failed = new AbortController();
    this.service.failure.catch((error: unknown) => failed.abort(error));
    const signal = AbortSignal.any([this.#options.signal, failed.signal]);
    const listening = [this.#webhook, `127.0.0.1:${healthPort}`].map((address) => whenListening(address, signal));
    void Promise.all(listening).then(
      () => {
        this.service.stay();
        onReady().catch((error: unknown) => failed.abort(error));
      },
      () => {},
    );
    await this.#run(this.#setting(pulls, { health: { port: healthPort } }), { once: false, parts: everything, signal });
    failed.signal.throwIfAborted();
  }

  async #load(options: Pick<RunConfiguredOptions, 'once' | 'parts' | 'signal' | 'onProgress'>): Promise<RunOutcome> {
    // The clock of the service stands still, so a second run must not poll again, however slow the machine is.
    const setting = this.#setting({ ...pulls, fastest_s: 86_400 });
    const outcome = await this.#run(setting, { ...options, now: this.service.now });
    const [problem] = [...outcome.enrichmentProblems, ...outcome.losses];
    if (outcome.ended === 'done' && problem !== undefined) throw problem;
    return outcome;
  }

  #run(
    setting: Setting,
    options: Pick<RunConfiguredOptions, 'once' | 'parts' | 'signal' | 'onProgress' | 'now'>,
  ): Promise<RunOutcome> {
    const { worker } = this.#options;
    // Pretends that the worker was restarted, because its sources then wait longer for hubs that answer late on a busy
    // machine. Warnings about transient errors are not printed, and errors that end the run are thrown.
    const quiet = { logger: silentLogger, endsIfFull: true } as const;
    return runConfigured(setting, { ...options, ...quiet, worker, supervisor: null, restarts: 1 });
  }

  #setting(historical_pulls: object, more: object = {}): Setting {
    const { folder, place } = this.#options;
    const configuration = configurationSchema.parse({
      sources: [
        {
          type: 'event-hubs',
          connection: this.#connection,
          hubs: demoHubs.map(({ name }) => name),
          checkpoints: { type: 'file', folder: join(folder, hubsFolder, 'checkpoints') },
        },
        { type: 'webhook', listen: this.#webhook, secrets: [this.service.secret] },
      ],
      service: { base_url: this.service.url, key: this.service.key },
      historical_pulls,
      ...more,
    });
    return {
      file: undefined,
      path: undefined,
      configuration,
      readable: configuration,
      unread: [],
      place,
      registry: builtIn,
      call: plainCall,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened[Symbol.asyncDispose]();
  }
}
