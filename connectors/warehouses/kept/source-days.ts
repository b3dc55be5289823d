import type { ViewDialect } from '../views/dialect.ts';
import { sourceName } from '../views/source-rank.ts';
import type { From, KeptTable } from './kept-table.ts';

/** Summaries that have values of `person_days`. Those without a date do not count. */
const summaries = ['activity', 'body', 'sleep', 'workouts'];

/** Reads the stored daily samples, or else the samples, because a view of daily samples computes much more than their number. */
const ofSamples = ({ kept, date }: ViewDialect, from: From): string =>
  kept === undefined
    ? `select user_id, coalesce(local_date, ${date('start_at')}) as local_date, provider, source_type, 1 as samples, 0 as summaries
  from ${from('timeseries_local')}`
    : `select user_id, local_date, provider, source_type, samples, 0 as summaries
  from ${from('timeseries_daily')}`;

/** The sources of the values in `person_days`, by local date. */
export const sourceDays: KeptTable = {
  name: 'source_days',
  doc: 'One source with data of a user on a local date.',
  columns: [
    { name: 'user_id', type: 'string', class: 'key', doc: 'User.' },
    {
      name: 'local_date',
      type: 'date',
      class: 'key',
      doc: 'Local date of the samples and readings, or `calendar_date` of the summaries. A sample without a local date counts on its UTC date.',
    },
    { name: 'provider', type: 'string', class: 'key', doc: 'Provider of the data.' },
    { name: 'source_type', type: 'string', class: 'key', doc: 'Source type of the data.' },
    { name: 'source', type: 'string', class: 'key', doc: 'Source of the data, as `provider/source_type`.' },
    { name: 'samples', type: 'int64', class: 'measure', doc: 'Number of samples, including blood pressure readings.' },
    {
      name: 'summaries',
      type: 'int64',
      class: 'measure',
      doc: 'Number of rows in `activity`, `body`, `sleep` and `workouts`.',
    },
  ],
  key: ['user_id', 'local_date', 'provider', 'source_type'],
  scope: { of: 'day', date: 'local_date' },
  query: (dialect, from) => `select
  user_id, local_date, provider, source_type, ${sourceName(dialect)} as source,
  cast(sum(samples) as int64) as samples, cast(sum(summaries) as int64) as summaries
from (
  ${ofSamples(dialect, from)}
  union all
  select user_id, coalesce(local_date, ${dialect.date('start_at')}), provider, source_type, 1, 0
  from ${from('blood_pressure_local')}
${summaries
  .map(
    (name) => `  union all
  select user_id, calendar_date, provider, source_type, 0, 1
  from ${from(name)}
  where calendar_date is not null`,
  )
  .join('\n')}
) sent
group by user_id, local_date, provider, source_type`,
};
