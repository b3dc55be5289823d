import type { DeliveryCounts } from '../delivery/counts.ts';
import type { DeliveryQueue, WaitingDelivery } from '../delivery/queue.ts';
import type { EventFacts, Recipient } from '../events/outbox.ts';
import type { FaultRules } from '../faults/fault-rules.ts';
import type { State } from '../state.ts';
import { hasScale, type Plan } from '../teams/organizations.ts';
import { type HubStatus, Hubs, hubDestination, type SendToHub } from './hubs.ts';
import { carriedTo, type Pipeline, pipelineSchema, preferencesOf } from './pipeline.ts';

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
  readonly counts: DeliveryCounts;
}

interface Row {
  /** Encrypted. */
  readonly configuration: string;
  readonly plan: Plan;
}

/**
 * The ETL pipelines: each team has at most one. A pipeline routes each event to its destinations when the event happens: to one hub,
 * and to webhook endpoints. Without the Scale plan it carries no further events, but what waits for its hubs still arrives.
 */
export class Pipelines {
  readonly #state: State;
  readonly #queue: DeliveryQueue;
  readonly #hubs: Hubs;
  /** The last parsed pipeline of each team, by its encrypted text. Every event needs the pipeline, and to open and parse it is slow. */
  readonly #parsed = new Map<string, { readonly text: string; readonly pipeline: Pipeline }>();

  constructor(state: State, parts: Parts) {
    this.#state = state;
    this.#queue = parts.queue;
    this.#hubs = new Hubs(state, { ...parts, hubsOf: (team) => this.find(team)?.azure_amqp });
  }

  /**
   * Creates or replaces the pipeline of a team. A new pipeline begins with the events from now on. If it replaces another, the
   * waiting events get their hubs from it, and attempts are made at once: it may remove the cause of failures.
   */
  set(team: string, pipeline: Pipeline): void {
    const { database, jobs, secrets } = this.#state;
    database.transaction(() => {
      database.run(
        'insert into etl_pipelines values (?, ?) on conflict do update set configuration = excluded.configuration',
        team,
        secrets.seal(JSON.stringify(pipeline), placeOf(team)),
      );
      const waiting = this.#destinationsOf(team).flatMap((destination) => this.#queue.all(destination));
      database.run('delete from hubs where team_id = ?', team);
      for (const delivery of waiting) this.#route(pipeline, delivery);
    });
    jobs.wake();
  }

  /** Sets the pipelines of several teams, or none if `change` throws. It gets the pipeline that a team has, and returns the new one. */
  change(teams: readonly string[], change: (before: Pipeline | undefined) => Pipeline): void {
    this.#state.database.transaction(() => {
      for (const team of teams) this.set(team, change(this.find(team)));
    });
  }

  find(team: string): Pipeline | undefined {
    const row = this.#row(team);
    return row === undefined ? undefined : this.#parse(team, row);
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

  /** Removes the pipelines of teams, and what waits for their hubs. Returns whether one of them had a pipeline. */
  remove(...teams: readonly string[]): boolean {
    const { database } = this.#state;
    return database.transaction(() => {
      for (const destination of teams.flatMap((team) => this.#destinationsOf(team))) this.#queue.clear(destination);
      const removed = teams.map((team) => database.run('delete from etl_pipelines where team_id = ?', team));
      return removed.some((count) => count > 0);
    });
  }

  /**
   * Returns the hub that gets an event, if the team's pipeline carries it, and the recipients that `webhooks` returns, unless the
   * preferences of the pipeline leave them out.
   */
  recipientsOf(facts: EventFacts, webhooks: (facts: EventFacts) => readonly Recipient[]): readonly Recipient[] {
    const row = this.#row(facts.team_id);
    if (row === undefined || !hasScale(row)) return webhooks(facts);
    const pipeline = this.#parse(facts.team_id, row);
    const others = preferencesOf(pipeline).enabled.includes('svix') ? webhooks(facts) : [];
    return [...this.#hubFor(pipeline, facts), ...others];
  }

  #hubFor(pipeline: Pipeline, facts: EventFacts): Recipient[] {
    const { team_id } = facts;
    const event_hub = carriedTo(pipeline, facts);
    if (event_hub === undefined) return [];
    const hub = { team_id, event_hub };
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
    const event_hub = carriedTo(pipeline, { event_type, isHistorical: is_historical === 1 });
    if (event_hub === undefined) {
      this.#queue.remove(delivery);
      return;
    }
    const hub = { team_id, event_hub };
    this.#hubs.note(hub);
    this.#queue.move(delivery, hubDestination(hub));
  }

  #row(team: string): Row | undefined {
    return this.#state.database.get(
      `select configuration, plan from etl_pipelines join teams using (team_id) join organizations using (org_id)
       where team_id = ?`,
      team,
    );
  }

  #parse(team: string, { configuration: text }: Row): Pipeline {
    const known = this.#parsed.get(team);
    if (known?.text === text) return known.pipeline;
    const pipeline = pipelineSchema.parse(JSON.parse(this.#state.secrets.open(text, placeOf(team))));
    this.#parsed.set(team, { text, pipeline });
    return pipeline;
  }

  #destinationsOf(team_id: string): string[] {
    return this.#hubs.statuses(team_id).map(({ event_hub }) => hubDestination({ team_id, event_hub }));
  }
}

const placeOf = (team: string): string => `pipeline of ${team}`;
