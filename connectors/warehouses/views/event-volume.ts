import { columnsOf } from './columns.ts';
import { deliveriesOnce } from './copies.ts';
import type { View, ViewDialect } from './dialect.ts';

/**
 * Deliveries received, by day of receipt (UTC), event type, provider and stream. An event that two sources delivered counts
 * once.
 */
export function eventVolumeView(dialect: ViewDialect): View {
  const { date } = dialect;
  return {
    name: 'event_volume',
    doc: 'The deliveries of one day of receipt, event type, provider and stream. An event that two sources delivered counts once.',
    columns: [
      { name: 'received_date', type: 'date', doc: 'Day of receipt, in UTC.' },
      ...columnsOf('deliveries', ['event_type', 'provider', 'stream']),
      { name: 'deliveries', type: 'int64', unit: 'count', doc: 'Number of deliveries.' },
      { name: 'users', type: 'int64', unit: 'count', doc: 'Number of users with a delivery.' },
      { name: 'samples', type: 'int64', unit: 'count', doc: 'Number of samples kept from the deliveries.' },
      { name: 'body_bytes', type: 'int64', unit: 'byte', doc: 'Total length of the uncompressed bodies.' },
      {
        name: 'redelivered',
        type: 'int64',
        unit: 'count',
        doc: 'Number of deliveries that the redelivery window already contained.',
      },
      { name: 'dead_letters', type: 'int64', unit: 'count', doc: 'Number of deliveries that became dead letters.' },
    ],
    query: `select
  ${date('received_at')} as received_date,
  event_type, provider, stream,
  count(*) as deliveries,
  count(distinct user_id) as users,
  cast(coalesce(sum(samples), 0) as int64) as samples,
  cast(sum(body_bytes) as int64) as body_bytes,
  count(case when redelivered then 1 end) as redelivered,
  count(dead_letter_reason) as dead_letters
from (
${deliveriesOnce(dialect)}
) once
group by ${date('received_at')}, event_type, provider, stream`,
  };
}
