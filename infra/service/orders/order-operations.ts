import { z } from 'zod';
import { requisitionUrl } from '../api/deprecation.ts';
import { problem } from '../api/errors.ts';
import { type Operation, operation } from '../api/operation.ts';
import { boundSchema, flagSchema, pageParameters, uuidSchema } from '../api/parameters.ts';
import { collectionMethods } from '../labs/laboratories.ts';
import type { State } from '../state.ts';
import type { Database } from '../storage/database.ts';
import type { Team } from '../teams/teams.ts';
import { addedBy } from '../versions/versions.ts';
import {
  NO_ORDER,
  NO_TRANSACTION,
  noOrder,
  noTransaction,
  orderIdParams,
  orderSchema,
  refuse,
  transactionSchema,
} from './order-forms.ts';
import type { OrderRow, Orders } from './orders.ts';

interface Parts {
  readonly orders: Orders;
  readonly form: (order: OrderRow) => z.input<typeof orderSchema>;
}

/** The query of a list of orders. A filter that is not given lets all orders pass. */
const ordersQuery = z.object({
  search_input: z
    .string()
    .optional()
    .describe('Part of an id, of the name of the patient or of the recipient, or the birth date.'),
  start_date: boundSchema('00:00:00').optional().describe('First date or date-time of the creation.'),
  end_date: boundSchema('23:59:59.999').optional().describe('Last date or date-time of the creation.'),
  updated_start_date: boundSchema('00:00:00').optional().describe('First date or date-time of the last change.'),
  updated_end_date: boundSchema('00:00:00').optional().describe('Last date-time of the last change. A date means its begin.'),
  status: z.array(z.string()).optional().describe('Low levels of the last status.'),
  order_type: z.array(z.enum(collectionMethods)).optional().describe('How the sample is taken.'),
  is_critical: flagSchema.optional(),
  interpretation: z
    .string()
    .optional()
    .describe('normal, abnormal, critical or unknown. `null`: orders without results. Other values match no order.')
    .meta(addedBy('interpretation of orders')),
  order_activation_types: z.array(z.enum(['current', 'scheduled'])).optional(),
  user_id: uuidSchema.optional(),
  patient_name: z.string().optional(),
  shipping_recipient_name: z.string().optional(),
  order_ids: z.array(uuidSchema).optional(),
  order_transaction_id: uuidSchema.optional(),
  order_key: z.enum(['created_at', 'patient_name', 'last_status']).optional(),
  order_direction: z.enum(['asc', 'desc']).optional().describe('Default: asc. The oldest order comes first.'),
  ...pageParameters,
});

type OrdersQuery = z.output<typeof ordersQuery>;

const member = (path: string): string => `json_extract(o.request, '$.${path}')`;
const NAME = `${member('patient_details.first_name')} || ' ' || ${member('patient_details.last_name')}`;
const RECIPIENT = `coalesce(${member('shipping.receiver_name')}, ${member('patient_address.receiver_name')})`;

const keys = { created_at: 'o.number', patient_name: `${NAME} collate nocase`, last_status: 'o.status' };

/** Returns a page of the orders of a team, and the number of all orders that match. */
function ordersPage(
  database: Database,
  team: string,
  query: OrdersQuery,
): { readonly orders: readonly OrderRow[]; readonly total: number } {
  const conditions: string[] = ['o.team_id = ?', 'u.deleted_at is null'];
  const values: (string | number)[] = [team];
  const filter = (condition: string, ...given: (string | number | undefined)[]): void => {
    if (given.some((value) => value === undefined)) return;
    conditions.push(condition);
    values.push(...(given as (string | number)[]));
  };
  const oneOf = (column: string, list: readonly string[] | undefined): void =>
    filter(`${column} in (select value from json_each(?))`, list === undefined ? undefined : JSON.stringify(list));
  const part = (text: string, given: string | undefined): void => filter(`instr(lower(${text}), lower(?)) > 0`, given);

  filter('o.created_at >= ?', query.start_date);
  filter('o.created_at <= ?', query.end_date);
  filter('o.updated_at >= ?', query.updated_start_date);
  filter('o.updated_at <= ?', query.updated_end_date);
  oneOf('o.status', query.status);
  oneOf('o.method', query.order_type);
  oneOf('o.order_id', query.order_ids);
  oneOf("iif(o.activate_by is null, 'current', 'scheduled')", query.order_activation_types);
  filter('o.user_id = ?', query.user_id);
  filter('o.transaction_id = ?', query.order_transaction_id);
  filter("ifnull(o.interpretation = 'critical', 0) = ?", query.is_critical === undefined ? undefined : Number(query.is_critical));
  if (query.interpretation === 'null') conditions.push('o.interpretation is null');
  else filter('o.interpretation = ?', query.interpretation);
  part(NAME, query.patient_name);
  part(RECIPIENT, query.shipping_recipient_name);
  const searched = ['o.order_id', 'o.user_id', NAME, RECIPIENT, member('patient_details.dob')];
  part(searched.map((text) => `ifnull(${text}, '')`).join(" || '\n' || "), query.search_input);

  const matching = `from orders o join users u using (user_id) where ${conditions.join(' and ')}`;
  const direction = query.order_direction ?? 'asc';
  const { page, size } = query;
  return {
    orders: database.all<OrderRow>(
      `select o.* ${matching} order by ${keys[query.order_key ?? 'created_at']} ${direction}, o.number ${direction} limit ? offset ?`,
      ...[...values, size, (page - 1) * size],
    ),
    total: database.get<{ n: number }>(`select count(*) as n ${matching}`, ...values)!.n,
  };
}

/** The operations that read orders, and that tell of them again. */
export function orderOperations(state: State, { orders, form }: Parts): Operation[] {
  const tag = 'order';
  const list = (id: string, path: string): Operation =>
    operation({
      id,
      method: 'GET',
      path,
      tag,
      summary: 'Lists the orders of the team, the oldest first.',
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
      id: 'get_order',
      method: 'GET',
      path: '/v3/order/{order_id}',
      tag,
      summary: 'Returns an order.',
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
      id: 'resend_order_events',
      method: 'POST',
      path: '/v3/order/resend_events',
      tag,
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
      id: 'get_order_transaction',
      method: 'GET',
      path: '/v3/order_transaction/{transaction_id}',
      tag,
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
            ...rest,
            last_status,
            last_status_created_at,
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
