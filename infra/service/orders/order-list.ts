import { z } from 'zod';
import { boundSchema, flagSchema, pageParameters } from '../api/query.ts';
import { uuidSchema } from '../api/uuid.ts';
import { collectionMethods } from '../labs/collection-method.ts';
import type { Database } from '../storage/database.ts';
import { addedBy } from '../versions/changes.ts';
import type { OrderRow } from './order.ts';

/** The query of a list of orders. A filter that is not given lets all orders pass. */
export const ordersQuery = z.object({
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

export type OrdersQuery = z.output<typeof ordersQuery>;

const member = (path: string): string => `json_extract(o.request, '$.${path}')`;
const NAME = `${member('patient_details.first_name')} || ' ' || ${member('patient_details.last_name')}`;
const RECIPIENT = `coalesce(${member('shipping.receiver_name')}, ${member('patient_address.receiver_name')})`;

const keys = { created_at: 'o.number', patient_name: `${NAME} collate nocase`, last_status: 'o.status' };

/** Returns a page of the orders of a team, and the number of all orders that match. */
export function ordersPage(
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
