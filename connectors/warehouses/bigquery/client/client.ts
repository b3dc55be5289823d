/** What Aorta asks of BigQuery, in types of its own: none of the official client's leaves `client/`. */

import type { CallFailed } from '../errors/call-failed.ts';
import type { TableField } from '../tables/fields.ts';

/** A table as the REST API writes it, in the parts that are looked at here. */
export interface TableResource {
  readonly schema?: { readonly fields?: readonly TableField[] };
  readonly description?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970, as text; absent where it never expires. */
  readonly expirationTime?: string;
  readonly numRows?: string;
  readonly numBytes?: string;
  readonly creationTime?: string;
  readonly type?: string;
  readonly timePartitioning?: { readonly type: string; readonly field?: string; readonly expirationMs?: string };
  readonly clustering?: { readonly fields: readonly string[] };
  readonly view?: { readonly query: string };
  readonly location?: string;
}

export interface DatasetResource {
  readonly location: string;
  /** Milliseconds since 1970, as text: a dataset that is made anew is another one. */
  readonly creationTime?: string;
  readonly defaultTableExpirationMs?: string;
  /** Hours, as text, for which deleted rows can be read; the service's default where absent. */
  readonly maxTimeTravelHours?: string;
  readonly defaultPartitionExpirationMs?: string;
}

/** A job as far as it has come. */
export interface JobState {
  readonly id: string;
  readonly done: boolean;
  /** Why it failed, where it did. */
  readonly failure: CallFailed | undefined;
  /** Rows that a load job has written. */
  readonly outputRows: number | undefined;
  readonly processedBytes: number;
  readonly billedBytes: number;
  /** Slot time that the job took, in milliseconds. */
  readonly slotMs: number;
  /** It ran in a reservation (BigQuery Editions): slot time is paid for, and no bytes. */
  readonly isReserved: boolean;
  /** Rows that a statement has changed, where the service says so. */
  readonly changedRows: number | undefined;
}

export interface LoadRequest {
  /** Own id: the same load again is the same job. */
  readonly jobId: string;
  readonly table: string;
  /** The whole body; read once for every try. */
  readonly body: readonly Uint8Array[];
}

export interface QueryRequest {
  readonly jobId: string;
  readonly sql: string;
  /** Named parameters, all of them texts. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** The job fails before it costs more. */
  readonly mostBytes?: number | undefined;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A page of a query's rows, as the REST API writes them. */
export interface ResultPage {
  readonly fields: readonly TableField[];
  readonly rows: readonly { readonly f: readonly { readonly v: unknown }[] }[];
  readonly next: string | undefined;
}

/**
 * One dataset. Every method has a deadline, is tried once, and rejects with `CallFailed`; whoever calls decides whether it
 * is tried again. All of them may be: jobs by their own id, tables by their name.
 */
export interface BigQueryClient {
  readonly project: string;
  readonly dataset: string;
  getDataset(): Promise<DatasetResource>;
  createDataset(resource: Readonly<Record<string, unknown>>): Promise<void>;
  getTable(table: string): Promise<TableResource>;
  /** Rejects with `duplicate` where there is one of that name. */
  createTable(table: string, resource: Readonly<Record<string, unknown>>): Promise<TableResource>;
  patchTable(table: string, resource: Readonly<Record<string, unknown>>): Promise<TableResource>;
  deleteTable(table: string): Promise<void>;
  /** Names of all tables and views. */
  listTables(): Promise<readonly { readonly name: string; readonly createdAt: number }[]>;
  /** Uploads rows (NDJSON) for a load job into an empty table that is there. Rejects with `duplicate` where there is such a job. */
  load(request: LoadRequest): Promise<JobState>;
  /** Begins a query job. Rejects with `duplicate` where there is such a job. */
  query(request: QueryRequest): Promise<JobState>;
  getJob(jobId: string): Promise<JobState>;
  /** Waits in the service for the job's end, `waitMs` at most. */
  results(jobId: string, page: string | undefined, waitMs: number): Promise<ResultPage>;
  /** Rows of a table as they stand, without a query: nobody is billed for that. */
  listRows(table: string, page: string | undefined, most: number): Promise<Omit<ResultPage, 'fields'>>;
  /** What a statement would be, and process: a dry run. */
  estimate(sql: string): Promise<{ readonly bytes: number; readonly statementType: string | undefined }>;
}
