import { timeseriesResources } from '../data/forms/sample-forms.ts';
import { summaryResources } from '../data/forms/summary-forms.ts';
import type { State } from '../state.ts';
import type { User } from '../users/users.ts';

export interface StoredEvent {
  readonly event_id: number;
  /** Tells events of all teams apart. The same calls give the same names, whatever the speed of endpoints and hubs is. */
  readonly event_name: string;
  readonly team_id: string;
  /** Null for an event about no known user. */
  readonly user_id: string | null;
  readonly event_type: string;
  readonly created_at: number;
  readonly is_historical: number;
  readonly body: string;
}

/** What decides who gets an event. */
export interface EventFacts {
  readonly team_id: string;
  readonly event_type: string;
  readonly isHistorical: boolean;
}

/** An endpoint or hub that gets an event. */
export interface Recipient {
  /** Whether the event is delivered by itself. */
  readonly isActive: boolean;
  /** Plans the delivery of an event, within its transaction. */
  readonly plan: (event: StoredEvent) => void;
}

/** The user whom an event is about, or only the team if the user is not known. */
export type Subject =
  | Pick<User, 'team_id' | 'user_id' | 'client_user_id'>
  | { readonly team_id: string; readonly user_id?: undefined; readonly client_user_id?: undefined };

/** Returns the body of an event, as endpoints and hubs get it. Without a user, it lacks both ids of the user. */
export function eventBody({ team_id, user_id, client_user_id }: Partial<Subject>, event_type: string, data: object): string {
  return JSON.stringify({ event_type, team_id, user_id, client_user_id, data });
}

const HOUR_MS = 3_600_000;
/** Events are kept for 7 days, and longer while an endpoint or a hub still waits for them. */
const KEPT_MS = 7 * 24 * HOUR_MS;
const DELETE = 'delete old events';

/** Deletes old events, and with them their messages, once an hour while there are events. */
export class Retention {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
    const { database, clock, jobs } = state;
    jobs.change<null>(DELETE, (_, now) => this.#delete(now));
    if (database.get('select 1 from retention') === undefined) database.run('insert into retention values (?)', clock.now());
  }

  /** Plans the deletion of a new event within its transaction. `createdAt` is in milliseconds since 1970. */
  begin(createdAt: number): void {
    const { jobs } = this.#state;
    if (jobs.count(DELETE) === 0) this.#plan(createdAt + KEPT_MS + HOUR_MS);
  }

  /** All events since this time are kept, in milliseconds since 1970. */
  get keptSince(): number {
    return this.#state.database.get<{ kept_since: number }>('select kept_since from retention')!.kept_since;
  }

  #delete(now: number): void {
    const { database } = this.#state;
    const until = now - KEPT_MS;
    database.run(
      `delete from events where created_at < ?
       and not exists (select 1 from deliveries where event_id = events.event_id and due_at is not null)`,
      until,
    );
    database.run('update retention set kept_since = max(kept_since, ?)', until);
    if (database.get('select 1 from events limit 1') !== undefined) this.#plan(now + HOUR_MS);
  }

  #plan(dueAt: number): void {
    this.#state.jobs.add({ kind: DELETE, dueAt, subject: DELETE, payload: null });
  }
}

/**
 * The events that the service has to deliver, in the order in which they happened. An event is part of the transaction of its
 * change, so a crash loses neither or both. An event that no endpoint or hub wants is not written.
 */
export class Outbox {
  readonly #state: State;
  readonly #retention: Retention;
  readonly #recipientsOf: (facts: EventFacts) => readonly Recipient[];

  constructor(state: State, retention: Retention, recipientsOf: (facts: EventFacts) => readonly Recipient[]) {
    this.#state = state;
    this.#retention = retention;
    this.#recipientsOf = recipientsOf;
  }

  /** Returns whether an event would be written. */
  isWanted(facts: EventFacts): boolean {
    return this.#recipientsOf(facts).length > 0;
  }

  /** Adds an event to the caller's transaction. Returns whether it is delivered to somebody. */
  add(subject: Subject, event_type: string, data: object, isHistorical = false): boolean {
    const { database, clock } = this.#state;
    return this.#write(subject, { event_type, data, isHistorical }, () => {
      const { events } = database.get<{ events: number }>(
        'insert into event_counts values (?, 1) on conflict do update set events = events + 1 returning events',
        subject.team_id,
      )!;
      return { name: `${subject.team_id} ${events}`, at: clock.now() };
    });
  }

  /** Adds an event about a delivery, which happened at a time (ms since 1970), to the caller's transaction. */
  tell(
    subject: Subject,
    event_type: string,
    { data, ...made }: { readonly data: object; readonly name: string; readonly at: number },
  ): void {
    this.#write(subject, { event_type, data, isHistorical: false }, () => made);
  }

  /** Returns the events of a team after an event, at most `limit`. */
  after(team: string, event: number, limit: number): StoredEvent[] {
    return this.#state.database.all(
      'select * from events where team_id = ? and event_id > ? order by event_id limit ?',
      team,
      event,
      limit,
    );
  }

  #write(
    subject: Subject,
    { event_type, data, isHistorical }: { readonly event_type: string; readonly data: object; readonly isHistorical: boolean },
    made: () => { readonly name: string; readonly at: number },
  ): boolean {
    const { team_id, user_id } = subject;
    const recipients = this.#recipientsOf({ team_id, event_type, isHistorical });
    if (recipients.length === 0) return false;
    const { database, jobs, versions } = this.#state;
    database.transaction(() => {
      const { name, at } = made();
      const event = database.get<StoredEvent>(
        `insert into events (event_name, team_id, user_id, event_type, created_at, is_historical, body)
         values (?, ?, ?, ?, ?, ?, ?) returning *`,
        name,
        team_id,
        user_id ?? null,
        event_type,
        at,
        isHistorical ? 1 : 0,
        eventBody(versions.has('ids in envelopes', team_id) ? subject : {}, event_type, data),
      )!;
      for (const { plan } of recipients) plan(event);
      this.#retention.begin(at);
    });
    jobs.wake();
    return recipients.some(({ isActive }) => isActive);
  }
}

/** A message failed at an endpoint in all attempts. */
export const ATTEMPT_EXHAUSTED = 'message.attempt.exhausted';

/** Returns whether an event type tells of the delivery itself, and not of a user's data. */
export function isOperational(eventType: string): boolean {
  return eventType === ATTEMPT_EXHAUSTED;
}

const resources = [...summaryResources, ...timeseriesResources.map(({ name }) => name), 'workout_stream'];

/** The types of events that the vendor's catalog has, and the operational ones. The service sends only some of them. */
export const eventTypes: readonly string[] = [
  ...resources.flatMap((name) => [`daily.data.${name}.created`, `daily.data.${name}.updated`, `historical.data.${name}.created`]),
  'provider.connection.created',
  'provider.connection.error',
  'provider.device.created',
  'provider.device.updated',
  'labtest.order.created',
  'labtest.order.updated',
  'labtest.appointment.created',
  'labtest.appointment.updated',
  'labtest.result.critical',
  'labtest.match_review.created',
  'labtest.match_review.updated',
  'lab_report.parsing_job.created',
  'lab_report.parsing_job.updated',
  'continuous_query.result_table.changed',
  ATTEMPT_EXHAUSTED,
];
