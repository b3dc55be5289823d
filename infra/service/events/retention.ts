import type { State } from '../state.ts';

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

  /** Plans the deletion of an event that is new (ms since 1970), within its transaction. */
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
