import type { BigQueryOptions as ClientOptions } from '@google-cloud/bigquery';
import { localClient } from './client.ts';
import type { BigQueryControl } from './control.ts';
import { ControlPort } from './control-port.ts';
import { Emulator } from './emulator/emulator.ts';
import { FaultRules } from './faults/fault-rules.ts';
import { LocalControl } from './local-control.ts';
import type { BigQueryOptions, ProvidedBigQuery } from './provided.ts';
import { BigQueryListener } from './server/server.ts';
import { Service } from './server/service.ts';

/** What stands behind the server. */
export interface Backend {
  /** `http://127.0.0.1:PORT` */
  readonly address: string;
  /** A folder from which it may read. */
  readonly place: string;
  stop(): Promise<void>;
}

/** BigQuery on this machine: the emulator, and in front of it what it lacks. Ends with the process that started it. */
export class LocalBigQuery implements ProvidedBigQuery {
  readonly provider: 'docker' | 'local';
  readonly project: string;
  readonly location = 'US';
  readonly apiEndpoint: string;
  readonly control: BigQueryControl;
  readonly controlPort: number;
  readonly passedOver: readonly string[];
  readonly #ends: readonly (() => Promise<void>)[];
  #stopped: Promise<void> | undefined;

  private constructor(
    facts: Pick<LocalBigQuery, 'provider' | 'project' | 'apiEndpoint' | 'control' | 'controlPort' | 'passedOver'>,
    ends: readonly (() => Promise<void>)[],
  ) {
    this.provider = facts.provider;
    this.project = facts.project;
    this.apiEndpoint = facts.apiEndpoint;
    this.control = facts.control;
    this.controlPort = facts.controlPort;
    this.passedOver = facts.passedOver;
    this.#ends = ends;
  }

  /** Starts one over this machine's Python. Rejects with {@link BigQueryProblem}. */
  static async start(options: BigQueryOptions = {}, passedOver: readonly string[] = []): Promise<LocalBigQuery> {
    const { project = 'test', fetching } = options;
    const emulator = await Emulator.start({ project, ...(fetching === undefined ? {} : { fetching }) });
    return LocalBigQuery.over(emulator, 'local', options, passedOver);
  }

  /** Starts one over an emulator that runs; ends it, too. */
  static async over(
    backend: Backend,
    provider: 'docker' | 'local',
    options: BigQueryOptions,
    passedOver: readonly string[],
  ): Promise<LocalBigQuery> {
    const { project = 'test', port = 0 } = options;
    const service = new Service(backend.address, project, backend.place);
    const rules = new FaultRules();
    const control = new LocalControl(service, rules);
    const listener = new BigQueryListener(service, rules);
    const controls = new ControlPort(control);
    const ends = [() => listener.close(), () => controls.close(), () => backend.stop()];
    try {
      const apiEndpoint = `http://127.0.0.1:${await listener.listen(port)}`;
      const controlPort = await controls.listen();
      return new LocalBigQuery({ provider, project, apiEndpoint, control, controlPort, passedOver }, ends);
    } catch (error) {
      await backend.stop();
      throw error;
    }
  }

  client(options?: ClientOptions) {
    return localClient(this.apiEndpoint, this.project, options);
  }

  stop(): Promise<void> {
    this.#stopped ??= (async () => {
      for (const end of this.#ends) await end();
    })();
    return this.#stopped;
  }
}
