import { deliveriesOnce } from './copies.ts';
import type { View, ViewDialect } from './dialect.ts';

/** Freshness of the tables: the last delivery received and loaded for each event type and provider, with its age. */
export function freshnessView(dialect: ViewDialect): View {
  const { secondsBetween } = dialect;
  return {
    name: 'freshness',
    query: `select
  event_type, provider,
  count(*) as deliveries,
  count(distinct user_id) as users,
  min(received_at) as first_received_at,
  max(received_at) as last_received_at,
  max(_loaded_at) as last_loaded_at,
  ${secondsBetween('max(received_at)', 'current_timestamp')} as age_s
from (
${deliveriesOnce(dialect)}
) once
where not redelivered
group by event_type, provider`,
  };
}
