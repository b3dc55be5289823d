import type { Clock } from './clock.ts';
import type { Datasets } from './datasets.ts';
import type { QuotaCount } from './quotas.ts';
import type { Tables } from './tables/tables.ts';
import type { Upstream } from './upstream.ts';

/** The contents and settings of a project that its jobs use. */
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
  /** Milliseconds of slot time per MiB; undefined if bytes are billed. */
  slotMsPerMib: number | undefined;
  /** Adds the datasets that statements created, and removes those that they dropped. */
  adoptDatasets(): Promise<void>;
}
