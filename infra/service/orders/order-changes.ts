import { z } from 'zod';
import { requisitionUrl, singleLabTest } from '../api/deprecation.ts';
import { InvalidInput, problem } from '../api/errors.ts';
import { type Answer, type Operation, operation } from '../api/operation.ts';
import { decimal, uuidSchema } from '../api/parameters.ts';
import { ageOn, dateSchema, dateText, instant, lastDate, NOT_BORN } from '../api/times.ts';
import { collectionMethods } from '../labs/laboratories.ts';
import { orderSetSchema } from '../labs/order-set.ts';
import { interpretations, resultTypes } from '../labs/result.ts';
import type { State } from '../state.ts';
import type { Team, Teams } from '../teams/teams.ts';
import { notFound, UNKNOWN, type Users } from '../users/users.ts';
import { IdempotentAnswers, idempotencyHeaders } from './idempotency.ts';
import { isCancellable, lowLevelOf, statuses, topLevelOf } from './life-cycle.ts';
import { changed, NO_ORDER, noOrder, orderIdParams, type orderSchema, refuse, refused } from './order-forms.ts';
import {
  billingSchema,
  examplePatient,
  newOrderSchema,
  patientAddressSchema,
  patientSchema,
  physicianSchema,
  shippingSchema,
} from './order-request.ts';
import type { OrderSets } from './order-sets.ts';
import type { OrderRow, Orders } from './orders.ts';

interface Parts {
  readonly users: Users;
  readonly orders: Orders;
  readonly sets: OrderSets;
  readonly minors: Minors;
  readonly form: (order: OrderRow) => z.input<typeof orderSchema>;
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
        user_id: '7a1e2b3c-0000-4000-8000-000000000001',
        billing_type: 'client_bill',
        collection_method: 'walk_in_test',
        order_set: { lab_test_ids: ['7a1e2b3c-0000-4000-8000-000000000002'] },
        ...examplePatient,
        sample_id: 'L-1234',
      },
    ],
  });

/** The operation in closed beta: it takes over an order that a team placed at a laboratory by itself. */
function importOperation({ users, orders, sets, minors }: Parts, done: (order: string, message: string) => Answer): Operation {
  return operation({
    id: 'import_order',
    method: 'POST',
    path: '/v3/order/import',
    tag: 'order',
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
        lab_test_id: ordered.labTest.id,
        method: ordered.labTest.method,
        sample_id,
        request: {
          patient_details,
          patient_address,
          physician,
          priority: false,
          billing_type,
          lab_account_id: lab_account_id ?? order_set.lab_account_id,
        },
      });
      return done(order.order_id, 'Order imported');
    },
  });
}

/** The operations that create and change orders. */
export function orderChanges(state: State, parts: Parts): Operation[] {
  const { users, orders, sets, minors, form } = parts;
  const tag = 'order';
  const idempotent = new IdempotentAnswers(state);
  const done = (id: string, message: string): Answer => ({
    status: 200,
    body: { order: form(orders.any(id)!), status: 'success', message },
  });
  const isPast = (date: string): boolean => date < instant(state.clock.now()).slice(0, date.length);
  return [
    operation({
      id: 'create_order',
      method: 'POST',
      path: '/v3/order',
      tag,
      summary: 'Orders lab tests for a user.',
      headers: idempotencyHeaders,
      body: newOrderSchema,
      answers: {
        200: changed,
        400: problem('The laboratory does not offer this order, or the patient is a minor.'),
        404: problem('The team has no such user, or there is no such lab test or account.'),
        409: problem('The idempotency key was used for another request.'),
      },
      deprecatedParts: [singleLabTest, requisitionUrl],
      handle: ({ team, headers, body }) =>
        idempotent.answer({ team: team.team_id, operation: 'create_order', headers, asked: body }, () => {
          const user = users.find(team.team_id, body.user_id);
          if (user === undefined) return { answer: UNKNOWN, user: null };
          if (typeof body.activate_by === 'string' && isPast(body.activate_by))
            return { answer: refuse('activate_by is in the past'), user: null };
          const minor = minors.refusalOf(team, body.patient_details);
          if (minor !== undefined) return { answer: minor, user: null };
          const ordered = sets.order(team.team_id, body);
          if ('refused' in ordered) return { answer: ordered.refused, user: null };
          const { patient_details, patient_address, physician, icd_codes, clinical_notes, aoe_answers } = body;
          const { priority, billing_type, passthrough, lab_account_id } = body;
          const order = orders.create(user, {
            lab_test_id: ordered.labTest.id,
            method: ordered.labTest.method,
            activate_by: body.activate_by,
            request: {
              patient_details,
              patient_address,
              physician,
              icd_codes,
              clinical_notes,
              aoe_answers,
              priority,
              billing_type,
              passthrough,
              lab_account_id: lab_account_id ?? body.order_set?.lab_account_id,
            },
          });
          return { answer: done(order.order_id, 'Order created'), user: user.user_id };
        }),
    }),
    importOperation(parts, done),
    operation({
      id: 'create_testkit_order',
      method: 'POST',
      path: '/v3/order/testkit',
      tag,
      summary: 'Orders a kit that the customer registers later.',
      body: z
        .object({
          user_id: uuidSchema,
          lab_test_id: uuidSchema,
          shipping_details: shippingSchema,
          passthrough: z.string().nullish(),
          lab_account_id: uuidSchema.nullish(),
        })
        .meta({ id: 'NewTestkitOrder' }),
      answers: { 200: changed, 400: refused, 404: notFound },
      deprecatedParts: [requisitionUrl],
      handle: ({ team, body: { user_id, lab_test_id, shipping_details, passthrough, lab_account_id } }) => {
        const user = users.find(team.team_id, user_id);
        if (user === undefined) return UNKNOWN;
        const ordered = sets.order(team.team_id, {
          order_set: { lab_test_ids: [lab_test_id], lab_account_id },
          collection_method: 'testkit',
        });
        if ('refused' in ordered) return ordered.refused;
        const request = { priority: false, billing_type: 'client_bill', passthrough, shipping: shipping_details } as const;
        const order = orders.create(user, { lab_test_id, method: 'testkit', isRegistrable: true, request });
        return done(order.order_id, 'Order created');
      },
    }),
    operation({
      id: 'register_testkit',
      method: 'POST',
      path: '/v3/order/testkit/register',
      tag,
      summary: 'Registers the kit of an order by its sample id.',
      body: z
        .object({
          user_id: uuidSchema.nullish(),
          sample_id: z.string(),
          patient_details: patientSchema,
          patient_address: patientAddressSchema,
          physician: physicianSchema.nullish(),
          health_insurance: z.looseObject({}).nullish(),
          consents: z.array(z.looseObject({})).nullish(),
        })
        .meta({ id: 'TestkitRegistration', examples: [{ sample_id: '0123456789', ...examplePatient }] }),
      answers: { 200: changed, 400: refused, 404: noOrder },
      deprecatedParts: [requisitionUrl],
      handle: ({ team, body: { user_id, sample_id, patient_details, patient_address, physician } }) => {
        const order = orders.ofSample(team.team_id, sample_id);
        if (order === undefined || (typeof user_id === 'string' && order.user_id !== user_id)) return NO_ORDER;
        if (order.status !== 'awaiting_registration')
          return refuse(`The kit cannot be registered: its status is ${order.status}`);
        const minor = minors.refusalOf(team, patient_details);
        if (minor !== undefined) return minor;
        orders.register(order.order_id, { patient_details, patient_address, physician });
        return done(order.order_id, 'Kit registered');
      },
    }),
    operation({
      id: 'update_order',
      method: 'PATCH',
      path: '/v3/order/{order_id}',
      tag,
      summary: 'Changes when an order begins that has not begun.',
      params: orderIdParams,
      body: z.object({ activate_by: dateSchema.nullable().describe('Null: at once.') }),
      answers: { 200: changed, 400: refused, 404: noOrder },
      deprecatedParts: [requisitionUrl],
      handle: ({ team, params: { order_id }, body: { activate_by } }) => {
        const order = orders.find(team.team_id, order_id);
        if (order === undefined) return NO_ORDER;
        if (!['ordered', 'awaiting_registration'].includes(order.status))
          return refuse(`The order has begun: its status is ${order.status}`);
        if (order.activate_by === null) return refuse('The order was created without activate_by');
        if (activate_by !== null && isPast(activate_by)) return refuse('activate_by is in the past');
        orders.activate(order_id, activate_by);
        return done(order_id, 'Order updated');
      },
    }),
    operation({
      id: 'cancel_order',
      method: 'POST',
      path: '/v3/order/{order_id}/cancel',
      tag,
      summary: 'Cancels an order whose sample is not on the way to the laboratory.',
      params: orderIdParams,
      answers: { 200: changed, 400: refused, 404: noOrder },
      deprecatedParts: [requisitionUrl],
      handle: ({ team, params: { order_id } }) => {
        const order = orders.find(team.team_id, order_id);
        if (order === undefined) return NO_ORDER;
        if (!isCancellable(order.method, order.status))
          return refuse(`The order cannot be cancelled: its status is ${order.status}`);
        orders.cancel(order_id);
        return done(order_id, 'Order cancelled');
      },
    }),
    operation({
      id: 'complete_draw',
      method: 'PATCH',
      path: '/v3/order/{order_id}/draw_completed',
      tag,
      summary: 'Tells that the sample of an on-site collection was taken.',
      params: orderIdParams,
      answers: { 200: changed, 400: refused, 404: noOrder },
      deprecatedParts: [requisitionUrl],
      handle: ({ team, params: { order_id } }) => {
        const order = orders.find(team.team_id, order_id);
        if (order === undefined) return NO_ORDER;
        if (order.method !== 'on_site_collection') return refuse(`The sample is taken by the method ${order.method}`);
        if (topLevelOf(order.method, order.status) !== 'received')
          return refuse(`The sample was taken: the status of the order is ${order.status}`);
        orders.advance(order_id, 'draw_completed');
        return done(order_id, 'Draw completed');
      },
    }),
    operation({
      id: 'simulate_order',
      method: 'POST',
      path: '/v3/order/{order_id}/test',
      tag,
      summary: 'Lets an order take its course at once, or step by step with a delay.',
      params: orderIdParams,
      query: z.object({
        final_status: z.enum(statuses).optional().describe('Status at which the course ends. Default: completed.'),
        delay: decimal(z.int().min(0).max(86_400)).optional().describe('Virtual seconds before each step. Default: 0.'),
      }),
      body: z
        .object({
          interpretation: z.enum(interpretations).default('normal'),
          result_types: z.array(z.enum(resultTypes)).nullish(),
          has_missing_results: z.boolean().nullish(),
        })
        .nullish(),
      answers: { 200: { description: 'The course begins.', schema: z.null() }, 400: refused, 404: noOrder },
      handle: ({ team, params: { order_id }, query: { final_status, delay = 0 }, body }) => {
        const order = orders.find(team.team_id, order_id);
        if (order === undefined) return NO_ORDER;
        const to = final_status === undefined ? 'completed' : lowLevelOf(final_status);
        if (final_status !== undefined && final_status.split('.')[1] !== order.method)
          return refuse(`An order of the method ${order.method} cannot have this status`);
        const steps = orders.courseOf(order, to).map((step) => ({ ...step, after: delay * 1000 }));
        if (steps.length === 0) return refuse(`The order cannot go from ${order.status} to ${to}`);
        const { interpretation, result_types, has_missing_results } = body ?? {};
        orders.want(order_id, { interpretation, resultTypes: result_types, hasMissing: has_missing_results });
        orders.follow(order_id, steps);
        return { status: 200, body: null };
      },
    }),
  ];
}

const ADULT = 18;

/** Refuses orders for minors, unless the team has enabled them. */
export class Minors {
  readonly #state: State;
  readonly #teams: Teams;

  constructor(state: State, teams: Teams) {
    this.#state = state;
    this.#teams = teams;
  }

  /**
   * Returns the refusal of an order for a minor, or undefined. `dob` is the birth date of the patient. The age counts on the date
   * in UTC. Throws {@link InvalidInput} if the birth date is in the future.
   */
  refusalOf({ org_id, team_id }: Team, { dob }: { readonly dob: string }): Answer | undefined {
    const now = this.#state.clock.now();
    if (dob > lastDate(now)) throw new InvalidInput(['body', 'patient_details', 'dob'], NOT_BORN);
    if (ageOn(dateText(now), dob) >= ADULT) return undefined;
    if (this.#teams.record(org_id, team_id)!.environment.minor_ordering_enabled === true) return undefined;
    return refuse(`The patient is younger than ${ADULT}. The team has not enabled minor_ordering_enabled`);
  }
}
