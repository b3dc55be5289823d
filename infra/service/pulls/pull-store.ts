import type { Database } from '../storage/database.ts';
import type { Course } from './outcomes.ts';
import type { Attempt, Pull, PullError, Range } from './pull.ts';

interface NewPull extends Pick<Pull, 'user_id' | 'provider' | 'resource' | 'scheduled_at'> {
  readonly range: Range;
  readonly isLegacy: boolean;
  readonly firstAttemptAt: number;
}

/** How an attempt ended. */
interface Ending extends Pick<Pull, 'status' | 'error_details' | 'next_attempt_at'> {
  readonly result: PullError | 'success';
  readonly at: number;
}

/** The historical pulls in the database, with the history of their attempts. */
export class PullStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds a pull in place of the last one of the same resource. Returns its id. */
  add({ user_id, provider, resource, scheduled_at, range, isLegacy, firstAttemptAt }: NewPull): number {
    return this.#database.get<{ pull_id: number }>(
      `insert into historical_pulls (user_id, provider, resource, status, range_start, range_end, scheduled_at,
         days, chunks_done, attempts, is_legacy, next_attempt_at)
       values (?, ?, ?, 'scheduled', ?, ?, ?, '[]', 0, 0, ?, ?) returning pull_id`,
      user_id,
      provider,
      resource,
      range.from,
      range.until,
      scheduled_at,
      isLegacy ? 1 : 0,
      firstAttemptAt,
    )!.pull_id;
  }

  find(id: number): Pull | undefined {
    return this.#database.get('select * from historical_pulls where pull_id = ?', id);
  }

  of(user: string, provider: string): Pull[] {
    return this.#database.all(
      'select * from historical_pulls where user_id = ? and provider = ? order by resource',
      user,
      provider,
    );
  }

  /** Returns the pulls of a user, or of all users. */
  all(user: string | null): Pull[] {
    return this.#database.all('select * from historical_pulls where ?1 is null or user_id = ?1 order by pull_id', user);
  }

  attemptsOf(id: number): Attempt[] {
    return this.#database.all(
      'select attempt, started_at, ended_at, result, chunks from pull_attempts where pull_id = ? order by attempt',
      id,
    );
  }

  /** Returns whether any of these pulls goes on. */
  isAnyOpen(ids: readonly number[]): boolean {
    return (
      this.#database.get(
        `select 1 from historical_pulls where pull_id in (select value from json_each(?))
         and (status = 'in_progress' or next_attempt_at is not null)`,
        JSON.stringify(ids),
      ) !== undefined
    );
  }

  begin({ pull_id, attempts }: Pull, course: Course, now: number): void {
    this.#database.run(
      `update historical_pulls set status = 'in_progress', started_at = ?, ended_at = null, attempts = ?, error_details = null,
         next_attempt_at = null, course = ? where pull_id = ?`,
      now,
      attempts + 1,
      JSON.stringify(course),
      pull_id,
    );
    this.#database.run('insert into pull_attempts values (?, ?, ?, null, null, 0)', pull_id, attempts + 1, now);
  }

  /** Notes the delivery of a chunk, and the dates that had data. */
  addChunk({ pull_id, attempts, days }: Pull, found: readonly string[]): void {
    this.#database.run(
      'update historical_pulls set chunks_done = chunks_done + 1, days = ? where pull_id = ?',
      JSON.stringify([...new Set([...(JSON.parse(days) as string[]), ...found])].sort()),
      pull_id,
    );
    this.#database.run('update pull_attempts set chunks = chunks + 1 where pull_id = ? and attempt = ?', pull_id, attempts);
  }

  /** Notes the end of an attempt, or of a pull that has no attempt. */
  end({ pull_id, attempts }: Pull, { status, error_details, next_attempt_at, result, at }: Ending): void {
    this.#database.run(
      `update historical_pulls set status = ?, error_details = ?, ended_at = ?, next_attempt_at = ?, course = null
       where pull_id = ?`,
      status,
      error_details,
      at,
      next_attempt_at,
      pull_id,
    );
    this.#database.run(
      'update pull_attempts set ended_at = ?, result = ? where pull_id = ? and attempt = ? and ended_at is null',
      at,
      result,
      pull_id,
      attempts,
    );
  }

  remove(id: number): void {
    this.#database.run('delete from historical_pulls where pull_id = ?', id);
  }
}
