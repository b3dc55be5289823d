import type { TimedWait } from '../../warehouse.ts';
import type { Surroundings } from '../errors/retries.ts';

const DAY = 86_400_000;

/** BigQuery's limits that apply to loading (cloud.google.com/bigquery/quotas), with the words used to report a wait. */
export const limits = {
  /** Load jobs of the project. The limit cannot be raised, and failed jobs count toward it. */
  projectLoads: { limit: 100_000, windowMs: DAY, words: 'load jobs of the project in a day' },
  /** Load jobs of one table. Landing tables are new, so only repeated attempts at one batch come close to the limit. */
  tableLoads: { limit: 1_500, windowMs: DAY, words: 'load jobs of a table in a day' },
  /** Changes to a table's metadata: creations, patches and loads. */
  tableUpdates: { limit: 5, windowMs: 10_000, words: 'metadata updates of a table in 10 s' },
  tableDml: { limit: 25, windowMs: 10_000, words: 'DML statements on a table in 10 s' },
} as const;

/**
 * Maximum number of landing tables per stream. BigQuery allows 1,000 tables per query. The view of landed rows (such as
 * `sleep_landed`) reads all of the stream's landing tables and a few other tables. The difference leaves room for landing tables
 * that other workers create in the meantime.
 */
export const MOST_LANDED = 900;

/** A stream with at least this many batches is merged early, and landed less often until the batches are merged. */
export const BACKLOG_FROM = MOST_LANDED / 2;

export type QuotaName = keyof typeof limits;

/** One use of a quota, and the table if the quota applies per table. */
export interface QuotaUse {
  readonly quota: QuotaName;
  readonly table?: string;
}

export interface QuotaWait {
  readonly quota: QuotaName;
  readonly milliseconds: number;
}

interface QuotaShare {
  /** Number of workers that share Aorta's part of the quotas. */
  readonly workers: number;
  /** Fraction of the daily load jobs that Aorta may use; 1 means all. Other users of the project need the rest. */
  readonly loadJobs: number;
}

function limitFor(quota: QuotaName, { workers, loadJobs }: QuotaShare): number {
  const isOfLoads = quota === 'projectLoads' || quota === 'tableLoads';
  return (limits[quota].limit * (isOfLoads ? loadJobs : 1)) / workers;
}

/**
 * Allows at most `limit` uses in any window of `windowMs` milliseconds: the burst and the refill together never exceed `limit`.
 * The class is pure: the caller passes the time.
 */
export class TokenBucket {
  readonly #burst: number;
  readonly #perMs: number;
  #tokens: number;
  #at: number;

  constructor(limit: number, windowMs: number, now: number) {
    // A fifth of the limit, but at least 1 and at most 100 uses, is available at once. The rest becomes available over time. Even
    // a limit of 1 or less is refilled, so that a caller never waits forever.
    this.#burst = Math.max(1, Math.min(100, Math.floor(limit / 5)));
    this.#perMs = Math.max(limit - this.#burst, limit * 0.1) / windowMs;
    this.#tokens = this.#burst;
    this.#at = now;
  }

  /** Milliseconds until a token is available; 0 means now. */
  wait(now: number): number {
    this.#fill(now);
    // Tolerates rounding errors.
    return this.#tokens >= 1 - 1e-9 ? 0 : Math.ceil((1 - this.#tokens) / this.#perMs);
  }

  take(now: number): void {
    this.#fill(now);
    this.#tokens -= 1;
  }

  #fill(now: number): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#at) * this.#perMs);
    this.#at = now;
  }
}

/** Token buckets for one worker's share of every quota. Buckets of tables that have not been used for a while are removed. */
export class Quotas {
  readonly #share: QuotaShare;
  readonly #buckets = new Map<string, { bucket: TokenBucket; at: number }>();
  #swept = 0;

  constructor(share: QuotaShare) {
    this.#share = share;
  }

  /** Returns the wait until all of these uses are allowed, or undefined if they are allowed now. */
  wait(uses: readonly QuotaUse[], now: number): QuotaWait | undefined {
    let longest: QuotaWait | undefined;
    for (const use of uses) {
      const milliseconds = this.#bucket(use, now).wait(now);
      if (milliseconds > (longest?.milliseconds ?? 0)) longest = { quota: use.quota, milliseconds };
    }
    return longest;
  }

  take(uses: readonly QuotaUse[], now: number): void {
    for (const use of uses) this.#bucket(use, now).take(now);
  }

  #bucket({ quota, table = '' }: QuotaUse, now: number): TokenBucket {
    this.#sweep(now);
    const name = `${quota}/${table}`;
    let held = this.#buckets.get(name);
    if (held === undefined) {
      held = { bucket: new TokenBucket(limitFor(quota, this.#share), limits[quota].windowMs, now), at: now };
      this.#buckets.set(name, held);
    }
    held.at = now;
    return held.bucket;
  }

  /** Forgets tables that are not in use, because there are thousands of landing tables, each used for at most a quarter of an hour. */
  #sweep(now: number): void {
    if (now - this.#swept < 60_000) return;
    this.#swept = now;
    for (const [name, { at }] of this.#buckets)
      if (!name.startsWith('projectLoads') && now - at > 900_000) this.#buckets.delete(name);
  }
}

/**
 * Returns the milliseconds between two landings of a partition: as configured, or longer to stay within this worker's share of
 * load jobs. A tenth of the share is reserved for retries.
 */
export function landingInterval(configuredMs: number, partitions: number, share: QuotaShare): number {
  const perMs = (limitFor('projectLoads', share) * 0.9) / limits.projectLoads.windowMs;
  return Math.max(configuredMs, partitions / perMs);
}

/**
 * Returns the interval, in milliseconds, at which a partition should be landed. If the stream has many landing tables, the
 * interval is extended, so that their number takes at least a day to reach {@link MOST_LANDED}. Batches then grow, and records
 * wait longer in the stream. `waiting` is the number of the stream's landing tables, and `partitions` is the number of its
 * landed partitions.
 */
export function intervalForBacklog(intervalMs: number, waiting: number, partitions: number): number {
  if (waiting < BACKLOG_FROM) return intervalMs;
  if (waiting >= MOST_LANDED) return Math.max(intervalMs, DAY);
  return Math.max(intervalMs, (DAY / (MOST_LANDED - waiting)) * Math.max(1, partitions));
}

interface QuotaGateOptions {
  readonly share: QuotaShare;
  readonly surroundings: Surroundings;
  readonly onWaited: (reason: string, milliseconds: number) => void;
}

/** Delays steps until the quotas allow them, and reports what they wait for. */
export class QuotaGate {
  readonly #options: QuotaGateOptions;
  readonly #quotas: Quotas;
  readonly #waits = new Set<TimedWait>();

  constructor(options: QuotaGateOptions) {
    this.#options = options;
    this.#quotas = new Quotas(options.share);
  }

  /** Waits until the quotas allow all of these uses, then counts them. */
  async ready(uses: readonly QuotaUse[]): Promise<void> {
    const { surroundings, onWaited } = this.#options;
    const begun = surroundings.now();
    let last: string | undefined;
    for (;;) {
      const now = surroundings.now();
      const wait = this.#quotas.wait(uses, now);
      if (wait === undefined) {
        this.#quotas.take(uses, now);
        if (last !== undefined) onWaited(last, now - begun);
        return;
      }
      last = limits[wait.quota].words;
      const waiting = { reason: last, since: begun, dueAt: now + wait.milliseconds };
      this.#waits.add(waiting);
      try {
        await surroundings.sleep(wait.milliseconds);
      } finally {
        this.#waits.delete(waiting);
      }
    }
  }

  waits(): readonly TimedWait[] {
    return [...this.#waits];
  }

  /** Longest current wait in seconds, by reason. */
  waiting(): ReadonlyMap<string, number> {
    const now = this.#options.surroundings.now();
    const longest = new Map<string, number>();
    for (const { reason, since } of this.#waits) longest.set(reason, Math.max(longest.get(reason) ?? 0, (now - since) / 1000));
    return longest;
  }
}
