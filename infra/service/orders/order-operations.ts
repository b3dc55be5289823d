import { z } from 'zod';
import { requisitionUrl } from '../api/deprecation.ts';
import { problem } from '../api/errors.ts';
import { type Operation, operation } from '../api/operation.ts';
import { boundSchema } from '../api/query.ts';
import { uuidSchema } from '../api/uuid.ts';
import type { State } from '../state.ts';
import type { Team } from '../teams/teams.ts';
import type { OrderRow } from './order.ts';
import { NO_ORDER, NO_TRANSACTION, noOrder, noTransaction, orderIdParams, refuse } from './order-answers.ts';
import { orderSchema, transactionSchema } from './order-forms.ts';
import { ordersPage, ordersQuery } from './order-list.ts';
import type { Orders } from './orders.ts';

interface Parts {
  readonly orders: Orders;
  readonly form: (order: OrderRow) => z.input<typeof orderSchema>;
}

/** The operations that read orders, and that tell of them again. */
export function orderOperations(state: State, { orders, form }: Parts): Operation[] {
  const tag = 'order';
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
      deprecatedParts: [requisitionUrl],
      handle: ({ team, query }) => {
        const { orders: found, total } = ordersPage(state.database, team.team_id, query);
        return { status: 200, body: { orders: found.map(form), total, page: query.page, size: query.size } };
      },
    });
  return [
    operation({
      ...{ id: 'get_order', method: 'GET', path: '/v3/order/{order_id}', tag, summary: 'Returns an order.' },
      params: orderIdParams,
      answers: { 200: { description: 'The order.', schema: orderSchema }, 404: noOrder },
      deprecatedParts: [requisitionUrl],
      handle: ({ team, params: { order_id } }) => {
        const order = orders.find(team.team_id, order_id);
        return order === undefined ? NO_ORDER : { status: 200, body: form(order) };
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
        400: problem('Neither orders nor a range is given.'),
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
