import { z } from 'zod';
import { requisitionUrl } from '../api/deprecation.ts';
import { problem } from '../api/errors.ts';
import { type Answer, type Operation, operation } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import { collectionMethods } from '../labs/laboratories.ts';
import { orderSetSchema } from '../labs/order-set.ts';
import { UNKNOWN, type Users } from '../users/users.ts';
import type { Minors } from './minors.ts';
import { refuse } from './order-answers.ts';
import { changed } from './order-forms.ts';
import { billingSchema, examplePatient, patientAddressSchema, patientSchema, physicianSchema } from './order-request.ts';
import type { OrderSets } from './order-sets.ts';
import type { Orders } from './orders.ts';

interface Parts {
  readonly users: Users;
  readonly orders: Orders;
  readonly sets: OrderSets;
  readonly minors: Minors;
}

const importSchema = z
  .object({
    user_id: uuidSchema,
    billing_type: billingSchema,
    order_set: orderSetSchema,
    collection_method: z.enum(collectionMethods),
    physician: physicianSchema.nullish(),
    patient_details: patientSchema,
    patient_address: patientAddressSchema,
    sample_id: z.string().trim().min(1).describe('Id of the sample at the laboratory.'),
    lab_account_id: uuidSchema.nullish(),
  })
  .meta({
    id: 'ImportedOrder',
    examples: [
      {
        ...{ user_id: '7a1e2b3c-0000-4000-8000-000000000001', billing_type: 'client_bill', collection_method: 'walk_in_test' },
        ...{ order_set: { lab_test_ids: ['7a1e2b3c-0000-4000-8000-000000000002'] }, ...examplePatient, sample_id: 'L-1234' },
      },
    ],
  });

/** The operation in closed beta: it takes over an order that a team placed at a laboratory by itself. */
export function importOperation(
  { users, orders, sets, minors }: Parts,
  done: (order: string, message: string) => Answer,
): Operation {
  return operation({
    ...{ id: 'import_order', method: 'POST', path: '/v3/order/import', tag: 'order' },
    summary: 'Imports an order that was placed at a laboratory without the service. It is in closed beta.',
    isClosedBeta: true,
    body: importSchema,
    answers: {
      200: changed,
      400: problem('The laboratory does not offer this order, the patient is a minor, or an order has the sample.'),
      404: problem('The team has no such user, or there is no such lab test or account.'),
    },
    deprecatedParts: [requisitionUrl],
    handle: ({ team, body }) => {
      const user = users.find(team.team_id, body.user_id);
      if (user === undefined) return UNKNOWN;
      const minor = minors.refusalOf(team, body.patient_details);
      if (minor !== undefined) return minor;
      const { sample_id, order_set, billing_type, patient_details, patient_address, physician, lab_account_id } = body;
      if (orders.ofSample(team.team_id, sample_id) !== undefined) return refuse('Another order has this sample_id');
      const ordered = sets.order(team.team_id, body);
      if ('refused' in ordered) return ordered.refused;
      const order = orders.create(user, {
        ...{ lab_test_id: ordered.labTest.id, method: ordered.labTest.method, sample_id },
        request: {
          ...{ patient_details, patient_address, physician, priority: false, billing_type },
          lab_account_id: lab_account_id ?? order_set.lab_account_id,
        },
      });
      return done(order.order_id, 'Order imported');
    },
  });
}
