import type { Clock } from './clock.ts';
import type { Datasets } from './datasets.ts';
import type { QuotaCount } from './quotas.ts';
import type { Tables } from './tables/tables.ts';
import type { Upstream } from './upstream.ts';

/** What a project holds, as its jobs find it. */
export interface Holding {
  readonly project: string;
  /** A folder from which the emulator may read. */
  readonly place: string;
  readonly upstream: Upstream;
  readonly clock: Clock;
  readonly quotas: QuotaCount;
  readonly datasets: Datasets;
  readonly tables: Tables;
  /** Bytes billed so far for each table that statements named, by `dataset.table`. */
  readonly billed: Map<string, number>;
  /** Milliseconds of slot time for a MiB; undefined where bytes are billed. */
  slotMsPerMib: number | undefined;
  /** Takes in the datasets that statements made, and forgets those that they dropped. */
  adoptDatasets(): Promise<void>;
}
