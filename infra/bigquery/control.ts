import type { CallKind, FaultRule } from './faults/fault.ts';

/** The limits of the real service that a test can switch on. */
export interface Quotas {
  /** Load jobs per table within a day of the server's clock, including failed jobs. In the real service: 1,500. */
  readonly loadsPerTableAndDay: number;
  /** Load jobs per project and day. In the real service: 100,000. */
  readonly loadsPerDay: number;
  /** Changes of one table's metadata per 10 s. In the real service: 5. */
  readonly metadataUpdatesPerTable: number;
  /** DML statements on one table per 10 s. In the real service: 25. */
  readonly dmlPerTable: number;
  /** Maximum number of UPDATE, DELETE and MERGE statements that run on one table at the same time. BigQuery allows 2. */
  readonly mutationsAtOnce: number;
  /** Maximum number of such statements that may wait for the running ones on a table. BigQuery allows 20. */
  readonly mutationsQueued: number;
}

/** The state of a server, with counters since its start. */
export interface ServerState {
  /** The number of calls by kind, including those that a fault hit. */
  readonly calls: Readonly<Partial<Record<CallKind, number>>>;
  /** How often each rule has hit a call, by the rule's number. */
  readonly hits: Readonly<Record<string, number>>;
  /** Bytes billed so far for each table, by `dataset.table`. */
  readonly billed: Readonly<Record<string, number>>;
  /** The time of the server's clock, in milliseconds since 1970. */
  readonly now: number;
}

/** Controls the faults, quotas and clock of a local server. Works in the server's own process, and through the control port in other processes. */
export interface BigQueryControl {
  /** Adds a rule and resolves with its number. If several rules match a call, the oldest one applies. */
  inject(rule: FaultRule): Promise<number>;
  /** Removes a rule, or all rules. Calls that already hang are not released. */
  remove(rule?: number): Promise<void>;
  /** Replaces the active quotas with the given ones, with all quotas of the real service (`real`), or with none (`off`, as at the start). */
  quotas(which: Partial<Quotas> | 'real' | 'off'): Promise<void>;
  /**
   * Runs queries in a reservation (BigQuery Editions). No bytes are billed; instead, each query takes this many milliseconds of slot
   * time for every MiB that would be billed. `off` bills bytes again, as at the start.
   */
  reservation(slotMsPerMib: number | 'off'): Promise<void>;
  /** Advances the clock by milliseconds, so that tables and partitions expire and quotas recover. Resolves with the new time. */
  advance(ms: number): Promise<number>;
  state(): Promise<ServerState>;
}
