import { HOUR_US, lasting, lastingSamples, whole } from '../kept/lasting-samples.ts';
import { sourceColumns } from './columns.ts';
import type { View, ViewColumn, ViewDialect } from './dialect.ts';
import { countedSamples } from './unit-conversions.ts';

const columnsWith = (...own: readonly ViewColumn[]): readonly ViewColumn[] => [
  { name: 'user_id', type: 'string', doc: 'User.' },
  { name: 'local_date', type: 'date', doc: 'Local date. A sample without a local date counts on its UTC date.' },
  { name: 'local_hour', type: 'int64', doc: 'Hour of the local time in which the samples start, from 0 to 23.' },
  ...sourceColumns,
  ...own,
  { name: 'samples', type: 'int64', unit: 'count', doc: 'Number of samples that count.' },
];

/** Joins rows `h` of hours with the source that decided the day. */
const ofDay = ({ table, text }: ViewDialect, measure: string): string => `join ${table('metric_days')} d
  on d.user_id = h.user_id and d.local_date = h.local_date and d.provider = h.provider and d.source_type = h.source_type
  and d.measure = ${text(measure)}`;

/** The steps of each hour, as the source of the day sent them. A sample counts in the hour in which it starts. */
export function stepsHoursView(dialect: ViewDialect): View {
  const { table, date, text } = dialect;
  const { join, counts, value } = countedSamples(dialect, 's');
  const hour = 'coalesce(s.local_hour, extract(hour from s.start_at))';
  const day = `coalesce(s.local_date, ${date('s.start_at')})`;
  return {
    name: 'steps_hours',
    doc: 'The steps of a user in one local hour, from the source of `steps` in `person_days`.',
    columns: columnsWith(
      { name: 'steps', type: 'int64', unit: 'count', doc: 'Number of steps.' },
      {
        name: 'day_steps',
        type: 'int64',
        unit: 'count',
        doc: 'Steps of the whole day in `person_days`. The hours sum to it if the source sent the samples behind its total.',
      },
    ),
    query: `select
  h.user_id, h.local_date, h.local_hour, h.provider, h.source_type, d.source, h.steps, cast(d.value as int64) as day_steps, h.samples
from (
  select
    s.user_id, ${day} as local_date, ${hour} as local_hour, s.provider, s.source_type,
    cast(round(sum(${value})) as int64) as steps, count(*) as samples
  from ${table('timeseries_local')} s
  ${join}
  where s.resource = ${text('steps')} and ${counts}
  group by s.user_id, ${day}, ${hour}, s.provider, s.source_type
) h
${ofDay(dialect, 'steps')}`,
  };
}

/** The heart rate of each hour. The mean of the hours is the mean of the day. */
export function heartrateHoursView(dialect: ViewDialect): View {
  const keys = ['user_id', 'provider', 'source_type'];
  const samples = lastingSamples(
    dialect,
    dialect.table,
    ['heartrate'],
    keys.map((key) => `s.${key}`),
  );
  const bpm = (name: string, doc: string): ViewColumn => ({ name, type: 'float64', unit: 'bpm', doc });
  return {
    name: 'heartrate_hours',
    doc: 'The heart rate of a user in one local hour, from the source of `heartrate` in `person_days`.',
    columns: columnsWith(
      bpm(
        'avg_bpm',
        'Mean of the samples, weighted by how long each lasts. The mean of the hours of a day is that of `person_days`.',
      ),
      bpm('min_bpm', 'Lowest sample.'),
      bpm('max_bpm', 'Highest sample.'),
    ),
    query: `select
  h.user_id, h.local_date, h.local_hour, h.provider, h.source_type, d.source, h.avg_bpm, h.min_bpm, h.max_bpm, h.samples
from (
  select
    ${keys.join(', ')}, ${dialect.addDays("date '1970-01-01'", whole('local_period', 24))} as local_date,
    cast(local_period - 24 * ${whole('local_period', 24)} as int64) as local_hour,
    -- The value of a single sample stays exact.
    case when count(*) = 1 then max(canonical) else sum(canonical * lasts_us) / sum(lasts_us) end as avg_bpm,
    min(canonical) as min_bpm, max(canonical) as max_bpm, count(*) as samples
  from (
${lasting(samples, keys, HOUR_US, [...keys, 'source_key'])}
  ) lasting
  where canonical is not null
  group by ${keys.join(', ')}, local_period
) h
${ofDay(dialect, 'heartrate')}`,
  };
}
