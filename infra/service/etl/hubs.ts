import { backoff } from '@aorta/runtime';
import type { Attempted, DeliveryCounts } from '../delivery/counts.ts';
import { type Decision, type DeliveryQueue, decideDelivery, type WaitingDelivery } from '../delivery/queue.ts';
import type { DeliveryRule } from '../faults/fault-rule.ts';
import type { FaultRules, RuleState } from '../faults/fault-rules.ts';
import type { State } from '../state.ts';
import type { Finish } from '../time/sequences.ts';
import { type HubEvent, type HubsConfiguration, hubEvent, withoutKeys } from './pipeline.ts';

/** Events for one hub of a namespace, in the order of each partition key. */
export interface HubBatch {
  readonly connectionString: string;
  readonly hub: string;
  readonly events: readonly HubEvent[];
  /** Virtual time, in milliseconds since 1970. */
  readonly at: number;
}

/**
 * Sends events to a hub. Resolves with the events that are larger than the hub accepts. Rejects if it is not sure that all
 * others arrived. If the signal aborts, the result is ignored.
 */
export type SendToHub = (batch: HubBatch, signal: AbortSignal) => Promise<readonly HubEvent[]>;

/** How far a hub is. */
export interface HubStatus {
  readonly event_hub: string;
  /** Events that wait for the hub. */
  readonly waiting: number;
  /** Events that a fault rule holds back. */
  readonly held: number;
  /** Attempts in a row that failed. */
  readonly failures: number;
  /** Why the last failed attempt failed, and when (ms since 1970). */
  readonly last_error: string | null;
  readonly last_error_at: number | null;
}

interface Parts {
  readonly queue: DeliveryQueue;
  readonly faults: FaultRules;
  readonly send: SendToHub;
  readonly counts: DeliveryCounts;
  /** Returns the hubs of a team's pipeline. */
  readonly hubsOf: (team: string) => HubsConfiguration | undefined;
}

interface Hub {
  readonly team_id: string;
  readonly event_hub: string;
}

const AT_MOST = 200;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
const LONGEST_ERROR = 500;

/** Returns the destination of deliveries to a hub. */
export const hubDestination = ({ team_id, event_hub }: Hub): string => `${team_id} ${event_hub}`;

interface Given {
  /** Fault rules with the counts of the hub. */
  readonly rules: readonly RuleState<DeliveryRule>[];
  /** Users of events that rules hold back from the hub. Null stands for all events without a user. */
  readonly heldUsers: readonly (string | null)[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface HubPlan {
  /** In the order of sending. A duplicate is contained twice. */
  readonly sent: readonly WaitingDelivery[];
  /** Deliveries that rules let wait. */
  readonly waiting: readonly { readonly delivery: WaitingDelivery; readonly decision: Exclude<Decision, { kind: 'attempt' }> }[];
  /** Whether a fault rule loses the attempt after the sent ones. */
  readonly isLost: boolean;
  readonly rules: readonly RuleState<DeliveryRule>[];
}

/**
 * Plans what a hub gets next of the deliveries that wait for it, in the order of their events. A delay stops all later events. The
 * plan ends with an event that may be the last for which another of its user is held back, so that this one is next.
 */
export function planHub(deliveries: readonly WaitingDelivery[], given: Given): HubPlan {
  const { at } = given;
  const held = new Set(given.heldUsers);
  const sent: WaitingDelivery[] = [];
  const waiting: HubPlan['waiting'][number][] = [];
  let { rules } = given;
  for (const delivery of deliveries) {
    if (delivery.due_at > at) break;
    const decided = decideDelivery(delivery, 'pipeline', { rules, at });
    rules = decided.rules;
    const { decision } = decided;
    if (decision.kind === 'attempt') {
      if (decision.lost !== undefined) return { sent, waiting, rules, isLost: true };
      sent.push(...new Array<WaitingDelivery>(decision.copies).fill(delivery));
      if (held.has(delivery.user_id)) break;
    } else {
      waiting.push({ delivery, decision });
      if (decision.kind === 'delay') break;
      held.add(delivery.user_id);
    }
  }
  return { sent, waiting, rules, isLost: false };
}

/**
 * Carries events to hubs. Each hub has a sequence of its own, so a hub that is away delays no other. A delivery leaves the
 * queue after the hub has the event, so a crash may send events again, but loses none. An event that is larger than the hub
 * accepts is noted and left out, because it would block all later events for ever.
 */
export class Hubs {
  readonly #state: State;
  readonly #parts: Parts;

  constructor(state: State, parts: Parts) {
    this.#state = state;
    this.#parts = parts;
    state.jobs.follow(() =>
      state.database.all<Hub>('select team_id, event_hub from hubs').map((hub) => ({
        name: hubDestination(hub),
        due: () => this.#due(hub),
        step: (at, signal) => this.#step(hub, at, signal),
      })),
    );
  }

  /** Adds a hub, if it is new. */
  note({ team_id, event_hub }: Hub): void {
    this.#state.database.run('insert into hubs values (?, ?, 0, 0, null, null) on conflict do nothing', team_id, event_hub);
  }

  /** Returns the hubs of a team that have had events, sorted by name. */
  statuses(team: string): HubStatus[] {
    return this.#state.database.all(
      `select event_hub, count(*) filter (where due_at is not null and behind is null) as waiting,
         count(*) filter (where due_at is not null and behind is not null) as held, failures, last_error, last_error_at
       from hubs left join deliveries on destination = team_id || ' ' || event_hub
       where team_id = ? group by event_hub order by event_hub`,
      team,
    );
  }

  #due(hub: Hub): number | undefined {
    const due = this.#parts.queue.dueInOrder(hubDestination(hub));
    if (due === undefined) return undefined;
    const { paused_until } = this.#state.database.get<{ paused_until: number }>(
      'select paused_until from hubs where team_id = ? and event_hub = ?',
      hub.team_id,
      hub.event_hub,
    )!;
    return Math.max(due, paused_until);
  }

  async #step(hub: Hub, at: number, signal: AbortSignal): Promise<Finish> {
    const { queue, faults, send, hubsOf } = this.#parts;
    const destination = hubDestination(hub);
    const configuration = hubsOf(hub.team_id)!;
    const plan = planHub(queue.inOrder(destination, at, AT_MOST), {
      rules: faults.forDeliveries(destination),
      heldUsers: queue.heldUsers(destination),
      at,
    });
    const events = new Map(plan.sent.map((delivery) => [delivery, hubEvent(configuration, delivery)]));
    const { connection_string: connectionString } = configuration;
    try {
      const sent = plan.sent.map((delivery) => events.get(delivery)!);
      const tooLarge = sent.length === 0 ? [] : await send({ connectionString, hub: hub.event_hub, events: sent, at }, signal);
      return () => {
        faults.save(destination, plan.rules);
        this.#wait(plan);
        for (const [delivery, event] of events) {
          if (tooLarge.includes(event)) this.#noteTooLarge(hub, { delivery, event, at });
          this.#arrived(delivery, at);
        }
        const failed = [...events.values()].filter((event) => tooLarge.includes(event)).length;
        this.#count(hub, at, { succeeded: events.size - failed, failed: failed + (plan.isLost ? 1 : 0) });
        this.#end(hub, plan, at);
      };
    } catch (error) {
      // No rule has been used up, because nothing is known to have arrived.
      return () => {
        this.#count(hub, at, { failed: events.size });
        this.#pause(hub, { error: withoutKeys(textOf(error), connectionString).slice(0, LONGEST_ERROR), at });
      };
    }
  }

  #count({ team_id }: Hub, at: number, attempts: Attempted): void {
    this.#parts.counts.add({ team_id, destination: 'azure_amqp', at }, attempts);
  }

  #arrived(delivery: WaitingDelivery, at: number): void {
    const { queue } = this.#parts;
    if (!queue.isSame(delivery)) return;
    queue.arrived(delivery, at);
    queue.remove(delivery);
  }

  #wait({ waiting }: HubPlan): void {
    const { queue } = this.#parts;
    for (const { delivery, decision } of waiting) if (queue.isSame(delivery)) queue.wait(delivery, decision);
  }

  #end(hub: Hub, { isLost }: HubPlan, at: number): void {
    if (isLost) this.#pause(hub, { error: 'a fault rule lost the attempt', at });
    else this.#state.database.run('update hubs set failures = 0 where team_id = ? and event_hub = ?', hub.team_id, hub.event_hub);
  }

  #pause({ team_id, event_hub }: Hub, { error, at }: { readonly error: string; readonly at: number }): void {
    const { database } = this.#state;
    const row = database.get<{ failures: number }>(
      `update hubs set failures = failures + 1, last_error = ?, last_error_at = ?
       where team_id = ? and event_hub = ? returning failures`,
      error,
      at,
      team_id,
      event_hub,
    );
    // The pipeline may have been removed or replaced meanwhile.
    if (row === undefined) return;
    const until = at + backoff(row.failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    database.run('update hubs set paused_until = ? where team_id = ? and event_hub = ?', until, team_id, event_hub);
  }

  #noteTooLarge(
    { team_id, event_hub }: Hub,
    { delivery, event, at }: { readonly delivery: WaitingDelivery; readonly event: HubEvent; readonly at: number },
  ): void {
    this.#state.database.run(
      'insert or replace into undeliverable_events select event_id, team_id, ?, ?, ?, ? from events where event_id = ? and team_id = ?',
      event_hub,
      'larger than the hub accepts',
      event.body.length,
      at,
      delivery.event_id,
      team_id,
    );
  }
}

/** Describes an error for the status of a hub. */
function textOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: string };
  return [typeof code === 'string' ? code : undefined, message ?? String(error)].filter(Boolean).join(': ');
}
