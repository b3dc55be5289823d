import { columnMeasures, sampleMeasures } from '@aorta/schemas';
import { type Preferences, type PreferredMeasure, sourceOrder } from '../../preferences.ts';
import type { ViewDialect } from '../views/dialect.ts';
import { plausibleValue } from '../views/plausible.ts';
import { DAYS_BEFORE, daysBefore, sourceName, sourceRank, usualSource } from '../views/source-rank.ts';
import { conversion } from '../views/unit-conversions.ts';
import type { ComputedColumn, From, KeptTable } from './kept-table.ts';
import { hasMoved, ofWorn } from './movement.ts';

/**
 * Daily measures, and the summary column that contains the value of each. The daily total of a source is the greatest total
 * that it sent.
 */
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

/** Daily measures that are means of samples. The name of the measure is also the name of the resource. */
const sampled: readonly PreferredMeasure[] = ['heartrate', 'hrv', 'glucose', 'blood_oxygen'];

/** Daily measures that are either a mean of samples or a value of `body`. */
const weighed = Object.keys(summaries.body) as PreferredMeasure[];

const ofSampledResources: readonly string[] = [...sampled, ...weighed];

const measures = [...(Object.keys(summaries.activity) as PreferredMeasure[]), ...sampled, ...weighed];

/** The ids of the measures whose values become a measure of `metric_days`, and that measure. */
export const measuresOfDays: ReadonlyMap<string, string> = new Map([
  ...columnMeasures.flatMap(({ id, table, column }) =>
    Object.entries(summaries[table as keyof typeof summaries] ?? {})
      .filter(([, of]) => of === column)
      .map(([measure]) => [id, measure] as const),
  ),
  ...sampleMeasures
    .filter(({ resource }) => ofSampledResources.includes(resource))
    .map(({ id, resource }) => [id, resource] as const),
]);

const columns: readonly ComputedColumn[] = [
  { name: 'user_id', type: 'string', class: 'key', doc: 'User.' },
  {
    name: 'local_date',
    type: 'date',
    class: 'key',
    doc: 'Local date of the user. A sample without a local date counts on its UTC date.',
  },
  { name: 'measure', type: 'string', class: 'key', doc: `One of ${measures.join(', ')}.` },
  {
    name: 'value',
    type: 'float64',
    class: 'measure',
    unit: 'unit',
    doc: 'Value of the day in the canonical unit: a total, a state, or a mean of hourly means.',
  },
  {
    name: 'sample_avg',
    type: 'float64',
    class: 'measure',
    unit: 'unit',
    doc: 'Unweighted mean of the samples: their duration does not matter. NULL if the value does not come from samples.',
  },
  {
    name: 'lowest',
    type: 'float64',
    class: 'measure',
    unit: 'unit',
    doc: 'Lowest sample of the day; NULL if the value does not come from samples.',
  },
  {
    name: 'highest',
    type: 'float64',
    class: 'measure',
    unit: 'unit',
    doc: 'Highest sample of the day; NULL if the value does not come from samples.',
  },
  { name: 'unit', type: 'string', class: 'measure', doc: 'The canonical unit as a UCUM code.' },
  { name: 'provider', type: 'string', class: 'key', doc: 'Provider of the value.' },
  { name: 'source_type', type: 'string', class: 'key', doc: 'Source type of the value.' },
  { name: 'source', type: 'string', class: 'key', doc: 'Source of the value, as `provider/source_type`.' },
  { name: 'others', type: 'int64', class: 'measure', doc: 'Number of other sources that have a value.' },
  {
    name: 'unworn_others',
    type: 'int64',
    class: 'measure',
    doc: 'Number of these sources that do not count, because they show no movement on a day on which another source shows some.',
  },
];

/**
 * For each measure, the daily value of the best source that has one, in the canonical unit. If a source has samples and a
 * summary, its samples count. Values that are not plausible do not count, and neither do samples in an unknown unit.
 */
export const metricDays = (preferences: Preferences): KeptTable => ({
  name: 'metric_days',
  doc: 'One measure of a user on a local date, from one source.',
  columns,
  key: ['user_id', 'local_date', 'measure'],
  scope: { of: 'day', date: 'local_date', daysBefore: DAYS_BEFORE },
  query: (dialect, from) => {
    const key = 'user_id, local_date, measure, unit, provider, source_type';
    const day = 'partition by user_id, local_date, measure';
    const worn = 'case when is_unworn = 0 then 1 end';
    return `select
  user_id, local_date, measure, value, sample_avg, lowest, highest, unit,
  provider, source_type, ${sourceName(dialect)} as source, others, unworn_others
from (
  select
    *, count(*) over (${day}) - 1 as others, sum(is_unworn) over (${day}) as unworn_others,
    row_number() over (
      ${day} order by is_unworn, ${rankOfMeasure(dialect, preferences)}, ${usualSource(dialect, 'days_before')}
    ) as place
  from (
    select *, ${daysBefore(dialect, 'user_id, measure, provider, source_type', 'local_date', worn)} as days_before
    from (
      select
        ${key}, coalesce(max(case when lowest is not null then value end), max(value)) as value,
        max(sample_avg) as sample_avg, max(lowest) as lowest, max(highest) as highest, max(is_unworn) as is_unworn
      from (
${ofSummary(dialect, from, 'activity')}
        union all
${ofSummary(dialect, from, 'body')}
        union all
${ofSamples(dialect, from)}
      ) sent
      group by ${key}
    ) values_of_sources
  ) compared
) ordered
where place = 1 and is_unworn = 0`;
  },
});

/** Expression for the rank of a source, which depends on the column `measure`. */
function rankOfMeasure(dialect: ViewDialect, preferences: Preferences): string {
  const ranks = Map.groupBy(measures, (measure) => sourceRank(dialect, sourceOrder(preferences, measure)));
  const branches = [...ranks].map(([rank, of]) => `when measure in (${of.map(dialect.text).join(', ')}) then ${rank}`);
  return `case ${branches.join(' ')} end`;
}

/** Query for the plausible values of a summary table, with one row per source, day and measure. */
function ofSummary({ text, float, rows, latest }: ViewDialect, from: From, name: keyof typeof summaries): string {
  const of = Object.entries(summaries[name]).map(([measure, column]) => {
    const { kind, unit } = columnMeasures.find((one) => one.table === name && one.column === column)!;
    return { measure, column, unit, value: kind === 'level' ? latest(column, 'version') : `max(${column})` };
  });
  const source = 'user_id, calendar_date, provider, source_type';
  const plausible = of.map(({ column }) => `${plausibleValue(name, column)} as ${column}`).join(', ');
  const branches = of.map(({ measure, column }) => ` when ${text(measure)} then ${float(column)}`).join('');
  const isUnworn = `measure in (${ofWorn.map(text).join(', ')}) and has_moved = 0 and somebody_moved = 1`;
  const moved = name === 'activity' ? `max(${hasMoved})` : '0';
  const names = [
    { name: 'measure', type: 'string' },
    { name: 'unit', type: 'string' },
  ] as const;
  const pairs = rows(
    names,
    of.map(({ measure, unit }) => [measure, unit]),
  );
  return `      select *
      from (
        select
          user_id, calendar_date as local_date, measure, unit, provider, source_type, case measure${branches} end as value,
          ${float('null')} as sample_avg, ${float('null')} as lowest, ${float('null')} as highest,
          case when ${isUnworn} then 1 else 0 end as is_unworn
        from (
          select *, max(has_moved) over (partition by user_id, calendar_date) as somebody_moved
          from (
            select ${source}, ${moved} as has_moved, ${of.map(({ column, value }) => `${value} as ${column}`).join(', ')}
            from (
              select
                ${source}, ${plausible},
                row_number() over (partition by ${source} order by _version_time, _received_at, id) as version
              from ${from(name)}
              where calendar_date is not null
            ) versions
            group by ${source}
          ) totals
        ) worn
        cross join (${pairs}) measured
      ) of_measures
      where value is not null`;
}

/** Query for the means of samples, with one row per source, day and resource. */
function ofSamples(dialect: ViewDialect, from: From): string {
  const { text } = dialect;
  const of = (value: string) => conversion(dialect, 'd.resource', value, 'd.unit');
  const { join, unit } = of('d.value_avg');
  const counted = '(d.samples - d.implausible)';
  return `      select
        d.user_id, d.local_date, d.resource as measure, ${unit}, d.provider, d.source_type,
        max(d.source_avg_canonical) as value, sum(${of('d.value_sample_avg').value} * ${counted}) / sum(${counted}) as sample_avg,
        min(${of('d.value_min').value}) as lowest, max(${of('d.value_max').value}) as highest, 0 as is_unworn
      from ${from('timeseries_daily')} d
      ${join}
      where d.resource in (${ofSampledResources.map(text).join(', ')}) and d.value_avg is not null and ${unit} is not null
      group by d.user_id, d.local_date, d.resource, ${unit}, d.provider, d.source_type`;
}
