import { sampleMeasures } from '@aorta/schemas';
import { laterThanReceipt } from '../views/data-issues.ts';
import type { ViewDialect } from '../views/dialect.ts';
import { startInstant } from '../views/local-time.ts';
import { sourceName } from '../views/source-rank.ts';
import { type CountedSamples, countedSamples } from '../views/unit-conversions.ts';
import type { ComputedColumn, From, KeptStep, KeptTable } from './kept-table.ts';
import { HOUR_US, lasting, lastingSamples, sourceKey, whole } from './lasting-samples.ts';

const key = ['user_id', 'resource', 'provider', 'source_type', 'sample_type', 'local_date', 'date_basis', 'unit'];

/** Resources whose values are levels. Their means are weighted by time. */
const levels: readonly string[] = [
  ...new Set(sampleMeasures.flatMap(({ kind, resource }) => (kind === 'level' ? [resource] : []))),
];
/** Expression for a positive number that orders instants. `micros` is in microseconds since 1970. */
export const aboveZero = (micros: string): string => `${micros} + 62200000000000000`;

const aggregate = (name: string, doc: string, unit?: string): ComputedColumn => ({
  name,
  type: 'float64',
  class: 'measure',
  doc,
  unit,
});

/**
 * Samples aggregated by user, resource, source, day and unit. The day is the user's local date. If the local date is unknown,
 * the day is the date in UTC. `date_basis` shows which of the two it is. The sums are computed for every resource, even for
 * rates and levels, for which a sum has no meaning.
 */
export const timeseriesDaily: KeptTable = {
  name: 'timeseries_daily',
  doc: 'Samples aggregated by user, resource, source, day and unit. Values outside the plausible range of their measure do not count.',
  key,
  scope: { of: 'day', date: 'local_date' },
  columns: [
    { name: 'user_id', type: 'string', class: 'key', doc: 'Id of the user, as assigned by the service.' },
    { name: 'resource', type: 'string', class: 'key', doc: 'Timeseries resource.' },
    { name: 'provider', type: 'string', class: 'key', doc: 'Provider of the samples.' },
    { name: 'source_type', type: 'string', class: 'key', doc: 'Type of the source, such as `watch`.' },
    { name: 'source', type: 'string', class: 'key', doc: 'Source of the samples, as `provider/source_type`.' },
    { name: 'sample_type', type: 'string', class: 'key', doc: 'Type of the samples.' },
    { name: 'local_date', type: 'date', class: 'measure', doc: 'Local date of the samples, or their date in UTC.' },
    { name: 'date_basis', type: 'string', class: 'measure', doc: '`local`, or `utc` if the local date is unknown.' },
    { name: 'unit', type: 'string', class: 'measure', doc: 'Unit of the values, as sent.' },
    { name: 'samples', type: 'int64', class: 'measure', doc: 'Number of samples, including implausible ones.' },
    {
      name: 'implausible',
      type: 'int64',
      class: 'measure',
      doc: 'Number of samples outside the plausible range of their measure. No value of the row uses them.',
    },
    aggregate('value_min', 'Lowest value.', 'unit'),
    aggregate('value_max', 'Highest value.', 'unit'),
    aggregate(
      'value_avg',
      'For levels, such as a heart rate, the mean of the hourly means, which are weighted by time. For other measures, the mean of the samples.',
      'unit',
    ),
    aggregate(
      'value_sample_avg',
      'Unweighted mean of the samples: their duration does not matter, so hours with more samples count more.',
      'unit',
    ),
    aggregate('value_sum', 'Sum of the values. Rates and levels have no meaningful sum.', 'unit'),
    aggregate(
      'source_avg_canonical',
      'For levels, the mean as in `value_avg`, but over all samples of the source on this day and in the canonical unit. The unit and type of the samples do not matter. NULL for other measures, if the unit is not known, or if no sample of the row counts.',
    ),
    { name: 'first_at', type: 'timestamp', class: 'measure', doc: 'Start of the first sample, as sent.' },
    { name: 'last_at', type: 'timestamp', class: 'measure', doc: 'Start of the last sample, as sent.' },
    {
      name: 'latest_at',
      type: 'timestamp',
      class: 'measure',
      doc: 'Instant of the last sample that counts and is not later than its receipt. NULL if no such sample has a known instant.',
    },
    { name: 'latest_start_at', type: 'timestamp', class: 'measure', doc: 'Start of this sample, as sent.' },
    {
      name: 'latest_floating_at',
      type: 'timestamp',
      class: 'measure',
      doc: 'Local time, marked as UTC, of the last such sample whose instant is not known.',
    },
  ],
  steps: hourlyMeans,
  query: (dialect, from) => {
    const converted = countedSamples(dialect, 's');
    const { join, knownUnit, implausible } = converted;
    const value = `case when not ${implausible} then s.value end`;
    const latest = latestTimes(dialect, converted);
    const own = groupColumns(dialect, 's');
    const source = `${sourceName(dialect, 'g.provider', 'g.source_type')} as source`;
    return `select
  ${key.flatMap((name) => (name === 'source_type' ? [`g.${name}`, source] : [`g.${name}`])).join(', ')},
  samples, implausible, value_min, value_max,
  coalesce(of_group.value_avg, value_sample_avg) as value_avg, value_sample_avg, value_sum,
  case when is_known = 1 and of_group.value_avg is not null then of_source.value_avg end as source_avg_canonical,
  first_at, last_at, latest_at, latest_start_at, latest_floating_at
from (
  select
    g.*, ${dialect.dayNumber('g.local_date')} as day,
    ${sourceKey(dialect, 'g')} as source_key, ${groupKey(dialect, 'g')} as group_key
  from (
    select
      ${own.map(({ name, value: of }) => `${of} as ${name}`).join(', ')},
      max(case when ${knownUnit} then 1 else 0 end) as is_known,
      count(*) as samples, count(case when ${implausible} then 1 end) as implausible,
      min(${value}) as value_min, max(${value}) as value_max, avg(${value}) as value_sample_avg, sum(${value}) as value_sum,
      min(s.start_at) as first_at, max(s.start_at) as last_at,
      max(${latest.known}) as latest_at,
      ${dialect.latest('s.start_at', aboveZero(dialect.micros(latest.known)))} as latest_start_at,
      max(${latest.floating}) as latest_floating_at
    from ${from('timeseries_local')} s
    ${join}
    group by ${own.map(({ value: of }) => of).join(', ')}
  ) g
) g
left join group_days of_group on of_group.group_key = g.group_key and of_group.day = g.day
left join source_means of_source on of_source.source_key = g.source_key and of_source.day = g.day`;
  },
};

const dateBasis = (sample: string): string => `case when ${sample}.local_date is null then 'utc' else 'local' end`;

/** The columns of {@link key}, as expressions over a sample. */
function groupColumns({ date }: ViewDialect, sample: string): { readonly name: string; readonly value: string }[] {
  const computed: Readonly<Record<string, string>> = {
    local_date: `coalesce(${sample}.local_date, ${date(`${sample}.start_at`)})`,
    date_basis: dateBasis(sample),
  };
  return key.map((name) => ({ name, value: computed[name] ?? `${sample}.${name}` }));
}

/** The latest times of samples that count and are not later than their receipt: instants, and local times without an offset. */
function latestTimes(dialect: ViewDialect, { counts }: CountedSamples): { readonly known: string; readonly floating: string } {
  const instant = startInstant(dialect, 's');
  const considered = `${counts} and not ${laterThanReceipt(dialect, `coalesce(${instant}, s.start_at)`, 's')}`;
  return {
    known: `case when ${considered} then ${instant} end`,
    floating: `case when ${considered} and s.time_basis = 'floating' and s.local_offset_s is null then s.start_at end`,
  };
}

/** Key of the samples that one row aggregates, apart from the date. */
function groupKey({ groupKey: keyOf }: ViewDialect, row: string, basis = `${row}.date_basis`): string {
  const names = ['user_id', 'resource', 'provider', 'source_type', 'sample_type'].map((name) => `${row}.${name}`);
  return keyOf([...names, basis, `coalesce('=' || ${row}.unit, '')`]);
}

/**
 * Queries for the means of levels. `level_hours` has the hourly sums for each row of the table, and `group_days` has the
 * daily mean. `source_means` has the daily mean of each source, whatever the units and types of its samples.
 *
 * A sample lasts until its end, but not beyond the next sample of its source, whatever the value of that is. Without an end, it lasts
 * at most ten minutes, and 20 for glucose. It counts only within its hour. The mean of an hour is weighted by these durations. The mean of a
 * day is the unweighted mean of its hours with samples.
 *
 * Windows and groups use only numbers as keys. With texts as keys, ten million samples take four times as long.
 */
function hourlyMeans(dialect: ViewDialect, from: From): KeptStep[] {
  const day = whole('local_hour', 24);
  const keys = ['source_key', 'group_key'];
  const sent = lastingSamples(dialect, from, levels, [`${groupKey(dialect, 's', dateBasis('s'))} as group_key`]);
  return [
    {
      name: 'level_hours',
      query: `select
  source_key, group_key, local_period as local_hour, count(*) as samples, sum(lasts_us) as lasts_us,
  max(value) as greatest, sum(value * lasts_us) as weighted,
  max(canonical) as greatest_canonical, sum(canonical * lasts_us) as weighted_canonical
from (
${lasting(sent, keys, HOUR_US)}
) lasting
group by source_key, group_key, local_period`,
    },
    {
      // The value of a single sample stays exact.
      name: 'group_days',
      query: `select group_key, ${day} as day, avg(case when samples = 1 then greatest else weighted / lasts_us end) as value_avg
from level_hours
group by group_key, ${day}`,
    },
    {
      name: 'source_means',
      query: `select source_key, ${day} as day, avg(hour_avg) as value_avg
from (
  select
    source_key, local_hour,
    case when sum(samples) = 1 then max(greatest_canonical) else sum(weighted_canonical) / sum(lasts_us) end as hour_avg
  from level_hours
  where greatest_canonical is not null
  group by source_key, local_hour
) hours
group by source_key, ${day}`,
    },
  ];
}
