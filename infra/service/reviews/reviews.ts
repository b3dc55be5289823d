import type { Answer } from '../api/operation.ts';
import type { Outbox, Subject } from '../events/outbox.ts';
import type { LabTest } from '../labs/catalogue.ts';
import type { LabOrders } from '../orders/lab-orders.ts';
import { NO_ORDER, refuse } from '../orders/order-forms.ts';
import type { OrderRow } from '../orders/orders.ts';
import type { State } from '../state.ts';
import { UNKNOWN, type User, type Users } from '../users/users.ts';
import { type Candidate, nextStatus } from './candidates.ts';
import type { ReviewPatient, TestCase } from './cases.ts';
import { type CandidateOrder, type ResolutionAction, type ReviewRow, reviewEvent } from './review-forms.ts';
import { VISIBLE } from './review-list.ts';

/** A result that is not matched to an order. */
interface UnmatchedResult extends Pick<ReviewRow, 'interpretation' | 'result_status'> {
  readonly team_id: string;
  readonly decision: TestCase;
  readonly labTest: LabTest;
  readonly patient: ReviewPatient;
  readonly candidates: readonly Candidate[];
}

/** Whom a team gives a result. */
interface Given {
  readonly user_id?: string | null | undefined;
  readonly order_id?: string | null | undefined;
  readonly note?: string | null | undefined;
}

interface Parts {
  readonly users: Users;
  readonly outbox: Outbox;
  readonly labs: LabOrders;
}

type Refused = { readonly refused: Answer };
/** The receiver of a result: an order, or a new order of the user if there is none. */
type Target = { readonly user: User; readonly order: OrderRow | undefined };

const STAFF_REVIEW = 'staff reviews a result';
/** The service's staff takes this long. It cannot match the result either, and rejects it. */
const STAFF_MS = 2 * 86_400_000;

/** The reviews of results that the service cannot match to an order with certainty. */
export class MatchReviews {
  readonly #state: State;
  readonly #parts: Parts;

  constructor(state: State, parts: Parts) {
    this.#state = state;
    this.#parts = parts;
    state.jobs.change<{ readonly raw_result_id: string }>(STAFF_REVIEW, ({ raw_result_id }) => this.#staffReview(raw_result_id));
  }

  /** Adds a review to the caller's transaction. */
  create({ team_id, decision, labTest, patient, candidates, interpretation, result_status }: UnmatchedResult): ReviewRow {
    const { clock, draws, database } = this.#state;
    const id = draws.uuid('unmatched result');
    const now = clock.now();
    database.run(
      `insert into match_reviews (raw_result_id, team_id, status, decision_code, lab_id, lab_test_id, patient, interpretation,
         result_status, created_at, updated_at)
       values (?, ?, 'pending_customer_review', ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[id, team_id, decision, labTest.lab_id, labTest.id, JSON.stringify(patient), interpretation, result_status, now, now],
    );
    for (const { order_id, candidate_type, confidence_level, reasons, marker_overlap } of candidates)
      database.run(
        `insert into match_candidates (raw_result_id, order_id, candidate_type, confidence_level, reasons, marker_overlap)
         values (?, ?, ?, ?, ?, ?)`,
        ...[id, order_id, candidate_type, confidence_level, JSON.stringify(reasons), JSON.stringify(marker_overlap)],
      );
    const review = this.#any(id)!;
    this.#tell(review, 'created');
    return review;
  }

  /** Returns a review of a team, unless the result belongs to a user who is deleted. */
  find(team: string, id: string): ReviewRow | undefined {
    return this.#state.database.get(
      `select r.* from match_reviews r where r.team_id = ? and r.raw_result_id = ? and ${VISIBLE}`,
      team,
      id,
    );
  }

  /** Returns the candidates of a review whose users are not deleted, the most likely ones first. */
  candidatesOf({ raw_result_id }: ReviewRow): CandidateOrder[] {
    return this.#state.database
      .all<CandidateOrder & { readonly reasons: string; readonly marker_overlap: string }>(
        `select c.order_id, candidate_type, confidence_level, reasons, marker_overlap,
           o.user_id, transaction_id, method, status, updated_at
         from match_candidates c join orders o using (order_id) join users u using (user_id)
         where raw_result_id = ? and u.deleted_at is null order by c.number`,
        raw_result_id,
      )
      .map((row) => ({
        ...row,
        reasons: JSON.parse(row.reasons) as Candidate['reasons'],
        marker_overlap: JSON.parse(row.marker_overlap) as Candidate['marker_overlap'],
      }));
  }

  labTestOf({ team_id, lab_test_id }: ReviewRow): LabTest {
    return this.#parts.labs.sets.find(team_id, lab_test_id)!;
  }

  /** Gives a result to an order, which is completed or corrected by it. Returns the order. */
  accept(review: ReviewRow, given: Given): OrderRow | Refused {
    return this.#state.database.transaction(() => {
      const closed = closedAnswer(review);
      if (closed !== undefined) return { refused: closed };
      const target = this.#targetOf(review, given);
      if ('refused' in target) return target;
      const { orders } = this.#parts.labs;
      const { order_id } = target.order ?? this.#newOrder(review, target.user);
      orders.want(order_id, { interpretation: review.interpretation });
      orders.advance(order_id, nextStatus(orders.any(order_id)!, review.result_status)!);
      this.#set(review, 'resolved', 'accept', { note: given.note, user_id: target.user.user_id, order_id });
      return orders.any(order_id)!;
    });
  }

  /** Rejects a result, or leaves it to the service's staff. Returns why not, if the team cannot do it any more. */
  resolve(review: ReviewRow, action: 'reject' | 'unsure', note: string | null | undefined): Refused | undefined {
    return this.#state.database.transaction(() => {
      const closed = closedAnswer(review);
      if (closed !== undefined) return { refused: closed };
      this.#set(review, action === 'reject' ? 'resolved' : 'pending_ops_review', action, { note });
      const { raw_result_id } = review;
      const { clock, jobs } = this.#state;
      if (action === 'unsure')
        jobs.add({
          kind: STAFF_REVIEW,
          dueAt: clock.now() + STAFF_MS,
          subject: `review of ${raw_result_id}`,
          payload: { raw_result_id },
        });
      return undefined;
    });
  }

  #staffReview(id: string): void {
    const review = this.#any(id);
    // The team may be gone.
    if (review !== undefined) this.#set(review, 'resolved', 'reject', { note: review.note });
  }

  #targetOf(review: ReviewRow, { user_id, order_id }: Given): Target | Refused {
    const { users, labs } = this.#parts;
    const candidates = this.candidatesOf(review);
    if (typeof order_id === 'string') {
      const order = labs.orders.find(review.team_id, order_id);
      if (order === undefined) return { refused: NO_ORDER };
      if (typeof user_id === 'string' && user_id !== order.user_id) return { refused: refuse('The order is of another user') };
      const user = users.find(review.team_id, order.user_id)!;
      const problem = this.#problemOf(order, review);
      if (problem === undefined) return { user, order };
      // The result is the user's, as the team says, although the candidate cannot have it.
      if (candidates.some((candidate) => candidate.order_id === order_id)) return { user, order: undefined };
      return { refused: refuse(problem) };
    }
    if (typeof user_id !== 'string') return { refused: refuse('Give order_id or user_id') };
    const user = users.find(review.team_id, user_id);
    if (user === undefined) return { refused: UNKNOWN };
    const able = candidates
      .filter((candidate) => candidate.user_id === user_id)
      .map((candidate) => labs.orders.any(candidate.order_id)!)
      .find((order) => this.#problemOf(order, review) === undefined);
    return { user, order: able };
  }

  /** Returns why an order cannot get a result. */
  #problemOf(order: OrderRow, review: ReviewRow): string | undefined {
    if (this.#parts.labs.sets.find(order.team_id, order.lab_test_id)!.lab_id !== review.lab_id)
      return 'The order is of another laboratory than the result';
    return nextStatus(order, review.result_status) === undefined
      ? `The order cannot get results: its status is ${order.status}`
      : undefined;
  }

  #newOrder(review: ReviewRow, user: User): OrderRow {
    const { orders } = this.#parts.labs;
    const { id: lab_test_id, method } = this.labTestOf(review);
    const patient = JSON.parse(review.patient) as ReviewPatient;
    const order = orders.create(user, {
      lab_test_id,
      method,
      request: { ...patient, priority: false, billing_type: 'client_bill' },
    });
    orders.move(order.order_id, 'requisition_created');
    return order;
  }

  #set(
    { raw_result_id }: ReviewRow,
    status: ReviewRow['status'],
    action: ResolutionAction,
    { note, user_id, order_id }: Given,
  ): void {
    const now = this.#state.clock.now();
    this.#state.database.run(
      `update match_reviews set status = ?, resolution_action = ?, note = ?, resolved_user_id = ?, resolved_order_id = ?,
         updated_at = ?, reviewed_at = ? where raw_result_id = ?`,
      ...[status, action, note ?? null, user_id ?? null, order_id ?? null, now, now, raw_result_id],
    );
    this.#tell(this.#any(raw_result_id)!, 'updated');
  }

  #tell(review: ReviewRow, what: 'created' | 'updated'): void {
    this.#parts.outbox.add(this.#subjectOf(review), `labtest.match_review.${what}`, reviewEvent(review));
  }

  /** Returns the user of a result, if only one is known, or else the team. */
  #subjectOf(review: ReviewRow): Subject {
    const { team_id, resolved_user_id } = review;
    const known = new Set(
      resolved_user_id === null ? this.candidatesOf(review).map(({ user_id }) => user_id) : [resolved_user_id],
    );
    const [only] = known;
    const user = only === undefined || known.size > 1 ? undefined : this.#parts.users.any(only);
    return user ?? { team_id };
  }

  #any(id: string): ReviewRow | undefined {
    return this.#state.database.get('select * from match_reviews where raw_result_id = ?', id);
  }
}

/** Returns the refusal if a review does not wait for the team. */
function closedAnswer({ status }: ReviewRow): Answer | undefined {
  if (status === 'pending_customer_review') return undefined;
  const detail =
    status === 'pending_ops_review'
      ? "The service's staff reviews this result. Wait for the event labtest.match_review.updated."
      : 'The result has been resolved';
  return { status: 409, body: { detail } };
}
