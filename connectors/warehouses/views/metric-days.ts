import { columnMeasures } from '@aorta/schemas';
import { type Preferences, type PreferredMeasure, sourceOrder } from '../../preferences.ts';
import type { View, ViewDialect } from './dialect.ts';
import { sourceName, sourceRank } from './source-rank.ts';
import { conversion } from './unit-conversions.ts';

/** Measures of a day, and the column of a summary with their value. A total of a day is the greatest one that a source sent. */
const summaries: Readonly<Record<string, Readonly<Partial<Record<PreferredMeasure, string>>>>> = {
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

/** Measures of a day that are the mean of the samples of the resource of the same name. */
const sampled: readonly PreferredMeasure[] = ['heartrate', 'hrv', 'glucose', 'blood_oxygen', 'weight', 'fat'];

const measures = [...new Set([...Object.values(summaries).flatMap(Object.keys), ...sampled])] as PreferredMeasure[];

/**
 * For each measure, the daily value of the best source that has one, in the canonical unit. If a source has samples and a
 * summary, its samples count. Samples whose unit is not known for the measure do not count.
 */
export function metricDaysView(dialect: ViewDialect, preferences: Preferences): View {
  const group = 'user_id, calendar_date, measure, unit, provider, source_type';
  return {
    name: 'metric_days',
    doc: 'One measure of a local date of a user, from one source.',
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
      { name: 'unit', type: 'string', doc: 'The canonical unit as a UCUM code.' },
      {
        name: 'source',
        type: 'string',
        doc: 'Source of the value, as `provider/source_type`: the best one that has a value.',
      },
      { name: 'others', type: 'int64', doc: 'Number of other sources that have a value.' },
    ],
    query: `select
  user_id, calendar_date as local_date, measure, value, unit, ${sourceName(dialect)} as source, others
from (
  select
    ${group}, value,
    count(*) over (partition by user_id, calendar_date, measure) - 1 as others,
    row_number() over (
      partition by user_id, calendar_date, measure order by ${rankOfMeasure(dialect, preferences)}, provider, source_type
    ) as place
  from (
    select ${group}, coalesce(max(sampled), max(summarized)) as value
    from (
${[...Object.keys(summaries).map((table) => ofSummary(dialect, table)), ofSamples(dialect)].join('\n      union all\n')}
    ) sent
    where sampled is not null or summarized is not null
    group by ${group}
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
function ofSummary({ table, text, float, rows, latest }: ViewDialect, name: string): string {
  const of = Object.entries(summaries[name]!).map(([measure, column]) => {
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
  return `      select user_id, calendar_date, measure, unit, provider, source_type, null as sampled, case measure${branches} end as summarized
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
      cross join (${rows(
        names,
        of.map(({ measure, unit }) => [measure, unit]),
      )}) measured`;
}

function ofSamples(dialect: ViewDialect): string {
  const { table, text } = dialect;
  const { join, value, unit } = conversion(dialect, 'd.resource', 'd.value_avg', 'd.unit');
  return `      select
        d.user_id, d.calendar_date, d.resource, ${unit}, d.provider, d.source_type,
        sum(${value} * d.samples) / sum(d.samples), null
      from ${table('timeseries_daily')} d
      ${join}
      where d.resource in (${sampled.map(text).join(', ')}) and d.value_avg is not null and ${unit} is not null
      group by d.user_id, d.calendar_date, d.resource, ${unit}, d.provider, d.source_type`;
}
