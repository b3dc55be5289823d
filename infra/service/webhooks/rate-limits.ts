import type { Database } from '../storage/database.ts';
import type { Endpoint } from './endpoints.ts';

const SECOND_MS = 1000;

/**
 * Counts attempts at endpoints that have a rate limit, so that no second of virtual time has more attempts than the limit. The
 * database holds the counts: a service that restarts within a second keeps to the limit, too.
 */
export class RateLimits {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the time from which an endpoint may have another attempt, in milliseconds since 1970. */
  freeAt(id: string): number {
    const { full_at } = this.#database.get<{ full_at: number | null }>(
      `select max(at) as full_at
       from (select at, sum(attempts) over (order by at desc) as attempts from recent_attempts where endpoint_id = ?1)
       where attempts >= (select rate_limit from webhook_endpoints where endpoint_id = ?1)`,
      id,
    )!;
    return full_at === null ? -Infinity : full_at + SECOND_MS;
  }

  /** Returns how many attempts an endpoint may have at a time. */
  room({ endpoint_id, rate_limit }: Endpoint, at: number): number {
    if (rate_limit === null) return Infinity;
    const { attempts } = this.#database.get<{ attempts: number }>(
      'select coalesce(sum(attempts), 0) as attempts from recent_attempts where endpoint_id = ? and at > ?',
      endpoint_id,
      at - SECOND_MS,
    )!;
    return Math.max(0, rate_limit - attempts);
  }

  /** Counts attempts, unless the endpoint has been deleted meanwhile. */
  note({ endpoint_id, rate_limit }: Endpoint, at: number, attempts: number): void {
    if (rate_limit === null || attempts === 0) return;
    this.#database.run('delete from recent_attempts where endpoint_id = ? and at <= ?', endpoint_id, at - SECOND_MS);
    this.#database.run(
      `insert into recent_attempts select endpoint_id, ?, ? from webhook_endpoints where endpoint_id = ?
       on conflict do update set attempts = attempts + excluded.attempts`,
      at,
      attempts,
      endpoint_id,
    );
  }
}
