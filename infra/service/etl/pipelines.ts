import type { WaitingDelivery } from '../delivery/delivery.ts';
import type { DeliveryQueue } from '../delivery/queue.ts';
import type { EventFacts, Recipient } from '../events/outbox.ts';
import type { FaultRules } from '../faults/fault-rules.ts';
import type { State } from '../state.ts';
import { type HubStatus, Hubs, hubDestination, type SendToHub } from './hubs.ts';
import { type Pipeline, pipelineSchema } from './pipeline.ts';
import { carries, hubOf } from './routing.ts';

/** How far a pipeline is: the sums over its hubs, and each hub. */
export interface PipelineStatus extends Pick<HubStatus, 'waiting' | 'held'> {
  /** Events that their hub does not accept. */
  readonly undeliverable: number;
  /** Attempts in a row that failed, of the hub with the most. */
  readonly failures: number;
  readonly hubs: readonly HubStatus[];
}

/** An event that its hub does not accept. */
export interface UndeliverableEvent {
  readonly event_id: number;
  readonly user_id: string | null;
  readonly event_type: string;
  readonly hub: string;
  readonly reason: string;
  /** Size of the body as it was sent. */
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly noted_at: number;
}

interface Parts {
  readonly queue: DeliveryQueue;
  readonly faults: FaultRules;
  readonly send: SendToHub;
}

/** The ETL pipelines: each team has at most one. A pipeline routes each event to one hub when the event happens. */
export class Pipelines {
  readonly #state: State;
  readonly #queue: DeliveryQueue;
  readonly #hubs: Hubs;
  /** The last parsed pipeline of each team. Parsing is slow, and every event needs the pipeline. */
  readonly #parsed = new Map<string, { readonly text: string; readonly pipeline: Pipeline }>();

  constructor(state: State, parts: Parts) {
    this.#state = state;
    this.#queue = parts.queue;
    this.#hubs = new Hubs(state, { ...parts, pipelineOf: (team) => this.find(team) });
  }

  /**
   * Creates or replaces the pipeline of a team. A new pipeline begins with the events from now on. If it replaces another, the
   * waiting events get their hubs from it, and attempts are made at once: it may remove the cause of failures.
   */
  set(team: string, pipeline: Pipeline): void {
    const { database, jobs } = this.#state;
    database.transaction(() => {
      database.run(
        'insert into etl_pipelines values (?, ?) on conflict do update set configuration = excluded.configuration',
        team,
        JSON.stringify(pipeline),
      );
      const waiting = this.#destinationsOf(team).flatMap((destination) => this.#queue.all(destination));
      database.run('delete from hubs where team_id = ?', team);
      for (const delivery of waiting) this.#route(pipeline, delivery);
    });
    jobs.wake();
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
    if (this.find(team) === undefined) return undefined;
    const hubs = this.#hubs.statuses(team);
    const { undeliverable } = this.#state.database.get<{ undeliverable: number }>(
      'select count(*) as undeliverable from undeliverable_events where team_id = ?',
      team,
    )!;
    return {
      waiting: hubs.reduce((sum, { waiting }) => sum + waiting, 0),
      held: hubs.reduce((sum, { held }) => sum + held, 0),
      undeliverable,
      failures: Math.max(0, ...hubs.map(({ failures }) => failures)),
      hubs,
    };
  }

  /** Returns the events of a team that their hubs do not accept, the oldest first. */
  undeliverable(team: string): UndeliverableEvent[] {
    return this.#state.database.all(
      `select event_id, user_id, event_type, hub, reason, bytes, noted_at
       from undeliverable_events u join events e using (event_id) where u.team_id = ? order by event_id`,
      team,
    );
  }

  /** Removes the pipeline of a team, and what waits for its hubs. Returns whether the team had one. */
  remove(team: string): boolean {
    const { database } = this.#state;
    return database.transaction(() => {
      for (const destination of this.#destinationsOf(team)) this.#queue.clear(destination);
      return database.run('delete from etl_pipelines where team_id = ?', team) > 0;
    });
  }

  /** Returns the hub that gets an event, if the team's pipeline carries it. */
  recipientsOf(facts: EventFacts): Recipient[] {
    const { team_id, event_type } = facts;
    const pipeline = this.find(team_id);
    if (pipeline === undefined || !carries(pipeline, facts)) return [];
    const hub = { team_id, event_hub: hubOf(pipeline, event_type) };
    return [
      {
        isActive: true,
        plan: ({ event_id, created_at: due_at }) => {
          this.#hubs.note(hub);
          this.#queue.add({ destination: hubDestination(hub), event_id, message_id: null, due_at });
        },
      },
    ];
  }

  #route(pipeline: Pipeline, delivery: WaitingDelivery): void {
    const { team_id, event_type, is_historical } = delivery;
    if (!carries(pipeline, { event_type, isHistorical: is_historical === 1 })) {
      this.#queue.remove(delivery);
      return;
    }
    const hub = { team_id, event_hub: hubOf(pipeline, event_type) };
    this.#hubs.note(hub);
    this.#queue.move(delivery, hubDestination(hub));
  }

  #destinationsOf(team_id: string): string[] {
    return this.#hubs.statuses(team_id).map(({ event_hub }) => hubDestination({ team_id, event_hub }));
  }
}
