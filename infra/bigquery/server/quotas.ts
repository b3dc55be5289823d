import type { Quotas } from '../control.ts';
import { ServiceError } from './service-error.ts';

const REAL_QUOTAS: Quotas = {
  loadsPerTableAndDay: 1500,
  loadsPerDay: 100_000,
  metadataUpdatesPerTable: 5,
  dmlPerTable: 25,
  mutationsAtOnce: 2,
  mutationsQueued: 20,
};

const DAY_MS = 86_400_000;
const SHORT_MS = 10_000;

const tooMany = (reason: string, message: string): ServiceError => new ServiceError(reason, message);

/**
 * Counts operations as the real service does, and throws the real service's errors when a limit is exceeded. All limits are off
 * by default.
 */
export class QuotaCount {
  #limits: Partial<Quotas> = {};
  /** The times of counted operations, in milliseconds since 1970, by kind of operation and table. */
  readonly #times = new Map<string, number[]>();
  readonly #mutating = new Map<string, number>();

  set(which: Partial<Quotas> | 'real' | 'off'): void {
    this.#limits = which === 'real' ? REAL_QUOTAS : which === 'off' ? {} : which;
    this.#times.clear();
  }

  /** Counts a load job when it is inserted. */
  loadOfProject(now: number): void {
    if (this.#over('loads', this.#limits.loadsPerDay, DAY_MS, now))
      throw tooMany('quotaExceeded', 'Quota exceeded: Your project exceeded quota for imports per project.');
  }

  /** Counts a load job for a table when it runs, whether or not it succeeds. */
  loadOfTable(table: string, now: number): void {
    if (this.#over(`loads ${table}`, this.#limits.loadsPerTableAndDay, DAY_MS, now))
      throw tooMany('quotaExceeded', 'Quota exceeded: Your table exceeded quota for imports or query appends per table.');
  }

  /**
   * Counts a change to a table's metadata. The change can be an update of the table's resource, a DDL statement, or a load or
   * query that writes to the table.
   */
  metadataUpdate(table: string, now: number, inJob = false): void {
    if (this.#over(`metadata ${table}`, this.#limits.metadataUpdatesPerTable, SHORT_MS, now))
      throw tooMany(
        inJob ? 'jobRateLimitExceeded' : 'rateLimitExceeded',
        'Exceeded rate limits: too many table update operations for this table.',
      );
  }

  dml(table: string, now: number): void {
    if (this.#over(`dml ${table}`, this.#limits.dmlPerTable, SHORT_MS, now))
      throw tooMany('rateLimitExceeded', 'Exceeded rate limits: too many DML statements for this table.');
  }

  /**
   * Counts a pending UPDATE, DELETE or MERGE on a table. The caller must call the returned function when the statement has ended.
   */
  mutation(table: string): () => void {
    const { mutationsAtOnce: atOnce, mutationsQueued: queued } = this.#limits;
    const running = this.#mutating.get(table) ?? 0;
    if (atOnce !== undefined && queued !== undefined && running >= atOnce + queued)
      throw tooMany(
        'resourcesExceeded',
        `Resources exceeded during query execution: Too many DML statements outstanding against table ${table}, limit is ${queued}.`,
      );
    this.#mutating.set(table, running + 1);
    return () => this.#mutating.set(table, this.#mutating.get(table)! - 1);
  }

  #over(what: string, limit: number | undefined, window: number, now: number): boolean {
    if (limit === undefined) return false;
    const times = (this.#times.get(what) ?? []).filter((time) => time > now - window && time <= now);
    const over = times.length >= limit;
    if (!over) times.push(now);
    this.#times.set(what, times);
    return over;
  }
}

/** The server's clock, which is ahead of the machine's clock after a test has advanced it. */
export class Clock {
  #ahead = 0;

  /** Milliseconds since 1970. */
  get now(): number {
    return Date.now() + this.#ahead;
  }

  advance(ms: number): number {
    this.#ahead += ms;
    return this.now;
  }
}
