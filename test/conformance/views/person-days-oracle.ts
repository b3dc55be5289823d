import { expectedNights, type OffsetAt, type SleepRecord } from './sleep-oracle.ts';
import { expectedDuplicates, type WorkoutRecord } from './workouts-oracle.ts';

/** Computes the days of one user in plain code, from the rules alone. */

interface MetricDay {
  readonly local_date: string;
  readonly measure: string;
  readonly value: number;
  readonly unit: string;
  readonly source: string;
  readonly coverage: number | null;
}

interface SampleDay {
  readonly resource: string;
  readonly provider: string;
  readonly source_type: string;
  readonly calendar_date: string;
  readonly samples: number;
  readonly value_min: number;
  readonly value_max: number;
}

/** A row of `activity` or `body`. */
interface SummaryDay {
  readonly provider: string;
  readonly source_type: string;
  readonly calendar_date: string;
  readonly values: Readonly<Record<string, number | null>>;
}

interface Reading {
  readonly provider: string;
  readonly source_type: string;
  readonly start_at: string;
  readonly local_date: string | null;
  readonly systolic_mmhg: number | null;
  readonly diastolic_mmhg: number | null;
}

export interface Person {
  readonly metrics: readonly MetricDay[];
  readonly samples: readonly SampleDay[];
  readonly activity: readonly SummaryDay[];
  readonly body: readonly SummaryDay[];
  readonly readings: readonly Reading[];
  readonly sleep: readonly SleepRecord[];
  readonly workouts: readonly WorkoutRecord[];
}

/** Source types of the tests, best first. */
const trust = ['chest_strap', 'cuff', 'scale', 'ring', 'watch', 'phone', 'app', 'unknown'];
interface Source {
  readonly provider: string;
  readonly source_type: string;
}
const nameOf = ({ provider, source_type }: Source): string => `${provider}/${source_type}`;

function better(a: Source, b: Source): number {
  const rank = ({ provider, source_type }: Source): number => (provider === 'manual' ? 99 : trust.indexOf(source_type));
  return rank(a) - rank(b) || (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0);
}

const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
const some = (list: readonly (number | null | undefined)[]): number | null => {
  const present = list.filter((one) => one !== null && one !== undefined);
  return present.length === 0 ? null : sum(present);
};

type Day = Record<string, unknown>;

export function expectedDays(person: Person, offsetAt: OffsetAt): Day[] {
  const nights = new Map(expectedNights(person.sleep, offsetAt).map((night) => [night.night_date, night]));
  const duplicates = new Set(expectedDuplicates(person.workouts).map(({ id }) => id));
  const workouts = person.workouts.filter(({ id }) => !duplicates.has(id));
  const dated = person.readings
    .filter((one) => one.systolic_mmhg !== null || one.diastolic_mmhg !== null)
    .map((one) => ({ ...one, local_date: one.local_date ?? localDate(one.start_at, offsetAt) }));
  const dates = new Set([
    ...person.metrics.map(({ local_date }) => local_date),
    ...[...person.samples, ...person.activity, ...person.body].map(({ calendar_date }) => calendar_date),
    ...[...nights.keys(), ...workouts.flatMap(({ calendar_date }) => calendar_date ?? [])],
    ...dated.flatMap(({ local_date }) => local_date ?? []),
  ]);
  return [...dates].sort().map((date) => ({
    calendar_date: date,
    ...ofMetrics(person, date),
    ...ofSummaries(person, date),
    ...ofReadings(dated.filter(({ local_date }) => local_date === date)),
    ...ofNight(nights.get(date)),
    ...ofWorkouts(workouts.filter(({ calendar_date }) => calendar_date === date)),
    samples: some(person.samples.filter(({ calendar_date }) => calendar_date === date).map(({ samples }) => samples)),
  }));
}

function localDate(instant: string, offsetAt: OffsetAt): string | null {
  const at = Date.parse(instant);
  const offset = offsetAt(at);
  return offset === undefined ? null : new Date(at + offset * 1000).toISOString().slice(0, 10);
}

function ofMetrics({ metrics, samples }: Person, date: string): Day {
  const of = (measure: string): MetricDay | undefined =>
    metrics.find((one) => one.local_date === date && one.measure === measure);
  const three = (measure: string, column: string, name: string): Day => ({
    [column]: of(measure)?.value ?? null,
    [`${name}_source`]: of(measure)?.source ?? null,
    [`${name}_coverage`]: of(measure)?.coverage ?? null,
  });
  const glucose = of('glucose');
  const range = samples.filter(
    (one) => one.calendar_date === date && one.resource === 'heartrate' && nameOf(one) === of('heartrate')?.source,
  );
  return {
    ...three('steps', 'steps', 'steps'),
    ...three('distance', 'distance_m', 'distance'),
    ...three('calories_active', 'calories_active_kcal', 'calories_active'),
    ...three('floors_climbed', 'floors_climbed', 'floors_climbed'),
    ...three('heartrate', 'heartrate_avg_bpm', 'heartrate'),
    ...three('hrv', 'hrv_avg_ms', 'hrv'),
    ...three('blood_oxygen', 'blood_oxygen_avg_pct', 'blood_oxygen'),
    heartrate_min_bpm: range.length === 0 ? null : Math.min(...range.map(({ value_min }) => value_min)),
    heartrate_max_bpm: range.length === 0 ? null : Math.max(...range.map(({ value_max }) => value_max)),
    // 1 mmol/L of glucose is 18.0182 mg/dL.
    glucose_avg_mmol_l: glucose?.value ?? null,
    glucose_avg_mg_dl: glucose === undefined ? null : glucose.value * 18.0182,
    glucose_source: glucose?.source ?? null,
    glucose_coverage: glucose?.coverage ?? null,
  };
}

function ofSummaries({ metrics, activity, body }: Person, date: string): Day {
  const best = (list: readonly SummaryDay[], column: string): { value: number | null; source: string | null } => {
    const having = list.filter((one) => one.calendar_date === date && (one.values[column] ?? null) !== null);
    const [first] = having.sort(better);
    return first === undefined ? { value: null, source: null } : { value: first.values[column]!, source: nameOf(first) };
  };
  const sampled = (measure: string, column: string): { value: number | null; source: string | null } =>
    metrics.find((one) => one.local_date === date && one.measure === measure) ?? best(body, column);
  return {
    calories_total_kcal: best(activity, 'calories_total_kcal').value,
    calories_total_source: best(activity, 'calories_total_kcal').source,
    heart_rate_resting_bpm: best(activity, 'heart_rate_resting_bpm').value,
    heart_rate_resting_source: best(activity, 'heart_rate_resting_bpm').source,
    weight_kg: sampled('weight', 'weight_kg').value,
    weight_source: sampled('weight', 'weight_kg').source,
    fat_pct: sampled('fat', 'fat_pct').value,
    fat_source: sampled('fat', 'fat_pct').source,
  };
}

function ofReadings(readings: readonly Reading[]): Day {
  const bySource = [...Map.groupBy(readings, nameOf).values()].sort((a, b) => {
    const sameRank = trust.indexOf(a[0]!.source_type) === trust.indexOf(b[0]!.source_type);
    return (sameRank ? b.length - a.length : 0) || better(a[0]!, b[0]!);
  });
  const [best] = bySource;
  const mean = (column: 'systolic_mmhg' | 'diastolic_mmhg'): number | null => {
    const present = (best ?? []).map((one) => one[column]).filter((one) => one !== null);
    return present.length === 0 ? null : sum(present) / present.length;
  };
  return {
    blood_pressure_systolic_mmhg: mean('systolic_mmhg'),
    blood_pressure_diastolic_mmhg: mean('diastolic_mmhg'),
    blood_pressure_readings: best?.length ?? null,
    blood_pressure_source: best === undefined ? null : nameOf(best[0]!),
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
    naps: night?.naps ?? null,
    nap_total_s: night?.nap_total_s ?? null,
  };
}

function ofWorkouts(workouts: readonly WorkoutRecord[]): Day {
  const lasting = workouts.map(({ time_start, time_end }) => Date.parse(time_end ?? '') - Date.parse(time_start ?? ''));
  return {
    workouts: workouts.length === 0 ? null : workouts.length,
    workouts_duration_s: some(lasting.map((one) => (one > 0 ? Math.floor(one / 1000) : null))),
    workouts_distance_m: some(workouts.map(({ measures }) => measures.distance_m)),
    workouts_calories_kcal: some(workouts.map(({ measures }) => measures.calories_kcal)),
  };
}
