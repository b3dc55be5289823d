import type { BigQuery, BigQueryOptions as ClientOptions } from '@google-cloud/bigquery';
import type { BigQueryControl } from './control.ts';

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
