import type { View, ViewDialect } from './dialect.ts';
import { sourceName, sourceRank } from './source-rank.ts';

const reported = {
  steps: 'steps',
  distance: 'distance_m',
  calories_active: 'calories_active_kcal',
  floors_climbed: 'floors_climbed',
};
const sampled = ['heartrate', 'hrv', 'glucose', 'blood_oxygen', 'weight', 'fat'];

/**
 * For each measure, the daily value of the source with the best rank. It does not merge sources over time yet, so `coverage` is
 * NULL.
 */
export function metricDaysView(dialect: ViewDialect): View {
  const { table, text } = dialect;
  const source = sourceName(dialect);
  const totals = Object.entries(reported).map(
    ([
      measure,
      column,
    ]) => `  select user_id, calendar_date, ${text(measure)} as measure, ${column} * 1e0 as value, '' as unit, provider, source_type
  from ${table('activity')}
  where calendar_date is not null and ${column} is not null`,
  );
  return {
    name: 'metric_days',
    query: `select
  user_id, calendar_date as local_date, measure, value, unit, ${source} as source, case when false then value end as coverage
from (
  select
    *, row_number() over (
      partition by user_id, calendar_date, measure order by ${sourceRank(dialect)}, provider, source_type, value desc, unit
    ) as place
  from (
${totals.join('\n  union all\n')}
  union all
  select
    user_id, calendar_date, resource as measure, sum(value_avg * samples) / sum(samples) as value,
    case lower(unit) when 'mg/dl' then 'mg/dL' when 'mmol/l' then 'mmol/L' else unit end as unit, provider, source_type
  from ${table('timeseries_daily')}
  where resource in (${sampled.map(text).join(', ')}) and value_avg is not null
  group by user_id, calendar_date, resource, unit, provider, source_type
  ) values_of_sources
) ordered
where place = 1`,
  };
}
