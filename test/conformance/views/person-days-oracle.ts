import { expectedNights, type OffsetAt, type SleepRecord } from './sleep-oracle.ts';
import { bySource, nameOf, type Ranks, type Source } from './source-oracle.ts';
import { expectedWorkouts, plausibleOf, secondsOf, type Workout, type WorkoutRecord, workoutDayOf } from './workouts-oracle.ts';

/** Computes the days of one user in plain code, from stored rows and the rules alone. */

/** A row of `timeseries`. */
interface SampleRow extends Source {
  readonly resource: string;
  readonly sample_type: string;
  readonly start_at: string;
  readonly timezone_offset_s: number | null;
  readonly time_basis: 'utc' | 'floating';
  readonly value: number;
  readonly unit: string | null;
}

/** A row of `activity` or `body`. */
interface SummaryRow extends Source {
  readonly calendar_date: string;
  readonly _version_time: string;
  readonly values: Readonly<Record<string, number | null>>;
}

/** A row of `blood_pressure`. */
interface ReadingRow extends Source {
  readonly start_at: string;
  readonly timezone_offset_s: number | null;
  readonly systolic_mmhg: number | null;
  readonly diastolic_mmhg: number | null;
  readonly unit: string | null;
}

export interface Person {
  readonly samples: readonly SampleRow[];
  readonly activity: readonly SummaryRow[];
  readonly body: readonly SummaryRow[];
  readonly readings: readonly ReadingRow[];
  readonly sleep: readonly SleepRecord[];
  readonly workouts: readonly WorkoutRecord[];
}

type Day = Record<string, unknown>;

const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
const mean = (list: readonly number[]): number => sum(list) / list.length;
const some = (list: readonly (number | null | undefined)[]): number | null => {
  const present = list.filter((one) => one !== null && one !== undefined);
  return present.length === 0 ? null : sum(present);
};

const dateAt = (instant: string, offset_s: number): string =>
  new Date(Date.parse(instant) + offset_s * 1000).toISOString().slice(0, 10);

interface Timed {
  readonly start_at: string;
  readonly timezone_offset_s: number | null;
  readonly time_basis?: 'utc' | 'floating';
}

/** The local date of a row, from its own offset or else from that of the user, and otherwise the date in UTC. */
function dayOf({ start_at, timezone_offset_s, time_basis }: Timed, offsetAt: OffsetAt): { date: string; basis: 'local' | 'utc' } {
  if (time_basis === 'floating') return { date: dateAt(start_at, 0), basis: 'local' };
  const offset = timezone_offset_s ?? offsetAt(Date.parse(start_at));
  return offset === undefined ? { date: dateAt(start_at, 0), basis: 'utc' } : { date: dateAt(start_at, offset), basis: 'local' };
}

/** Factors to the canonical units, by resource. A value without a unit is in the first one. */
const factors: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  heartrate: { bpm: 1 },
  hrv: { ms: 1, s: 1000 },
  glucose: { 'mmol/l': 1, 'mg/dl': 1 / 18.0182 },
  blood_oxygen: { '%': 1 },
  weight: { kg: 1, lb: 0.45359237 },
  fat: { '%': 1 },
};
const units: Readonly<Record<string, string>> = {
  ...{ heartrate: '/min', hrv: 'ms', glucose: 'mmol/L', blood_oxygen: '%', weight: 'kg', fat: '%', steps: '{steps}' },
  ...{ distance: 'm', calories_active: 'kcal', calories_total: 'kcal', floors_climbed: '{floors}', heart_rate_resting: '/min' },
};

function canonical({ resource, unit, value }: SampleRow): number | undefined {
  const known = factors[resource] ?? {};
  const factor = unit === null ? Object.values(known)[0] : known[unit.trim().toLowerCase()];
  return factor === undefined ? undefined : value * factor;
}

/** The rows of `timeseries_daily`. */
export function expectedSampleDays({ samples }: Person, offsetAt: OffsetAt): Day[] {
  const dated = samples.map((sample) => ({ sample, ...dayOf(sample, offsetAt) }));
  const groups = Map.groupBy(dated, ({ sample: { resource, sample_type, unit, ...source }, date, basis }) =>
    JSON.stringify([date, basis, resource, sample_type, unit, source.provider, source.source_type]),
  );
  return [...groups.values()].map((list) => {
    const { sample, date, basis } = list[0]!;
    const values = list.map((one) => one.sample.value);
    const times = list.map((one) => Date.parse(one.sample.start_at));
    return {
      ...{ calendar_date: date, date_basis: basis, resource: sample.resource, sample_type: sample.sample_type },
      ...{ unit: sample.unit, provider: sample.provider, source_type: sample.source_type, samples: list.length },
      ...{ value_min: Math.min(...values), value_max: Math.max(...values), value_avg: mean(values), value_sum: sum(values) },
      first_at: new Date(Math.min(...times)).toISOString(),
      last_at: new Date(Math.max(...times)).toISOString(),
    };
  });
}

/** Measures of a day that come from a summary, and the column. If a source has several totals, the greatest counts. */
const totals: Readonly<Record<string, string>> = {
  ...{ steps: 'steps', distance: 'distance_m', calories_active: 'calories_active_kcal' },
  ...{ calories_total: 'calories_total_kcal', floors_climbed: 'floors_climbed' },
};
const levels: Readonly<Record<string, readonly ['activity' | 'body', string]>> = {
  heart_rate_resting: ['activity', 'heart_rate_resting_bpm'],
  weight: ['body', 'weight_kg'],
  fat: ['body', 'fat_pct'],
};

interface Candidate extends Source {
  readonly value: number;
  /** The lowest and the highest sample. */
  readonly range?: readonly [lowest: number, highest: number];
}

/** The values of a measure on a date, one per source that has any. */
function candidates(person: Person, measure: string, date: string, offsetAt: OffsetAt): Candidate[] {
  const found = new Map<string, Candidate>();
  const add = ({ provider, source_type }: Source, value: number, samples: readonly number[] = []): void => {
    const range = samples.length === 0 ? {} : { range: [Math.min(...samples), Math.max(...samples)] as const };
    const name = nameOf({ provider, source_type });
    if (!found.has(name)) found.set(name, { provider, source_type, value, ...range });
  };
  const bySourceOf = <T extends Source>(rows: readonly T[]): T[][] => [...Map.groupBy(rows, nameOf).values()];
  if (measure in factors) {
    const counted = person.samples
      .filter((one) => one.resource === measure && dayOf(one, offsetAt).date === date)
      .flatMap((one) => {
        const value = canonical(one);
        return value === undefined ? [] : [{ provider: one.provider, source_type: one.source_type, value }];
      });
    for (const rows of bySourceOf(counted)) {
      const values = rows.map(({ value }) => value);
      add(rows[0]!, mean(values), values);
    }
  }
  const summed = (rows: readonly SummaryRow[], column: string): SummaryRow[] =>
    rows.filter((one) => one.calendar_date === date && (one.values[column] ?? null) !== null);
  const total = totals[measure];
  if (total !== undefined)
    for (const rows of bySourceOf(summed(person.activity, total)))
      add(rows[0]!, Math.max(...rows.map(({ values }) => values[total]!)));
  const level = levels[measure];
  if (level !== undefined)
    for (const rows of bySourceOf(summed(person[level[0]], level[1]))) {
      const [newest] = rows.toSorted((a, b) => (a._version_time < b._version_time ? 1 : -1));
      add(newest!, newest!.values[level[1]]!);
    }
  return [...found.values()];
}

interface MetricDay {
  readonly value: number;
  readonly lowest: number | null;
  readonly highest: number | null;
  readonly source: string;
  readonly others: number;
}

function metricOf(person: Person, measure: string, date: string, { offsetAt, ranks }: Known): MetricDay | undefined {
  const sorted = candidates(person, measure, date, offsetAt).sort(bySource(ranks, measure));
  const [best] = sorted;
  if (best === undefined) return undefined;
  const [lowest, highest] = best.range ?? [null, null];
  return { value: best.value, lowest, highest, source: nameOf(best), others: sorted.length - 1 };
}

/** Knowledge beside the rows: the user and the offset of the user, and the order of sources. */
export interface Known {
  readonly user: string;
  readonly offsetAt: OffsetAt;
  readonly ranks: Ranks;
}

/** The dates with any sample, reading or value of a summary. */
const datesOf = (person: Person, offsetAt: OffsetAt): string[] => [
  ...[...person.samples, ...person.readings].map((one) => dayOf(one, offsetAt).date),
  ...[...person.activity, ...person.body]
    .filter(({ values }) => Object.values(values).some((value) => value !== null))
    .map(({ calendar_date }) => calendar_date),
];

/** The rows of `metric_days`. */
export function expectedMetricDays(person: Person, known: Known): Day[] {
  return [...new Set(datesOf(person, known.offsetAt))].flatMap((local_date) =>
    [...new Set([...Object.keys(factors), ...Object.keys(totals), ...Object.keys(levels)])].flatMap((measure) => {
      const metric = metricOf(person, measure, local_date, known);
      return metric === undefined ? [] : [{ local_date, measure, unit: units[measure], ...metric }];
    }),
  );
}

/** The rows of `person_days`. */
export function expectedDays(person: Person, known: Known): Day[] {
  const { offsetAt, ranks, user } = known;
  const nights = new Map(expectedNights(person.sleep, offsetAt, ranks).map((night) => [night.night_date, night]));
  const workouts = expectedWorkouts(person.workouts, user, ranks);
  const readings = person.readings.filter(
    ({ systolic_mmhg, diastolic_mmhg, unit }) =>
      (systolic_mmhg !== null || diastolic_mmhg !== null) && [null, 'mmhg'].includes(unit?.toLowerCase() ?? null),
  );
  const dates = new Set([
    ...datesOf({ ...person, readings }, offsetAt),
    ...[...nights.keys(), ...workouts.flatMap((one) => workoutDayOf(one) ?? [])],
  ]);
  return [...dates].sort().map((date) => {
    const samples = person.samples.filter((one) => dayOf(one, offsetAt).date === date);
    return {
      calendar_date: date,
      ...ofMetrics(person, date, known),
      ...ofReadings(
        readings.filter((one) => dayOf(one, offsetAt).date === date),
        ranks,
      ),
      ...ofNight(nights.get(date)),
      ...ofWorkouts(workouts.filter((one) => workoutDayOf(one) === date)),
      samples: samples.length === 0 ? null : samples.length,
      samples_unknown_unit: samples.length === 0 ? null : samples.filter((one) => canonical(one) === undefined).length,
    };
  });
}

/** Columns of the day, by measure. */
const columns: Readonly<Record<string, string>> = {
  ...{ steps: 'steps', distance: 'distance_m', calories_active: 'calories_active_kcal', floors_climbed: 'floors_climbed' },
  ...{ calories_total: 'calories_total_kcal', heart_rate_resting: 'heart_rate_resting_bpm', heartrate: 'heartrate_avg_bpm' },
  ...{ hrv: 'hrv_avg_ms', blood_oxygen: 'blood_oxygen_avg_pct', glucose: 'glucose_avg_mmol_l', weight: 'weight_kg' },
  fat: 'fat_pct',
};

function ofMetrics(person: Person, date: string, known: Known): Day {
  const metric = (measure: string): MetricDay | undefined => metricOf(person, measure, date, known);
  const heart = metric('heartrate');
  const glucose = metric('glucose')?.value;
  return {
    ...Object.fromEntries(
      Object.entries(columns).flatMap(([measure, column]) => [
        [column, metric(measure)?.value ?? null],
        [`${measure}_source`, metric(measure)?.source ?? null],
        [`${measure}_others`, metric(measure)?.others ?? null],
      ]),
    ),
    heartrate_min_bpm: heart?.lowest ?? null,
    heartrate_max_bpm: heart?.highest ?? null,
    // 1 mmol/L of glucose is 18.0182 mg/dL.
    glucose_avg_mg_dl: glucose === undefined ? null : glucose * 18.0182,
  };
}

function ofReadings(readings: readonly ReadingRow[], ranks: Ranks): Day {
  const rank = (one: Source): number => ranks('blood_pressure', one);
  const sources = [...Map.groupBy(readings, nameOf).values()].sort(
    ([a, ...more], [b, ...others]) =>
      rank(a!) - rank(b!) || others.length - more.length || bySource(ranks, 'blood_pressure')(a!, b!),
  );
  const [best] = sources;
  const meanOf = (column: 'systolic_mmhg' | 'diastolic_mmhg'): number | null => {
    const present = (best ?? []).flatMap((one) => one[column] ?? []);
    return present.length === 0 ? null : mean(present);
  };
  return {
    blood_pressure_systolic_mmhg: meanOf('systolic_mmhg'),
    blood_pressure_diastolic_mmhg: meanOf('diastolic_mmhg'),
    blood_pressure_readings: best?.length ?? null,
    blood_pressure_source: best === undefined ? null : nameOf(best[0]!),
    blood_pressure_others: best === undefined ? null : sources.length - 1,
  };
}

function ofNight(night: ReturnType<typeof expectedNights>[number] | undefined): Day {
  return {
    sleep_total_s: night?.total_s ?? null,
    sleep_light_s: night?.light_s ?? null,
    sleep_deep_s: night?.deep_s ?? null,
    sleep_rem_s: night?.rem_s ?? null,
    sleep_awake_s: night?.awake_s ?? null,
    sleep_efficiency: night?.efficiency ?? null,
    sleep_hrv_avg_ms: night?.hrv_ms ?? null,
    sleep_score: night?.score ?? null,
    sleep_source: night?.source ?? null,
    sleep_others: night?.others ?? null,
    naps: night?.naps ?? null,
    nap_total_s: night?.nap_total_s ?? null,
  };
}

function ofWorkouts(workouts: readonly Workout[]): Day {
  const seconds = workouts.map((one) => secondsOf(one));
  return {
    workouts: workouts.length === 0 ? null : workouts.length,
    workouts_duration_s: some(seconds.map((one) => (one === undefined ? null : Math.floor(one)))),
    workouts_distance_m: some(workouts.map((one) => plausibleOf(one, 'distance_m'))),
    workouts_calories_kcal: some(workouts.map((one) => plausibleOf(one, 'calories_kcal'))),
    workouts_sources: workouts.length === 0 ? null : [...new Set(workouts.map(nameOf))].sort().join(', '),
    workouts_duplicates: some(workouts.map(({ others }) => others.length)),
  };
}
