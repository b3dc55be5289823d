import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { createServer } from 'node:net';
import {
  type AortaError,
  errorFields,
  type Logger,
  type Metrics,
  type Progress,
  pause,
  silentLogger,
  within,
} from '@aorta/runtime';
import { type Finding, failure } from '../adapter.ts';
import { openKafka } from '../kafka/client/open.ts';
import { connectionOf } from '../kafka/source/cluster.ts';
import * as kafka from '../kafka/source/module.ts';
import { probe as kafkaProbe } from '../kafka/source/module.ts';
import type { GroupMember } from '../ownership.ts';
import type {
  ClaimsOfWorker,
  DeliveryBatch,
  Patience,
  ProbeSurroundings,
  Source,
  SourceSurroundings,
  StandIn,
  StandInSurroundings,
} from '../source.ts';
import { Endpoint } from './endpoint.ts';
import { damageIn } from './intake/damaged-segments.ts';
import { LocalIntake } from './intake/local-intake.ts';
import { openTopicIntake } from './intake/topic-intake.ts';
import type { IntakeLog } from './message.ts';
import type { WebhookMetrics } from './metrics.ts';
import { addressOf, kafkaSettingsOf, type WebhookSettings } from './options.ts';
import { type ServedEndpoint, serve } from './server.ts';

const HOUR_MS = 3_600_000;

/** Milliseconds between attempts to listen at an address that the closing source still uses. */
const AGAIN_MS = 250;

interface WebhookSourceOptions<Position> {
  readonly settings: WebhookSettings;
  readonly intake: IntakeLog<Position>;
  /** Whether to load only the messages that are already in the intake log. The source then does not listen. */
  readonly once: boolean;
  readonly logger: Logger;
  readonly metrics: Metrics<WebhookMetrics>;
  readonly progress: Progress;
  readonly now?: () => number;
  /** Milliseconds within which the headers must arrive. Default: 10,000. Only tests set this. */
  readonly headersMs?: number;
  /** Milliseconds within which a body must arrive. Default: 15,000. Only tests set this. */
  readonly bodyMs?: number;
}

/** Milliseconds for which a stopping source waits until accepted messages are stored. */
const STORE_MS = 10_000;

/** Receives messages at an endpoint, stores them in an intake log, and reads that log. */
export class WebhookSource<Position> implements Source<Position> {
  readonly name: string;
  readonly #options: WebhookSourceOptions<Position>;
  readonly #endpoint: Endpoint;
  #served: ServedEndpoint | undefined;

  constructor(options: WebhookSourceOptions<Position>) {
    this.name = options.settings.name;
    this.#options = options;
    this.#endpoint = new Endpoint(options);
  }

  /** Port of the endpoint, while it is served. */
  get port(): number | undefined {
    return this.#served?.port;
  }

  /** Bytes of requests that are not durable yet. */
  get heldBytes(): number {
    return this.#endpoint.held.bytes;
  }

  /** Number of messages that are being stored. */
  get storing(): number {
    return this.#endpoint.storing;
  }

  async *batches(signal: AbortSignal): AsyncGenerator<DeliveryBatch<Position>> {
    const { intake, once } = this.#options;
    if (!once) await this.#listen();
    // A stopping process refuses messages at once, but reads on until the consumer ends.
    signal.addEventListener('abort', () => void this.#endpoint.stop(), { once: true });
    yield* intake.batches(signal);
  }

  commit(positions: readonly Position[]): Promise<void> {
    return this.#options.intake.commit(positions);
  }

  async close(): Promise<void> {
    await within(STORE_MS, this.#endpoint.stop()).catch(() => {});
    await this.#served?.close();
    await this.#options.intake.close();
    this.#endpoint.close();
  }

  async #listen(): Promise<void> {
    const { settings, logger, progress, headersMs, bodyMs } = this.#options;
    const isReady = (): boolean => progress.stalls().length === 0;
    this.#served = await serve(this.#endpoint, settings, { isReady, headersMs, bodyMs });
    const { listen, path, tls } = settings;
    const address = listen.replace(/:0$/, `:${this.#served.port}`);
    logger.info('webhook endpoint opened', {
      source: this.name,
      url: `${tls === undefined ? 'http' : 'https'}://${address}${path}`,
    });
  }
}

export async function open(settings: WebhookSettings, surroundings: SourceSurroundings): Promise<Source> {
  const { name, intake, keep_hours } = settings;
  if (intake !== undefined) {
    const topic = await openTopicIntake(intake, kafkaSettingsOf(settings, intake), surroundings);
    return new WebhookSource({ ...surroundings, settings, intake: topic });
  }
  const { state, window, once, logger, progress, onProblem } = surroundings;
  const keepMs = keep_hours * HOUR_MS;
  const folder = intakeFolder(state);
  const local = await LocalIntake.open({ source: name, folder, window, keepMs, once, logger, progress, onProblem });
  return new WebhookSource({ ...surroundings, settings, intake: local });
}

/** Answers 503 to signed messages, until another endpoint is served at the same address and path. */
export async function standIn(settings: WebhookSettings, surroundings: StandInSurroundings): Promise<StandIn> {
  const { error, signal, logger, progress } = surroundings;
  const intake = { append: () => Promise.reject(error), backlogBytes: () => 0 };
  const endpoint = new Endpoint({ ...surroundings, settings, intake });
  endpoint.fail(error);
  const serving = (async (): Promise<ServedEndpoint | undefined> => {
    // If the system picks the port, no sender knows the address of the stand-in.
    if (addressOf(settings.listen)!.port === 0) return undefined;
    for (let isTold = false; !signal.aborted; await pause(AGAIN_MS, signal)) {
      try {
        return await serve(endpoint, settings, { isReady: () => progress.stalls().length === 0 });
      } catch (problem) {
        if (!isTold) logger.warn('webhook endpoint does not answer yet', { source: settings.name, ...errorFields(problem) });
        isTold = true;
      }
    }
    return undefined;
  })();
  return {
    close: async () => {
      await (await serving)?.close();
      endpoint.close();
    },
  };
}

/** Returns the folder of a local intake log. `state`: see {@link SourceSurroundings.state}. */
function intakeFolder(state: string): string {
  return `${state}.intake`;
}

/** Returns an error for each damaged segment of a local intake log that the operator has not deleted. */
export async function problems({ intake }: WebhookSettings, state: string): Promise<readonly AortaError[]> {
  return intake === undefined ? damageIn(intakeFolder(state)) : [];
}

export async function release(settings: WebhookSettings, claims: ClaimsOfWorker): Promise<void> {
  if (settings.intake !== undefined) await kafka.release(kafkaSettingsOf(settings, settings.intake), claims);
}

export async function members(settings: WebhookSettings, patience: Patience): Promise<readonly GroupMember[]> {
  return settings.intake === undefined ? [] : kafka.members(kafkaSettingsOf(settings, settings.intake), patience);
}

/**
 * Checks for every endpoint that its address is free or served, and that its certificate can be read. Also checks that no
 * messages are missing in its intake log, and that its topic can be used.
 */
export async function probe(sources: readonly WebhookSettings[], surroundings: ProbeSurroundings): Promise<readonly Finding[]> {
  const findings = sources.map(async (source) => [
    await findingOf(source),
    ...(await damageFindings(source, surroundings)),
    ...(await topicFindings(source, surroundings)),
  ]);
  return (await Promise.all(findings)).flat();
}

async function damageFindings(source: WebhookSettings, { stateOf }: ProbeSurroundings): Promise<readonly Finding[]> {
  const check = `intake log of ${source.name}`;
  try {
    return (await problems(source, stateOf(source.name))).map((error) => failure(check, error));
  } catch (error) {
    return [failure(check, error)];
  }
}

/** Returns the findings about the intake topic. There are none if the intake log is a folder. */
async function topicFindings(source: WebhookSettings, surroundings: ProbeSurroundings): Promise<readonly Finding[]> {
  if (source.intake === undefined) return [];
  const { topic } = source.intake;
  const { patience } = surroundings;
  const settings = {
    ...kafkaSettingsOf(source, source.intake),
    connect_s: patience.connectMs / 1000,
    request_s: patience.requestMs / 1000,
  };
  try {
    await using client = openKafka(await connectionOf(settings), { logger: silentLogger });
    if ((await client.admin.partitions(topic)) === undefined) {
      return [{ check: `topic ${topic}`, state: 'ok', found: 'does not exist yet; `aorta run` creates it' }];
    }
  } catch (error) {
    return [failure(`topic ${topic}`, error)];
  }
  return kafkaProbe([settings], surroundings);
}

async function findingOf({ name, listen, path, secrets, tls }: WebhookSettings): Promise<Finding> {
  const check = `webhook ${name}`;
  const unreadable = await unreadableOf(tls === undefined ? [] : [tls.cert_file, tls.key_file]);
  if (unreadable.length > 0) {
    const remedy = 'Check the paths in `tls`, and the permissions of the files.';
    return { check, state: 'fail', found: `cannot be read: ${unreadable.join(', ')}`, remedy };
  }
  const code = await listenCode(listen);
  const keys = secrets.length === 1 ? 'one secret' : `${secrets.length} secrets`;
  if (code === undefined) return { check, state: 'ok', found: `${listen} is free, path ${path}, ${keys}` };
  if (code === 'EADDRINUSE') {
    return {
      check,
      state: 'warn',
      found: `${listen} is in use`,
      remedy:
        'This is normal while `aorta run` serves the endpoint. Otherwise stop the other process, or set a different `listen`.',
    };
  }
  return { check, state: 'fail', found: `${listen} cannot be used (${code})`, remedy: 'Correct `listen` of the source.' };
}

async function unreadableOf(files: readonly string[]): Promise<string[]> {
  const checked = await Promise.all(
    files.map((file) =>
      access(file, constants.R_OK).then(
        () => [],
        () => [file],
      ),
    ),
  );
  return checked.flat();
}

/** Listens at the address for a moment. Returns the code of the failure. */
async function listenCode(listen: string): Promise<string | undefined> {
  const { host, port } = addressOf(listen)!;
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
