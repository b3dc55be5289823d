import { z } from 'zod';
import { detailSchema } from '../api/errors.ts';
import { type Answer, type AnswerForm, type Operation, operation } from '../api/operation.ts';
import { boundSchema } from '../api/query.ts';
import { dateSchema, instant } from '../api/times.ts';
import { uuidSchema } from '../api/uuid.ts';
import { interpretations, resultTypes } from '../labs/result.ts';
import type { State } from '../state.ts';
import type { Team } from '../teams/teams.ts';
import { notFound, UNKNOWN } from '../users/user-answers.ts';
import type { Users } from '../users/users.ts';
import { IdempotentAnswers, idempotencyHeaders } from './idempotency.ts';
import { isCancellable, lowLevelOf, statuses, topLevelOf } from './life-cycle.ts';
import type { OrderRow } from './order.ts';
import { orderSchema, transactionSchema } from './order-forms.ts';
import { ordersPage, ordersQuery } from './order-list.ts';
import {
  examplePatient,
  newOrderSchema,
  patientAddressSchema,
  patientSchema,
  physicianSchema,
  shippingSchema,
} from './order-request.ts';
import type { OrderSets } from './order-sets.ts';
import type { Orders } from './orders.ts';

export const orderIdParams = z.object({ order_id: uuidSchema });
export const NO_ORDER: Answer = { status: 404, body: { detail: 'Order not found' } };
export const noOrder: AnswerForm = { description: 'The team has no such order.', schema: detailSchema, example: NO_ORDER.body };

/** An answer about something that the state of the order does not allow, or that a laboratory does not offer. */
export const refused: AnswerForm = { description: 'The order does not allow this.', schema: detailSchema };
export const refuse = (detail: string): Answer => ({ status: 400, body: { detail } });

const changedSchema = z.object({ order: orderSchema, status: z.string(), message: z.string() });
const changed: AnswerForm = { description: 'The order.', schema: changedSchema };

interface Parts {
  readonly users: Users;
  readonly orders: Orders;
  readonly sets: OrderSets;
  readonly form: (order: OrderRow) => z.input<typeof orderSchema>;
}

/** The operations on orders, without those on their results and appointments. */
export function orderOperations(state: State, { users, orders, sets, form }: Parts): Operation[] {
  const tag = 'order';
  const idempotent = new IdempotentAnswers(state);
  const done = (id: string, message: string): Answer => ({
    status: 200,
    body: { order: form(orders.any(id)!), status: 'success', message },
  });
  const isPast = (date: string): boolean => date < instant(state.clock.now()).slice(0, date.length);
  const list = (id: string, path: string): Operation =>
    operation({
      ...{ id, method: 'GET', path, tag, summary: 'Lists the orders of the team, the oldest first.' },
      query: ordersQuery,
      answers: {
        200: {
          description: 'A page of orders.',
          schema: z.object({ orders: z.array(orderSchema), total: z.int(), page: z.int(), size: z.int() }),
        },
      },
      handle: ({ team, query }) => {
        const { orders: found, total } = ordersPage(state.database, team.team_id, query);
        return { status: 200, body: { orders: found.map(form), total, page: query.page, size: query.size } };
      },
    });
  return [
    operation({
      ...{ id: 'create_order', method: 'POST', path: '/v3/order', tag, summary: 'Orders lab tests for a user.' },
      headers: idempotencyHeaders,
      body: newOrderSchema,
      answers: {
        200: changed,
        400: { description: 'The laboratory does not offer this order.', schema: detailSchema },
        404: { description: 'The team has no such user, or there is no such lab test or account.', schema: detailSchema },
        409: { description: 'The idempotency key was used for another request.', schema: detailSchema },
      },
      handle: ({ team, headers, body }) =>
        idempotent.answer({ team: team.team_id, operation: 'create_order', headers, asked: body }, () => {
          const user = users.find(team.team_id, body.user_id);
          if (user === undefined) return { answer: UNKNOWN, user: null };
          if (typeof body.activate_by === 'string' && isPast(body.activate_by))
            return { answer: refuse('activate_by is in the past'), user: null };
          const ordered = sets.order(team.team_id, body);
          if ('refused' in ordered) return { answer: ordered.refused, user: null };
          const { patient_details, patient_address, physician, icd_codes, clinical_notes, aoe_answers } = body;
          const { priority, billing_type, passthrough, lab_account_id } = body;
          const order = orders.create(user, {
            lab_test_id: ordered.labTest.id,
            method: ordered.labTest.method,
            activate_by: body.activate_by,
            request: {
              ...{ patient_details, patient_address, physician, icd_codes, clinical_notes, aoe_answers },
              ...{ priority, billing_type, passthrough, lab_account_id: lab_account_id ?? body.order_set?.lab_account_id },
            },
          });
          return { answer: done(order.order_id, 'Order created'), user: user.user_id };
        }),
    }),
    operation({
      ...{ id: 'create_testkit_order', method: 'POST', path: '/v3/order/testkit', tag },
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
      handle: ({ team, body: { user_id, lab_test_id, shipping_details, passthrough, lab_account_id } }) => {
        const user = users.find(team.team_id, user_id);
        if (user === undefined) return UNKNOWN;
        const ordered = sets.order(team.team_id, {
          order_set: { lab_test_ids: [lab_test_id], lab_account_id },
          collection_method: 'testkit',
        });
        if ('refused' in ordered) return ordered.refused;
        const request = { priority: false, billing_type: 'client_bill', passthrough, shipping: shipping_details } as const;
        const order = orders.create(user, { ...{ lab_test_id, method: 'testkit', isRegistrable: true }, request });
        return done(order.order_id, 'Order created');
      },
    }),
    operation({
      ...{ id: 'register_testkit', method: 'POST', path: '/v3/order/testkit/register', tag },
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
      handle: ({ team, body: { user_id, sample_id, patient_details, patient_address, physician } }) => {
        const order = orders.ofSample(team.team_id, sample_id);
        if (order === undefined || (typeof user_id === 'string' && order.user_id !== user_id)) return NO_ORDER;
        if (order.status !== 'awaiting_registration')
          return refuse(`The kit cannot be registered: its status is ${order.status}`);
        orders.register(order.order_id, { patient_details, patient_address, physician });
        return done(order.order_id, 'Kit registered');
      },
    }),
    operation({
      ...{ id: 'get_order', method: 'GET', path: '/v3/order/{order_id}', tag, summary: 'Returns an order.' },
      params: orderIdParams,
      answers: { 200: { description: 'The order.', schema: orderSchema }, 404: noOrder },
      handle: ({ team, params: { order_id } }) => {
        const order = orders.find(team.team_id, order_id);
        return order === undefined ? NO_ORDER : { status: 200, body: form(order) };
      },
    }),
    operation({
      ...{ id: 'update_order', method: 'PATCH', path: '/v3/order/{order_id}', tag },
      summary: 'Changes when an order begins that has not begun.',
      params: orderIdParams,
      body: z.object({ activate_by: dateSchema.nullable().describe('Null: at once.') }),
      answers: { 200: changed, 400: refused, 404: noOrder },
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
      ...{ id: 'cancel_order', method: 'POST', path: '/v3/order/{order_id}/cancel', tag },
      summary: 'Cancels an order whose sample is not on the way to the laboratory.',
      params: orderIdParams,
      answers: { 200: changed, 400: refused, 404: noOrder },
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
      ...{ id: 'complete_draw', method: 'PATCH', path: '/v3/order/{order_id}/draw_completed', tag },
      summary: 'Tells that the sample of an on-site collection was taken.',
      params: orderIdParams,
      answers: { 200: changed, 400: refused, 404: noOrder },
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
      ...{ id: 'simulate_order', method: 'POST', path: '/v3/order/{order_id}/test', tag },
      summary: 'Lets an order take its course at once, or step by step with a delay.',
      params: orderIdParams,
      query: z.object({
        final_status: z.enum(statuses).optional().describe('Status at which the course ends. Default: completed.'),
        delay: z.coerce.number().int().min(0).max(86_400).optional().describe('Virtual seconds before each step. Default: 0.'),
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
    list('list_orders', '/v3/orders'),
    list('list_orders_without_version', '/orders'),
    operation({
      ...{ id: 'resend_order_events', method: 'POST', path: '/v3/order/resend_events', tag },
      summary: 'Sends the event of each order again.',
      body: z.object({
        order_ids: z.array(uuidSchema).nullish().describe('Default: the orders that were created in the range.'),
        start_at: boundSchema('00:00:00').nullish(),
        end_at: boundSchema('23:59:59.999').nullish(),
      }),
      answers: {
        200: { description: 'The orders.', schema: z.object({ order_ids: z.array(z.uuid()) }) },
        400: { description: 'Neither orders nor a range is given.', schema: detailSchema },
      },
      handle: ({ team, body: { order_ids, start_at, end_at } }) => {
        if ([order_ids, start_at, end_at].every((given) => given === undefined || given === null))
          return refuse('Give order_ids, or start_at and end_at');
        const found = resent(state, team, { order_ids, start_at, end_at });
        state.database.transaction(() => {
          for (const order of found) orders.tell(order);
        });
        return { status: 200, body: { order_ids: found.map(({ order_id }) => order_id) } };
      },
    }),
    operation({
      ...{ id: 'get_order_transaction', method: 'GET', path: '/v3/order_transaction/{transaction_id}', tag },
      summary: 'Returns the orders of a transaction.',
      params: z.object({ transaction_id: uuidSchema }),
      answers: {
        200: { description: 'The transaction.', schema: wholeTransactionSchema },
        404: noTransaction,
      },
      handle: ({ team, params: { transaction_id } }) => {
        const order = orders.ofTransaction(team.team_id, transaction_id);
        if (order === undefined) return NO_TRANSACTION;
        const { id, status, orders: some } = form(order).order_transaction;
        const summaries = some.map(
          ({ low_level_status: last_status, low_level_status_created_at: last_status_created_at, ...rest }) => ({
            ...{ ...rest, last_status, last_status_created_at },
          }),
        );
        return { status: 200, body: { id, team_id: team.team_id, status, orders: summaries } };
      },
    }),
  ];
}

export const NO_TRANSACTION: Answer = { status: 404, body: { detail: 'Order transaction not found' } };
export const noTransaction: AnswerForm = {
  description: 'The team has no such transaction.',
  schema: detailSchema,
  example: NO_TRANSACTION.body,
};

const inTransaction = transactionSchema.shape.orders.element;
const wholeTransactionSchema = z.object({
  id: z.uuid(),
  team_id: z.uuid(),
  status: transactionSchema.shape.status,
  orders: z.array(
    inTransaction.omit({ low_level_status: true, low_level_status_created_at: true }).extend({
      last_status: inTransaction.shape.low_level_status,
      last_status_created_at: inTransaction.shape.low_level_status_created_at,
    }),
  ),
});

type Range = {
  readonly order_ids?: readonly string[] | null | undefined;
  readonly start_at?: number | null | undefined;
  readonly end_at?: number | null | undefined;
};

/** Returns the orders of a team whose events are sent again, the oldest first. */
function resent({ database }: State, { team_id }: Team, { order_ids, start_at, end_at }: Range): OrderRow[] {
  return database.all(
    `select o.* from orders o join users u using (user_id)
     where o.team_id = ?1 and u.deleted_at is null and o.created_at >= ?2 and o.created_at <= ?3
       and (?4 is null or o.order_id in (select value from json_each(?4)))
     order by o.number`,
    ...[team_id, start_at ?? 0, end_at ?? Number.MAX_SAFE_INTEGER, order_ids ? JSON.stringify(order_ids) : null],
  );
}
