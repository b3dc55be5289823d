import type { Datasets } from '../datasets.ts';
import type { Clock, QuotaCount } from '../quotas.ts';
import type { ErrorProto } from '../service-error.ts';
import type { Tables } from '../tables/tables.ts';
import type { Json, Upstream } from '../upstream.ts';

export type JobType = 'QUERY' | 'LOAD' | 'COPY' | 'EXTRACT';

export interface InsertedJob {
  readonly project: string;
  readonly id: string;
  readonly location: string;
  readonly configuration: Json;
  /** Creation time on the server's clock, in milliseconds since 1970. */
  readonly created: number;
}

/** A BigQuery job: its configuration, state and results. */
export class Job {
  readonly project: string;
  readonly id: string;
  readonly location: string;
  readonly type: JobType;
  readonly configuration: Json;
  readonly created: number;
  ended: number | undefined;
  errorResult: ErrorProto | undefined;
  errors: readonly ErrorProto[] = [];
  statistics: Json = {};
  /** The time until which the job's state is RUNNING, in milliseconds of real time since 1970. */
  runsUntil = 0;
  /** The id of the emulator's job that has the result rows; undefined if there are no rows. */
  results: string | undefined;
  /** Resolves when the job is done. */
  done: Promise<void> = Promise.resolve();

  constructor({ project, id, location, configuration, created }: InsertedJob) {
    this.project = project;
    this.id = id;
    this.location = location;
    this.configuration = configuration;
    this.created = created;
    this.type = (
      ['query', 'load', 'copy', 'extract'].find((one) => configuration[one] !== undefined) ?? 'query'
    ).toUpperCase() as JobType;
  }

  get state(): 'RUNNING' | 'DONE' {
    return this.ended === undefined || performance.now() < this.runsUntil ? 'RUNNING' : 'DONE';
  }

  get reference(): object {
    return { projectId: this.project, jobId: this.id, location: this.location };
  }

  get resource(): Json {
    const done = this.state === 'DONE';
    const { errorResult, errors } = this;
    return {
      kind: 'bigquery#job',
      id: `${this.project}:${this.location}.${this.id}`,
      jobReference: this.reference,
      configuration: { jobType: this.type, ...this.configuration },
      status: {
        state: this.state,
        errorResult: done && errorResult !== undefined ? errorResult : undefined,
        errors: done && errors.length > 0 ? errors : undefined,
      },
      statistics: {
        creationTime: String(this.created),
        startTime: String(this.created),
        ...(done ? { endTime: String(this.ended), ...this.statistics } : {}),
      },
    };
  }

  fail(error: ErrorProto, details: readonly ErrorProto[] = []): void {
    this.errorResult = error;
    this.errors = [error, ...details];
  }
}

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
