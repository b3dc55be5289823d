import type { From } from '../warehouses/kept/kept-table.ts';
import { lastReceipt, openDates } from '../warehouses/views/complete-days.ts';
import { pressureReadings } from '../warehouses/views/day-parts.ts';
import { sourcedDates } from '../warehouses/views/person-calendar.ts';
import { localDates } from '../warehouses/views/person-sources.ts';
import { workoutDay } from '../warehouses/views/recorded-workouts.ts';
import { nightsWithSleep } from '../warehouses/views/sleep-nights.ts';
import { duckDbViews } from './views-dialect.ts';

/*
 * The rows of a date in a view by day may depend on a date far from it. Such a date is a bound, a row of `control.day_bounds`. If a
 * bound moves, only the dates between the old and the new one may differ.
 */

/** The users whose bounds are computed: those of a recomputation, or all of them. */
export interface BoundScope {
  /** Restricts a table or view to these users. */
  readonly from: From;
  /** Query for their ids. */
  readonly users: string;
}

/** A kind of bound. Its query returns `user_id`, `bound` and `local_date`. A user has one date for each `bound`. */
export interface BoundKind {
  readonly name: string;
  /** Whether a receipt of one user moves the bounds of all users. */
  readonly isOfAll: boolean;
  query(scope: BoundScope): string;
}

const firstOf = (name: string, dated: (from: From) => string): BoundKind => ({
  name,
  isOfAll: false,
  query: ({ from }) => `select user_id, '${name}' as bound, min(local_date) as local_date
from (
${dated(from)}
) dated
group by user_id`,
});

const restricted = (from: From) => ({ ...duckDbViews, table: from });

/** The date of the user at the last receipt of anybody. */
export const currentDate: BoundKind = {
  name: 'current',
  isOfAll: true,
  query: ({ users }) => `select user_id, 'current' as bound, at_date as local_date
from (
${localDates(duckDbViews, `select user_id, last_at as start_at from (${users}) users cross join (${lastReceipt(duckDbViews)}) latest`, ['user_id'])}
) located`,
};

export const boundKinds: readonly BoundKind[] = [
  // After the first date of a measure, `person_calendar` can miss the measure.
  {
    name: 'measure',
    isOfAll: false,
    query: ({ from }) => `select user_id, measure as bound, min(local_date) as local_date
from ${from('metric_days')}
group by user_id, measure`,
  },
  firstOf('sleep', (from) => `select user_id, night_date as local_date from (${nightsWithSleep(duckDbViews, from)}) nights`),
  firstOf(
    'blood_pressure',
    (from) => `select *
from (
${pressureReadings(restricted(from))}
) readings
where systolic_mmhg is not null or diastolic_mmhg is not null`,
  ),
  // From the first record of a workout on, `person_days` has 0 workouts and not NULL.
  firstOf('workouts', (from) => `select user_id, ${workoutDay(duckDbViews, 'w')} as local_date from ${from('workouts')} w`),
  firstOf(
    'calendar',
    (from) => `select user_id, first_date as local_date
from (
${sourcedDates(restricted(from))}
) sourced`,
  ),
  currentDate,
  // The dates for which a source has sent nothing after their end.
  {
    name: 'delayed',
    isOfAll: false,
    query: ({ from }) => `select user_id, delayed_date as bound, cast(delayed_date as date) as local_date
from (
  select user_id, unnest(string_split(delayed_dates, ', ')) as delayed_date
  from (
${openDates(restricted(from))}
  ) open_dates
) delayed`,
  },
];
