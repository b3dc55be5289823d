import type { Preferences } from '../../preferences.ts';
import { completenessJoins, currentDates, isComplete, isCompleteColumn } from './complete-days.ts';
import { bloodPressure } from './day-parts.ts';
import type { View, ViewDialect } from './dialect.ts';

/** A month with this many days with data is the first of a calendar. */
const LEAST_DAYS = 3;

/**
 * One row for every day of a user. The calendar begins with the first day that has data of two sources, or whose month has at
 * least three days with data. So one odd sample of 2010 does not make 16 years of rows. The calendar ends with the local date of
 * the user at the last receipt of anybody, so it does not depend on the clock of a query.
 */
export function personCalendarView(dialect: ViewDialect, preferences: Preferences): View {
  const { table, addDays, dayNumber, joined, numbered } = dialect;
  const month = 'extract(year from local_date), extract(month from local_date)';
  return {
    name: 'person_calendar',
    doc: 'One day of a user, whether it has data or not: which measures of `person_days` it has, and which are missing.',
    columns: [
      { name: 'user_id', type: 'string', doc: 'User.' },
      {
        name: 'local_date',
        type: 'date',
        doc: 'Local date of the user. The first date has data of two sources, or three dates of its month have data. The last is the user’s date at the last receipt of any user.',
      },
      isCompleteColumn,
      {
        name: 'sources',
        type: 'string',
        doc: 'Sources with data on this day, as `provider/source_type`, separated by commas; NULL if there are none.',
      },
      {
        name: 'measures',
        type: 'string',
        doc: 'Measures with a value in `person_days`, separated by commas: `blood_pressure`, `sleep`, and those of `metric_days`. NULL if there are none.',
      },
      {
        name: 'missing',
        type: 'string',
        doc: 'Measures without a value on this day that the user has had on an earlier day, separated by commas; NULL if there are none.',
      },
    ],
    query: `with first_dates as (
  select user_id, min(local_date) as first_date
  from (
    select *, count(*) over (partition by user_id, ${month}) as days_in_month
    from (
      select user_id, local_date, count(*) as sources
      from ${table('source_days')}
      group by user_id, local_date
    ) days
  ) counted
  where sources >= 2 or days_in_month >= ${LEAST_DAYS}
  group by user_id
),
measured as (
  select user_id, local_date, measure
  from ${table('metric_days')}
  union all
  select user_id, night_date, 'sleep'
  from ${table('sleep_nights')}
  where source is not null
  union all
  select user_id, local_date, 'blood_pressure'
  from (
${bloodPressure(dialect, preferences).query}
  ) readings
),
days as (
  select user_id, ${addDays('first_date', 'ordinal - 1')} as local_date
  from (
  ${numbered(
    `(
    select f.user_id, f.first_date, ${dayNumber('c.at_date')} - ${dayNumber('f.first_date')} + 1 as days
    from first_dates f
    join (
${currentDates(dialect)}
    ) c on c.user_id = f.user_id
    where c.at_date >= f.first_date
  )`,
    ['user_id', 'first_date'],
    'days',
  )}
  ) numbered
)
select days.user_id, days.local_date, ${isComplete('days')} as is_complete, of_sources.sources, of_measures.measures, of_measures.missing
from days
left join (
  select user_id, local_date, ${joined('source')} as sources
  from ${table('source_days')}
  group by user_id, local_date
) of_sources on of_sources.user_id = days.user_id and of_sources.local_date = days.local_date
left join (
  select
    d.user_id, d.local_date, ${joined('m.measure')} as measures, ${joined('case when m.measure is null then k.measure end')} as missing
  from days d
  join (
    select user_id, measure, min(local_date) as known_from from measured group by user_id, measure
  ) k on k.user_id = d.user_id and k.known_from <= d.local_date
  left join measured m on m.user_id = d.user_id and m.local_date = d.local_date and m.measure = k.measure
  group by d.user_id, d.local_date
) of_measures on of_measures.user_id = days.user_id and of_measures.local_date = days.local_date
${completenessJoins(dialect, 'days')}`,
  };
}
