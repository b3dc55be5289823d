/** What a call asks for, as faults tell calls apart. */
export type CallKind =
  /** A load job that brings its data along. */
  | 'upload'
  /** Every other job: query, copy, load from elsewhere. */
  | 'job-insert'
  | 'job-get'
  | 'job-cancel'
  | 'job-list'
  /** jobs.query: a query that is answered at once. */
  | 'query'
  /** Rows of a query job; by this, too, clients wait for one. */
  | 'query-results'
  | 'tables-get'
  | 'tables-insert'
  | 'tables-patch'
  | 'tables-delete'
  | 'tables-list'
  /** Rows of a table without SQL, in either direction. */
  | 'table-data'
  | 'datasets-get'
  | 'datasets-insert'
  | 'datasets-patch'
  | 'datasets-delete'
  | 'datasets-list'
  | 'other';

/** What may happen to a call. */
export type Fault =
  /** It is not carried out, and answered with an error of this HTTP status and reason. */
  | { readonly kind: 'status'; readonly status: number; readonly reason: string; readonly message?: string }
  /** Its connection is reset: before it is carried out, or after that, so that only the answer is lost. */
  | { readonly kind: 'reset'; readonly when: 'before' | 'after' }
  /** Its connection is reset when so many bytes of its body have come (default 1); it is not carried out. */
  | { readonly kind: 'cut'; readonly afterBytes?: number }
  /** It is never answered: not carried out, or (`after`) carried out. */
  | { readonly kind: 'hang'; readonly when: 'before' | 'after' }
  /** The job is accepted, does nothing, and is DONE with this reason in its `errorResult`. */
  | {
      readonly kind: 'job-fails';
      readonly reason: string;
      readonly message?: string;
      /** The job had begun a transaction, which its statistics name. */
      readonly inTransaction?: boolean;
    }
  /** A listing of tables leaves out those whose name holds one of these texts, as an eventually consistent one may. */
  | { readonly kind: 'omits'; readonly tables: readonly string[] }
  /** The job is carried out, and is said to be RUNNING for so many milliseconds of real time. */
  | { readonly kind: 'job-runs'; readonly forMs: number };

/** Which calls a fault hits. */
export interface FaultRule {
  readonly on: CallKind | readonly CallKind[];
  /** Only calls whose table, job id or statement holds this text. */
  readonly about?: string;
  /** Only calls that hold `about` at least so often; default 1. */
  readonly aboutTimes?: number;
  /** The first call that it hits, counted among those that it could hit, from 1. Default 1. */
  readonly from?: number;
  /** How many calls it hits; default 1. */
  readonly times?: number | 'always';
  readonly fault: Fault;
}
