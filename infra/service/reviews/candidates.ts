import type { LabTest } from '../labs/catalogue.ts';
import { mayFollow, topLevelOf } from '../orders/life-cycle.ts';
import type { OrderRow } from '../orders/orders.ts';
import { type ConfidenceLevel, cases, type ReasonCode, type TestCase } from './cases.ts';

export const candidateTypes = ['provenance_order', 'order_option'] as const;

/** How many markers a result and an order have in common. */
interface MarkerOverlap {
  readonly shared: number;
  readonly of_result: number;
  readonly of_order: number;
}

/** An order to which a result may belong. */
export interface Candidate {
  readonly order_id: string;
  /** `provenance_order`: the order of the sample or the patient. `order_option`: another order of its user. */
  readonly candidate_type: (typeof candidateTypes)[number];
  readonly confidence_level: ConfidenceLevel;
  readonly reasons: readonly ReasonCode[];
  readonly marker_overlap: MarkerOverlap;
}

interface Known {
  readonly order: OrderRow;
  readonly labTest: LabTest;
}

interface Found {
  readonly result: LabTest;
  /** The orders that the case is about. */
  readonly matched: readonly Known[];
  /** Further orders of their users. */
  readonly others: readonly Known[];
}

/**
 * Returns the low level that a result gives an order; undefined if the order cannot get results. Kits have no partial results, and
 * a kit that is not registered has no patient.
 */
export function nextStatus(
  { method, status }: Pick<OrderRow, 'method' | 'status'>,
  resultStatus: 'final' | 'partial',
): string | undefined {
  if (status === 'awaiting_registration') return undefined;
  if (mayFollow(method, status, 'corrected')) return 'corrected';
  const isPartial = resultStatus === 'partial' && topLevelOf(method, 'partial_results') !== undefined;
  const next = isPartial ? 'partial_results' : 'completed';
  return mayFollow(method, status, next) ? next : undefined;
}

/** Returns the candidates of a result. An order of another laboratory, or one that has ended, is no option. */
export function candidatesOf(test: TestCase, { result, matched, others }: Found): Candidate[] {
  const { confidence, reasons } = cases[test];
  const options = others.filter(
    ({ order, labTest }) => labTest.lab_id === result.lab_id && nextStatus(order, 'final') === 'completed',
  );
  return [
    ...matched.map((known) => candidate(known, result, { type: 'provenance_order', confidence, reasons })),
    ...options.map((known) => candidate(known, result, { type: 'order_option', confidence: 'low', reasons: ['same_user'] })),
  ];
}

interface Judged {
  readonly type: Candidate['candidate_type'];
  readonly confidence: ConfidenceLevel;
  readonly reasons: readonly ReasonCode[];
}

function candidate({ order, labTest }: Known, result: LabTest, { type, confidence, reasons }: Judged): Candidate {
  const ofOrder = new Set(labTest.markers.map(({ id }) => id));
  const overlap = {
    shared: result.markers.filter(({ id }) => ofOrder.has(id)).length,
    of_result: result.markers.length,
    of_order: ofOrder.size,
  };
  return {
    order_id: order.order_id,
    candidate_type: type,
    confidence_level: confidence,
    reasons: [...reasons, labTest.lab_id === result.lab_id ? 'same_lab' : 'possible_wrong_lab', overlapReason(overlap)],
    marker_overlap: overlap,
  };
}

function overlapReason({ shared, of_result, of_order }: MarkerOverlap): ReasonCode {
  if (shared === 0) return 'marker_overlap_none';
  return shared === of_result && shared === of_order ? 'marker_overlap_exact' : 'marker_overlap_partial';
}
