import { expect, test } from 'vitest';
import { nextStatus } from './candidates.ts';

test.each([
  ['walk_in_test', 'requisition_created', 'completed', 'partial_results'],
  ['walk_in_test', 'partial_results', 'completed', 'partial_results'],
  ['at_home_phlebotomy', 'appointment_scheduled', 'completed', 'partial_results'],
  ['on_site_collection', 'draw_completed', 'completed', 'partial_results'],
  ['testkit', 'delivered_to_lab', 'completed', 'completed'],
  ['testkit', 'completed', 'corrected', 'corrected'],
  ['walk_in_test', 'corrected', 'corrected', 'corrected'],
  ['testkit', 'awaiting_registration', undefined, undefined],
  ['walk_in_test', 'cancelled', undefined, undefined],
  ['testkit', 'lost', undefined, undefined],
] as const)('an order of the method %s with the status %s gets %s by a final result, and %s by a partial one', (...row) => {
  const [method, status, final, partial] = row;
  expect([nextStatus({ method, status }, 'final'), nextStatus({ method, status }, 'partial')]).toEqual([final, partial]);
});
