import { deliveriesOnce } from './copies.ts';
import type { View, ViewDialect } from './dialect.ts';

/**
 * Freshness of the tables: the last delivery received and loaded for each event type and provider, with its age. Deliveries whose
 * time of receipt is later than now have a count of their own, and only the time of the last merge includes them.
 */
export function freshnessView(dialect: ViewDialect): View {
  const { secondsBetween } = dialect;
  const past = (aggregate: string, value: string, distinct = ''): string =>
    `${aggregate}(${distinct}case when received_at <= current_timestamp then ${value} end)`;
  return {
    name: 'freshness',
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
