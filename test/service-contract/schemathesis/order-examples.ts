import type { Service } from '@aorta/service';
import { labTests } from '../../../infra/service/labs/catalogue.ts';
import { keptRequest, patient } from '../../../infra/service/orders/orders.fixture.ts';
import type { Examples } from './examples.ts';

/** How many orders an operation can change. */
const ORDERS = 30;

type Method = 'at_home_phlebotomy' | 'walk_in_test' | 'testkit' | 'on_site_collection';

interface More {
  readonly activate_by?: string;
  readonly isRegistrable?: boolean;
}

/** Orders a lab test for a user, and returns the id of the order. */
export function newOrder(service: Service, user: string, method: Method, more: More = {}): string {
  const labTest = labTests.find((one) => one.method === method)!;
  const { patient_details, patient_address, ...rest } = keptRequest;
  const request = more.isRegistrable === true ? rest : keptRequest;
  return service.labs.orders.create(service.users.any(user)!, { ...more, lab_test_id: labTest.id, method, request }).order_id;
}

/** Returns the ids of several new orders. */
export const several = (make: () => string): string[] => Array.from({ length: ORDERS }, make);

/** Creates orders of a user, and returns examples of the operations on orders. */
export function orderExamples(
  service: Service,
  user: string,
): Pick<Examples, 'parameters' | 'ofOperation' | 'bodies' | 'members'> {
  const { orders } = service.labs;
  const order = (method: Method, more?: More) => (): string => newOrder(service, user, method, more);
  const finished = order('walk_in_test')();
  orders.advance(finished, 'requisition_created');
  orders.advance(finished, 'completed');
  const kits = several(order('testkit', { isRegistrable: true })).map((id) => orders.any(id)!.sample_id!);
  const shipping = { ...patient.patient_address, receiver_name: 'Jo Doe', phone_number: '+16025550123' };
  const [walkIn, kit] = (['walk_in_test', 'testkit'] as const).map((method) => labTests.find((one) => one.method === method)!.id);
  const imported = {
    user_id: user,
    billing_type: 'client_bill',
    collection_method: 'walk_in_test',
    sample_id: 'L-1',
    order_set: { lab_test_ids: [walkIn] },
  };
  return {
    parameters: { order_id: [finished], transaction_id: [orders.any(finished)!.transaction_id] },
    ofOperation: {
      create_order: { 'x-idempotency-key': [] },
      update_order: { order_id: several(order('testkit', { activate_by: '2030-01-01' })) },
      cancel_order: { order_id: several(order('testkit')) },
      complete_draw: { order_id: several(order('on_site_collection')) },
      simulate_order: { order_id: several(order('testkit')), final_status: ['completed.testkit.completed'], delay: [1] },
    },
    bodies: {
      create_order: { user_id: user, order_set: { lab_test_ids: [walkIn] }, ...patient },
      import_order: { ...imported, ...patient },
      create_testkit_order: { user_id: user, lab_test_id: kit, shipping_details: shipping },
      register_testkit: { sample_id: kits[0], ...patient },
      update_order: { activate_by: '2031-01-01' },
      resend_order_events: { order_ids: [finished] },
    },
    members: {
      create_order: { user_id: [user] },
      import_order: { user_id: [user] },
      create_testkit_order: { user_id: [user], lab_test_id: [kit!] },
      register_testkit: { sample_id: kits },
    },
  };
}
