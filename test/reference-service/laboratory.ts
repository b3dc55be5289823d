import { answer, type Json, type Rule } from './control.ts';

/** Rules that answer for a laboratory, because the service has none yet. */

const DAY_MS = 86_400_000;

/** Answers with three orders of a user, the first one of `from` (YYYY-MM-DD). */
export function ordersOf(userId: string, from: string): Rule {
  const orders = Array.from({ length: 3 }, (_, index) => {
    const created_at = new Date(Date.parse(`${from}T00:00:00Z`) + index * DAY_MS).toISOString().replace('.000Z', '+00:00');
    const event = { id: index, created_at, status: 'received.walk_in_test.ordered' };
    return {
      ...{ id: `order-${index}`, user_id: userId, team_id: 'team-1', patient_details: { first_name: 'Planted' } },
      ...{ events: [event], last_event: event, created_at, updated_at: created_at },
    };
  });
  const body = { orders, total: orders.length, page: 1, size: 100 };
  return answer({ path: '/v3/orders', query: { user_id: userId } }, body);
}

export function resultOf(order: string, result: Json): Rule {
  return answer({ path: `/v3/order/${order}/result` }, result);
}

const MARKERS_A_PAGE = 100;

/** Answers with the markers, at most 100 on a page. Page numbers start at 1. */
export function markersOf(markers: readonly Json[]): Rule[] {
  return Array.from({ length: Math.ceil(markers.length / MARKERS_A_PAGE) }, (_, index) => {
    const some = markers.slice(index * MARKERS_A_PAGE, (index + 1) * MARKERS_A_PAGE);
    const body = { markers: some, total: markers.length, page: index + 1, size: MARKERS_A_PAGE };
    return answer({ path: '/v3/lab_tests/markers', query: { page: String(index + 1) } }, body);
  });
}

/** Answers with one page. Its cursor is the string `None`, as in the service's own example of a last page. */
export function labTestsOf(labTests: readonly Json[]): Rule {
  return answer({ path: '/v3/lab_test' }, { data: labTests, next_cursor: 'None', next: 'None' });
}
