import { columnsOf } from './columns.ts';
import { deliveriesOnce } from './copies.ts';
import type { View, ViewDialect } from './dialect.ts';

/**
 * Freshness of the tables: the last delivery received and loaded for each event type and provider, with its age. Deliveries
 * with a time of receipt in the future are counted separately. They affect no other column except the time of the last
 * merge.
 */
export function freshnessView(dialect: ViewDialect): View {
  const { secondsBetween } = dialect;
  const past = (aggregate: string, value: string, distinct = ''): string =>
    `${aggregate}(${distinct}case when received_at <= current_timestamp then ${value} end)`;
  return {
    name: 'freshness',
    doc: 'When the deliveries of one event type and provider were last received and loaded. An event that two sources delivered counts once.',
    columns: [
      ...columnsOf('deliveries', ['event_type', 'provider']),
      { name: 'deliveries', type: 'int64', unit: 'count', doc: 'Number of deliveries received until now.' },
      { name: 'users', type: 'int64', unit: 'count', doc: 'Number of users with such a delivery.' },
      {
        name: 'first_received_at',
        type: 'timestamp',
        doc: 'When the first delivery was received; NULL if all times of receipt are in the future.',
      },
      {
        name: 'last_received_at',
        type: 'timestamp',
        doc: 'When the last delivery was received; NULL if all times of receipt are in the future.',
      },
      {
        name: 'last_loaded_at',
        type: 'timestamp',
        doc: 'When a delivery was last merged, including deliveries with a time of receipt in the future.',
      },
      {
        name: 'age_s',
        type: 'float64',
        unit: 's',
        doc: 'Time since `last_received_at`, by the clock of the warehouse; NULL if `last_received_at` is NULL.',
      },
      {
        name: 'deliveries_in_future',
        type: 'int64',
        unit: 'count',
        doc: 'Number of deliveries with a time of receipt in the future.',
      },
    ],
    query: `select
  event_type, provider,
  ${past('count', '1')} as deliveries,
  ${past('count', 'user_id', 'distinct ')} as users,
  ${past('min', 'received_at')} as first_received_at,
  ${past('max', 'received_at')} as last_received_at,
  max(_loaded_at) as last_loaded_at,
  ${secondsBetween(past('max', 'received_at'), 'current_timestamp')} as age_s,
  count(case when received_at > current_timestamp then 1 end) as deliveries_in_future
from (
${deliveriesOnce(dialect)}
) once
where not redelivered
group by event_type, provider`,
  };
}
