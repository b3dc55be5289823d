import { dateText } from '../api/times.ts';
import type { OrderRequest } from '../orders/order-request.ts';
import { bytesOf } from '../orders/orders.ts';

/** Why the service is not certain about a result, as the decision code of its review says. */
export const decisionCodes = [
  ...(['match_sample_id', 'match_completed', 'match_cancelled', 'wrong_collection', 'wrong_lab'] as const),
  ...(['multiple_demo_match', 'match_sample_id_mismatch_demo', 'match_demo', 'no_match'] as const),
] as const;
export type DecisionCode = (typeof decisionCodes)[number];

/** The decisions that the sandbox can bring about. A result that matches by its sample id needs no review. */
export const testCases = [
  ...(['match_completed', 'match_cancelled', 'wrong_collection', 'wrong_lab', 'multiple_demo_match'] as const),
  ...(['match_sample_id_mismatch_demo', 'match_demo', 'no_match'] as const),
] as const;
export type TestCase = (typeof testCases)[number];

/** Why an order is a candidate. */
export const reasonCodes = [
  ...(['sample_id_match', 'lab_account_mismatch', 'matched_completed_order', 'matched_cancelled_order'] as const),
  ...(['invalid_collection_state', 'demographic_mismatch', 'demographic_match', 'possible_wrong_lab', 'same_lab'] as const),
  ...(['same_user', 'marker_overlap_exact', 'marker_overlap_partial', 'marker_overlap_none'] as const),
] as const;
export type ReasonCode = (typeof reasonCodes)[number];

export const confidenceLevels = ['high', 'medium', 'low'] as const;
export type ConfidenceLevel = (typeof confidenceLevels)[number];

export const labConstraints = ['same_lab', 'different_lab', 'not_walk_in_test'] as const;

interface CaseFacts {
  /** The decision in words. */
  readonly reason: string;
  /** The orders that the case is about, and the low level that each must have. */
  readonly roles: Readonly<Record<string, string>>;
  /**
   * `same_lab`: the orders are of one laboratory. `different_lab`: the result is of another laboratory than the order.
   * `not_walk_in_test`: walk-in tests do not tell when the sample is taken.
   */
  readonly constraints: readonly (typeof labConstraints)[number][];
  readonly confidence: ConfidenceLevel;
  /** Reasons beside those that follow from the laboratories and the markers. */
  readonly reasons: readonly ReasonCode[];
}

const OPEN = 'requisition_created';
const SAME: readonly ReasonCode[] = ['sample_id_match', 'demographic_match'];

export const cases: Readonly<Record<TestCase, CaseFacts>> = {
  match_completed: {
    reason: 'The sample id and the patient match an order that is completed.',
    roles: { target: 'completed' },
    constraints: [],
    confidence: 'high',
    reasons: [...SAME, 'matched_completed_order'],
  },
  match_cancelled: {
    reason: 'The sample id and the patient match an order that is cancelled.',
    roles: { target: 'cancelled' },
    constraints: [],
    confidence: 'high',
    reasons: [...SAME, 'matched_cancelled_order'],
  },
  wrong_collection: {
    reason: 'The sample id and the patient match an order whose sample is not taken yet.',
    roles: { target: OPEN },
    constraints: ['not_walk_in_test'],
    confidence: 'medium',
    reasons: [...SAME, 'invalid_collection_state'],
  },
  wrong_lab: {
    reason: 'The patient matches an order of another laboratory.',
    roles: { target: OPEN },
    constraints: ['different_lab'],
    confidence: 'low',
    reasons: ['demographic_match'],
  },
  multiple_demo_match: {
    reason: 'The patient matches several orders, and the sample id matches none.',
    roles: { first: OPEN, second: OPEN },
    constraints: ['same_lab'],
    confidence: 'medium',
    reasons: ['demographic_match'],
  },
  match_sample_id_mismatch_demo: {
    reason: 'The sample id matches an order, but the patient does not.',
    roles: { target: OPEN },
    constraints: [],
    confidence: 'low',
    reasons: ['sample_id_match', 'demographic_mismatch'],
  },
  match_demo: {
    reason: 'The patient matches an order, but the sample id does not.',
    roles: { target: OPEN },
    constraints: [],
    confidence: 'medium',
    reasons: ['demographic_match'],
  },
  no_match: {
    reason: 'Neither the sample id nor the patient matches an order.',
    roles: {},
    constraints: [],
    confidence: 'low',
    reasons: [],
  },
};

/** The patient of a result. */
export interface ReviewPatient {
  readonly patient_details: NonNullable<OrderRequest['patient_details']>;
  readonly patient_address: NonNullable<OrderRequest['patient_address']>;
}

/** Names that nobody would mistake for those of real people. */
const firstNames = ['Alex', 'Dana', 'Jamie', 'Kim', 'Lou', 'Morgan', 'Robin', 'Sam'];
const lastNames = ['Example', 'Fictional', 'Imaginary', 'Invented', 'Mock', 'Sample', 'Specimen', 'Testcase'];
const DAY_MS = 86_400_000;
const EARLIEST_BIRTH = Date.UTC(1950, 0, 1);
const DAYS_OF_BIRTH = 20_000;

/** Returns an invented patient, the same for the same text. Their last name is not `otherThan`. */
export function inventedPatient(text: string, otherThan?: string): ReviewPatient {
  const bytes = bytesOf(`patient ${text}`);
  const pick = (names: readonly string[], at: number): string => names[bytes[at]! % names.length]!;
  return {
    patient_details: {
      first_name: pick(firstNames, 0),
      last_name: pick(
        lastNames.filter((name) => name !== otherThan),
        1,
      ),
      dob: dateText(EARLIEST_BIRTH + (bytes.readUInt16LE(2) % DAYS_OF_BIRTH) * DAY_MS),
      gender: bytes[4]! % 2 === 0 ? 'female' : 'male',
      phone_number: '+16025550123',
      email: 'patient@example.com',
    },
    patient_address: {
      receiver_name: '',
      first_line: '1 Example Street',
      city: 'Phoenix',
      state: 'AZ',
      zip: '85004',
      country: 'US',
      phone_number: '+16025550123',
    },
  };
}
