import type { State } from '../state.ts';
import type { Database } from '../storage/database.ts';
import type { Clock } from '../time/clock.ts';
import type { User } from '../users/user.ts';

export interface StoredEvent {
  readonly event_id: number;
  readonly team_id: string;
  readonly user_id: string;
  readonly event_type: string;
  readonly created_at: number;
  readonly is_historical: number;
  readonly body: string;
}

/** The user that an event is about. */
export type Subject = Pick<User, 'team_id' | 'user_id' | 'client_user_id'>;

/** Returns the body of an event, as endpoints and hubs get it. */
export function eventBody({ team_id, user_id, client_user_id }: Subject, event_type: string, data: object): string {
  return JSON.stringify({ event_type, team_id, user_id, client_user_id, data });
}

/**
 * The events that the service has to deliver, in the order in which they happened. An event is part of the transaction of its
 * change, so a crash loses neither or both.
 */
export class Outbox {
  readonly #database: Database;
  readonly #clock: Clock;

  /** Plans the deliveries of a new event, within its transaction. Returns whether somebody gets it. */
  readonly #planned: (event: StoredEvent) => boolean;

  constructor({ database, clock }: State, planned: (event: StoredEvent) => boolean) {
    this.#database = database;
    this.#clock = clock;
    this.#planned = planned;
  }

  /** Adds an event to the caller's transaction. Returns whether somebody gets it. */
  add(subject: Subject, event_type: string, data: object, isHistorical = false): boolean {
    const { team_id, user_id } = subject;
    const body = eventBody(subject, event_type, data);
    return this.#database.transaction(() => {
      const event = this.#database.get<StoredEvent>(
        'insert into events (team_id, user_id, event_type, created_at, is_historical, body) values (?, ?, ?, ?, ?, ?) returning *',
        team_id,
        user_id,
        event_type,
        this.#clock.now(),
        isHistorical ? 1 : 0,
        body,
      )!;
      return this.#planned(event);
    });
  }

  /** Returns the events of a team after an event, at most `limit`. */
  after(team: string, event: number, limit: number): StoredEvent[] {
    return this.#database.all(
      'select * from events where team_id = ? and event_id > ? order by event_id limit ?',
      team,
      event,
      limit,
    );
  }
}
