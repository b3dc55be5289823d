import { type Preferences, sourceOrder } from '../../preferences.ts';
import type { ViewDialect } from './dialect.ts';
import { plausibleValue } from './plausible.ts';
import { workoutDay, workoutSeconds } from './recorded-workouts.ts';
import { sourceName, sourceRank } from './source-rank.ts';
import { conversion, countedSamples } from './unit-conversions.ts';

/** A measure of `metric_days` that is a column of the day. */
export interface Metric {
  readonly measure: string;
  readonly column: string;
  readonly unit: string;
  readonly doc: string;
}

export const metrics: readonly Metric[] = [
  { measure: 'steps', column: 'steps', unit: 'count', doc: 'Number of steps, from a summary of the day.' },
  { measure: 'distance', column: 'distance_m', unit: 'm', doc: 'Distance moved, from a summary of the day.' },
  {
    measure: 'calories_active',
    column: 'calories_active_kcal',
    unit: 'kcal',
    doc: 'Energy spent through activity, from a summary of the day.',
  },
  { measure: 'floors_climbed', column: 'floors_climbed', unit: 'count', doc: 'Floors climbed, from a summary of the day.' },
  {
    measure: 'calories_total',
    column: 'calories_total_kcal',
    unit: 'kcal',
    doc: 'Energy spent, including the basal rate, from a summary of the day.',
  },
  {
    measure: 'heart_rate_resting',
    column: 'heart_rate_resting_bpm',
    unit: 'bpm',
    doc: 'Resting heart rate, from a summary of the day.',
  },
  { measure: 'heartrate', column: 'heartrate_avg_bpm', unit: 'bpm', doc: 'Average heart rate.' },
  { measure: 'hrv', column: 'hrv_avg_ms', unit: 'ms', doc: 'Average heart rate variability (RMSSD) of the day.' },
  { measure: 'blood_oxygen', column: 'blood_oxygen_avg_pct', unit: '%', doc: 'Average blood oxygen saturation.' },
  {
    measure: 'glucose',
    column: 'glucose_avg_mmol_l',
    unit: 'mmol/L',
    doc: 'Average glucose in mmol/L, whichever unit was sent.',
  },
  { measure: 'weight', column: 'weight_kg', unit: 'kg', doc: 'Weight, from samples, or from a summary of the day.' },
  { measure: 'fat', column: 'fat_pct', unit: '%', doc: 'Body fat, from samples, or from a summary of the day.' },
];

/** Query for one row per user and day with some columns of the day. */
interface Part {
  readonly query: string;
  readonly names: readonly string[];
}

/** The parts of `person_days`, one per table. */
export function dayParts(dialect: ViewDialect, preferences: Preferences): readonly Part[] {
  return [metricValues(dialect), sampleCounts(dialect), nights(dialect), workouts(dialect), bloodPressure(dialect, preferences)];
}

function metricValues({ table, text }: ViewDialect): Part {
  const when = (measure: string, value: string): string => `max(case when measure = ${text(measure)} then ${value} end)`;
  const values: Record<string, string> = Object.fromEntries([
    ['heartrate_min_bpm', when('heartrate', 'lowest')],
    ['heartrate_max_bpm', when('heartrate', 'highest')],
    ...metrics.flatMap(({ measure, column }) => [
      [column, when(measure, 'value')],
      [`${measure}_source`, when(measure, 'source')],
      [`${measure}_others`, when(measure, 'others')],
    ]),
  ]);
  return {
    names: Object.keys(values),
    query: `    select user_id, local_date as calendar_date, ${selected(values)}
    from ${table('metric_days')}
    group by user_id, local_date`,
  };
}

function sampleCounts(dialect: ViewDialect): Part {
  const { join, counts } = countedSamples(dialect, 's');
  const values = {
    samples: 'cast(sum(s.samples) as int64)',
    samples_unknown_unit: `cast(sum(case when ${counts} then 0 else s.samples end) as int64)`,
  };
  return {
    names: Object.keys(values),
    query: `    select s.user_id, s.calendar_date, ${selected(values)}
    from ${dialect.table('timeseries_daily')} s
    ${join}
    group by s.user_id, s.calendar_date`,
  };
}

function nights({ table }: ViewDialect): Part {
  const values = {
    ...Object.fromEntries(
      ['total_s', 'light_s', 'deep_s', 'rem_s', 'awake_s', 'efficiency'].map((name) => [`sleep_${name}`, name]),
    ),
    ...{ sleep_hrv_avg_ms: 'hrv_ms', sleep_respiratory_rate_per_min: 'respiratory_rate_per_min', sleep_score: 'score' },
    ...{ sleep_source: 'source', sleep_others: 'others', naps: 'naps', nap_total_s: 'nap_total_s' },
  };
  return {
    names: Object.keys(values),
    query: `    select user_id, night_date as calendar_date, ${selected(values)}
    from ${table('sleep_nights')}`,
  };
}

/** Sums count plausible values only. */
function workouts(dialect: ViewDialect): Part {
  const { table, floor, text } = dialect;
  const values = {
    workouts: 'count(*)',
    workouts_duration_s: `cast(sum(case when time_end > time_start then ${floor('lasts_s')} end) as int64)`,
    workouts_distance_m: `sum(${plausibleValue('workouts', 'distance_m')})`,
    workouts_calories_kcal: `sum(${plausibleValue('workouts', 'calories_kcal')})`,
    workouts_sources: `string_agg(distinct ${sourceName(dialect)}, ${text(', ')} order by ${sourceName(dialect)})`,
    workouts_duplicates: 'cast(sum(sources) - count(*) as int64)',
  };
  return {
    names: Object.keys(values),
    query: `    select user_id, day as calendar_date, ${selected(values)}
    from (
      select *, ${workoutDay(dialect)} as day, ${workoutSeconds(dialect)} as lasts_s
      from ${table('workouts_deduplicated')}
    ) dated
    where day is not null
    group by user_id, day`,
  };
}

/**
 * The mean readings of the best source. Among sources of equal rank, the one with the most readings wins. Readings whose unit is
 * not known do not count. Both pressures have the same units. A reading without a local date counts on its UTC date.
 */
function bloodPressure(dialect: ViewDialect, preferences: Preferences): Part {
  const { table, date } = dialect;
  const inMmHg = (value: string) => conversion(dialect, dialect.text('blood_pressure.systolic_mmhg'), value, 'r.unit');
  const systolic = inMmHg('r.systolic_mmhg');
  const rank = sourceRank(dialect, sourceOrder(preferences, 'blood_pressure'));
  const values = {
    blood_pressure_systolic_mmhg: 'systolic_mmhg',
    blood_pressure_diastolic_mmhg: 'diastolic_mmhg',
    blood_pressure_readings: 'readings',
    blood_pressure_source: sourceName(dialect),
    blood_pressure_others: 'others',
  };
  return {
    names: Object.keys(values),
    query: `    select user_id, calendar_date, ${selected(values)}
    from (
      select
        *,
        count(*) over (partition by user_id, calendar_date) - 1 as others,
        row_number() over (
          partition by user_id, calendar_date order by ${rank}, readings desc, provider, source_type
        ) as place
      from (
        select
          user_id, calendar_date, provider, source_type,
          avg(systolic_mmhg) as systolic_mmhg, avg(diastolic_mmhg) as diastolic_mmhg, count(*) as readings
        from (
          select
            r.user_id, r.provider, r.source_type,
            ${systolic.value} as systolic_mmhg, ${inMmHg('r.diastolic_mmhg').value} as diastolic_mmhg,
            coalesce(r.local_date, ${date('r.start_at')}) as calendar_date
          from ${table('blood_pressure_local')} r
          ${systolic.join}
          where (r.systolic_mmhg is not null or r.diastolic_mmhg is not null) and ${systolic.unit} is not null
        ) readings
        group by user_id, calendar_date, provider, source_type
      ) of_source
    ) ordered
    where place = 1`,
  };
}

const selected = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => (name === value ? name : `${value} as ${name}`))
    .join(', ');
