export type CallKind =
  /** A load job that contains its data. */
  | 'upload'
  /** Any other job: a query, a copy, or a load whose data is not in the request. */
  | 'job-insert'
  | 'job-get'
  | 'job-cancel'
  | 'job-list'
  /** The method jobs.query, which runs a query and returns its rows. */
  | 'query'
  /** A read of a query job's rows. Clients also use this call to wait for the job. */
  | 'query-results'
  | 'tables-get'
  | 'tables-insert'
  | 'tables-patch'
  | 'tables-delete'
  | 'tables-list'
  /** A read or write of a table's rows without SQL. */
  | 'table-data'
  | 'datasets-get'
  | 'datasets-insert'
  | 'datasets-patch'
  | 'datasets-delete'
  | 'datasets-list'
  | 'other';

/** A fault that a rule applies to a call. */
export type Fault =
  /** The call is not carried out. The response is an error with this HTTP status and reason. */
  | { readonly kind: 'status'; readonly status: number; readonly reason: string; readonly message?: string }
  /**
   * The connection is reset. With `before`, the call is not carried out. With `after`, it is carried out, and only the answer is
   * lost.
   */
  | { readonly kind: 'reset'; readonly when: 'before' | 'after' }
  /** The connection is reset after `afterBytes` bytes of the body (default 1). The call is not carried out. */
  | { readonly kind: 'cut'; readonly afterBytes?: number }
  /** The call is never answered. With `before`, it is not carried out. With `after`, it is carried out. */
  | { readonly kind: 'hang'; readonly when: 'before' | 'after' }
  /** The job is accepted but does nothing. It is DONE with this reason in its `errorResult`. */
  | {
      readonly kind: 'job-fails';
      readonly reason: string;
      readonly message?: string;
      /** Whether the job had begun a transaction before it failed. If true, the job's statistics name the transaction. */
      readonly inTransaction?: boolean;
    }
  /** A list of tables omits the tables whose name contains one of these strings, as an eventually consistent list may. */
  | { readonly kind: 'omits'; readonly tables: readonly string[] }
  /** The job is carried out, but its state is RUNNING for this many milliseconds of real time. */
  | { readonly kind: 'job-runs'; readonly forMs: number };

/** Selects the calls to which a fault applies. */
export interface FaultRule {
  readonly on: CallKind | readonly CallKind[];
  /** Applies only to calls with this string in their path or body, such as a table, a job id or a part of a statement. */
  readonly about?: string;
  /** Applies only to calls that contain `about` at least this many times. Default: 1. */
  readonly aboutTimes?: number;
  /** The first matching call to which the rule applies, counting from 1. Default: 1. */
  readonly from?: number;
  /** Maximum number of calls to which the rule applies. Default: 1. */
  readonly times?: number | 'always';
  readonly fault: Fault;
}
