import { dayParts, type Metric, metrics } from './day-parts.ts';
import type { View, ViewColumn, ViewDialect } from './dialect.ts';

/** mg/dL of glucose in 1 mmol/L, from its molar mass of 180.182 g/mol. */
const GLUCOSE_MG_DL = 18.0182;

interface DayColumn extends ViewColumn {
  /** Expression over the parts of the day. Default: the column of that name, which one part has. */
  readonly value?: string;
}

const sourceOf = (name: string): DayColumn => ({
  name: `${name}_source`,
  doc: 'Source of this value, as `provider/source_type`.',
});

const ofMetric = ({ column, name, doc }: Metric): DayColumn[] => [
  { name: column, doc },
  sourceOf(name),
  { name: `${name}_coverage`, doc: 'Share of the day for which the source has data, from 0 to 1.' },
];

const columns: readonly DayColumn[] = [
  ...metrics.slice(0, 4).flatMap(ofMetric),
  { name: 'calories_total_kcal', doc: 'Energy spent, including the basal rate, from a summary of the day.' },
  sourceOf('calories_total'),
  { name: 'heart_rate_resting_bpm', doc: 'Resting heart rate, from a summary of the day.' },
  sourceOf('heart_rate_resting'),
  { name: 'heartrate_min_bpm', doc: 'Lowest heart rate of the source of heartrate_avg_bpm.' },
  { name: 'heartrate_max_bpm', doc: 'Highest heart rate of the source of heartrate_avg_bpm.' },
  ...metrics.slice(4).flatMap(ofMetric),
  {
    name: 'glucose_avg_mmol_l',
    doc: 'Average glucose in mmol/L, whichever unit was sent.',
    value: 'max(glucose_mmol_l)',
  },
  {
    name: 'glucose_avg_mg_dl',
    doc: 'The same average in mg/dL.',
    value: `max(glucose_mmol_l) * ${GLUCOSE_MG_DL}`,
  },
  sourceOf('glucose'),
  { name: 'glucose_coverage', doc: 'Share of the day for which the source has data, from 0 to 1.' },
  { name: 'blood_pressure_systolic_mmhg', doc: 'Mean systolic pressure of the readings of one source.' },
  { name: 'blood_pressure_diastolic_mmhg', doc: 'Mean diastolic pressure of the readings of one source.' },
  { name: 'blood_pressure_readings', doc: 'Number of readings of this source.' },
  sourceOf('blood_pressure'),
  { name: 'sleep_total_s', doc: 'Time asleep in the main sleep of the night that ends on this day.' },
  { name: 'sleep_light_s', doc: 'Time in light sleep.' },
  { name: 'sleep_deep_s', doc: 'Time in deep sleep.' },
  { name: 'sleep_rem_s', doc: 'Time in REM sleep.' },
  { name: 'sleep_awake_s', doc: 'Time awake during the main sleep.' },
  { name: 'sleep_efficiency', doc: 'Share of the time asleep, from 0 to 1.' },
  { name: 'sleep_hrv_avg_ms', doc: 'Average heart rate variability (RMSSD) of the main sleep.' },
  { name: 'sleep_respiratory_rate_per_min', doc: 'Breaths per minute during the main sleep.' },
  { name: 'sleep_score', doc: 'Sleep score of the provider.' },
  sourceOf('sleep'),
  { name: 'naps', doc: 'Number of naps. `sleep_nights` says which sleeps are naps.' },
  { name: 'nap_total_s', doc: 'Time asleep in the naps.' },
  {
    name: 'weight_kg',
    doc: 'Weight, from samples, or from a summary of the day.',
    value: 'coalesce(max(metric_weight), max(body_weight))',
  },
  {
    ...sourceOf('weight'),
    value: 'case when max(metric_weight) is not null then max(metric_weight_source) else max(body_weight_source) end',
  },
  {
    name: 'fat_pct',
    doc: 'Body fat, from samples, or from a summary of the day.',
    value: 'coalesce(max(metric_fat), max(body_fat))',
  },
  {
    ...sourceOf('fat'),
    value: 'case when max(metric_fat) is not null then max(metric_fat_source) else max(body_fat_source) end',
  },
  { name: 'workouts', doc: 'Number of workouts. A workout that several devices recorded counts once.' },
  { name: 'workouts_duration_s', doc: 'Sum of the durations of the workouts.' },
  { name: 'workouts_distance_m', doc: 'Sum of the distances of the workouts.' },
  { name: 'workouts_calories_kcal', doc: 'Sum of the energy spent in the workouts.' },
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
 * One row per user and local date for which there is any data. No value mixes sources, except those of `metric_days` that merge
 * them over time, and the sums of workouts. Samples whose unit is not known for their measure count for no value.
 *
 * The parts are appended, and each column has a value in one of them at most. So each part is read once, and a condition on the
 * user reaches the tables.
 */
export function personDaysView(dialect: ViewDialect): View {
  const parts = dayParts(dialect);
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
