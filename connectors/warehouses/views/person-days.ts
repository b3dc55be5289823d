import type { Preferences } from '../../preferences.ts';
import { dayParts, metrics } from './day-parts.ts';
import type { View, ViewColumn, ViewDialect } from './dialect.ts';

/** mg/dL of glucose in 1 mmol/L, from its molar mass of 180.182 g/mol. */
const GLUCOSE_MG_DL = 18.0182;

interface DayColumn extends ViewColumn {
  /** Expression over the parts of the day. Default: the column of that name, which one part has. */
  readonly value?: string;
}

const sourceOf = (name: string): readonly DayColumn[] => [
  { name: `${name}_source`, doc: 'Source of this value, as `provider/source_type`.' },
  { name: `${name}_others`, doc: 'Number of other sources that have this value.' },
];

/** The column of a measure of `metric_days`, and those with its source. */
function of(wanted: string): DayColumn[] {
  const { measure, column, doc } = metrics.find((one) => one.measure === wanted)!;
  return [{ name: column, doc }, ...sourceOf(measure)];
}

const columns: readonly DayColumn[] = [
  ...of('steps'),
  ...of('distance'),
  ...of('calories_active'),
  ...of('floors_climbed'),
  ...of('calories_total'),
  ...of('heart_rate_resting'),
  ...of('heartrate'),
  { name: 'heartrate_min_bpm', doc: 'Lowest heart rate of the source of heartrate_avg_bpm.' },
  { name: 'heartrate_max_bpm', doc: 'Highest heart rate of the source of heartrate_avg_bpm.' },
  ...of('hrv'),
  ...of('blood_oxygen'),
  ...of('glucose'),
  {
    name: 'glucose_avg_mg_dl',
    doc: 'The same average in mg/dL.',
    value: `max(glucose_avg_mmol_l) * ${GLUCOSE_MG_DL}`,
  },
  { name: 'blood_pressure_systolic_mmhg', doc: 'Mean systolic pressure of the readings of one source.' },
  { name: 'blood_pressure_diastolic_mmhg', doc: 'Mean diastolic pressure of the readings of one source.' },
  { name: 'blood_pressure_readings', doc: 'Number of readings of this source.' },
  ...sourceOf('blood_pressure'),
  { name: 'sleep_total_s', doc: 'Time asleep in the main sleep of the night that ends on this day.' },
  { name: 'sleep_light_s', doc: 'Time in light sleep.' },
  { name: 'sleep_deep_s', doc: 'Time in deep sleep.' },
  { name: 'sleep_rem_s', doc: 'Time in REM sleep.' },
  { name: 'sleep_awake_s', doc: 'Time awake during the main sleep.' },
  { name: 'sleep_efficiency', doc: 'Share of the time asleep, from 0 to 1.' },
  { name: 'sleep_hrv_avg_ms', doc: 'Average heart rate variability (RMSSD) of the main sleep.' },
  { name: 'sleep_respiratory_rate_per_min', doc: 'Breaths per minute during the main sleep.' },
  { name: 'sleep_score', doc: 'Sleep score of the provider.' },
  ...sourceOf('sleep'),
  { name: 'naps', doc: 'Number of naps. `sleep_nights` says which sleeps are naps.' },
  { name: 'nap_total_s', doc: 'Time asleep in the naps.' },
  ...of('weight'),
  ...of('fat'),
  { name: 'workouts', doc: 'Number of workouts. A workout that several devices recorded counts once.' },
  { name: 'workouts_duration_s', doc: 'Sum of the durations of the workouts.' },
  { name: 'workouts_distance_m', doc: 'Sum of the distances of the workouts.' },
  { name: 'workouts_calories_kcal', doc: 'Sum of the energy spent in the workouts.' },
  { name: 'workouts_sources', doc: 'Sources of the workouts, as `provider/source_type`, separated by commas.' },
  { name: 'workouts_duplicates', doc: 'Number of other records of these workouts.' },
  {
    name: 'samples',
    doc: 'Number of samples of all resources and sources. A sample without a local date counts on its UTC date.',
  },
  {
    name: 'samples_unknown_unit',
    doc: 'Number of these samples whose unit is not known for their measure. No value of the day uses them.',
  },
];

/**
 * One row per user and local date for which there is any data. No value mixes sources, except the sums of workouts. Samples whose unit is not known for their measure count for no value.
 *
 * The parts are appended, and each column has a value in one of them at most. So each part is read once, and a condition on the
 * user reaches the tables.
 */
export function personDaysView(dialect: ViewDialect, preferences: Preferences): View {
  const parts = dayParts(dialect, preferences);
  const names = [...new Set(parts.flatMap((part) => part.names))];
  const padded = parts.map(
    ({
      names: own,
      query,
    }) => `  select user_id, calendar_date, ${names.map((name) => (own.includes(name) ? name : `null as ${name}`)).join(', ')}
  from (
${query}
  ) part`,
  );
  return {
    name: 'person_days',
    doc: 'One local date of a user, with the values of all tables.',
    columns: [
      { name: 'user_id', doc: 'User.' },
      { name: 'calendar_date', doc: 'Local date of the user.' },
      ...columns.map(({ name, doc }) => ({ name, doc })),
    ],
    query: `select
  user_id, calendar_date,
  ${columns.map(({ name, value = `max(${name})` }) => `${value} as ${name}`).join(',\n  ')}
from (
${padded.join('\n  union all\n')}
) parts
group by user_id, calendar_date`,
  };
}
