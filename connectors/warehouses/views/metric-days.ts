import type { View, ViewDialect } from './dialect.ts';
import { sourceName, sourceRank } from './source-rank.ts';
import { conversion } from './unit-conversions.ts';

const reported = {
  steps: 'steps',
  distance: 'distance_m',
  calories_active: 'calories_active_kcal',
  floors_climbed: 'floors_climbed',
};
const sampled = ['heartrate', 'hrv', 'glucose', 'blood_oxygen', 'weight', 'fat'];

/**
 * For each measure, the daily value of the source with the best rank, in the canonical unit. Samples whose unit is not
 * known for the measure do not count. The view does not merge sources over time yet, so `coverage` is NULL.
 */
export function metricDaysView(dialect: ViewDialect): View {
  const { table, text } = dialect;
  const source = sourceName(dialect);
  const { join, value, unit } = conversion(dialect, 'd.resource', 'd.value_avg', 'd.unit');
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
    doc: 'One measure of a user on a local date, from the source with the best rank.',
    columns: [
      { name: 'user_id', type: 'string', doc: 'Id of the user.' },
      { name: 'local_date', type: 'date', doc: 'Local date.' },
      { name: 'measure', type: 'string', doc: 'Id of the measure.' },
      {
        name: 'value',
        type: 'float64',
        unit: 'unit',
        doc: 'Value of the day in the canonical unit: a total, or the mean of the samples.',
      },
      { name: 'unit', type: 'string', doc: 'The canonical unit as a UCUM code; empty for totals.' },
      { name: 'source', type: 'string', doc: 'Source of the value, as `provider/source_type`.' },
      {
        name: 'coverage',
        type: 'float64',
        doc: 'Share of the day for which the source has data, from 0 to 1; NULL if it is not known.',
      },
    ],
    query: `select
  user_id, calendar_date as local_date, measure, value, unit, ${source} as source, case when false then value end as coverage
from (
  select
    *, row_number() over (
      partition by user_id, calendar_date, measure order by ${sourceRank(dialect)}, provider, source_type, value desc
    ) as place
  from (
${totals.join('\n  union all\n')}
  union all
  select
    d.user_id, d.calendar_date, d.resource as measure, sum(${value} * d.samples) / sum(d.samples) as value, ${unit}, d.provider,
    d.source_type
  from ${table('timeseries_daily')} d
  ${join}
  where d.resource in (${sampled.map(text).join(', ')}) and d.value_avg is not null and ${unit} is not null
  group by d.user_id, d.calendar_date, d.resource, ${unit}, d.provider, d.source_type
  ) values_of_sources
) ordered
where place = 1`,
  };
}
