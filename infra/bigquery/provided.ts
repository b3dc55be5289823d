import type { BigQuery, BigQueryOptions as ClientOptions } from '@google-cloud/bigquery';
import type { BigQueryControl } from './control.ts';

export interface BigQueryOptions {
  /** Port of a local server; default: any that is free. */
  readonly port?: number;
  /** The local server's project; default `test`. */
  readonly project?: string;
  /** One that nobody else uses and that may have faults: what the environment names is passed over then. */
  readonly own?: boolean;
  /** Hears that the local server has to be fetched first: about a minute, once on a machine. */
  readonly fetching?: () => void;
}

/** BigQuery for tests, wherever it comes from. */
export interface ProvidedBigQuery extends AsyncDisposable {
  /** A real project, or a server on this machine with the emulator in a container, or as a process. */
  readonly provider: 'project' | 'docker' | 'local';
  /** `http://127.0.0.1:PORT`, for a client's `apiEndpoint`; undefined for the real service. */
  readonly apiEndpoint: string | undefined;
  readonly project: string;
  /** Where its datasets are; undefined where the client shall not say. */
  readonly location: string | undefined;
  /** The official client, ready to use; options replace what it is made with. */
  client(options?: ClientOptions): BigQuery;
  /** What may be done to it; undefined where it is not ours. */
  readonly control: BigQueryControl | undefined;
  /** The same for other processes, by `controlClient`; undefined where it is not ours. */
  readonly controlPort: number | undefined;
  /** Ends it where it is ours. A second call does nothing. */
  stop(): Promise<void>;
}
