import type { State } from '../state.ts';
import type { Database } from '../storage/database.ts';
import type { Clock } from '../time/clock.ts';

/** The result of an attempt to fetch a resource: how many objects were delivered, and the instants (ms) of all objects. */
export interface Found {
  readonly sent: number;
  readonly times: readonly number[];
}

export interface DataCount {
  readonly provider: string;
  readonly resource: string;
  readonly sent_count: number;
  readonly oldest_data: number | null;
  readonly newest_data: number | null;
  readonly last_attempt_at: number;
  readonly last_attempt_status: 'success' | 'failure';
}

/** How much of each resource the service has sent, and how the last attempt to fetch it ended. */
export class DataCounts {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor({ database, clock }: State) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Notes a successful attempt. */
  found(user: string, provider: string, resource: string, { sent, times }: Found): void {
    const [oldest, newest] = times.length === 0 ? [null, null] : [Math.min(...times), Math.max(...times)];
    this.#database.run(
      `insert into data_counts values (?, ?, ?, ?, ?, ?, ?, 'success')
       on conflict do update set
         sent_count = sent_count + excluded.sent_count,
         oldest_data = min(coalesce(oldest_data, excluded.oldest_data), coalesce(excluded.oldest_data, oldest_data)),
         newest_data = max(coalesce(newest_data, excluded.newest_data), coalesce(excluded.newest_data, newest_data)),
         last_attempt_at = excluded.last_attempt_at, last_attempt_status = excluded.last_attempt_status`,
      user,
      provider,
      resource,
      sent,
      oldest,
      newest,
      this.#clock.now(),
    );
  }

  /** Notes that the data of a provider can no longer be fetched. */
  failed(user: string, provider: string): void {
    this.#database.run(
      "update data_counts set last_attempt_at = ?, last_attempt_status = 'failure' where user_id = ? and provider = ?",
      this.#clock.now(),
      user,
      provider,
    );
  }

  /** Returns the counts of a user, ordered by provider and resource. Without a provider, those of all providers. */
  of(user: string, provider?: string): DataCount[] {
    return this.#database.all(
      'select * from data_counts where user_id = ?1 and (?2 is null or provider = ?2) order by provider, resource',
      user,
      provider ?? null,
    );
  }
}
