import { testOf } from '../../infra/service/orders/orders.fixture.ts';
import { patient } from './lab-orders.ts';
import { call, type Team } from './team.ts';

/** The results of this lab test are numbers and intervals. */
const labTest = testOf('at_home_phlebotomy');
const physician = { first_name: 'Planted', last_name: 'Physician', npi: '1234567893' };

/** An order, as the API shows it. */
export interface Order {
  readonly id: string;
  readonly last_event: { readonly status: string };
}

/** The results of an order, as the API shows them. */
export interface Results {
  readonly metadata: Readonly<Record<string, string | null>>;
  readonly results: readonly { readonly name: string; readonly result: string; readonly loinc: string | null }[];
}

/** Orders a lab test for a user, and returns the id of the order. The order keeps its status until it is completed. */
export async function addOrder(team: Team, user_id: string): Promise<string> {
  const request = { user_id, order_set: { lab_test_ids: [labTest] }, ...patient, physician };
  const { order } = await call<{ order: Order }>(team, '/v3/order', request);
  await team.control.ask('/orders/script', { order_id: order.id, steps: [] });
  return order.id;
}

/** Lets the laboratory finish an order, within a minute of the service's clock. */
export async function completeOrder(team: Team, order: string): Promise<void> {
  await call(team, `/v3/order/${order}/test`, {});
  await team.control.ask('/clock/advance', { seconds: 60 });
}
