import { z } from 'zod';
import { instant, instantSchema } from '../api/times.ts';
import { type LabTest, labOf } from '../labs/catalogue.ts';
import type { CollectionMethod } from '../labs/laboratories.ts';
import { interpretations } from '../labs/result.ts';
import { lowLevels, statusOf } from '../orders/life-cycle.ts';
import { type Candidate, candidateTypes } from './candidates.ts';
import {
  type ConfidenceLevel,
  cases,
  confidenceLevels,
  type DecisionCode,
  decisionCodes,
  type ReviewPatient,
  reasonCodes,
  type TestCase,
} from './cases.ts';

const reviewStatuses = ['matched', 'pending_customer_review', 'pending_ops_review', 'resolved'] as const;
const resolutionActions = ['accept', 'reject', 'unsure'] as const;
export type ResolutionAction = (typeof resolutionActions)[number];
export const resultStatuses = ['final', 'partial'] as const;

/** A row of the table `match_reviews`. */
export interface ReviewRow {
  readonly number: number;
  readonly raw_result_id: string;
  readonly team_id: string;
  readonly status: (typeof reviewStatuses)[number];
  readonly decision_code: DecisionCode;
  readonly lab_id: number;
  readonly lab_test_id: string;
  readonly patient: string;
  readonly interpretation: (typeof interpretations)[number];
  readonly result_status: (typeof resultStatuses)[number];
  readonly note: string | null;
  readonly resolution_action: ResolutionAction | null;
  readonly resolved_user_id: string | null;
  readonly resolved_order_id: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly reviewed_at: number | null;
}

/** A candidate, and the present state of its order. */
export interface CandidateOrder extends Candidate {
  readonly user_id: string;
  readonly transaction_id: string;
  readonly method: CollectionMethod;
  readonly status: string;
  readonly updated_at: number;
}

const text = z.string().nullable();
const uuid = z.uuid().nullable();

const candidateSchema = z.object({
  candidate_type: z.enum(candidateTypes),
  order_id: uuid,
  order_transaction_id: uuid,
  last_status: z.enum(lowLevels).nullable(),
  confidence_level: z.enum(confidenceLevels),
  confidence_score: z.number().min(0).max(1).nullable(),
  reasons: z.array(z.enum(reasonCodes)),
  marker_overlap: z.object({ shared: z.int(), of_result: z.int(), of_order: z.int() }).nullable(),
  status_context: z.object({ status: z.string(), since: instantSchema }).nullable(),
});

export const reviewSchema = z
  .object({
    id: z.uuid(),
    status: z.enum(reviewStatuses),
    decision_code: z.enum(decisionCodes),
    sub_reason_codes: z.array(z.enum(['lab_account_mismatch'])),
    reason: z.string().describe('The decision in words.'),
    patient: z
      .object({ first_name: text, last_name: text, dob: instantSchema.nullable(), gender: text })
      .nullable()
      .describe('The patient, as the laboratory names them.'),
    lab: z.object({ id: z.int(), name: z.string(), slug: z.string() }),
    markers: z.array(z.object({ provider_id: text, name: text })),
    interpretation: z.enum(interpretations).nullable(),
    result_status: z.enum(resultStatuses).nullable(),
    note: text,
    resolution_action: z.enum(resolutionActions).nullable(),
    resolved_user_id: uuid,
    resolved_order_id: uuid,
    allowed_actions: z.array(z.enum(resolutionActions)),
    candidate_groups: z
      .array(z.object({ user_id: uuid, candidates: z.array(candidateSchema) }))
      .describe('The orders to which the result may belong, by their users.'),
    created_at: instantSchema,
    updated_at: instantSchema,
    reviewed_at: instantSchema.nullable(),
  })
  .meta({ id: 'UnmatchedResult' });

const scores: Readonly<Record<ConfidenceLevel, number>> = { high: 0.95, medium: 0.7, low: 0.3 };

/** Returns a review in the form of the API. */
export function reviewForm(
  review: ReviewRow,
  candidates: readonly CandidateOrder[],
  { markers }: LabTest,
): z.input<typeof reviewSchema> {
  const { first_name, last_name, dob, gender } = (JSON.parse(review.patient) as ReviewPatient).patient_details;
  const { id, name, slug } = labOf(review.lab_id)!;
  return {
    id: review.raw_result_id,
    status: review.status,
    decision_code: review.decision_code,
    sub_reason_codes: [],
    reason: cases[review.decision_code as TestCase].reason,
    patient: { first_name, last_name, dob: instant(Date.parse(dob)), gender },
    lab: { id, name, slug },
    markers: markers.map(({ provider_id, name: marker }) => ({ provider_id, name: marker })),
    interpretation: review.interpretation,
    result_status: review.result_status,
    note: review.note,
    resolution_action: review.resolution_action,
    resolved_user_id: review.resolved_user_id,
    resolved_order_id: review.resolved_order_id,
    allowed_actions: review.status === 'pending_customer_review' ? [...resolutionActions] : [],
    candidate_groups: [...Map.groupBy(candidates, ({ user_id }) => user_id)].map(([user_id, some]) => ({
      user_id,
      candidates: some.map(candidateForm),
    })),
    created_at: instant(review.created_at),
    updated_at: instant(review.updated_at),
    reviewed_at: review.reviewed_at === null ? null : instant(review.reviewed_at),
  };
}

function candidateForm(candidate: CandidateOrder): z.input<typeof candidateSchema> {
  const { order_id, candidate_type, confidence_level, reasons, marker_overlap, method, status } = candidate;
  return {
    candidate_type,
    order_id,
    order_transaction_id: candidate.transaction_id,
    confidence_level,
    marker_overlap,
    last_status: status as (typeof lowLevels)[number],
    confidence_score: scores[confidence_level],
    reasons: [...reasons],
    status_context: { status: statusOf(method, status), since: instant(candidate.updated_at) },
  };
}

/** Returns what an event tells about a review. */
export function reviewEvent(review: ReviewRow): object {
  const { raw_result_id: id, status, decision_code, resolution_action, resolved_user_id, resolved_order_id } = review;
  return {
    id,
    status,
    decision_code,
    sub_reason_codes: [],
    ...(resolution_action === null ? {} : { resolution_action, resolved_user_id, resolved_order_id }),
  };
}
