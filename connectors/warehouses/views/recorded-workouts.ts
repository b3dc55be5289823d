import { columnMeasures, type TableDeclaration } from '@aorta/schemas';
import { type Preferences, sourceOrder } from '../../preferences.ts';
import type { ViewDialect } from './dialect.ts';
import { plausibleValue } from './plausible.ts';
import { daysBefore, sourceRank, usualSource } from './source-rank.ts';
import { MULTISPORT, sportFamily } from './sport-families.ts';

/**
 * If the starts or ends of two recordings differ by at most this many seconds, they may be the same moment. Devices round to
 * a minute, and a person starts them one after the other.
 */
export const TOLERANCE_S = 5 * 60;

const kinds = new Map(columnMeasures.map(({ id, kind }) => [id, kind]));

/** Expression for the local date of a row `w` of `workouts`. A workout without a local date counts on its UTC date, like a sample. */
export const workoutDay = ({ date, addSeconds }: ViewDialect, w: string): string =>
  `coalesce(${w}.calendar_date, ${date(addSeconds(`${w}.time_start`, `coalesce(${w}.timezone_offset_s, 0)`))})`;

/**
 * Expression for the duration of a workout; NULL if it is impossible. The plausible range is that of the moving time,
 * because a workout can consist of movement only.
 */
export const workoutSeconds = ({ secondsBetween }: ViewDialect): string =>
  plausibleValue('workouts', 'moving_time_s', secondsBetween('time_start', 'time_end'));

/** The columns of a workout that add up: amounts and durations. */
export const additiveColumns = ({ columns }: TableDeclaration): TableDeclaration['columns'] =>
  columns.filter(({ name }) => ['additive_interval', 'duration'].includes(kinds.get(`workouts.${name}`) ?? ''));

/** Expression for the number of measures of a workout that have a plausible value. Heart rate zones count as one. */
function completeness({ length }: ViewDialect, { columns }: TableDeclaration): string {
  const counted = columns
    .filter(({ name, type }) => kinds.has(`workouts.${name}`) || typeof type === 'object')
    .map(({ name, type }) =>
      typeof type === 'object' ? `${length(name)} > 0` : `${plausibleValue('workouts', name)} is not null`,
    );
  return counted.map((condition) => `case when ${condition} then 1 else 0 end`).join('\n    + ');
}

/**
 * Common table expressions for the records of workouts:
 * - `recorded`: all records, with their day, duration, family and completeness
 * - `workout_days`: the days on which a source has a workout, with the number of such days among the 14 days before
 * - `lasting`: the records with a possible duration. A record may contain only records with a lower `size_s`, or with the
 *   same `size_s` and a higher id. So no two records contain each other. A multisport parent has a higher `size_s` than a
 *   leg that exceeds it within the tolerance.
 */
export function recordedWorkouts(
  dialect: ViewDialect,
  workouts: TableDeclaration,
  preferences: Preferences,
  from: string,
): string {
  const { text } = dialect;
  const source = 'user_id, provider, source_type';
  return `recorded as (
  select
    user_id, id, provider, source_type, time_start, time_end,
    ${workoutSeconds(dialect)} as lasts_s,
    ${workoutDay(dialect, 'w')} as day,
    ${sportFamily(dialect, 'sport_slug')} as family,
    ${sourceRank(dialect, sourceOrder(preferences, 'workouts'))} as source_rank,
    ${completeness(dialect, workouts)} as measures
  from ${from} w
),
workout_days as (
  select ${source}, day, ${daysBefore(dialect, source, 'day')} as days_before
  from (select distinct ${source}, day from recorded where day is not null) days
),
lasting as (
  select *, lasts_s + case when is_multisport then ${2 * TOLERANCE_S} else 0 end as size_s
  from (select *, coalesce(family = ${text(MULTISPORT)}, false) as is_multisport from recorded where lasts_s > 0) possible
)`;
}

/**
 * Order in which the records of workouts are chosen: the most complete one first, then by source. Records of one source are
 * ordered by length, start and id.
 */
export const workoutOrder = (dialect: ViewDialect): string =>
  `measures desc, source_rank, ${usualSource(dialect, 'days_before')}, lasts_s desc, time_start, id`;
