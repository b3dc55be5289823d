import type { DeliveryEffect, DeliveryRule } from '../faults/fault-rule.ts';
import { decide, type RuleState, selectsDelivery } from '../faults/fault-rules.ts';
import type { Database } from '../storage/database.ts';

/** Maximum number of users whose next event a step considers. More would slow down every step. */
const MOST_USERS = 512;

/** A delivery to plan. Times are in milliseconds since 1970. */
interface NewDelivery {
  readonly destination: string;
  readonly event_id: number;
  readonly message_id: string | null;
  /** When the first attempt is due. Null: it has failed already, without an attempt. */
  readonly due_at: number | null;
}

const columns = `delivery_id, destination, due_at, attempts, decided, behind, restarts, message_id,
  event_id, event_name, event_type, team_id, user_id, is_historical, body`;

/** A delivery that waits: one event to one destination, an endpoint or a hub. Times are in milliseconds since 1970. */
export interface WaitingDelivery {
  readonly delivery_id: number;
  readonly destination: string;
  readonly due_at: number;
  readonly attempts: number;
  /** JSON: the effect that is left of a fault rule, after its delay. Null if the rules have not been asked yet. */
  readonly decided: string | null;
  /** How many later events of the user must arrive before this one; null if no rule holds it back. */
  readonly behind: number | null;
  /** Number of manual restarts of the delivery. */
  readonly restarts: number;
  /** Id of the message at an endpoint; null for a hub. */
  readonly message_id: string | null;
  readonly event_id: number;
  readonly event_name: string;
  readonly event_type: string;
  readonly team_id: string;
  readonly user_id: string | null;
  readonly is_historical: number;
  readonly body: string;
}

/** What happens to a delivery that is due: an attempt, or it waits because of a fault rule. */
export type Decision =
  | { readonly kind: 'attempt'; readonly copies: 1 | 2; readonly lost?: Extract<DeliveryEffect, { kind: 'lose' }> }
  | { readonly kind: 'delay'; readonly until: number; readonly effect: DeliveryEffect | null }
  | { readonly kind: 'hold'; readonly until: number; readonly behind: number };

interface Decided {
  readonly decision: Decision;
  /** All rules after the decision. */
  readonly rules: readonly RuleState<DeliveryRule>[];
}

/** Decides what fault rules make of a delivery. `rules` have the counts of its destination. */
export function decideDelivery(
  delivery: WaitingDelivery,
  via: 'webhook' | 'pipeline',
  { rules, at }: { readonly rules: readonly RuleState<DeliveryRule>[]; readonly at: number },
): Decided {
  if (delivery.decided !== null)
    return { decision: decisionOf(JSON.parse(delivery.decided) as DeliveryEffect | null, at), rules };
  const { destination, event_type, user_id, team_id } = delivery;
  const facts = { via, event_type, user_id, team_id, endpoint_id: via === 'webhook' ? destination : undefined };
  const { rule, states } = decide(rules, (one) => selectsDelivery(one, facts), destination);
  const effect = rule?.effect ?? null;
  if (rule?.delay_seconds === undefined) return { decision: decisionOf(effect, at), rules: states };
  return { decision: { kind: 'delay', until: at + rule.delay_seconds * 1000, effect }, rules: states };
}

function decisionOf(effect: DeliveryEffect | null, at: number): Decision {
  switch (effect?.kind) {
    case 'reorder':
      return { kind: 'hold', until: at + effect.within_seconds * 1000, behind: effect.behind };
    case 'duplicate':
      return { kind: 'attempt', copies: 2 };
    case 'lose':
      return { kind: 'attempt', copies: 1, lost: effect };
    default:
      return { kind: 'attempt', copies: 1 };
  }
}

/**
 * What waits for the destinations of events, endpoints and hubs alike, in the database. Without `indexed by` and the `+` before
 * a column, SQLite would read all deliveries of the destination.
 */
export class DeliveryQueue {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add({ destination, event_id, message_id, due_at }: NewDelivery): void {
    this.#database.run(
      `insert into deliveries (destination, event_id, of_user, message_id, state, due_at)
       select ?, event_id, coalesce(user_id, ''), ?, ?, ? from events where event_id = ?`,
      destination,
      message_id,
      due_at === null ? 'failed' : 'pending',
      due_at,
      event_id,
    );
  }

  /** Returns when the first delivery to a destination is due, whatever its event is. */
  due(destination: string): number | undefined {
    const { due } = this.#database.get<{ due: number | null }>(
      'select min(due_at) as due from deliveries where destination = ? and due_at is not null',
      destination,
    )!;
    return due ?? undefined;
  }

  /** Returns when the next delivery is due if they keep the order of their events. A delivery that a rule holds back does not block others. */
  dueInOrder(destination: string): number | undefined {
    const { due } = this.#database.get<{ due: number | null }>(
      `select min(due_at) as due from (
         select * from (select due_at from deliveries where destination = ?1 and due_at is not null and behind is null
           order by event_id limit 1)
         union all select due_at from deliveries indexed by deliveries_held
           where destination = ?1 and due_at is not null and behind is not null)`,
      destination,
    )!;
    return due ?? undefined;
  }

  /**
   * Returns deliveries that are due, those that have been due for longest first. A user's events get their first attempts one at
   * a time, the oldest event first. Events without a user count as those of one user.
   */
  dueAt(destination: string, at: number, limit: number): WaitingDelivery[] {
    const first = 'from deliveries indexed by deliveries_first where destination = ?1 and attempts = 0 and due_at <= ?2';
    return this.#database.all(
      `with recursive users as (
         select (select of_user ${first} order by of_user limit 1) as name
         union all
         select (select of_user ${first} and of_user > name order by of_user limit 1) from users where name is not null
         limit ${MOST_USERS}),
       due as (
         select (select delivery_id ${first} and of_user = name order by event_id limit 1) as delivery_id from users
         union all
         select * from (select delivery_id from deliveries indexed by deliveries_again
           where destination = ?1 and attempts > 0 and due_at <= ?2 order by due_at, delivery_id limit ?3))
       select ${columns} from due join deliveries using (delivery_id) join events using (event_id)
       order by due_at, delivery_id limit ?3`,
      destination,
      at,
      limit,
    );
  }

  /**
   * Returns deliveries that are due, in the order of their events, up to the first that is due later. It leaves out deliveries
   * that a fault rule holds back until later.
   */
  inOrder(destination: string, at: number, limit: number): WaitingDelivery[] {
    return this.#database.all(
      `select ${columns} from deliveries join events using (event_id)
       where destination = ?1 and due_at <= ?2 and event_id < coalesce(
         (select event_id from deliveries where destination = ?1 and +due_at > ?2 and behind is null order by event_id limit 1),
         ${Number.MAX_SAFE_INTEGER})
       order by event_id limit ?3`,
      destination,
      at,
      limit,
    );
  }

  /** Returns all deliveries that wait, in the order of their events. */
  all(destination: string): WaitingDelivery[] {
    return this.#database.all(
      `select ${columns} from deliveries join events using (event_id)
       where destination = ? and due_at is not null order by event_id`,
      destination,
    );
  }

  /** Returns the users of the events that rules hold back from a destination. Null stands for all events without a user. */
  heldUsers(destination: string): (string | null)[] {
    return this.#database
      .all<{ user_id: string | null }>(
        `select distinct user_id from deliveries indexed by deliveries_held join events using (event_id)
         where destination = ? and due_at is not null and behind is not null`,
        destination,
      )
      .map(({ user_id }) => user_id);
  }

  /** Delays or holds back a delivery, as a fault rule decided. */
  wait({ delivery_id }: WaitingDelivery, decision: Exclude<Decision, { kind: 'attempt' }>): void {
    this.#database.run(
      'update deliveries set due_at = ?, decided = ?, behind = ? where delivery_id = ?',
      decision.until,
      JSON.stringify(decision.kind === 'delay' ? decision.effect : null),
      decision.kind === 'hold' ? decision.behind : null,
      delivery_id,
    );
  }

  /** Counts an event that has arrived for those of its user that rules hold back. A delivery that has waited long enough is due. */
  arrived({ destination, user_id, event_id }: WaitingDelivery, at: number): void {
    this.#database.run(
      `update deliveries indexed by deliveries_held set
         behind = case when behind > 1 then behind - 1 end,
         due_at = case when behind > 1 then due_at else min(due_at, ?) end
       where destination = ? and behind is not null and event_id < ?
         and (select user_id from events where event_id = deliveries.event_id) is ?`,
      at,
      destination,
      event_id,
      user_id,
    );
  }

  /** Plans a delivery again from its first attempt, without what rules have decided. */
  restart(id: number, due_at: number): void {
    this.#database.run(
      `update deliveries set state = 'pending', due_at = ?, attempts = 0, decided = null, behind = null, restarts = restarts + 1
       where delivery_id = ?`,
      due_at,
      id,
    );
  }

  /** Returns whether a delivery still waits as it did when an attempt began: it was neither removed nor begun again. */
  isSame({ delivery_id, destination, restarts }: WaitingDelivery): boolean {
    return (
      this.#database.get(
        'select 1 from deliveries where delivery_id = ? and destination = ? and restarts = ? and due_at is not null',
        delivery_id,
        destination,
        restarts,
      ) !== undefined
    );
  }

  move({ delivery_id }: WaitingDelivery, destination: string): void {
    this.#database.run('update deliveries set destination = ? where delivery_id = ?', destination, delivery_id);
  }

  /** Ends the due deliveries without attempting them. They can be restarted by hand. */
  giveUp(destination: string, at: number): void {
    this.#database.run(
      "update deliveries set state = 'failed', due_at = null where destination = ? and due_at <= ?",
      destination,
      at,
    );
  }

  remove({ delivery_id }: WaitingDelivery): void {
    this.#database.run('delete from deliveries where delivery_id = ?', delivery_id);
  }

  /** Removes all deliveries to a destination. */
  clear(destination: string): void {
    this.#database.run('delete from deliveries where destination = ?', destination);
  }
}
