import { mayFollow, topLevelOf } from '../orders/life-cycle.ts';
import type { OrderRow } from '../orders/orders.ts';

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
