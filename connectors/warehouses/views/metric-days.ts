import { columnMeasures } from '@aorta/schemas';
import { type Preferences, type PreferredMeasure, sourceOrder } from '../../preferences.ts';
import type { View, ViewDialect } from './dialect.ts';
import { sourceName, sourceRank } from './source-rank.ts';
import { conversion } from './unit-conversions.ts';

/** Measures of a day, and the column of a summary with their value. A total of a day is the greatest one that a source sent. */
const summaries: Readonly<Record<'activity' | 'body', Readonly<Partial<Record<PreferredMeasure, string>>>>> = {
  activity: {
    steps: 'steps',
    distance: 'distance_m',
    calories_active: 'calories_active_kcal',
    calories_total: 'calories_total_kcal',
    floors_climbed: 'floors_climbed',
    heart_rate_resting: 'heart_rate_resting_bpm',
  },
  body: { weight: 'weight_kg', fat: 'fat_pct' },
};

/** Measures of a day that are means of samples. The resource has the name of the measure. */
const sampled: readonly PreferredMeasure[] = ['heartrate', 'hrv', 'glucose', 'blood_oxygen'];

/** Measures of a day that are the mean of such samples, or a value of `body`. */
const weighed = Object.keys(summaries.body) as PreferredMeasure[];

const measures = [...(Object.keys(summaries.activity) as PreferredMeasure[]), ...sampled, ...weighed];

/**
 * For each measure, the daily value of the best source that has one, in the canonical unit. If a source has samples and a
 * summary, its samples count. Samples whose unit is not known for the measure do not count.
 */
export function metricDaysView(dialect: ViewDialect, preferences: Preferences): View {
  const key = 'user_id, calendar_date, measure, unit, provider, source_type';
  return {
    name: 'metric_days',
    doc: 'One measure of a user on a local date, from one source.',
    columns: [
      { name: 'user_id', type: 'string', doc: 'User.' },
      {
        name: 'local_date',
        type: 'date',
        doc: 'Local date of the user. A sample without a local date counts on its UTC date.',
      },
      { name: 'measure', type: 'string', doc: `One of ${measures.join(', ')}.` },
      {
        name: 'value',
        type: 'float64',
        unit: 'unit',
        doc: 'Value of the day in the canonical unit: a total, a state, or the mean of the samples.',
      },
      {
        name: 'lowest',
        type: 'float64',
        unit: 'unit',
        doc: 'Lowest sample of the day; NULL if the value is no mean of samples.',
      },
      {
        name: 'highest',
        type: 'float64',
        unit: 'unit',
        doc: 'Highest sample of the day; NULL if the value is no mean of samples.',
      },
      { name: 'unit', type: 'string', doc: 'The canonical unit as a UCUM code.' },
      {
        name: 'source',
        type: 'string',
        doc: 'Source of the value, as `provider/source_type`: the best one that has a value.',
      },
      { name: 'others', type: 'int64', doc: 'Number of other sources that have a value.' },
    ],
    query: `select
  user_id, calendar_date as local_date, measure, value, lowest, highest, unit, ${sourceName(dialect)} as source, others
from (
  select
    *,
    count(*) over (partition by user_id, calendar_date, measure) - 1 as others,
    row_number() over (
      partition by user_id, calendar_date, measure order by ${rankOfMeasure(dialect, preferences)}, provider, source_type
    ) as place
  from (
${ofSummary(dialect, 'activity')}
    union all
${ofSamples(dialect, sampled)}
    union all
    select
      ${key}, coalesce(max(case when lowest is not null then value end), max(value)), max(lowest), max(highest)
    from (
${ofSummary(dialect, 'body')}
    union all
${ofSamples(dialect, weighed)}
    ) sent
    group by ${key}
  ) values_of_sources
) ordered
where place = 1`,
  };
}

/** Expression for the rank of a source, which depends on the column `measure`. */
function rankOfMeasure(dialect: ViewDialect, preferences: Preferences): string {
  const ranks = Map.groupBy(measures, (measure) => sourceRank(dialect, sourceOrder(preferences, measure)));
  const branches = [...ranks].map(([rank, of]) => `when measure in (${of.map(dialect.text).join(', ')}) then ${rank}`);
  return `case ${branches.join(' ')} end`;
}

/** Query for the values of a summary table, with one row per source, day and measure. */
function ofSummary({ table, text, float, rows, latest }: ViewDialect, name: keyof typeof summaries): string {
  const of = Object.entries(summaries[name]).map(([measure, column]) => {
    const { kind, unit } = columnMeasures.find((one) => one.table === name && one.column === column)!;
    return { measure, column, unit, value: kind === 'level' ? latest(column, 'version') : `max(${column})` };
  });
  const source = 'user_id, calendar_date, provider, source_type';
  const columns = of.map(({ column }) => column).join(', ');
  const branches = of.map(({ measure, column }) => ` when ${text(measure)} then ${float(column)}`).join('');
  const names = [
    { name: 'measure', type: 'string' },
    { name: 'unit', type: 'string' },
  ] as const;
  const pairs = rows(
    names,
    of.map(({ measure, unit }) => [measure, unit]),
  );
  return `    select *
    from (
      select
        user_id, calendar_date, measure, unit, provider, source_type, case measure${branches} end as value,
        ${float('null')} as lowest, ${float('null')} as highest
      from (
        select ${source}, ${of.map(({ column, value }) => `${value} as ${column}`).join(', ')}
        from (
          select
            ${source}, ${columns},
            row_number() over (partition by ${source} order by _version_time, _received_at, id) as version
          from ${table(name)}
          where calendar_date is not null
        ) versions
        group by ${source}
      ) totals
      cross join (${pairs}) measured
    ) of_measures
    where value is not null`;
}

/** Query for the means of samples, with one row per source, day and resource. */
function ofSamples(dialect: ViewDialect, resources: readonly string[]): string {
  const { table, text } = dialect;
  const of = (value: string) => conversion(dialect, 'd.resource', value, 'd.unit');
  const { join, value, unit } = of('d.value_avg');
  return `    select
      d.user_id, d.calendar_date, d.resource as measure, ${unit}, d.provider, d.source_type,
      sum(${value} * d.samples) / sum(d.samples) as value, min(${of('d.value_min').value}) as lowest, max(${of('d.value_max').value}) as highest
    from ${table('timeseries_daily')} d
    ${join}
    where d.resource in (${resources.map(text).join(', ')}) and d.value_avg is not null and ${unit} is not null
    group by d.user_id, d.calendar_date, d.resource, ${unit}, d.provider, d.source_type`;
}
