import type { ViewDialect } from './dialect.ts';
import { sourceName, sourceRank } from './source-rank.ts';
import { conversion, countedSamples } from './unit-conversions.ts';
import { userOffset } from './user-offset.ts';

/** A measure of `metric_days` that is a column of the day. */
export interface Metric {
  readonly measure: string;
  readonly column: string;
  /** Prefix of the columns with the source and the coverage. */
  readonly name: string;
  readonly doc: string;
}

export const metrics: readonly Metric[] = [
  { measure: 'steps', column: 'steps', name: 'steps', doc: 'Number of steps.' },
  { measure: 'distance', column: 'distance_m', name: 'distance', doc: 'Distance moved.' },
  {
    measure: 'calories_active',
    column: 'calories_active_kcal',
    name: 'calories_active',
    doc: 'Energy spent through activity.',
  },
  { measure: 'floors_climbed', column: 'floors_climbed', name: 'floors_climbed', doc: 'Floors climbed.' },
  { measure: 'heartrate', column: 'heartrate_avg_bpm', name: 'heartrate', doc: 'Average heart rate.' },
  { measure: 'hrv', column: 'hrv_avg_ms', name: 'hrv', doc: 'Average heart rate variability (RMSSD) of the day.' },
  { measure: 'blood_oxygen', column: 'blood_oxygen_avg_pct', name: 'blood_oxygen', doc: 'Average blood oxygen saturation.' },
];

/** Query for one row per user and day with some columns of the day. */
interface Part {
  readonly query: string;
  readonly names: readonly string[];
}

/** The parts of `person_days`, one per table. */
export function dayParts(dialect: ViewDialect): readonly Part[] {
  return [
    metricValues(dialect),
    heartRateRange(dialect),
    sampleCounts(dialect),
    nights(dialect),
    workouts(dialect),
    bestOfSummary(dialect, 'activity', {
      calories_total: ['calories_total_kcal', 'calories_total_kcal'],
      heart_rate_resting: ['heart_rate_resting_bpm', 'heart_rate_resting_bpm'],
    }),
    bestOfSummary(dialect, 'body', { body_weight: ['weight_kg', 'body_weight'], body_fat: ['fat_pct', 'body_fat'] }),
    bloodPressure(dialect),
  ];
}

function metricValues({ table, text }: ViewDialect): Part {
  const when = (measure: string, value: string): string => `max(case when measure = ${text(measure)} then ${value} end)`;
  const values: Record<string, string> = Object.fromEntries([
    ...metrics.flatMap(({ measure, column, name }) => [
      [column, when(measure, 'value')],
      [`${name}_source`, when(measure, 'source')],
      [`${name}_coverage`, when(measure, 'coverage')],
    ]),
    ['glucose_mmol_l', when('glucose', 'value')],
    ['glucose_source', when('glucose', 'source')],
    ['glucose_coverage', when('glucose', 'coverage')],
    ...['weight', 'fat'].flatMap((measure) => [
      [`metric_${measure}`, when(measure, 'value')],
      [`metric_${measure}_source`, when(measure, 'source')],
    ]),
  ]);
  return {
    names: Object.keys(values),
    query: `    select user_id, local_date as calendar_date, ${selected(values)}
    from ${table('metric_days')}
    group by user_id, local_date`,
  };
}

/** The range of the heart rate, from the source and the units that `metric_days` chose for the average. */
function heartRateRange(dialect: ViewDialect): Part {
  const { table } = dialect;
  const ofUnit = (value: string) => conversion(dialect, 's.resource', value, 's.unit');
  const { join, unit } = ofUnit('s.value_avg');
  const values = {
    heartrate_min_bpm: `min(${ofUnit('s.value_min').value})`,
    heartrate_max_bpm: `max(${ofUnit('s.value_max').value})`,
  };
  return {
    names: Object.keys(values),
    query: `    select s.user_id, s.calendar_date, ${selected(values)}
    from ${table('timeseries_daily')} s
    join ${table('metric_days')} m
      on m.user_id = s.user_id and m.local_date = s.calendar_date and m.measure = 'heartrate'
      and m.source = ${sourceName(dialect, 's.provider', 's.source_type')}
    ${join}
    where s.resource = 'heartrate' and ${unit} is not null
    group by s.user_id, s.calendar_date`,
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
    ...{ sleep_source: 'source', naps: 'naps', nap_total_s: 'nap_total_s' },
  };
  return {
    names: Object.keys(values),
    query: `    select user_id, night_date as calendar_date, ${selected(values)}
    from ${table('sleep_nights')}`,
  };
}

function workouts({ table, date, addSeconds, secondsBetween }: ViewDialect): Part {
  const day = `coalesce(calendar_date, ${date(addSeconds('time_start', 'timezone_offset_s'))})`;
  const duration = `cast(floor(${secondsBetween('time_start', 'time_end')}) as int64)`;
  const values = {
    workouts: 'count(*)',
    workouts_duration_s: `cast(sum(case when time_end > time_start then ${duration} end) as int64)`,
    workouts_distance_m: 'sum(distance_m)',
    workouts_calories_kcal: 'sum(calories_kcal)',
  };
  return {
    names: Object.keys(values),
    query: `    select user_id, day as calendar_date, ${selected(values)}
    from (select *, ${day} as day from ${table('workouts_deduplicated')}) dated
    where day is not null
    group by user_id, day`,
  };
}

/**
 * Values of a summary table with a row per source and day. For each value, the source with the best rank that has it. `values`
 * maps the prefix of the source's column to the column of the table and the column of the part.
 */
function bestOfSummary(dialect: ViewDialect, name: string, values: Readonly<Record<string, readonly [string, string]>>): Part {
  const { table, latest } = dialect;
  const best = Object.entries(values).flatMap(([prefix, [of, column]]) => [
    [column, latest(of, 'preference')],
    [`${prefix}_source`, latest(`case when ${of} is not null then ${sourceName(dialect)} end`, 'preference')],
  ]);
  const last = `${sourceRank(dialect)} desc, provider desc, source_type desc, _version_time, _received_at, id`;
  return {
    names: best.map(([column]) => column!),
    query: `    select user_id, calendar_date, ${selected(Object.fromEntries(best))}
    from (
      select *, row_number() over (partition by user_id, calendar_date order by ${last}) as preference
      from ${table(name)}
      where calendar_date is not null
    ) ordered
    group by user_id, calendar_date`,
  };
}

/**
 * The mean readings of the source with the best rank. Among sources of equal rank, the one with the most readings wins. Readings
 * whose unit is not known do not count. Both pressures have the same units.
 */
function bloodPressure(dialect: ViewDialect): Part {
  const { table, date, addSeconds } = dialect;
  const { joins, offset_s } = userOffset(dialect, { from: table, alias: 'r', instant: 'start_at', own: 'timezone_offset_s' });
  const inMmHg = (value: string) => conversion(dialect, dialect.text('blood_pressure.systolic_mmhg'), value, 'r.unit');
  const systolic = inMmHg('r.systolic_mmhg');
  const values = {
    blood_pressure_systolic_mmhg: 'systolic_mmhg',
    blood_pressure_diastolic_mmhg: 'diastolic_mmhg',
    blood_pressure_readings: 'readings',
    blood_pressure_source: sourceName(dialect),
  };
  return {
    names: Object.keys(values),
    query: `    select user_id, calendar_date, ${selected(values)}
    from (
      select
        *, row_number() over (
          partition by user_id, calendar_date order by ${sourceRank(dialect)}, readings desc, provider, source_type
        ) as place
      from (
        select
          user_id, calendar_date, provider, source_type,
          avg(systolic_mmhg) as systolic_mmhg, avg(diastolic_mmhg) as diastolic_mmhg, count(*) as readings
        from (
          select
            r.user_id, r.provider, r.source_type,
            ${systolic.value} as systolic_mmhg, ${inMmHg('r.diastolic_mmhg').value} as diastolic_mmhg,
            coalesce(r.local_date, ${date(addSeconds('r.start_at', offset_s))}) as calendar_date
          from ${table('blood_pressure')} r
          ${joins}
          ${systolic.join}
          where (r.systolic_mmhg is not null or r.diastolic_mmhg is not null) and ${systolic.unit} is not null
        ) readings
        where calendar_date is not null
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
