import type { FaultRules } from '../faults/fault-rules.ts';
import type { State } from '../state.ts';
import type { HubEvent, RoutedEvent } from './routing.ts';
import type { Progress } from './sending-plan.ts';

/** An event that its hub does not accept. */
export interface UndeliverableEvent {
  readonly event_id: number;
  readonly user_id: string;
  readonly event_type: string;
  readonly hub: string;
  readonly reason: string;
  /** Size of the body as it was sent. */
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly noted_at: number;
}

interface HeldRow extends RoutedEvent {
  readonly behind: number;
  readonly until: number;
}

const routed = 'event_id, team_id, user_id, event_type, body, is_historical';

/** The pipelines' progress in the database. */
export class ProgressRecord {
  readonly #state: State;
  readonly #faults: FaultRules;

  constructor(state: State, faults: FaultRules) {
    this.#state = state;
    this.#faults = faults;
  }

  /** Returns the progress of a team's pipeline, which must exist. */
  of(team: string): Progress {
    const { database } = this.#state;
    const { position, delayed } = database.get<{ position: number; delayed: string | null }>(
      'select position, delayed from etl_pipelines where team_id = ?',
      team,
    )!;
    const held = database.all<HeldRow>(
      // The cross join makes SQLite begin with the few held events. Otherwise it reads all events of the team.
      `select ${routed}, behind, until from held_events cross join events using (event_id, team_id)
       where held_events.team_id = ? order by event_id`,
      team,
    );
    return {
      position,
      delayed: delayed === null ? null : JSON.parse(delayed),
      held: held.map(({ behind, until, ...event }) => ({ event, behind, until })),
      rules: this.#faults.forDeliveries(),
    };
  }

  /** Saves the progress of a pipeline, within the caller's transaction. */
  save(team: string, { position, held, delayed, rules }: Progress): void {
    const { database } = this.#state;
    database.run(
      'update etl_pipelines set position = ?, delayed = ? where team_id = ?',
      position,
      delayed === null ? null : JSON.stringify(delayed),
      team,
    );
    database.run('delete from held_events where team_id = ?', team);
    for (const { event, behind, until } of held)
      database.run('insert into held_events values (?, ?, ?, ?)', event.event_id, team, behind, until);
    this.#faults.save(rules);
  }

  /** Returns the events of a team after a position, at most `limit`. */
  eventsAfter(team: string, position: number, limit: number): RoutedEvent[] {
    return this.#state.database.all(
      `select ${routed} from events where team_id = ? and event_id > ? order by event_id limit ?`,
      team,
      position,
      limit,
    );
  }

  /** Notes an event that is larger than its hub accepts. */
  noteTooLarge({ event_id, team_id }: RoutedEvent, { hub, body }: HubEvent): void {
    const { database, clock } = this.#state;
    const reason = 'larger than the hub accepts';
    database.run(
      'insert or replace into undeliverable_events values (?, ?, ?, ?, ?, ?)',
      event_id,
      team_id,
      hub,
      reason,
      body.length,
      clock.now(),
    );
  }

  /** Returns the events of a team that their hubs do not accept, the oldest first. */
  undeliverable(team: string): UndeliverableEvent[] {
    return this.#state.database.all(
      `select event_id, user_id, event_type, hub, reason, bytes, noted_at
       from undeliverable_events u join events e using (event_id) where u.team_id = ? order by event_id`,
      team,
    );
  }
}
