import type { State } from '../state.ts';
import { type Pipeline, pipelineSchema } from './pipeline.ts';
import { carries, type HubEvent, hubEvent, type RoutedEvent } from './routing.ts';

/** Sends events to the hubs of a namespace, in the order of each partition key. Rejects if it is not sure that all arrived. */
export type SendToHubs = (connectionString: string, events: readonly HubEvent[]) => Promise<void>;

interface Row {
  readonly configuration: string;
  readonly position: number;
  readonly failures: number;
}

const SEND = 'pipeline send';
const AT_MOST = 200;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/**
 * The ETL pipelines: each team has at most one. A pipeline reads the outbox of its team in order, from a position in the
 * database, which moves after the hubs have the events. So a crash may send events again, but loses none.
 */
export class Pipelines {
  readonly #state: State;
  readonly #send: SendToHubs;

  constructor(state: State, send: SendToHubs) {
    this.#state = state;
    this.#send = send;
    state.jobs.handle<string>(SEND, (team) => this.#carry(team));
  }

  /** Creates or replaces the pipeline of a team. A new pipeline begins with the events from now on. */
  set(team: string, pipeline: Pipeline): void {
    const { database } = this.#state;
    database.run(
      `insert into etl_pipelines values (?, ?, coalesce((select max(event_id) from events where team_id = ?), 0), 0)
       on conflict do update set configuration = excluded.configuration, failures = 0`,
      team,
      JSON.stringify(pipeline),
      team,
    );
  }

  find(team: string): Pipeline | undefined {
    const row = this.#row(team);
    return row === undefined ? undefined : pipelineSchema.parse(JSON.parse(row.configuration));
  }

  /** Removes the pipeline of a team. Returns whether it had one. */
  remove(team: string): boolean {
    this.#state.jobs.cancel(subjectOf(team));
    return this.#state.database.run('delete from etl_pipelines where team_id = ?', team) > 0;
  }

  /**
   * Plans to send a new event of the outbox. The caller's transaction holds the event. Returns whether the team's pipeline
   * carries it.
   */
  plan(event: RoutedEvent): boolean {
    const { team_id } = event;
    const pipeline = this.find(team_id);
    if (pipeline === undefined) return false;
    // A job that is just ending no longer sees this event, so one more has to wait behind it.
    if (this.#state.jobs.count(subjectOf(team_id)) < 2) this.#later(team_id, this.#state.clock.now());
    return carries(pipeline, event);
  }

  #later(team: string, dueAt: number): void {
    this.#state.jobs.add({ kind: SEND, dueAt, subject: subjectOf(team), payload: team });
  }

  async #carry(team: string): Promise<void> {
    const row = this.#row(team);
    if (row === undefined) return;
    const { database, clock } = this.#state;
    const pipeline = this.find(team)!;
    const events = database.all<RoutedEvent>(
      `select event_id, team_id, user_id, event_type, body, is_historical from events
       where team_id = ? and event_id > ? order by event_id limit ${AT_MOST}`,
      team,
      row.position,
    );
    if (events.length === 0) return;
    const carried = events.filter((event) => carries(pipeline, event)).map((event) => hubEvent(pipeline, event));
    try {
      if (carried.length > 0) await this.#send(pipeline.azure_amqp.connection_string, carried);
    } catch {
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** row.failures, LONGEST_PAUSE_MS);
      database.transaction(() => {
        database.run('update etl_pipelines set failures = failures + 1 where team_id = ?', team);
        this.#later(team, clock.now() + pause);
      });
      return;
    }
    database.transaction(() => {
      database.run('update etl_pipelines set position = ?, failures = 0 where team_id = ?', events.at(-1)!.event_id, team);
      this.#later(team, clock.now());
    });
  }

  #row(team: string): Row | undefined {
    return this.#state.database.get('select configuration, position, failures from etl_pipelines where team_id = ?', team);
  }
}

const subjectOf = (team: string): string => `pipeline of team ${team}`;
