import type { View, ViewDialect } from './dialect.ts';

/**
 * Samples aggregated by user, resource, source, day and unit. The day is the user's local date. If the local date is unknown,
 * the day is the date in UTC. `date_basis` shows which of the two it is. The view computes sums for every resource, even for
 * rates and levels, for which a sum has no meaning.
 */
export function dailyView({ table, date }: ViewDialect): View {
  return {
    name: 'timeseries_daily',
    query: `select
  user_id, resource, provider, source_type, sample_type,
  coalesce(local_date, ${date('start_at')}) as calendar_date,
  case when local_date is null then 'utc' else 'local' end as date_basis,
  unit,
  count(*) as samples,
  min(value) as value_min,
  max(value) as value_max,
  avg(value) as value_avg,
  sum(value) as value_sum,
  min(start_at) as first_at,
  max(start_at) as last_at
from ${table('timeseries')}
group by
  user_id, resource, provider, source_type, sample_type,
  coalesce(local_date, ${date('start_at')}),
  case when local_date is null then 'utc' else 'local' end,
  unit`,
  };
}
