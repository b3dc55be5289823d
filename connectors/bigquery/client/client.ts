/** The calls that Aorta makes to BigQuery, declared with Aorta's own types. Only `client/` uses types of the official client. */

import type { CallFailed } from '../errors/call-failed.ts';
import type { TableField } from '../tables/fields.ts';

/** A table or view as the REST API describes it, limited to the members used here. */
export interface TableResource {
  /** `TABLE`, `VIEW` or another kind, such as `EXTERNAL`. */
  readonly type?: string;
  readonly description?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly schema?: { readonly fields?: readonly TableField[] };
  readonly timePartitioning?: { readonly type?: string; readonly field?: string; readonly expirationMs?: string };
  readonly rangePartitioning?: unknown;
  readonly clustering?: { readonly fields?: readonly string[] };
  readonly tableConstraints?: { readonly primaryKey?: { readonly columns?: readonly string[] } };
  /** Milliseconds since 1970, as a string; absent if the table never expires. */
  readonly expirationTime?: string;
  readonly numRows?: string;
  readonly numBytes?: string;
  readonly view?: { readonly query?: string };
}

export interface DatasetResource {
  readonly location: string;
  /** Milliseconds since 1970, as a string. Distinguishes this dataset from a deleted dataset with the same name. */
  readonly creationTime?: string;
  readonly defaultTableExpirationMs?: string;
  /** Hours for which deleted rows can still be read, as a string. If absent, BigQuery's default applies. */
  readonly maxTimeTravelHours?: string;
  readonly defaultPartitionExpirationMs?: string;
}

export interface JobState {
  readonly id: string;
  readonly done: boolean;
  readonly failure: CallFailed | undefined;
  /** Number of rows that a load job wrote. */
  readonly outputRows: number | undefined;
  readonly processedBytes: number;
  readonly billedBytes: number;
  readonly slotMs: number;
  /** Whether the job ran in a reservation (BigQuery Editions), which is billed by slot time instead of bytes. */
  readonly isReserved: boolean;
  /** Number of rows that a statement changed, if BigQuery reports it. */
  readonly changedRows: number | undefined;
}

export interface LoadRequest {
  /** Chosen by the caller. A repeated load has the same id. */
  readonly jobId: string;
  readonly table: string;
  /** The complete body. Every attempt sends it again. */
  readonly body: readonly Uint8Array[];
}

export interface QueryRequest {
  readonly jobId: string;
  readonly sql: string;
  /** Named parameters, all of type STRING. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** The job fails if more bytes than this would be billed. */
  readonly mostBytes?: number | undefined;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface ResultPage {
  readonly fields: readonly TableField[];
  readonly rows: readonly { readonly f: readonly { readonly v: unknown }[] }[];
  readonly next: string | undefined;
}

/**
 * Client for one dataset. Every method has a deadline, makes one attempt and rejects with `CallFailed` if the attempt fails.
 * The caller decides whether to retry. It is safe to repeat any call, because the caller chooses the names of jobs and tables.
 */
export interface BigQueryClient {
  readonly project: string;
  readonly dataset: string;
  getDataset(): Promise<DatasetResource>;
  createDataset(resource: object): Promise<void>;
  getTable(table: string): Promise<TableResource>;
  /** Rejects with `duplicate` if a table with this name exists. */
  createTable(table: string, resource: object): Promise<TableResource>;
  patchTable(table: string, resource: object): Promise<TableResource>;
  deleteTable(table: string): Promise<void>;
  listTables(): Promise<readonly { readonly name: string; readonly createdAt: number }[]>;
  /** Uploads rows (NDJSON) for a load job into an existing, empty table. Rejects with `duplicate` if the job exists. */
  load(request: LoadRequest): Promise<JobState>;
  /** Starts a query job. Rejects with `duplicate` if the job exists. */
  query(request: QueryRequest): Promise<JobState>;
  getJob(jobId: string): Promise<JobState>;
  /** Returns a page of a job's results. If the job is still running, BigQuery waits up to `waitMs` before it responds. */
  results(jobId: string, page: string | undefined, waitMs: number): Promise<ResultPage>;
  /** Lists the rows of a table without a query, so the call is free. */
  listRows(table: string, page: string | undefined, most: number): Promise<Omit<ResultPage, 'fields'>>;
  /** Returns the type of a statement and the bytes that it would process, determined by a dry run. */
  estimate(sql: string): Promise<{ readonly bytes: number; readonly statementType: string | undefined }>;
}
