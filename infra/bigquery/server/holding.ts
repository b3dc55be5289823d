import type { Clock } from './clock.ts';
import type { Datasets } from './datasets.ts';
import type { QuotaCount } from './quotas.ts';
import type { Tables } from './tables/tables.ts';
import type { Upstream } from './upstream.ts';

/** Everything in a project that its jobs use, such as tables, quotas and the clock. */
export interface Holding {
  readonly project: string;
  /** A folder that the emulator can read. */
  readonly place: string;
  readonly upstream: Upstream;
  readonly clock: Clock;
  readonly quotas: QuotaCount;
  readonly datasets: Datasets;
  readonly tables: Tables;
  /** Bytes billed so far for each table, by `dataset.table`. */
  readonly billed: Map<string, number>;
  /** Milliseconds of slot time per MiB; undefined if queries are billed by bytes. */
  slotMsPerMib: number | undefined;
  /** Adds the datasets that statements created, and removes those that they dropped. */
  adoptDatasets(): Promise<void>;
}
