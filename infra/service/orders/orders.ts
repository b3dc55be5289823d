import { createHash } from 'node:crypto';
import type { Outbox } from '../events/outbox.ts';
import type { CollectionMethod } from '../labs/laboratories.ts';
import type { State } from '../state.ts';
import type { Database } from '../storage/database.ts';
import type { User, Users } from '../users/users.ts';
import { courseOf, mayFollow, type Step } from './life-cycle.ts';
import type { OrderRequest } from './order-request.ts';

/** A new order, whose lab test exists. */
export interface OrderGiven {
  readonly lab_test_id: string;
  readonly method: CollectionMethod;
  readonly request: OrderRequest;
  readonly activate_by?: string | null | undefined;
  /** Sample id of an order that the team placed at the laboratory itself. Default: the service assigns one. */
  readonly sample_id?: string;
  /** The customer registers the kit later, and only then the patient is known. */
  readonly isRegistrable?: boolean;
}

/** A row of the table `orders`. */
export interface OrderRow {
  readonly order_id: string;
  readonly transaction_id: string;
  readonly details_id: string;
  readonly team_id: string;
  readonly user_id: string;
  readonly lab_test_id: string;
  readonly method: CollectionMethod;
  readonly request: string;
  readonly is_registrable: number;
  readonly sample_id: string | null;
  readonly has_requisition: number;
  readonly activate_by: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly status: string;
  readonly interpretation: string | null;
  readonly wanted: string;
}

/** Returns 32 bytes that belong to a text, such as the id of an order. They decide what the order does by itself. */
export function bytesOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Returns the id of the sample of an order: ten digits, which fit on a label. */
function sampleIdOf(order: string): string {
  return String(bytesOf(`sample ${order}`).readUIntBE(0, 6) % 1e10).padStart(10, '0');
}

/** Decides the events about orders. */
interface Told {
  /** Returns the body of an event about an order. */
  form(order: OrderRow): object;
  /** Returns whether a team gets events about partial results. */
  wantsPartial(team: string): boolean;
}

/** Takes part in the transaction of a change of status. */
export interface OrderListener {
  /** The order has a new low level. */
  changed(order: OrderRow, user: User): void;
}

interface StepPayload {
  readonly order_id: string;
  readonly steps: readonly Step[];
}

const STEP = 'order step';
/** A course waits this long if its user is deleted, because the deletion can be undone. */
const GRACE_CHECK_MS = 3_600_000;
/**
 * The next `updated_at` of an order; its parameter is the current time. Several changes can happen in one millisecond of the
 * virtual clock. Each is later than the one before, because receivers tell the newest version by it.
 */
const NEXT_VERSION = 'max(?, updated_at + 1)';
/** The statuses at which an order gets the id of its sample. A kit has it printed on. */
const withSample = ['requisition_created', 'requisition_bypassed', 'awaiting_registration'];

/** The orders of all teams, and the courses that they take on the virtual clock. */
export class Orders {
  readonly #state: State;
  readonly #database: Database;
  readonly #users: Users;
  readonly #outbox: Outbox;
  readonly #listeners: OrderListener[] = [];
  readonly #told: Told;

  constructor(state: State, users: Users, outbox: Outbox, told: Told) {
    this.#state = state;
    this.#database = state.database;
    this.#users = users;
    this.#outbox = outbox;
    this.#told = told;
    state.jobs.change<StepPayload>(STEP, (payload, now) => this.#step(payload, now));
  }

  /** Adds a listener. Listeners are called in the order in which they were added. */
  listen(listener: OrderListener): void {
    this.#listeners.push(listener);
  }

  create(user: User, given: OrderGiven): OrderRow {
    const { lab_test_id, method, request, activate_by = null, isRegistrable = false, sample_id = null } = given;
    const { clock, draws } = this.#state;
    return this.#database.transaction(() => {
      const order_id = draws.uuid('order');
      const now = clock.now();
      this.#database.run(
        `insert into orders (order_id, transaction_id, details_id, team_id, user_id, lab_test_id, method, request, is_registrable,
           sample_id, has_requisition, activate_by, created_at, updated_at, status, wanted)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, 'ordered', '{}')`,
        ...[order_id, draws.uuid('order transaction'), draws.uuid('order details')],
        ...[user.team_id, user.user_id, lab_test_id, method, JSON.stringify(request), isRegistrable ? 1 : 0],
        ...[sample_id, activate_by, now, now],
      );
      this.#note(order_id, 'ordered', null);
      this.#outbox.add(user, 'labtest.order.created', this.#told.form(this.any(order_id)!));
      if (isRegistrable) this.move(order_id, 'awaiting_registration');
      else if (sample_id !== null) this.advance(order_id, 'requisition_bypassed');
      else this.#begin(this.any(order_id)!);
      return this.any(order_id)!;
    });
  }

  /** Returns an order of a team, unless its user is deleted. */
  find(team: string, order: string): OrderRow | undefined {
    return this.#firstOf(team, 'o.order_id = ?', order);
  }

  /** Returns the last order of a team whose sample has an id. */
  ofSample(team: string, sample: string): OrderRow | undefined {
    return this.#firstOf(team, 'o.sample_id = ?', sample);
  }

  ofTransaction(team: string, transaction: string): OrderRow | undefined {
    return this.#firstOf(team, 'o.transaction_id = ?', transaction);
  }

  /** Returns an order of any team, even if its user is deleted. */
  any(order: string): OrderRow | undefined {
    return this.#database.get('select * from orders where order_id = ?', order);
  }

  /** Returns the number of orders of a team. */
  count(team: string): number {
    return this.#database.get<{ n: number }>('select count(*) as n from orders where team_id = ?', team)!.n;
  }

  /** Changes when an order begins that has not begun. Null: now. */
  activate(order: string, activate_by: string | null): void {
    this.#database.transaction(() => {
      const now = this.#state.clock.now();
      this.#database.run(
        `update orders set activate_by = ?, updated_at = ${NEXT_VERSION} where order_id = ?`,
        ...[activate_by, now, order],
      );
      const changed = this.any(order)!;
      if (changed.status === 'ordered') this.#begin(changed);
      this.tell(changed);
    });
  }

  /** Sets the patient of a kit that was not registered, and lets it take its course. */
  register(order: string, given: Pick<OrderRequest, 'patient_details' | 'patient_address' | 'physician'>): void {
    this.#database.transaction(() => {
      const { request } = this.any(order)!;
      const whole = JSON.stringify({ ...(JSON.parse(request) as OrderRequest), ...given });
      this.#database.run('update orders set request = ? where order_id = ?', whole, order);
      this.move(order, 'registered');
      const registered = this.any(order)!;
      this.follow(order, this.courseOf(registered));
    });
  }

  /** Returns the course that an order takes by itself from now on. */
  courseOf({ order_id, method, status, is_registrable }: OrderRow, to?: string): Step[] {
    const bytes = bytesOf(order_id);
    return courseOf(method, status, { bytes, isRegistrable: is_registrable === 1, to });
  }

  /** Replaces the course of an order. A step that may not follow the status of the order then ends the course. */
  follow(order: string, steps: readonly Step[], from = this.#state.clock.now()): void {
    this.#state.jobs.cancel(courseSubject(order));
    const [first] = steps;
    if (first === undefined) return;
    this.#state.jobs.add({
      kind: STEP,
      dueAt: from + first.after,
      subject: courseSubject(order),
      payload: { order_id: order, steps } satisfies StepPayload,
    });
  }

  /** Returns the low levels that an order will have, and when, in milliseconds since 1970. */
  courseAhead(order: string): { readonly status: string; readonly at: number }[] {
    const [job] = this.#database.all<{ due_at: number; payload: string }>(
      'select due_at, payload from jobs where subject = ?',
      courseSubject(order),
    );
    if (job === undefined) return [];
    const { steps } = JSON.parse(job.payload) as StepPayload;
    let at = job.due_at - steps[0]!.after;
    return steps.map(({ status, after }) => {
      at += after;
      return { status, at };
    });
  }

  /** Sets what the results of an order shall be. */
  want(order: string, wanted: object): void {
    this.#database.run('update orders set wanted = ? where order_id = ?', JSON.stringify(wanted), order);
  }

  /** Gives an order a low level, and tells it. Returns false if it may not follow the present one. */
  move(id: string, status: string, detail: string | null = null): boolean {
    return this.#database.transaction(() => {
      const order = this.any(id)!;
      const user = this.#users.any(order.user_id);
      if (user === undefined || !mayFollow(order.method, order.status, status)) return false;
      this.#note(id, status, detail);
      this.#database.run(
        `update orders set status = ?, updated_at = ${NEXT_VERSION}, has_requisition = max(has_requisition, ?),
           sample_id = coalesce(sample_id, ?)
         where order_id = ?`,
        ...[status, this.#state.clock.now(), status === 'requisition_created' ? 1 : 0],
        ...[withSample.includes(status) ? sampleIdOf(id) : null, id],
      );
      for (const listener of this.#listeners) listener.changed(this.any(id)!, user);
      if (status !== 'partial_results' || this.#told.wantsPartial(order.team_id)) this.tell(this.any(id)!);
      return true;
    });
  }

  /** Gives an order a low level now, from which its course goes on by itself. */
  advance(id: string, status: string): void {
    this.#database.transaction(() => {
      this.move(id, status);
      this.follow(id, this.courseOf(this.any(id)!));
    });
  }

  /** Ends the course of an order that can be cancelled. */
  cancel(order: string): void {
    this.#database.transaction(() => {
      this.follow(order, []);
      this.move(order, 'cancelled');
    });
  }

  /** Sends an event with the whole order. */
  tell(order: OrderRow): void {
    const user = this.#users.any(order.user_id);
    if (user !== undefined) this.#outbox.add(user, 'labtest.order.updated', this.#told.form(order));
  }

  #firstOf(team: string, condition: string, value: string): OrderRow | undefined {
    return this.#database.get(
      `select o.* from orders o join users u using (user_id)
       where o.team_id = ? and ${condition} and u.deleted_at is null order by o.number desc limit 1`,
      team,
      value,
    );
  }

  #begin(order: OrderRow): void {
    const { clock } = this.#state;
    const begin = order.activate_by === null ? clock.now() : Math.max(clock.now(), Date.parse(order.activate_by));
    this.follow(order.order_id, this.courseOf(order), begin);
  }

  #step({ order_id, steps }: StepPayload, now: number): void {
    const order = this.any(order_id);
    const [step, ...rest] = steps;
    if (order === undefined || step === undefined) return;
    if (this.#users.any(order.user_id) === undefined) {
      this.follow(order_id, [{ ...step, after: GRACE_CHECK_MS }, ...rest], now);
      return;
    }
    // A listener may replace the course.
    this.follow(order_id, rest, now);
    if (!this.move(order_id, step.status, step.detail ?? null)) this.follow(order_id, []);
  }

  #note(order: string, status: string, detail: string | null): void {
    this.#database.run(
      'insert into order_events (order_id, created_at, status, status_detail) values (?, ?, ?, ?)',
      ...[order, this.#state.clock.now(), status, detail],
    );
  }
}

const courseSubject = (order: string): string => `course of order ${order}`;
