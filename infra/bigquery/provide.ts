import { ControlPort, dockerAnswers, isFree, PortTaken, type ServerProblem } from '@aorta/machine';
import { BigQuery, type BigQueryOptions as ClientOptions } from '@google-cloud/bigquery';
import { type BigQueryControl, commands } from './control.ts';
import { noEmulatorPython } from './emulator/python.ts';
import { startEmulator } from './emulator/start-emulator.ts';
import { FaultRules } from './fault-rules.ts';
import { BigQueryListener } from './server/server.ts';
import { Service } from './server/service.ts';

export interface BigQueryOptions {
  /** The port of the local server. Default: any free port. */
  readonly port?: number;
  /** The project of the local server. Default: `test`. */
  readonly project?: string;
  /** Names that requests to the local server may have in `Host` and `Origin`, besides those of this machine. */
  readonly allowedHosts?: readonly string[];
  /** Whether the test needs its own server, for example to inject faults. If so, AORTA_BIGQUERY_PROJECT is ignored. */
  readonly own?: boolean;
  /** Called before the local server's packages are downloaded, which takes about a minute once per machine. */
  readonly fetching?: () => void;
}

export interface ProvidedBigQuery extends AsyncDisposable {
  /**
   * `project` for a real project. For a local server, `docker` if its emulator runs in a container, or `local` if it runs in a
   * process.
   */
  readonly provider: 'project' | 'docker' | 'local';
  /** `http://127.0.0.1:PORT`, for a client's `apiEndpoint`; undefined for the real service. */
  readonly apiEndpoint: string | undefined;
  readonly project: string;
  /** The location of the datasets; undefined if the client should not specify a location. */
  readonly location: string | undefined;
  /** Returns the official client, ready to use. The options override the default ones. */
  client(options?: ClientOptions): BigQuery;
  /** Controls the local server; undefined for a real project. */
  readonly control: BigQueryControl | undefined;
  /** The control port, for `controlClient` in other processes; undefined for a real project. */
  readonly controlPort: number | undefined;
  /** Stops the local server. Does nothing for a real project, or when called again. */
  stop(): Promise<void>;
}

/** An expiry date so far in the future that the client never requests a new token. */
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * Returns the official client for a server on this machine. It gets a dummy token, because without a token it would first look
 * for Google's metadata server.
 */
function localClient(apiEndpoint: string, projectId: string, options: ClientOptions = {}): BigQuery {
  const headers = { authorization: 'Bearer local' };
  const login = {
    credentials: { access_token: 'local', expiry_date: NEVER },
    getRequestHeaders: async () => new Headers(headers),
    getAccessToken: async () => ({ token: 'local' }),
  };
  return new BigQuery({ projectId, apiEndpoint, authClient: login as never, ...options });
}

const controlOf = (service: Service, rules: FaultRules): BigQueryControl => ({
  inject: async (rule) => rules.inject(rule),
  remove: async (rule) => rules.remove(rule),
  quotas: async (which) => service.quotas.set(which),
  reservation: async (slotMsPerMib) => {
    service.slotMsPerMib = slotMsPerMib === 'off' ? undefined : slotMsPerMib;
  },
  advance: async (ms) => service.clock.advance(ms),
  state: async () => {
    const { clock, billed } = service;
    return { calls: rules.calls, hits: rules.hits, billed: Object.fromEntries(billed), now: clock.now };
  },
});

/**
 * Starts BigQuery on this machine: an emulator, and a server in front of it that adds the features that the emulator lacks. Both
 * end with the process that started them. Rejects with {@link ServerProblem} if that fails.
 */
async function startLocal({ project = 'test', port = 0, allowedHosts, fetching }: BigQueryOptions): Promise<ProvidedBigQuery> {
  if (port !== 0 && !(await isFree(port))) throw new PortTaken(port);
  await using opening = new AsyncDisposableStack();
  const emulator = opening.adopt(await startEmulator({ project, fetching }), (one) => one.stop());
  const service = new Service(emulator.address, project, emulator.place);
  const rules = new FaultRules();
  const control = controlOf(service, rules);
  const listener = new BigQueryListener(service, rules, allowedHosts);
  const controls = new ControlPort(commands, control, allowedHosts);
  try {
    const apiEndpoint = `http://127.0.0.1:${await listener.listen(port)}`;
    opening.defer(() => listener.close());
    const controlPort = await controls.listen(0);
    opening.defer(() => controls.close());
    const opened = opening.move();
    let stopped: Promise<void> | undefined;
    const stop = (): Promise<void> => {
      stopped ??= opened.disposeAsync();
      return stopped;
    };
    return {
      provider: emulator.provider,
      project,
      location: 'US',
      apiEndpoint,
      control,
      controlPort,
      client: (options) => localClient(apiEndpoint, project, options),
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? new PortTaken(port) : error;
  }
}

/** Returns the project in AORTA_BIGQUERY_PROJECT; undefined if the variable is not set, or if the test needs its own server. */
function realProject({ own = false }: BigQueryOptions): ProvidedBigQuery | undefined {
  const { AORTA_BIGQUERY_PROJECT: project = '', AORTA_BIGQUERY_LOCATION: location } = process.env;
  if (project === '' || own) return undefined;
  return {
    provider: 'project',
    apiEndpoint: undefined,
    project,
    location,
    client: (options) => new BigQuery({ projectId: project, location, ...options }),
    control: undefined,
    controlPort: undefined,
    stop: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/**
 * Provides BigQuery for a test: the real project in AORTA_BIGQUERY_PROJECT, or a server on this machine if the variable is not
 * set. The server's emulator runs in a container if a Docker daemon answers, and otherwise with this machine's Python. Rejects
 * with {@link ServerProblem} if the server cannot start.
 */
export async function provideBigQuery(options: BigQueryOptions = {}): Promise<ProvidedBigQuery> {
  return realProject(options) ?? startLocal(options);
}

/**
 * Returns the reason why a test must be skipped, or undefined if BigQuery is available. In CI, `npm test` fails if a test
 * is skipped.
 */
export async function whyNoBigQuery(options: BigQueryOptions = {}): Promise<ServerProblem | undefined> {
  if (realProject(options) !== undefined) return undefined;
  const problem = await noEmulatorPython();
  return problem !== undefined && (await dockerAnswers()) ? undefined : problem;
}
