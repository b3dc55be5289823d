import type { Preferences } from '../../preferences.ts';
import { isComplete, isCompleteColumn, openDates } from './complete-days.ts';
import { bloodPressure, dayMeasures } from './day-parts.ts';
import type { View, ViewDialect } from './dialect.ts';

/** A month with this many days with data is the first of a calendar. */
const LEAST_DAYS = 3;

/**
 * One row for every day of a user. The calendar begins with the first day that has data of two sources, or whose month has at
 * least three days with data. So one odd sample of 2010 does not make 16 years of rows. The calendar ends with the local date of
 * the user at the last receipt of anybody, so it does not depend on the clock of a query.
 */
export function personCalendarView(dialect: ViewDialect, preferences: Preferences): View {
  const { text } = dialect;
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
    query: `select
  user_id, local_date, is_complete = 1 as is_complete, sources,
  ${listed((measure) => `has_${measure} = 1`)} as measures,
  ${listed((measure) => `has_${measure} = 0 and knew_${measure} = 1`)} as missing
from (
  select
    *, ${measures.map((measure) => `max(has_${measure}) over (partition by user_id order by local_date) as knew_${measure}`).join(', ')}
  from (
    select
      user_id, local_date, max(is_day) as is_day, max(is_complete) as is_complete, max(sources) as sources,
      ${measures.map((measure) => `max(case when measure = ${text(measure)} then 1 else 0 end) as has_${measure}`).join(', ')}
    from (
${days(dialect)}
      union all
      select user_id, local_date, 0, 0, null, measure
      from (
${measured(dialect, preferences)}
      ) measured
    ) dated
    group by user_id, local_date
  ) by_date
) known
where is_day = 1`,
  };
}

/** The measures of `person_days`, in the order in which the lists name them. */
const measures = [...new Set(dayMeasures.values())].sort();

/** Expression for a list of the measures that meet a condition, separated by commas; NULL if there are none. */
const listed = (condition: (measure: string) => string): string =>
  `nullif(substr(concat(${measures.map((measure) => `case when ${condition(measure)} then ', ${measure}' else '' end`).join(', ')}), 3), '')`;

/** Query for the measures with a value in `person_days`. */
function measured(dialect: ViewDialect, preferences: Preferences): string {
  const { table } = dialect;
  return `        select user_id, local_date, measure
        from ${table('metric_days')}
        union all
        select user_id, night_date, 'sleep'
        from ${table('sleep_nights')}
        where source is not null
        union all
        select user_id, local_date, 'blood_pressure'
        from (
${bloodPressure(dialect, preferences).query}
        ) readings`;
}

/** Query for the dates with data: their `sources`, the `next_date` with data, and the `first_date` of the user's calendar. */
export function sourcedDates({ table, joined }: ViewDialect): string {
  const month = 'extract(year from local_date), extract(month from local_date)';
  return `          select *, min(case when of_day >= 2 or of_month >= ${LEAST_DAYS} then local_date end) over (partition by user_id) as first_date
          from (
            select
              *, lead(local_date) over (partition by user_id order by local_date) as next_date,
              count(*) over (partition by user_id, ${month}) as of_month
            from (
              select user_id, local_date, count(*) as of_day, ${joined('source')} as sources
              from ${table('source_days')}
              group by user_id, local_date
            ) sourced
          ) followed`;
}

/** Query for every day of a calendar. A date with data yields the days up to the next date with data. */
function days(dialect: ViewDialect): string {
  const { addDays, dayNumber, numbered } = dialect;
  const until = `least(coalesce(b.next_date, ${addDays('o.current_date_of', '1')}), ${addDays('o.current_date_of', '1')})`;
  const begun = `(
        select
          b.user_id, b.local_date, b.sources, o.current_date_of, o.delayed_dates,
          ${dayNumber(until)} - ${dayNumber('b.local_date')} as days
        from (
${sourcedDates(dialect)}
        ) b
        join (
${openDates(dialect)}
        ) o on o.user_id = b.user_id
        where b.local_date >= b.first_date and b.local_date <= o.current_date_of
      )`;
  return `      select
        user_id, local_date, 1 as is_day, case when ${isComplete('local_date', 'days')} then 1 else 0 end as is_complete,
        sources, cast(null as string) as measure
      from (
        select
          user_id, ${addDays('local_date', 'ordinal - 1')} as local_date, current_date_of, delayed_dates,
          case when ordinal = 1 then sources end as sources
        from (
      ${numbered(begun, ['user_id', 'local_date', 'sources', 'current_date_of', 'delayed_dates'], 'days')}
        ) numbered
      ) days`;
}
