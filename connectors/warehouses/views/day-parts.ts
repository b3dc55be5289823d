import { columnMeasures } from '@aorta/schemas';
import { type Preferences, sourceOrder } from '../../preferences.ts';
import { measuresOfDays } from '../kept/metric-days.ts';
import { hasMoved, hasTotal } from '../kept/movement.ts';
import type { ViewDialect } from './dialect.ts';
import { plausibleValue } from './plausible.ts';
import { workoutSeconds } from './recorded-workouts.ts';
import { daysBefore, sourceName, sourceRank, usualSource } from './source-rank.ts';
import { conversion, countedSamples } from './unit-conversions.ts';

/** mg/dL of glucose in 1 mmol/L, from its molar mass of 180.182 g/mol. */
export const GLUCOSE_MG_DL = 18.0182;

/** A measure of `metric_days` that is a column of the day. */
export interface Metric {
  readonly measure: string;
  readonly column: string;
  /** The column with the mean of the samples. */
  readonly sampleColumn?: string;
  /** Counts are whole numbers. */
  readonly type: 'int64' | 'float64';
  readonly unit: string;
  readonly doc: string;
}

const HOURS = 'the mean of the hourly means, which are weighted by time.';

export const metrics: readonly Metric[] = [
  { measure: 'steps', column: 'steps', type: 'int64', unit: 'count', doc: 'Number of steps, from a summary of the day.' },
  { measure: 'distance', column: 'distance_m', type: 'float64', unit: 'm', doc: 'Distance moved, from a summary of the day.' },
  {
    measure: 'calories_active',
    column: 'calories_active_kcal',
    type: 'float64',
    unit: 'kcal',
    doc: 'Energy spent through activity, from a summary of the day.',
  },
  {
    measure: 'floors_climbed',
    column: 'floors_climbed',
    type: 'int64',
    unit: 'count',
    doc: 'Floors climbed, from a summary of the day.',
  },
  {
    measure: 'calories_total',
    column: 'calories_total_kcal',
    type: 'float64',
    unit: 'kcal',
    doc: 'Energy spent, including the basal rate, from a summary of the day.',
  },
  {
    measure: 'heart_rate_resting',
    column: 'heart_rate_resting_bpm',
    type: 'float64',
    unit: 'bpm',
    doc: 'Resting heart rate, from a summary of the day.',
  },
  {
    measure: 'heartrate',
    column: 'heartrate_avg_bpm',
    sampleColumn: 'heartrate_sample_avg_bpm',
    type: 'float64',
    unit: 'bpm',
    doc: `Average heart rate: ${HOURS}`,
  },
  {
    measure: 'hrv',
    column: 'hrv_avg_ms',
    sampleColumn: 'hrv_sample_avg_ms',
    type: 'float64',
    unit: 'ms',
    doc: `Average heart rate variability (RMSSD): ${HOURS}`,
  },
  {
    measure: 'blood_oxygen',
    column: 'blood_oxygen_avg_pct',
    sampleColumn: 'blood_oxygen_sample_avg_pct',
    type: 'float64',
    unit: '%',
    doc: `Average blood oxygen saturation: ${HOURS}`,
  },
  {
    measure: 'glucose',
    column: 'glucose_avg_mmol_l',
    sampleColumn: 'glucose_sample_avg_mmol_l',
    type: 'float64',
    unit: 'mmol/L',
    doc: `Average glucose in mmol/L, whichever unit was sent: ${HOURS}`,
  },
  {
    measure: 'weight',
    column: 'weight_kg',
    type: 'float64',
    unit: 'kg',
    doc: 'Weight, from samples, or from a summary of the day.',
  },
  { measure: 'fat', column: 'fat_pct', type: 'float64', unit: '%', doc: 'Body fat, from samples, or from a summary of the day.' },
];

/** Tables whose measures all become values of one source, with the name before `_source`. */
const ofOneSource: readonly string[] = ['blood_pressure', 'sleep'];

/** The ids of the measures that become values of `person_days`, and the name before `_source` of these values. */
export const dayMeasures: ReadonlyMap<string, string> = new Map([
  ...measuresOfDays,
  ...columnMeasures.flatMap(({ id, table }) => (ofOneSource.includes(table) ? [[id, table] as const] : [])),
]);

/** Query for one row per user and day with some columns of the day. */
interface Part {
  readonly query: string;
  readonly names: readonly string[];
}

/** The parts of `person_days`, one per table. */
export function dayParts(dialect: ViewDialect, preferences: Preferences): readonly Part[] {
  return [
    metricValues(dialect),
    unwornSources(dialect),
    sampleCounts(dialect),
    nights(dialect),
    workouts(dialect),
    bloodPressure(dialect, preferences),
  ];
}

function metricValues({ table, text }: ViewDialect): Part {
  const when = (measure: string, value: string): string => `max(case when measure = ${text(measure)} then ${value} end)`;
  const values: Record<string, string> = Object.fromEntries([
    ['heartrate_min_bpm', when('heartrate', 'lowest')],
    ['heartrate_max_bpm', when('heartrate', 'highest')],
    ...metrics.flatMap(({ measure, column, sampleColumn, type }) => [
      [column, type === 'int64' ? `cast(${when(measure, 'value')} as int64)` : when(measure, 'value')],
      ...(sampleColumn === undefined ? [] : [[sampleColumn, when(measure, 'sample_avg')]]),
      [`${measure}_source`, when(measure, 'source')],
      [`${measure}_others`, when(measure, 'others')],
    ]),
  ]);
  return {
    names: Object.keys(values),
    query: `    select user_id, local_date, ${selected(values)}
    from ${table('metric_days')}
    group by user_id, local_date`,
  };
}

/** Counts the sources whose totals are ignored, because they show no movement while another source does. */
function unwornSources({ table }: ViewDialect): Part {
  return {
    names: ['unworn_sources'],
    query: `    select
      user_id, local_date,
      cast(case when max(has_moved) = 1 then sum(case when has_total = 1 and has_moved = 0 then 1 else 0 end) else 0 end as int64)
        as unworn_sources
    from (
      select user_id, calendar_date as local_date, max(${hasMoved}) as has_moved, max(${hasTotal}) as has_total
      from ${table('activity')}
      where calendar_date is not null
      group by user_id, calendar_date, provider, source_type
    ) sources
    group by user_id, local_date
    having max(has_total) = 1`,
  };
}

/** Counts the samples of `timeseries` and the readings of blood pressure. */
function sampleCounts(dialect: ViewDialect): Part {
  const { table, date } = dialect;
  const { join, knownUnit } = countedSamples(dialect, 's');
  const readings = readingValues(dialect);
  const isImplausible = `${readings.systolic} is null and r.systolic_mmhg is not null or ${readings.diastolic} is null and r.diastolic_mmhg is not null`;
  const values = {
    samples: 'cast(sum(samples) as int64)',
    samples_unknown_unit: 'cast(sum(unknown_unit) as int64)',
    samples_implausible: 'cast(sum(implausible) as int64)',
  };
  return {
    names: Object.keys(values),
    query: `    select user_id, local_date, ${selected(values)}
    from (
      select
        s.user_id, s.local_date, s.samples, case when ${knownUnit} then 0 else s.samples end as unknown_unit, s.implausible
      from ${table('timeseries_daily')} s
      ${join}
      union all
      select
        r.user_id, coalesce(r.local_date, ${date('r.start_at')}), 1, case when ${readings.unit} is null then 1 else 0 end,
        case when ${readings.unit} is not null and (${isImplausible}) then 1 else 0 end
      from ${table('blood_pressure_local')} r
      ${readings.join}
    ) counted
    group by user_id, local_date`,
  };
}

function nights({ table }: ViewDialect): Part {
  const values = {
    ...Object.fromEntries(
      ['total_s', 'light_s', 'deep_s', 'rem_s', 'awake_s', 'duration_s', 'efficiency'].map((name) => [`sleep_${name}`, name]),
    ),
    sleep_hrv_avg_ms: 'hrv_ms',
    sleep_respiratory_rate_per_min: 'respiratory_rate_per_min',
    sleep_score: 'score',
    sleep_started_at: 'start_at',
    sleep_source: 'source',
    sleep_others: 'others',
    sleep_partial_others: 'partial_others',
    naps: 'naps',
    nap_total_s: 'nap_total_s',
    nap_sources: 'nap_sources',
  };
  return {
    names: Object.keys(values),
    query: `    select user_id, night_date as local_date, ${selected(values)}
    from ${table('sleep_nights')}`,
  };
}

/** The sums include only plausible values. */
function workouts(dialect: ViewDialect): Part {
  const { table, floor, text } = dialect;
  const values = {
    workouts: 'count(*)',
    workouts_duration_s: `cast(sum(case when time_end > time_start then ${floor('lasts_s')} end) as int64)`,
    workouts_distance_m: 'sum(distance_m)',
    workouts_calories_kcal: 'sum(calories_kcal)',
    workouts_sources: `string_agg(distinct source, ${text(', ')} order by source)`,
    workouts_duplicates: 'cast(sum(sources) - count(*) as int64)',
  };
  return {
    names: Object.keys(values),
    query: `    select user_id, local_date, ${selected(values)}
    from (
      select *, ${workoutSeconds(dialect)} as lasts_s
      from ${table('workouts_deduplicated')}
    ) timed
    where local_date is not null
    group by user_id, local_date`,
  };
}

/** The values of a reading `r` in mmHg, each NULL if it is not plausible. Both pressures have the same units. */
function readingValues(dialect: ViewDialect) {
  const inMmHg = (column: string) => conversion(dialect, dialect.text('blood_pressure.systolic_mmhg'), `r.${column}`, 'r.unit');
  const plausible = (column: string): string => plausibleValue('blood_pressure', column, inMmHg(column).value);
  const { join, unit } = inMmHg('systolic_mmhg');
  return { join, unit, systolic: `(${plausible('systolic_mmhg')})`, diastolic: `(${plausible('diastolic_mmhg')})` };
}

/** Query for all readings of blood pressure, with their plausible values and dates. */
export function pressureReadings(dialect: ViewDialect): string {
  const { table, date } = dialect;
  const { join, systolic, diastolic } = readingValues(dialect);
  return `            select
              r.user_id, r.provider, r.source_type, ${systolic} as systolic_mmhg, ${diastolic} as diastolic_mmhg,
              coalesce(r.local_date, ${date('r.start_at')}) as local_date
            from ${table('blood_pressure_local')} r
            ${join}`;
}

/**
 * The mean readings of the best source. Values that are not plausible do not count, and neither do readings whose unit is not
 * known. A reading without a local date counts on its UTC date.
 */
export function bloodPressure(dialect: ViewDialect, preferences: Preferences): Part {
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
    query: `    select user_id, local_date, ${selected(values)}
    from (
      select
        *,
        count(*) over (partition by user_id, local_date) - 1 as others,
        row_number() over (
          partition by user_id, local_date order by ${rank}, ${usualSource(dialect, 'days_before')}
        ) as place
      from (
        select *, ${daysBefore(dialect, 'user_id, provider, source_type', 'local_date')} as days_before
        from (
          select
            user_id, local_date, provider, source_type,
            avg(systolic_mmhg) as systolic_mmhg, avg(diastolic_mmhg) as diastolic_mmhg, count(*) as readings
          from (
${pressureReadings(dialect)}
          ) readings
          where systolic_mmhg is not null or diastolic_mmhg is not null
          group by user_id, local_date, provider, source_type
        ) of_source
      ) compared
    ) ordered
    where place = 1`,
  };
}

const selected = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => (name === value ? name : `${value} as ${name}`))
    .join(', ');
