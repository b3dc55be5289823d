import { z } from 'zod';
import { detailSchema } from '../api/errors.ts';
import type { Answer, AnswerForm } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import type { State } from '../state.ts';
import type { Database } from '../storage/database.ts';
import type { Draws } from '../storage/draws.ts';
import type { Clock } from '../time/clock.ts';
import type { Jobs } from '../time/jobs.ts';

/** A deletion can be undone for 7 days. Then the user's data is removed. */
const GRACE_MS = 7 * 86_400_000;
const REMOVE = 'remove user';

/** A user, as stored. Times are in milliseconds since 1970. */
export interface User {
  readonly user_id: string;
  readonly team_id: string;
  readonly client_user_id: string;
  readonly created_on: number;
  readonly fallback_time_zone: string | null;
  readonly fallback_time_zone_at: number | null;
  readonly fallback_birth_date: string | null;
  readonly fallback_birth_date_at: number | null;
  readonly ingestion_start: string | null;
  readonly ingestion_end: string | null;
  /** When the deletion was requested; null for a user who exists. */
  readonly deleted_at: number | null;
}

/** The members of a user that a team can set. A missing member keeps its value, and null removes it. */
export interface UserSettings {
  readonly fallback_time_zone?: string | null | undefined;
  readonly fallback_birth_date?: string | null | undefined;
  readonly ingestion_start?: string | null | undefined;
  readonly ingestion_end?: string | null | undefined;
}

/** The client user id belongs to another user of the team. */
export interface Taken {
  readonly taken: Pick<User, 'user_id' | 'created_on'>;
}

/**
 * Returns the time zone for a user's data from sources that have none. It is the zone that answers show: UTC if the team has
 * set none.
 */
export const fallbackZoneOf = ({ fallback_time_zone }: Pick<User, 'fallback_time_zone'>): string => fallback_time_zone ?? 'UTC';

export type Undoing = 'done' | 'not deleted' | 'taken';

const settings = ['fallback_time_zone', 'fallback_birth_date', 'ingestion_start', 'ingestion_end'] as const;

/** The users of all teams. */
export class Users {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #jobs: Jobs;
  readonly #draws: Draws;
  #onDeletion: (user: string) => void = () => {};

  constructor({ database, clock, jobs, draws }: State) {
    this.#database = database;
    this.#clock = clock;
    this.#jobs = jobs;
    this.#draws = draws;
    jobs.change<{ readonly user_id: string }>(REMOVE, ({ user_id }) => this.#remove(user_id));
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#clock.now();
  }

  /** Sets what else ends when a user is deleted. It is part of the same transaction. */
  onDeletion(end: (user: string) => void): void {
    this.#onDeletion = end;
  }

  /** Creates a user, unless the client user id is taken. The id comes from `draws`. */
  create(team: string, clientUserId: string, given: UserSettings, draws: Draws = this.#draws): User | Taken {
    return this.#database.transaction(() => {
      const taken = this.resolve(team, clientUserId);
      if (taken !== undefined) return { taken };
      const id = draws.uuid('user');
      this.#database.run(
        'insert into users (user_id, team_id, client_user_id, created_on) values (?, ?, ?, ?)',
        id,
        team,
        clientUserId,
        this.#clock.now(),
      );
      this.#set(id, given);
      return this.find(team, id)!;
    });
  }

  /** Changes a user. Undefined if the team has no such user. */
  change(
    team: string,
    id: string,
    given: UserSettings & { readonly client_user_id?: string | undefined },
  ): User | Taken | undefined {
    return this.#database.transaction(() => {
      if (this.find(team, id) === undefined) return undefined;
      if (given.client_user_id !== undefined) {
        const taken = this.resolve(team, given.client_user_id);
        if (taken !== undefined && taken.user_id !== id) return { taken };
        this.#database.run('update users set client_user_id = ? where user_id = ?', given.client_user_id, id);
      }
      this.#set(id, given);
      return this.find(team, id)!;
    });
  }

  find(team: string, id: string): User | undefined {
    return this.#database.get('select * from users where team_id = ? and user_id = ? and deleted_at is null', team, id);
  }

  /** Returns a user of any team. */
  any(id: string): User | undefined {
    return this.#database.get('select * from users where user_id = ? and deleted_at is null', id);
  }

  resolve(team: string, clientUserId: string): User | undefined {
    return this.#database.get(
      'select * from users where team_id = ? and client_user_id = ? and deleted_at is null',
      team,
      clientUserId,
    );
  }

  /** Returns a page of users, the oldest first, and the number of all users of the team. */
  page(team: string, offset: number, limit: number): { readonly users: readonly User[]; readonly total: number } {
    const users = this.#database.all<User>(
      'select * from users where team_id = ? and deleted_at is null order by number limit ? offset ?',
      team,
      limit,
      offset,
    );
    return { users, total: this.count(team) };
  }

  count(team: string): number {
    return this.#database.get<{ n: number }>('select count(*) as n from users where team_id = ? and deleted_at is null', team)!.n;
  }

  /** Deletes a user. The data remains for 7 days. Returns whether the team had this user. */
  delete(team: string, id: string): boolean {
    return this.#database.transaction(() => {
      const now = this.#clock.now();
      const changed = this.#database.run(
        'update users set deleted_at = ? where team_id = ? and user_id = ? and deleted_at is null',
        now,
        team,
        id,
      );
      if (changed === 0) return false;
      this.#onDeletion(id);
      this.#jobs.add({ kind: REMOVE, dueAt: now + GRACE_MS, subject: removalOf(id), payload: { user_id: id } });
      return true;
    });
  }

  /** Undoes a deletion within the 7 days, unless another user has the client user id by now. */
  undoDeletion(team: string, by: { readonly user_id: string } | { readonly client_user_id: string }): Undoing {
    return this.#database.transaction(() => {
      const column = 'user_id' in by ? 'user_id' : 'client_user_id';
      const deleted = this.#database.get<User>(
        `select * from users where team_id = ? and ${column} = ? and deleted_at is not null order by deleted_at desc, number desc limit 1`,
        team,
        'user_id' in by ? by.user_id : by.client_user_id,
      );
      if (deleted === undefined || deleted.deleted_at! + GRACE_MS <= this.#clock.now()) return 'not deleted';
      if (this.resolve(team, deleted.client_user_id) !== undefined) return 'taken';
      this.#database.run('update users set deleted_at = null where user_id = ?', deleted.user_id);
      this.#jobs.cancel(removalOf(deleted.user_id));
      return 'done';
    });
  }

  #remove(id: string): void {
    this.#database.run('delete from users where user_id = ? and deleted_at is not null', id);
  }

  #set(id: string, given: UserSettings): void {
    for (const name of settings) {
      const value = given[name];
      if (value === undefined) continue;
      this.#database.run(`update users set ${name} = ? where user_id = ?`, value, id);
      if (name === 'fallback_time_zone' || name === 'fallback_birth_date')
        this.#database.run(`update users set ${name}_at = ? where user_id = ?`, value === null ? null : this.#clock.now(), id);
    }
  }
}

const removalOf = (id: string): string => `removal of user ${id}`;

export const userIdParams = z.object({ user_id: uuidSchema });

export const success: AnswerForm = { description: 'Done.', schema: z.object({ success: z.literal(true) }) };
export const UNKNOWN: Answer = { status: 404, body: { detail: 'User not found' } };
export const notFound: AnswerForm = { description: 'The team has no such user.', schema: detailSchema, example: UNKNOWN.body };

const DAY_MS = 86_400_000;
/** Data may come this long after the end of ingestion. Then the connections pause. */
const LATE_DAYS = 7;

type Bounds = Pick<User, 'ingestion_start' | 'ingestion_end'>;

/** Returns whether a date, such as 2026-01-31, lies within a user's bounds. Both bounds belong to the range. */
export function isWithin({ ingestion_start, ingestion_end }: Bounds, date: string): boolean {
  return (ingestion_start === null || date >= ingestion_start) && (ingestion_end === null || date <= ingestion_end);
}

/** Returns whether a user's connections have paused: more than 7 days after the end of ingestion. */
export function isPaused({ ingestion_end }: Bounds, now: number): boolean {
  return ingestion_end !== null && now >= Date.parse(ingestion_end) + (LATE_DAYS + 1) * DAY_MS;
}
