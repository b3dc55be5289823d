import type { View, ViewDialect } from './dialect.ts';

/**
 * Samples by day: of each user, resource and source what the samples of a date come to, by the unit that they came in. The
 * date is the user's own; where that is not known it is the one in UTC, and `date_basis` says so. Times at which a sum
 * makes no sense (a rate, a level) have one all the same: nothing here knows what is asked.
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
