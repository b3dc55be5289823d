import type { FaultRules } from '../faults/fault-rules.ts';
import type { State } from '../state.ts';
import { type Pipeline, pipelineSchema } from './pipeline.ts';
import { ProgressRecord, type UndeliverableEvent } from './progress.ts';
import { carries, type HubEvent, hubEvent, type RoutedEvent } from './routing.ts';
import { planSending, type SendingPlan } from './sending-plan.ts';

/**
 * Sends events to the hubs of a namespace, in the order of each partition key. Resolves with the events that are larger than
 * their hub accepts. Rejects if it is not sure that all others arrived.
 */
export type SendToHubs = (connectionString: string, events: readonly HubEvent[]) => Promise<readonly HubEvent[]>;

/** How far a pipeline is. */
export interface PipelineStatus {
  /** Events that the pipeline has not reached yet. */
  readonly waiting: number;
  /** Events that a fault rule holds back. */
  readonly held: number;
  /** Events that their hub does not accept. */
  readonly undeliverable: number;
  /** Attempts in a row that failed. */
  readonly failures: number;
}

const SEND = 'pipeline send';
const AT_MOST = 200;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/**
 * The ETL pipelines: each team has at most one. A pipeline reads the outbox of its team in order, from a position in the
 * database, which moves after the hubs have the events. So a crash may send events again, but loses none. An event that is
 * larger than its hub accepts is noted and left out, because it would block all later events for ever.
 */
export class Pipelines {
  readonly #state: State;
  readonly #progress: ProgressRecord;
  readonly #send: SendToHubs;
  /** The last parsed pipeline of each team. Parsing is slow, and every event needs the pipeline. */
  readonly #parsed = new Map<string, { readonly text: string; readonly pipeline: Pipeline }>();

  constructor(state: State, faults: FaultRules, send: SendToHubs) {
    this.#state = state;
    this.#progress = new ProgressRecord(state, faults);
    this.#send = send;
    state.jobs.handle<string>(SEND, (team) => this.#carry(team));
  }

  /** Creates or replaces the pipeline of a team. A new pipeline begins with the events from now on. */
  set(team: string, pipeline: Pipeline): void {
    const { database, clock } = this.#state;
    database.transaction(() => {
      database.run(
        `insert into etl_pipelines values (?, ?, coalesce((select max(event_id) from events where team_id = ?), 0), 0, 0, null)
         on conflict do update set configuration = excluded.configuration, failures = 0, paused_until = 0`,
        team,
        JSON.stringify(pipeline),
        team,
      );
      // The new configuration may remove the cause of the failures.
      this.#later(team, clock.now());
    });
  }

  find(team: string): Pipeline | undefined {
    const row = this.#state.database.get<{ configuration: string }>(
      'select configuration from etl_pipelines where team_id = ?',
      team,
    );
    if (row === undefined) return undefined;
    const { configuration: text } = row;
    const known = this.#parsed.get(team);
    if (known?.text === text) return known.pipeline;
    const pipeline = pipelineSchema.parse(JSON.parse(text));
    this.#parsed.set(team, { text, pipeline });
    return pipeline;
  }

  /** Undefined if the team has no pipeline. */
  status(team: string): PipelineStatus | undefined {
    return this.#state.database.get(
      `select
         (select count(*) from events e where e.team_id = p.team_id and e.event_id > p.position) as waiting,
         (select count(*) from held_events h where h.team_id = p.team_id) as held,
         (select count(*) from undeliverable_events u where u.team_id = p.team_id) as undeliverable,
         failures
       from etl_pipelines p where team_id = ?`,
      team,
    );
  }

  undeliverable(team: string): UndeliverableEvent[] {
    return this.#progress.undeliverable(team);
  }

  /** Removes the pipeline of a team. Returns whether it had one. */
  remove(team: string): boolean {
    const { database, jobs } = this.#state;
    jobs.cancel(subjectOf(team));
    jobs.cancel(releaseOf(team));
    return database.run('delete from etl_pipelines where team_id = ?', team) > 0;
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

  #later(team: string, dueAt: number, subject = subjectOf(team)): void {
    this.#state.jobs.add({ kind: SEND, dueAt, subject, payload: team });
  }

  async #carry(team: string): Promise<(() => void) | undefined> {
    const pipeline = this.find(team);
    if (pipeline === undefined || this.#isPaused(team)) return undefined;
    const before = this.#progress.of(team);
    const events = this.#progress.eventsAfter(team, before.position, AT_MOST);
    const plan = planSending(pipeline, events, before, this.#state.clock.now());
    const sources = new Map(plan.events.map((event) => [hubEvent(pipeline, event), event]));
    try {
      const all = [...sources.keys()];
      const tooLarge = all.length === 0 ? [] : await this.#send(pipeline.azure_amqp.connection_string, all);
      return () => {
        for (const event of tooLarge) this.#progress.noteTooLarge(sources.get(event)!, event);
        this.#progress.save(team, plan.after);
        this.#goOn(team, plan, events.length === AT_MOST);
      };
    } catch {
      return () => this.#pause(team);
    }
  }

  #goOn(team: string, { end, after: { held, delayed } }: SendingPlan, hasMore: boolean): void {
    const { database, clock, jobs } = this.#state;
    jobs.cancel(releaseOf(team));
    if (held.length > 0) this.#later(team, Math.min(...held.map(({ until }) => until)), releaseOf(team));
    if (end === 'lost') {
      this.#pause(team);
      return;
    }
    database.run('update etl_pipelines set failures = 0 where team_id = ?', team);
    if (end === 'delayed') this.#later(team, delayed!.until);
    else if (hasMore) this.#later(team, clock.now());
  }

  #pause(team: string): void {
    const { database, clock } = this.#state;
    const { failures } = database.get<{ failures: number }>(
      'update etl_pipelines set failures = failures + 1 where team_id = ? returning failures',
      team,
    )!;
    const until = clock.now() + Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    database.run('update etl_pipelines set paused_until = ? where team_id = ?', until, team);
    this.#later(team, until);
  }

  /** New events do not shorten the pause after a failure. */
  #isPaused(team: string): boolean {
    const { database, clock } = this.#state;
    return database.get('select 1 from etl_pipelines where team_id = ? and paused_until > ?', team, clock.now()) !== undefined;
  }
}

const subjectOf = (team: string): string => `pipeline of team ${team}`;
const releaseOf = (team: string): string => `held events of team ${team}`;
