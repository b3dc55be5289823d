import type { KeptTable } from './kept-table.ts';
import { userOffsetDays } from './user-offset-days.ts';
import { userTimeZones } from './user-time-zones.ts';

/** The kept tables from which the local time of samples follows. */
export const localTimes: readonly KeptTable[] = [userOffsetDays, userTimeZones];

const key = ['user_id', 'resource', 'provider', 'source_type', 'sample_type', 'calendar_date', 'date_basis', 'unit'];

/**
 * Samples aggregated by user, resource, source, day and unit. The day is the user's local date. If the local date is unknown,
 * the day is the date in UTC. `date_basis` shows which of the two it is. The sums are computed for every resource, even for
 * rates and levels, for which a sum has no meaning.
 */
export const timeseriesDaily: KeptTable = {
  name: 'timeseries_daily',
  doc: 'Samples aggregated by user, resource, source, day and unit.',
  key,
  scope: { of: 'day', date: 'calendar_date' },
  columns: [
    { name: 'user_id', type: 'string', class: 'key', doc: 'Id of the user, as assigned by the service.' },
    { name: 'resource', type: 'string', class: 'key', doc: 'Timeseries resource.' },
    { name: 'provider', type: 'string', class: 'key', doc: 'Provider of the samples.' },
    { name: 'source_type', type: 'string', class: 'key', doc: 'Type of the source, such as `watch`.' },
    { name: 'sample_type', type: 'string', class: 'key', doc: 'Type of the samples.' },
    { name: 'calendar_date', type: 'date', class: 'measure', doc: 'Local date of the samples, or their date in UTC.' },
    { name: 'date_basis', type: 'string', class: 'measure', doc: '`local`, or `utc` if the local date is unknown.' },
    { name: 'unit', type: 'string', class: 'measure', doc: 'Unit of the values, as sent.' },
    { name: 'samples', type: 'int64', class: 'measure', doc: 'Number of samples.' },
    { name: 'value_min', type: 'float64', class: 'measure', unit: 'unit', doc: 'Lowest value.' },
    { name: 'value_max', type: 'float64', class: 'measure', unit: 'unit', doc: 'Highest value.' },
    { name: 'value_avg', type: 'float64', class: 'measure', unit: 'unit', doc: 'Mean of the values.' },
    {
      name: 'value_sum',
      type: 'float64',
      class: 'measure',
      unit: 'unit',
      doc: 'Sum of the values. Rates and levels have no meaningful sum.',
    },
    { name: 'first_at', type: 'timestamp', class: 'measure', doc: 'Start of the first sample.' },
    { name: 'last_at', type: 'timestamp', class: 'measure', doc: 'Start of the last sample.' },
  ],
  query: ({ date }, from) => `select
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
from ${from('timeseries_local')} s
group by
  user_id, resource, provider, source_type, sample_type,
  coalesce(local_date, ${date('start_at')}),
  case when local_date is null then 'utc' else 'local' end,
  unit`,
};

/** The kept tables with rows by local date. They are computed after {@link localTimes}. */
export const dailyTables: readonly KeptTable[] = [timeseriesDaily];

export const keptTables: readonly KeptTable[] = [...localTimes, ...dailyTables];
