import type { Answer } from '../api/operation.ts';
import type { LabTest } from '../labs/catalogue.ts';
import type { LabOrders } from '../orders/lab-orders.ts';
import type { OrderRequest } from '../orders/order-request.ts';
import type { OrderRow } from '../orders/orders.ts';
import type { State } from '../state.ts';
import type { Users } from '../users/users.ts';
import { candidatesOf } from './candidates.ts';
import { cases, inventedPatient, type ReviewPatient, type TestCase } from './cases.ts';
import type { ReviewRow } from './review-forms.ts';
import type { MatchReviews } from './reviews.ts';
import { answersTo, planOf, type RunAsked } from './run-plan.ts';

export const runStages = [
  ...(['queued', 'validating', 'selecting_configuration', 'creating_orders', 'transitioning_orders'] as const),
  ...(['writing_result', 'matching_result', 'verifying_review', 'succeeded', 'failed'] as const),
] as const;
type Stage = (typeof runStages)[number];

export const runStatuses = ['queued', 'running', 'succeeded', 'failed'] as const;

/** A row of the table `review_runs`. */
export interface RunRow extends Pick<ReviewRow, 'team_id' | 'result_status' | 'interpretation'> {
  readonly run_id: string;
  readonly status: (typeof runStatuses)[number];
  readonly stage: Stage;
  readonly test_case: TestCase;
  readonly order_source: RunAsked['order_source'];
  readonly lab_test_id: string;
  readonly result_test_id: string;
  readonly raw_result_id: string | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly started_at: number | null;
  readonly completed_at: number | null;
}

/** The whole request for a run. */
export interface Asked extends RunAsked, Pick<ReviewRow, 'result_status' | 'interpretation'> {}

interface Parts {
  readonly users: Users;
  readonly labs: LabOrders;
  readonly reviews: MatchReviews;
}

const STEP = 'step of an unmatched result test';
/** Each stage takes this long, so a run takes 80 seconds. */
const STEP_MS = 10_000;

/** Ends a run. The message repeats no value of a person. */
class RunFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Throws a {@link RunFailure} if given orders do not fit the case of their run. */
function checkGiven(test: TestCase, orders: Readonly<Record<string, OrderRow>>): void {
  for (const [role, status] of Object.entries(cases[test].roles)) {
    const found = orders[role]!.status;
    if (found !== status)
      throw new RunFailure('order_status_mismatch', `The status of the order ${role} is ${found}, and ${test} needs ${status}.`);
  }
  const patients = Object.values(orders).map(patientOf);
  if (patients.includes(undefined))
    throw new RunFailure('order_without_patient', 'An order has no patient, because its kit is not registered.');
  const people = new Set(
    patients.map((patient) => {
      const { first_name, last_name, dob } = patient!.patient_details;
      return JSON.stringify([first_name, last_name, dob]);
    }),
  );
  if (people.size > 1) throw new RunFailure('patients_differ', `The orders of ${test} must have the same name and birth date.`);
}

function patientOf({ request }: OrderRow): ReviewPatient | undefined {
  const { patient_details, patient_address } = JSON.parse(request) as OrderRequest;
  return patient_details === undefined || patient_address === undefined ? undefined : { patient_details, patient_address };
}

/** The runs of the sandbox's test tool, which make results that need a review. They take their time on the virtual clock. */
export class SandboxRuns {
  readonly #state: State;
  readonly #parts: Parts;

  constructor(state: State, parts: Parts) {
    this.#state = state;
    this.#parts = parts;
    state.jobs.change<{ readonly run_id: string }>(STEP, ({ run_id }, now) => this.#step(run_id, now));
  }

  /** Begins a run, or returns why it cannot begin. */
  start(team: string, asked: Asked): RunRow | { readonly refused: Answer } {
    const { database, clock, draws } = this.#state;
    return database.transaction(() => {
      const plan = planOf(team, asked, this.#parts.labs);
      if ('refused' in plan) return plan;
      const run_id = draws.uuid('unmatched result test');
      const now = clock.now();
      database.run(
        `insert into review_runs (run_id, team_id, status, stage, test_case, order_source, result_status, interpretation,
           lab_test_id, result_test_id, created_at, updated_at)
         values (?, ?, 'queued', 'queued', ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[run_id, team, asked.case, asked.order_source, asked.result_status, asked.interpretation],
        ...[plan.ordered.id, plan.result.id, now, now],
      );
      for (const [role, order] of Object.entries(plan.orders)) this.#addOrder(run_id, role, order);
      this.#planStep(run_id, now);
      return this.#any(run_id)!;
    });
  }

  find(team: string, run: string): RunRow | undefined {
    return this.#state.database.get('select * from review_runs where team_id = ? and run_id = ?', team, run);
  }

  /** Returns the orders of a run whose users are not deleted, by role. */
  ordersOf({ run_id }: RunRow): Record<string, OrderRow> {
    const rows = this.#state.database.all<OrderRow & { readonly role: string }>(
      `select role, o.* from review_run_orders join orders o using (order_id) join users u using (user_id)
       where run_id = ? and u.deleted_at is null order by o.number`,
      run_id,
    );
    return Object.fromEntries(rows.map(({ role, ...order }) => [role, order]));
  }

  #step(run_id: string, now: number): void {
    const { database } = this.#state;
    const run = this.#any(run_id);
    // The team may be gone.
    if (run === undefined) return;
    const stage = runStages[runStages.indexOf(run.stage) + 1]!;
    try {
      database.part(() => this.#do(run, stage));
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      database.run(
        `update review_runs set status = 'failed', stage = 'failed', error_code = ?, error_message = ?, updated_at = ?,
           completed_at = ? where run_id = ?`,
        ...[error.code, error.message, now, now, run_id],
      );
      return;
    }
    const isDone = stage === 'succeeded';
    database.run(
      `update review_runs set status = ?, stage = ?, updated_at = ?, started_at = coalesce(started_at, ?), completed_at = ?
       where run_id = ?`,
      ...[isDone ? 'succeeded' : 'running', stage, now, now, isDone ? now : null, run_id],
    );
    if (!isDone) this.#planStep(run_id, now);
  }

  #do(run: RunRow, stage: Stage): void {
    const isManaged = run.order_source === 'managed';
    if (stage === 'validating' && !isManaged) checkGiven(run.test_case, this.#allOrdersOf(run));
    if (stage === 'creating_orders' && isManaged) this.#createOrders(run);
    if (stage === 'transitioning_orders' && isManaged) this.#moveOrders(run);
    if (stage === 'matching_result') this.#match(run);
  }

  #createOrders({ run_id, team_id, test_case, lab_test_id }: RunRow): void {
    const { users, labs } = this.#parts;
    const roles = Object.keys(cases[test_case].roles);
    const labTest = labs.sets.find(team_id, lab_test_id)!;
    for (const role of roles) {
      const user = users.create(team_id, `unmatched-${run_id}${roles.length > 1 ? `-${role}` : ''}`, {});
      if ('taken' in user) throw new RunFailure('user_exists', 'Another user has the client user id of the run.');
      const { order_id } = labs.orders.create(user, {
        lab_test_id,
        method: labTest.method,
        request: {
          ...inventedPatient(run_id),
          priority: false,
          billing_type: 'client_bill',
          aoe_answers: answersTo(labTest),
        },
      });
      // The order waits for its result.
      labs.orders.follow(order_id, []);
      this.#addOrder(run_id, role, order_id);
    }
  }

  #moveOrders(run: RunRow): void {
    const { orders } = this.#parts.labs;
    for (const [role, { order_id }] of Object.entries(this.#allOrdersOf(run))) {
      const status = cases[run.test_case].roles[role]!;
      orders.move(order_id, 'requisition_created');
      if (status !== 'requisition_created') orders.move(order_id, status);
    }
  }

  #match(run: RunRow): void {
    const { reviews } = this.#parts;
    const { team_id, run_id, test_case, interpretation, result_status } = run;
    const matched = Object.values(this.#allOrdersOf(run));
    const result = this.#labTestOf(team_id, run.result_test_id);
    const known = (order: OrderRow) => ({ order, labTest: this.#labTestOf(team_id, order.lab_test_id) });
    const others = this.#ordersOfUsers(matched).filter(({ order_id }) => matched.every((order) => order.order_id !== order_id));
    const { raw_result_id } = reviews.create({
      team_id,
      decision: test_case,
      labTest: result,
      interpretation,
      result_status,
      patient: this.#patientOf(run, matched[0]),
      candidates: candidatesOf(test_case, { result, matched: matched.map(known), others: others.map(known) }),
    });
    this.#state.database.run('update review_runs set raw_result_id = ? where run_id = ?', raw_result_id, run_id);
  }

  /** Returns the patient whom the laboratory names. */
  #patientOf({ run_id, test_case }: RunRow, order: OrderRow | undefined): ReviewPatient {
    const known = order === undefined ? inventedPatient(run_id) : patientOf(order)!;
    if (test_case !== 'match_sample_id_mismatch_demo') return known;
    return inventedPatient(`other than ${run_id}`, known.patient_details.last_name);
  }

  /** Returns the orders of a run. It fails if one of them is gone with its user. */
  #allOrdersOf(run: RunRow): Record<string, OrderRow> {
    const orders = this.ordersOf(run);
    const lost = Object.keys(cases[run.test_case].roles).find((role) => !(role in orders));
    if (lost !== undefined) throw new RunFailure('order_not_found', `The order ${lost} no longer exists.`);
    return orders;
  }

  #ordersOfUsers(orders: readonly OrderRow[]): OrderRow[] {
    return this.#state.database.all(
      'select * from orders where user_id in (select value from json_each(?)) order by number',
      JSON.stringify(orders.map(({ user_id }) => user_id)),
    );
  }

  #labTestOf(team: string, id: string): LabTest {
    return this.#parts.labs.sets.find(team, id)!;
  }

  #addOrder(run: string, role: string, order: string): void {
    this.#state.database.run('insert into review_run_orders values (?, ?, ?)', run, role, order);
  }

  #planStep(run_id: string, now: number): void {
    this.#state.jobs.add({ kind: STEP, dueAt: now + STEP_MS, subject: `unmatched result test ${run_id}`, payload: { run_id } });
  }

  #any(run: string): RunRow | undefined {
    return this.#state.database.get('select * from review_runs where run_id = ?', run);
  }
}
