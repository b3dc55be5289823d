import type { Preferences } from '../preferences.ts';
import type { From } from '../warehouses/kept/kept-table.ts';
import { openDates } from '../warehouses/views/complete-days.ts';
import { measured, sourcedDates } from '../warehouses/views/person-calendar.ts';
import { workoutDay } from '../warehouses/views/recorded-workouts.ts';
import { nightsWithSleep } from '../warehouses/views/sleep-nights.ts';
import { duckDbViews } from './views-dialect.ts';

/*
 * The rows of a date in a view by day may depend on a date far from it. Such a date is a bound, a row of `control.day_bounds` with
 * `user_id`, `bound` and `local_date`. If a bound moves, only the dates between the old and the new one may differ.
 */

/**
 * Query for the bounds that follow from the data of a user. `calendar` is the first date of `person_calendar`, and
 * `workouts_recorded` the first with a record of a workout. A measure has its first date, after which the calendar can miss it.
 */
export function firstDates(preferences: Preferences, from: From): string {
  // The view of nights computes much more, and a condition on the users does not reach the tables below it.
  const nights = `(select *, true as source from (${nightsWithSleep(duckDbViews, from)}) nights)`;
  const scoped = { ...duckDbViews, table: (name: string) => (name === 'sleep_nights' ? nights : from(name)) };
  return `select user_id, measure as bound, min(local_date) as local_date
from (
${measured(scoped, preferences)}
) measured
group by user_id, measure
union all
select user_id, 'workouts_recorded', min(${workoutDay(duckDbViews, 'w')})
from ${from('workouts')} w
group by user_id
union all
select user_id, 'calendar', min(first_date)
from (
${sourcedDates(scoped)}
) sourced
group by user_id`;
}

/** Query for the bounds that a receipt moves for all users: their `current` date, and each `delayed` date. See {@link openDates}. */
export const openBounds = `with open_dates as (
${openDates(duckDbViews)}
)
select user_id, 'current' as bound, current_date_of as local_date
from open_dates
union all
select user_id, 'delayed', cast(unnest(string_split(delayed_dates, ', ')) as date)
from open_dates`;
