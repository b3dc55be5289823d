import { ControlPort, isFree, PortTaken } from '@aorta/machine';
import type { BigQueryOptions as ClientOptions } from '@google-cloud/bigquery';
import { localClient } from './client.ts';
import type { BigQueryControl, Quotas, ServerState } from './control.ts';
import { commands } from './control-port.ts';
import { startEmulator } from './emulator/start-emulator.ts';
import type { FaultRule } from './faults/fault.ts';
import { FaultRules } from './faults/fault-rules.ts';
import type { BigQueryOptions, ProvidedBigQuery } from './provided.ts';
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
