import { ControlPort, isFree, PortTaken } from '@aorta/machine';
import { BigQuery, type BigQueryOptions as ClientOptions } from '@google-cloud/bigquery';
import { type BigQueryControl, commands, type Quotas, type ServerState } from './control.ts';
import { startEmulator } from './emulator/start-emulator.ts';
import { type FaultRule, FaultRules } from './fault-rules.ts';
import { BigQueryListener } from './server/server.ts';
import { Service } from './server/service.ts';

/** A running server, and the resources that it uses. */
interface Running {
  readonly provider: 'docker' | 'local';
  readonly project: string;
  readonly apiEndpoint: string;
  readonly control: BigQueryControl;
  readonly controlPort: number;
  /** Closes everything that was opened for the server. */
  readonly opened: AsyncDisposableStack;
}

class LocalControl implements BigQueryControl {
  readonly #service: Service;
  readonly #rules: FaultRules;

  constructor(service: Service, rules: FaultRules) {
    this.#service = service;
    this.#rules = rules;
  }

  async inject(rule: FaultRule): Promise<number> {
    return this.#rules.inject(rule);
  }

  async remove(rule?: number): Promise<void> {
    this.#rules.remove(rule);
  }

  async quotas(which: Partial<Quotas> | 'real' | 'off'): Promise<void> {
    this.#service.quotas.set(which);
  }

  async reservation(slotMsPerMib: number | 'off'): Promise<void> {
    this.#service.slotMsPerMib = slotMsPerMib === 'off' ? undefined : slotMsPerMib;
  }

  async advance(ms: number): Promise<number> {
    return this.#service.clock.advance(ms);
  }

  async state(): Promise<ServerState> {
    const { clock, billed } = this.#service;
    return { calls: this.#rules.calls, hits: this.#rules.hits, billed: Object.fromEntries(billed), now: clock.now };
  }
}

export interface BigQueryOptions {
  /** The port of the local server. Default: any free port. */
  readonly port?: number;
  /** The project of the local server. Default: `test`. */
  readonly project?: string;
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
const NEVER = Date.now() + 1e12;

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

/**
 * BigQuery on this machine: an emulator, and a server in front of it that adds the features that the emulator lacks. Both end
 * with the process that started them.
 */
export class LocalBigQuery implements ProvidedBigQuery {
  readonly location = 'US';
  readonly #running: Running;
  #stopped: Promise<void> | undefined;

  private constructor(running: Running) {
    this.#running = running;
  }

  /** Starts a server. Rejects with {@link ServerProblem} if that fails. */
  static async start({ project = 'test', port = 0, fetching }: BigQueryOptions = {}): Promise<LocalBigQuery> {
    if (port !== 0 && !(await isFree(port))) throw new PortTaken(port);
    await using opening = new AsyncDisposableStack();
    const emulator = opening.adopt(await startEmulator({ project, ...(fetching === undefined ? {} : { fetching }) }), (one) =>
      one.stop(),
    );
    const service = new Service(emulator.address, project, emulator.place);
    const rules = new FaultRules();
    const control = new LocalControl(service, rules);
    const listener = new BigQueryListener(service, rules);
    const controls = new ControlPort(commands, control);
    try {
      const apiEndpoint = `http://127.0.0.1:${await listener.listen(port)}`;
      opening.defer(() => listener.close());
      const controlPort = await controls.listen(0);
      opening.defer(() => controls.close());
      const { provider } = emulator;
      return new LocalBigQuery({ provider, project, apiEndpoint, control, controlPort, opened: opening.move() });
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? new PortTaken(port) : error;
    }
  }

  get provider(): 'docker' | 'local' {
    return this.#running.provider;
  }

  get project(): string {
    return this.#running.project;
  }

  get apiEndpoint(): string {
    return this.#running.apiEndpoint;
  }

  get control(): BigQueryControl {
    return this.#running.control;
  }

  get controlPort(): number {
    return this.#running.controlPort;
  }

  client(options?: ClientOptions) {
    return localClient(this.apiEndpoint, this.project, options);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#running.opened.disposeAsync();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
