import type { Database } from '../storage/database.ts';
import type { Decision, WaitingDelivery } from './delivery.ts';

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

/** What waits for the destinations of events, endpoints and hubs alike, in the database. */
export class DeliveryQueue {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add({ destination, event_id, message_id, due_at }: NewDelivery): void {
    this.#database.run(
      'insert into deliveries (destination, event_id, message_id, state, due_at) values (?, ?, ?, ?, ?)',
      destination,
      event_id,
      message_id,
      due_at === null ? 'failed' : 'pending',
      due_at,
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
         union all select due_at from deliveries where destination = ?1 and due_at is not null and behind is not null)`,
      destination,
    )!;
    return due ?? undefined;
  }

  /** Returns deliveries that are due, those that have been due for longest first. */
  dueAt(destination: string, at: number, limit: number): WaitingDelivery[] {
    return this.#database.all(
      `select ${columns} from deliveries join events using (event_id)
       where destination = ? and due_at <= ? order by due_at, delivery_id limit ?`,
      destination,
      at,
      limit,
    );
  }

  /** Returns waiting deliveries in the order of their events. It leaves out deliveries that a fault rule holds back until later. */
  inOrder(destination: string, at: number, limit: number): WaitingDelivery[] {
    return this.#database.all(
      `select ${columns} from deliveries join events using (event_id)
       where destination = ? and due_at is not null and (behind is null or due_at <= ?) order by event_id limit ?`,
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
        `select distinct user_id from deliveries join events using (event_id)
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
      // Without the hint, SQLite reads all earlier deliveries of the destination.
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

  /** Ends deliveries without an attempt. They can be begun again by hand. */
  giveUp(deliveries: readonly WaitingDelivery[]): void {
    for (const { delivery_id } of deliveries)
      this.#database.run("update deliveries set state = 'failed', due_at = null where delivery_id = ?", delivery_id);
  }

  remove({ delivery_id }: WaitingDelivery): void {
    this.#database.run('delete from deliveries where delivery_id = ?', delivery_id);
  }

  /** Removes all deliveries to a destination. */
  clear(destination: string): void {
    this.#database.run('delete from deliveries where destination = ?', destination);
  }
}
