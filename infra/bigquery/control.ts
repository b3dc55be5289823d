import type { CallKind, FaultRule } from './faults/fault.ts';

/** The limits of the real service that can be switched on. */
export interface Quotas {
  /** Load jobs of one table, failed ones too, in a day of the server's clock; 1,500 in the real service. */
  readonly loadsPerTableAndDay: number;
  /** Load jobs of the project in a day; 100,000. */
  readonly loadsPerDay: number;
  /** Changes of one table's metadata in 10 s; 5. */
  readonly metadataUpdatesPerTable: number;
  /** DML statements on one table in 10 s; 25. */
  readonly dmlPerTable: number;
  /** Statements that change rows of one table (UPDATE, DELETE, MERGE) which run at once; 2. */
  readonly mutationsAtOnce: number;
  /** Such statements that wait for others; 20. */
  readonly mutationsQueued: number;
}

/** What the server did so far. */
export interface ServerState {
  /** Calls by kind, those that a fault hit included. */
  readonly calls: Readonly<Partial<Record<CallKind, number>>>;
  /** How often each rule has hit, by its number. */
  readonly hits: Readonly<Record<string, number>>;
  /** Bytes billed so far for each table that statements named, by `dataset.table`. */
  readonly billed: Readonly<Record<string, number>>;
  /** The server's clock: milliseconds since 1970. */
  readonly now: number;
}

/** Faults, quotas and the clock of a local server: in its process, or by its control port from another one. */
export interface BigQueryControl {
  /** Gives the rule's number. Where several rules hit a call, the oldest wins. */
  inject(rule: FaultRule): Promise<number>;
  /** Removes a rule, or all of them; whatever hangs stays hanging. */
  remove(rule?: number): Promise<void>;
  /** Switches quotas on, with the real service's numbers where none is given; `off` ends all. They are off at the start. */
  quotas(which: Partial<Quotas> | 'real' | 'off'): Promise<void>;
  /**
   * Runs queries in a reservation (BigQuery Editions): no bytes are billed, and each takes so many milliseconds of slot
   * time for a MiB that it processes. `off` bills bytes again, as at the start.
   */
  reservation(slotMsPerMib: number | 'off'): Promise<void>;
  /** Puts the clock forward by milliseconds: tables and partitions expire, quotas recover. Gives the clock. */
  advance(ms: number): Promise<number>;
  state(): Promise<ServerState>;
}
