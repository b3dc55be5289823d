import type { Connection, Connections } from '../connections/connections.ts';
import type { State } from '../state.ts';
import { isPaused, type User, type Users } from '../users/users.ts';
import type { Arrival } from './arrival.ts';
import type { Ingestion } from './ingestion.ts';

/** A provider's data after the connection was made. */
export interface LiveData {
  /** Returns what arrives in (after, until], in its order. */
  between(user: User, connection: Connection, after: number, until: number): readonly Arrival[];
  /** Returns when something arrives next, after an instant. */
  next(user: User, connection: Connection, after: number): number;
}

interface Visit {
  readonly user_id: string;
  readonly provider: string;
  /** When the connection was made. After it was made again, older visits end. */
  readonly since: number;
  /** What arrived until here has been taken. */
  readonly after: number;
}

const VISIT = 'visit of a provider';
/** What arrives within this time belongs to one visit. */
const TOGETHER_MS = 15_000;

/** Fetches the data of connected providers as it arrives. */
export class LiveFeed {
  readonly #state: State;
  readonly #users: Users;
  readonly #connections: Connections;
  readonly #ingestion: Ingestion;
  readonly #data: LiveData;

  constructor(
    state: State,
    { users, connections, ingestion, data }: { users: Users; connections: Connections; ingestion: Ingestion; data: LiveData },
  ) {
    this.#state = state;
    this.#users = users;
    this.#connections = connections;
    this.#ingestion = ingestion;
    this.#data = data;
    state.jobs.change<Visit>(VISIT, (visit) => this.#visit(visit));
  }

  /** Begins to fetch the data of a connection. The caller's transaction holds the connection. */
  begin(user: User, connection: Connection): void {
    if (connection.is_generated === 0) return;
    const { user_id, provider, since } = connection;
    this.#plan(user, connection, { user_id, provider, since, after: since });
  }

  /** Fetches now what has arrived. Returns whether the provider could be asked. */
  refresh(user: User, connection: Connection): boolean {
    if (connection.error_type !== null) return false;
    if (connection.is_generated === 0) return true;
    return this.#state.database.transaction(() => {
      const now = this.#state.clock.now();
      const subject = subjectOf(connection);
      const after = Math.max(connection.since, ...this.#visits(subject).map((visit) => visit.after));
      this.#state.jobs.cancel(subject);
      this.#take(user, connection, after, now);
      this.#plan(user, connection, { ...visitOf(connection), after: now });
      return true;
    });
  }

  #visit(visit: Visit): void {
    const user = this.#users.any(visit.user_id);
    const connection = this.#connections.find(visit.user_id, visit.provider);
    if (user === undefined || connection?.since !== visit.since || connection.error_type !== null) return;
    const now = this.#state.clock.now();
    this.#take(user, connection, visit.after, now);
    this.#plan(user, connection, { ...visit, after: now });
  }

  #take(user: User, connection: Connection, after: number, now: number): void {
    const arrivals = this.#data.between(user, connection, after, now);
    if (!isPaused(user, now)) this.#ingestion.take(user, connection.provider, arrivals);
  }

  #plan(user: User, connection: Connection, visit: Visit): void {
    const dueAt = this.#data.next(user, connection, visit.after) + TOGETHER_MS;
    this.#state.jobs.add({ kind: VISIT, dueAt, subject: subjectOf(connection), payload: visit });
  }

  #visits(subject: string): Visit[] {
    return this.#state.jobs.payloads(subject) as Visit[];
  }
}

const visitOf = ({ user_id, provider, since }: Connection): Omit<Visit, 'after'> => ({ user_id, provider, since });
const subjectOf = ({ user_id, provider }: Connection): string => `visits of ${provider} for ${user_id}`;
