import * as machine from '@aorta/machine';
import type { CallKind, FaultRule } from './fault-rules.ts';

/** The limits of the real service that a test can switch on. */
export interface Quotas {
  /** Maximum number of load jobs per table within a day of the server's clock, including failed jobs. BigQuery allows 1,500. */
  readonly loadsPerTableAndDay: number;
  /** Maximum number of load jobs per project and day. BigQuery allows 100,000. */
  readonly loadsPerDay: number;
  /** Maximum number of changes to one table's metadata within 10 s. BigQuery allows 5. */
  readonly metadataUpdatesPerTable: number;
  /** Maximum number of DML statements on one table within 10 s. BigQuery allows 25. */
  readonly dmlPerTable: number;
  /** Maximum number of UPDATE, DELETE and MERGE statements that run on one table at the same time. BigQuery allows 2. */
  readonly mutationsAtOnce: number;
  /** Maximum number of UPDATE, DELETE and MERGE statements that may wait for the running ones on a table. BigQuery allows 20. */
  readonly mutationsQueued: number;
}

/** The state of a server, with counters since its start. */
export interface ServerState {
  /** The number of calls by kind, including calls to which a fault applied. */
  readonly calls: Readonly<Partial<Record<CallKind, number>>>;
  /** How often each rule has applied to a call, by the rule's number. */
  readonly hits: Readonly<Record<string, number>>;
  /** Bytes billed so far for each table, by `dataset.table`. */
  readonly billed: Readonly<Record<string, number>>;
  /** The time of the server's clock, in milliseconds since 1970. */
  readonly now: number;
}

/**
 * Controls the faults, quotas and clock of a local server. Works in the server's own process, and through the control port in
 * other processes.
 */
export interface BigQueryControl {
  /** Adds a rule and resolves with its number. If several rules match a call, the oldest one applies. */
  inject(rule: FaultRule): Promise<number>;
  /** Removes a rule, or all rules. Calls that already hang are not released. */
  remove(rule?: number): Promise<void>;
  /**
   * Replaces the active quotas with the given ones, with all quotas of the real service (`real`), or with none (`off`, as at
   * the start).
   */
  quotas(which: Partial<Quotas> | 'real' | 'off'): Promise<void>;
  /**
   * Runs queries in a reservation (BigQuery Editions), so no bytes are billed. Instead, each query takes this many milliseconds
   * of slot time for every MiB that would otherwise be billed. `off` switches back to billing bytes, as at the start.
   */
  reservation(slotMsPerMib: number | 'off'): Promise<void>;
  /**
   * Advances the server's clock by `ms` milliseconds, so that tables and partitions expire and quotas recover. Resolves with
   * the new time.
   */
  advance(ms: number): Promise<number>;
  state(): Promise<ServerState>;
}

export const commands = [
  'inject',
  'remove',
  'quotas',
  'reservation',
  'advance',
  'state',
] as const satisfies readonly (keyof BigQueryControl)[];

/**
 * Returns an object that controls a server in another process on this machine. Its calls reject if the server refuses them or
 * has stopped.
 */
export const controlClient = (controlPort: number): BigQueryControl => machine.controlClient(commands, controlPort);
