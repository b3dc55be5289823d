import type { Preferences } from '../../preferences.ts';
import { isComplete, isCompleteColumn, openDates } from './complete-days.ts';
import { dayParts, GLUCOSE_MG_DL, metrics } from './day-parts.ts';
import type { View, ViewColumn, ViewDialect } from './dialect.ts';
import { workoutDay } from './recorded-workouts.ts';

const SAMPLE_AVG = 'Unweighted mean of the samples of the same source: the duration of a sample does not matter.';

interface DayColumn extends ViewColumn {
  /** Expression over the columns of all parts. Default: the column with the same name, which exactly one part has. */
  readonly value?: string;
}

const float = (name: string, unit: string, doc: string): DayColumn => ({ name, type: 'float64', unit, doc });
const int = (name: string, doc: string): DayColumn => ({ name, type: 'int64', doc });
const seconds = (name: string, doc: string): DayColumn => ({ ...int(name, doc), unit: 's' });
const text = (name: string, doc: string): DayColumn => ({ name, type: 'string', doc });

const sourceOf = (name: string): readonly DayColumn[] => [
  text(`${name}_source`, 'Source of this value, as `provider/source_type`.'),
  int(`${name}_others`, 'Number of other sources that have this value.'),
];

/** The columns for a measure of `metric_days`: its value, the mean of its samples if there is one, and its source. */
function of(wanted: string): DayColumn[] {
  const { measure, column, sampleColumn, type, unit, doc } = metrics.find((one) => one.measure === wanted)!;
  const ofSamples = sampleColumn === undefined ? [] : [float(sampleColumn, unit, SAMPLE_AVG)];
  return [{ name: column, type, unit, doc }, ...ofSamples, ...sourceOf(measure)];
}

const columns: readonly DayColumn[] = [
  ...of('steps'),
  ...of('distance'),
  ...of('calories_active'),
  ...of('floors_climbed'),
  ...of('calories_total'),
  ...of('heart_rate_resting'),
  ...of('heartrate'),
  float('heartrate_min_bpm', 'bpm', 'Lowest heart rate of the source of heartrate_avg_bpm.'),
  float('heartrate_max_bpm', 'bpm', 'Highest heart rate of the source of heartrate_avg_bpm.'),
  ...of('hrv'),
  ...of('blood_oxygen'),
  ...of('glucose'),
  {
    ...float('glucose_avg_mg_dl', 'mg/dL', 'The same average as `glucose_avg_mmol_l`, in mg/dL.'),
    value: `max(glucose_avg_mmol_l) * ${GLUCOSE_MG_DL}`,
  },
  {
    ...float('glucose_sample_avg_mg_dl', 'mg/dL', 'The same mean as `glucose_sample_avg_mmol_l`, in mg/dL.'),
    value: `max(glucose_sample_avg_mmol_l) * ${GLUCOSE_MG_DL}`,
  },
  float('blood_pressure_systolic_mmhg', 'mmHg', 'Mean systolic pressure of the readings of one source.'),
  float('blood_pressure_diastolic_mmhg', 'mmHg', 'Mean diastolic pressure of the readings of one source.'),
  int('blood_pressure_readings', 'Number of readings of this source.'),
  ...sourceOf('blood_pressure'),
  seconds('sleep_total_s', 'Time asleep in the main sleep of the night that ends on this day.'),
  seconds('sleep_light_s', 'Time in light sleep.'),
  seconds('sleep_deep_s', 'Time in deep sleep.'),
  seconds('sleep_rem_s', 'Time in REM sleep.'),
  seconds('sleep_awake_s', 'Time awake during the main sleep.'),
  seconds('sleep_duration_s', 'Duration of the main sleep from start to end. It contains the gaps between its fragments.'),
  { name: 'sleep_started_at', type: 'timestamp', doc: 'Start of the main sleep.' },
  float('sleep_efficiency', '1', 'Share of the main sleep that is spent asleep, from 0 to 1.'),
  float('sleep_hrv_avg_ms', 'ms', 'Average heart rate variability (RMSSD) of the main sleep.'),
  float('sleep_respiratory_rate_per_min', '1/min', 'Breaths per minute during the main sleep.'),
  int('sleep_score', 'Sleep score of the provider.'),
  text('sleep_source', 'Source of the main sleep, as `provider/source_type`; NULL if there are only naps.'),
  int('sleep_others', 'Number of other sources that have a main sleep in this night.'),
  int('sleep_partial_others', 'Number of these sources that were left out because they recorded less than half of the night.'),
  int('naps', 'Number of naps of all sources. A nap that several sources recorded counts once.'),
  seconds('nap_total_s', 'Time asleep in the naps.'),
  text('nap_sources', 'Sources of the naps, as `provider/source_type`, separated by commas; NULL without naps.'),
  ...of('weight'),
  ...of('fat'),
  int(
    'workouts',
    'Number of workouts. A workout counts once, however many records it has. 0 on a day without one; NULL before the first record of a workout of the user.',
  ),
  seconds('workouts_duration_s', 'Total duration of the workouts.'),
  float('workouts_distance_m', 'm', 'Total distance of the workouts, without implausible values.'),
  float('workouts_calories_kcal', 'kcal', 'Total energy spent in the workouts, without implausible values.'),
  text('workouts_sources', 'Sources of the workouts, as `provider/source_type`, separated by commas.'),
  int('workouts_duplicates', 'Number of other records of these workouts.'),
  {
    name: 'samples',
    type: 'int64',
    doc: 'Number of samples of all resources and sources, including blood pressure readings. A sample without a local date counts on its UTC date.',
  },
  {
    name: 'samples_unknown_unit',
    type: 'int64',
    doc: 'Number of these samples whose unit is not known for their measure. No value of the day uses them.',
  },
  {
    name: 'samples_implausible',
    type: 'int64',
    doc: 'Number of these samples outside the plausible range of their measure. No value of the day uses them.',
  },
  {
    name: 'unworn_sources',
    type: 'int64',
    doc: 'Number of sources whose totals do not count, because they show no movement on a day on which another source shows some.',
  },
];

/**
 * One row per user and local date for which there is any data. No value mixes sources, except the sums of workouts. No value
 * uses samples whose unit is not known for their measure.
 *
 * The query appends the parts, and each column has a value in at most one of them. The query therefore reads each part
 * once, and the warehouse can push a condition on the user down to the tables.
 */
export function personDaysView(dialect: ViewDialect, preferences: Preferences): View {
  const parts = dayParts(dialect, preferences);
  const shown: Readonly<Record<string, string>> = {
    workouts: 'case when days.local_date >= recorded.first_date then coalesce(days.workouts, 0) end as workouts',
  };
  const names = [...new Set(parts.flatMap((part) => part.names))];
  const padded = parts.map(
    ({
      names: own,
      query,
    }) => `  select user_id, local_date, ${names.map((name) => (own.includes(name) ? name : `null as ${name}`)).join(', ')}
  from (
${query}
  ) part`,
  );
  return {
    name: 'person_days',
    doc: 'One local date of a user, with the values of all tables.',
    columns: [
      { name: 'user_id', type: 'string', doc: 'User.' },
      { name: 'local_date', type: 'date', doc: 'Local date of the user.' },
      isCompleteColumn,
      ...columns.map(({ value: _, ...column }) => column),
    ],
    query: `select
  days.user_id, days.local_date, ${isComplete('days.local_date', 'open_dates')} as is_complete,
  ${columns.map(({ name }) => shown[name] ?? `days.${name}`).join(', ')}
from (
  select
    user_id, local_date,
    ${columns.map(({ name, value = `max(${name})` }) => `${value} as ${name}`).join(',\n    ')}
  from (
${padded.join('\n  union all\n')}
  ) parts
  group by user_id, local_date
) days
left join (
  select user_id, min(${workoutDay(dialect, 'w')}) as first_date
  from ${dialect.table('workouts')} w
  group by user_id
) recorded on recorded.user_id = days.user_id
left join (
${openDates(dialect)}
) open_dates on open_dates.user_id = days.user_id`,
  };
}
