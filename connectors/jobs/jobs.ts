import type { StreamLog } from '@aorta/streams';
import type { Logger, StepObserver } from '@aorta/telemetry';
import type { Warehouse } from '@aorta/warehouse';

export interface JobsOptions {
  readonly log: StreamLog;
  readonly warehouse: Warehouse;
  readonly logger?: Logger;
  readonly onStep?: StepObserver;
  /** Records and encoded bytes of one landed batch at most. */
  readonly batch?: { readonly records: number; readonly bytes: number };
}

/** The connector jobs: they carry what the streams hold into the tables. */
export interface Jobs {
  /** Tells the jobs that the streams have grown. */
  wake(): void;
  /** Resolves when the jobs are fewer than the configured number of records behind: for back-pressure on the consumer. Rejects when they have failed. */
  ready(): Promise<void>;
  /** Lands and merges everything that is durable in the streams now, then publishes. Rejects when a job has failed. */
  finish(): Promise<void>;
  /** Ends after the step under way; landed batches that are not merged stay landed. */
  stop(): Promise<void>;
}

export declare function startJobs(options: JobsOptions): Jobs;
