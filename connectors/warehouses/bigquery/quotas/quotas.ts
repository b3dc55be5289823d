import { TokenBucket } from './token-bucket.ts';

const DAY = 86_400_000;

/** The limits of BigQuery that shape loading (cloud.google.com/bigquery/quotas), and what is said where one makes wait. */
export const limits = {
  /** Load jobs of the project. It cannot be raised; failed ones count. */
  projectLoads: { limit: 100_000, windowMs: DAY, words: 'load jobs of the project in a day' },
  /** Load jobs of one table: landing tables are fresh, so only attempts of one batch come near it. */
  tableLoads: { limit: 1_500, windowMs: DAY, words: 'load jobs of a table in a day' },
  /** Changes of a table's metadata: creations, patches and loads. */
  tableUpdates: { limit: 5, windowMs: 10_000, words: 'metadata updates of a table in 10 s' },
  /** Statements that change a table. */
  tableDml: { limit: 25, windowMs: 10_000, words: 'DML statements on a table in 10 s' },
} as const;

export type QuotaName = keyof typeof limits;

/** What is about to be done: a quota, and the table it is one of. */
export interface QuotaUse {
  readonly quota: QuotaName;
  readonly table?: string;
}

export interface QuotaWait {
  readonly quota: QuotaName;
  readonly milliseconds: number;
}

/** What a worker may use of the quotas. */
export interface QuotaShare {
  /** How many workers share what Aorta may use. */
  readonly workers: number;
  /** The part of the load jobs of a day that Aorta may use, 1: all. Others load into the project, too. */
  readonly loadJobs: number;
}

/** What one worker may use of a quota. */
function limitFor(quota: QuotaName, { workers, loadJobs }: QuotaShare): number {
  const isOfLoads = quota === 'projectLoads' || quota === 'tableLoads';
  return (limits[quota].limit * (isOfLoads ? loadJobs : 1)) / workers;
}

/** The buckets of one worker, who has its share of every quota. Tables that were not touched for long are forgotten. */
export class Quotas {
  readonly #share: QuotaShare;
  readonly #buckets = new Map<string, { bucket: TokenBucket; at: number }>();
  #swept = 0;

  constructor(share: QuotaShare) {
    this.#share = share;
  }

  /** What has to be waited for, the longest of all; undefined where everything may be done now. */
  wait(uses: readonly QuotaUse[], now: number): QuotaWait | undefined {
    let longest: QuotaWait | undefined;
    for (const use of uses) {
      const milliseconds = this.#bucket(use, now).wait(now);
      if (milliseconds > (longest?.milliseconds ?? 0)) longest = { quota: use.quota, milliseconds };
    }
    return longest;
  }

  /** It is done now. */
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

  /** Landing tables come by the thousand: after a quarter of an hour nobody loads into one again. */
  #sweep(now: number): void {
    if (now - this.#swept < 60_000) return;
    this.#swept = now;
    for (const [name, { at }] of this.#buckets)
      if (!name.startsWith('projectLoads') && now - at > 900_000) this.#buckets.delete(name);
  }
}

/**
 * Milliseconds from one landing of a partition to the next: as configured, or longer where so many partitions would use
 * more load jobs than this worker's share of the project's. A tenth of the share is left for what has to be repeated.
 */
export function landingInterval(configuredMs: number, partitions: number, share: QuotaShare): number {
  const perMs = (limitFor('projectLoads', share) * 0.9) / limits.projectLoads.windowMs;
  return Math.max(configuredMs, partitions / perMs);
}
