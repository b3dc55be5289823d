import { expectedNights, type OffsetAt, type SleepRecord } from './sleep-oracle.ts';
import { bySource, countBefore, nameOf, type Ranks, type Source } from './source-oracle.ts';
import { expectedWorkouts, plausibleOf, secondsOf, type Workout, type WorkoutRecord, workoutDayOf } from './workouts-oracle.ts';

/** Computes the days of one user in plain code, from stored rows and the rules alone. */

/** A row of `timeseries`. */
interface SampleRow extends Source {
  readonly resource: string;
  readonly sample_type: string;
  readonly start_at: string;
  readonly end_at: string | null;
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

/** An event of a source in `deliveries`. Dead letters and redeliveries do not count. */
interface Receipt extends Source {
  readonly received_at: string;
  readonly counts: boolean;
}

export interface Person {
  readonly samples: readonly SampleRow[];
  readonly activity: readonly SummaryRow[];
  readonly body: readonly SummaryRow[];
  readonly readings: readonly ReadingRow[];
  readonly sleep: readonly SleepRecord[];
  readonly workouts: readonly WorkoutRecord[];
  readonly receipts: readonly Receipt[];
}

type Day = Record<string, unknown>;

const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
const mean = (list: readonly number[]): number => sum(list) / list.length;
const some = (list: readonly (number | null | undefined)[]): number | null => {
  const present = list.filter((one) => one !== null && one !== undefined);
  return present.length === 0 ? null : sum(present);
};

interface Timed {
  readonly start_at: string;
  readonly timezone_offset_s: number | null;
  readonly time_basis?: 'utc' | 'floating';
}

/** The local time of a row in milliseconds, from its own offset or else from that of the user, and otherwise the time in UTC. */
function clockOf({ start_at, timezone_offset_s, time_basis }: Timed, offsetAt: OffsetAt): { at: number; basis: 'local' | 'utc' } {
  const start = Date.parse(start_at);
  if (time_basis === 'floating') return { at: start, basis: 'local' };
  const offset = timezone_offset_s ?? offsetAt(start);
  return offset === undefined ? { at: start, basis: 'utc' } : { at: start + offset * 1000, basis: 'local' };
}

export function dayOf(row: Timed, offsetAt: OffsetAt): { date: string; basis: 'local' | 'utc' } {
  const { at, basis } = clockOf(row, offsetAt);
  return { date: new Date(at).toISOString().slice(0, 10), basis };
}

/** Factors to the canonical units, by resource. A value without a unit is in the first one. */
const factors: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  steps: { count: 1 },
  heartrate: { bpm: 1 },
  hrv: { ms: 1, s: 1000 },
  glucose: { 'mmol/l': 1, 'mg/dl': 1 / 18.0182 },
  blood_oxygen: { '%': 1 },
  weight: { kg: 1, lb: 0.45359237 },
  fat: { '%': 1 },
};
const units: Readonly<Record<string, string>> = {
  heartrate: '/min',
  hrv: 'ms',
  glucose: 'mmol/L',
  blood_oxygen: '%',
  weight: 'kg',
  fat: '%',
  steps: '{steps}',
  distance: 'm',
  calories_active: 'kcal',
  calories_total: 'kcal',
  floors_climbed: '{floors}',
  heart_rate_resting: '/min',
};

/** The least and the greatest plausible value, in the canonical unit. */
const plausible: Readonly<Record<string, readonly [number, number]>> = {
  heartrate: [20, 300],
  hrv: [1, 500],
  glucose: [0.5, 60],
  blood_oxygen: [50, 100],
  weight: [0.3, 650],
  fat: [1, 80],
  steps: [0, 250_000],
  distance: [0, 1_100_000],
  calories_active: [0, 20_000],
  calories_total: [1, 20_000],
  floors_climbed: [0, 3000],
  heart_rate_resting: [20, 300],
  systolic_mmhg: [40, 350],
  diastolic_mmhg: [20, 250],
};

const isPlausible = (measure: string, value: number): boolean =>
  value >= plausible[measure]![0] && value <= plausible[measure]![1];

/** The value of a sample in the canonical unit; undefined if its unit is not known. */
export function canonical({ resource, unit, value }: SampleRow): number | undefined {
  const known = factors[resource] ?? {};
  const factor = unit === null ? Object.values(known)[0] : known[unit.trim().toLowerCase()];
  return factor === undefined ? undefined : value * factor;
}

/** Whether the unit of a sample is known, and its value cannot be. */
export function isImpossible(sample: SampleRow): boolean {
  const value = canonical(sample);
  return value !== undefined && !isPlausible(sample.resource, value);
}

interface Moment {
  readonly start: number;
  readonly end: number | undefined;
  readonly clock: number;
  readonly value: number;
}

export const momentOf = (sample: SampleRow, value: number, offsetAt: OffsetAt): Moment => {
  const start = Date.parse(sample.start_at);
  const end = sample.end_at === null ? undefined : Date.parse(sample.end_at);
  return { start, end: end !== undefined && end > start ? end : undefined, clock: clockOf(sample, offsetAt).at, value };
};

/**
 * The mean of a day: the plain mean of its hours. The mean of an hour is weighted by how long its samples last. `following` has
 * the times at which the source has samples.
 */
function hourlyMean(moments: readonly Moment[], following: readonly number[], mostMinutes: number): number {
  const HOUR = 3_600_000;
  const hours = Map.groupBy(moments, ({ clock }) => Math.floor(clock / HOUR));
  return mean(
    [...hours].map(([hour, ofHour]) => {
      const weights = ofHour.map(({ start, end, clock }) => {
        const next = Math.min(...following.filter((other) => other > start));
        const lasts = end === undefined ? Math.min(next - start, mostMinutes * 60_000) : end - start;
        return Math.min(lasts, (hour + 1) * HOUR - clock);
      });
      return sum(ofHour.map(({ value }, at) => value * weights[at]!)) / sum(weights);
    }),
  );
}

export const mostMinutes = (resource: string): number => (resource === 'glucose' ? 20 : 10);

/** The times at which the source of a sample has samples of the resource, also those that do not count. */
export const startsBeside = (samples: readonly SampleRow[], { resource, ...source }: SampleRow): number[] =>
  samples
    .filter((one) => one.resource === resource && nameOf(one) === nameOf(source))
    .map(({ start_at }) => Date.parse(start_at));

/** The rows of `timeseries_daily`. */
export function expectedSampleDays({ samples }: Person, offsetAt: OffsetAt): Day[] {
  const dated = samples.map((sample) => ({ sample, ...dayOf(sample, offsetAt) }));
  const groups = Map.groupBy(dated, ({ sample: { resource, sample_type, unit, ...source }, date, basis }) =>
    JSON.stringify([date, basis, resource, sample_type, unit, source.provider, source.source_type]),
  );
  const counted = samples.filter((one) => !isImpossible(one));
  return [...groups.values()].map((list) => {
    const { sample, date, basis } = list[0]!;
    const own = list.map((one) => one.sample).filter((one) => !isImpossible(one));
    const values = own.map(({ value }) => value);
    const times = list.map((one) => Date.parse(one.sample.start_at));
    const starts = startsBeside(samples, sample);
    const ofSource = counted.filter(
      (one) =>
        one.resource === sample.resource &&
        nameOf(one) === nameOf(sample) &&
        canonical(one) !== undefined &&
        dayOf(one, offsetAt).date === date,
    );
    const weigh = (some: readonly SampleRow[], of: (one: SampleRow) => number): number =>
      hourlyMean(
        some.map((one) => momentOf(one, of(one), offsetAt)),
        starts,
        mostMinutes(sample.resource),
      );
    const has = values.length > 0;
    const isLevel = sample.resource !== 'steps';
    return {
      local_date: date,
      date_basis: basis,
      resource: sample.resource,
      sample_type: sample.sample_type,
      unit: sample.unit,
      provider: sample.provider,
      source_type: sample.source_type,
      source: nameOf(sample),
      samples: list.length,
      implausible: list.length - own.length,
      value_min: has ? Math.min(...values) : null,
      value_max: has ? Math.max(...values) : null,
      value_sum: has ? sum(values) : null,
      // Steps add up, and all other resources of these people are levels.
      value_avg: has ? (isLevel ? weigh(own, ({ value }) => value) : mean(values)) : null,
      value_sample_avg: has ? mean(values) : null,
      source_avg_canonical: has && isLevel && canonical(sample) !== undefined ? weigh(ofSource, (one) => canonical(one)!) : null,
      first_at: new Date(Math.min(...times)).toISOString(),
      last_at: new Date(Math.max(...times)).toISOString(),
    };
  });
}

/** Measures of a day that come from a summary, and the column. If a source has several totals, the greatest counts. */
const totals: Readonly<Record<string, string>> = {
  steps: 'steps',
  distance: 'distance_m',
  calories_active: 'calories_active_kcal',
  calories_total: 'calories_total_kcal',
  floors_climbed: 'floors_climbed',
};
const levels: Readonly<Record<string, readonly ['activity' | 'body', string]>> = {
  heart_rate_resting: ['activity', 'heart_rate_resting_bpm'],
  weight: ['body', 'weight_kg'],
  fat: ['body', 'fat_pct'],
};

interface Candidate extends Source {
  readonly value: number;
  /** The mean, the lowest and the highest sample. */
  readonly samples?: readonly [mean: number, lowest: number, highest: number];
}

const bySourceOf = <T extends Source>(rows: readonly T[]): T[][] => [...Map.groupBy(rows, nameOf).values()];

/** The values of a measure on a date, one per source that has any. */
function candidates(person: Person, measure: string, date: string, offsetAt: OffsetAt): Candidate[] {
  const found = new Map<string, Candidate>();
  const add = ({ provider, source_type }: Source, value: number, samples?: Candidate['samples']): void => {
    const name = nameOf({ provider, source_type });
    if (!found.has(name)) found.set(name, { provider, source_type, value, samples });
  };
  if (measure in factors && !(measure in totals)) {
    const counted = person.samples.flatMap((sample) => {
      const value = sample.resource === measure && !isImpossible(sample) ? canonical(sample) : undefined;
      return value === undefined ? [] : [{ ...momentOf(sample, value, offsetAt), ...sourceOf(sample), sample, value }];
    });
    for (const rows of bySourceOf(counted)) {
      const today = rows.filter(({ sample }) => dayOf(sample, offsetAt).date === date);
      const values = today.map(({ value }) => value);
      const starts = startsBeside(person.samples, rows[0]!.sample);
      if (today.length > 0)
        add(today[0]!, hourlyMean(today, starts, mostMinutes(measure)), [mean(values), Math.min(...values), Math.max(...values)]);
    }
  }
  const having = (rows: readonly SummaryRow[], column: string): SummaryRow[] =>
    rows.filter((one) => {
      const value = one.values[column] ?? null;
      return one.calendar_date === date && value !== null && isPlausible(measure, value);
    });
  const total = totals[measure];
  if (total !== undefined)
    for (const rows of bySourceOf(having(person.activity, total)))
      add(rows[0]!, Math.max(...rows.map(({ values }) => values[total]!)));
  const level = levels[measure];
  if (level !== undefined)
    for (const rows of bySourceOf(having(person[level[0]], level[1]))) {
      const [newest] = rows.toSorted((a, b) => (a._version_time < b._version_time ? 1 : -1));
      add(newest!, newest!.values[level[1]]!);
    }
  return [...found.values()];
}

const sourceOf = ({ provider, source_type }: Source): Source => ({ provider, source_type });

interface MetricDay {
  readonly value: number;
  readonly sample_avg: number | null;
  readonly lowest: number | null;
  readonly highest: number | null;
  readonly source: string;
  readonly others: number;
  readonly unworn_others: number;
}

/** The sources without movement on a date on which another source shows some. */
function unwornOn(person: Person, date: string, offsetAt: OffsetAt): ReadonlySet<string> {
  const moved = new Set(
    ['steps', 'distance', 'floors_climbed', 'calories_active'].flatMap((measure) =>
      candidates(person, measure, date, offsetAt)
        .filter(({ value }) => value > 0)
        .map(nameOf),
    ),
  );
  const all = person.activity.filter(({ calendar_date }) => calendar_date === date).map(nameOf);
  return new Set(moved.size === 0 ? [] : all.filter((name) => !moved.has(name)));
}

/** The number of sources with totals that do not count, or null if no source has a total. */
function unwornSources(person: Person, date: string, offsetAt: OffsetAt): number | null {
  const sources = new Set(Object.keys(totals).flatMap((measure) => candidates(person, measure, date, offsetAt).map(nameOf)));
  const unworn = unwornOn(person, date, offsetAt);
  return sources.size === 0 ? null : [...sources].filter((name) => unworn.has(name)).length;
}

const memo = new WeakMap<Person, Map<string, Candidate[]>>();

/** {@link candidates}, computed once for each measure and date. */
function candidatesOf(person: Person, measure: string, date: string, offsetAt: OffsetAt): Candidate[] {
  const own = memo.get(person) ?? new Map<string, Candidate[]>();
  memo.set(person, own);
  const key = `${measure} ${date}`;
  if (!own.has(key)) own.set(key, candidates(person, measure, date, offsetAt));
  return own.get(key)!;
}

function metricOf(person: Person, measure: string, date: string, { user, offsetAt, ranks }: Known): MetricDay | undefined {
  const all = candidatesOf(person, measure, date, offsetAt);
  const ofWorn = [...Object.keys(totals)].includes(measure);
  const unworn = ofWorn ? unwornOn(person, date, offsetAt) : new Set<string>();
  const daysWith = (source: Source): number =>
    countBefore(
      datesOf(person, offsetAt).filter((day) =>
        candidatesOf(person, measure, day, offsetAt).some(
          (one) => nameOf(one) === nameOf(source) && !(ofWorn && unwornOn(person, day, offsetAt).has(nameOf(one))),
        ),
      ),
      date,
    );
  const worn = all.filter((one) => !unworn.has(nameOf(one)));
  const [best] = worn.toSorted(bySource(ranks, measure, user, daysWith));
  if (best === undefined) return undefined;
  const [sample_avg, lowest, highest] = best.samples ?? [null, null, null];
  return {
    value: best.value,
    sample_avg,
    lowest,
    highest,
    source: nameOf(best),
    others: all.length - 1,
    unworn_others: all.length - worn.length,
  };
}

/** Knowledge beside the rows: the id and the offset of the user, and the order of sources. */
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

/** The parts of a source's name. */
function partsOf(source: string): Source {
  const [provider, source_type] = source.split('/') as [string, string];
  return { provider, source_type };
}

/** The rows of `metric_days`. */
export function expectedMetricDays(person: Person, known: Known): Day[] {
  return [...new Set(datesOf(person, known.offsetAt))].flatMap((local_date) =>
    [...new Set([...Object.keys(factors), ...Object.keys(totals), ...Object.keys(levels)])].flatMap((measure) => {
      const metric = metricOf(person, measure, local_date, known);
      return metric === undefined ? [] : [{ local_date, measure, unit: units[measure], ...partsOf(metric.source), ...metric }];
    }),
  );
}

/** Millimetres of mercury in a unit of pressure, in lower case. 1 mmHg is 133.322387415 Pa. */
const millimetres: Readonly<Record<string, number>> = { '': 1, mmhg: 1, 'mm hg': 1, kpa: 1 / 0.133322387415 };
const factorOf = ({ unit }: ReadingRow): number | undefined => millimetres[(unit ?? '').toLowerCase()];
const isKnownUnit = (reading: ReadingRow): boolean => factorOf(reading) !== undefined;

/** A pressure in mmHg, if it counts. */
const pressure = (reading: ReadingRow, column: 'systolic_mmhg' | 'diastolic_mmhg'): number | null => {
  const sent = reading[column];
  const factor = factorOf(reading);
  if (sent === null || factor === undefined) return null;
  return isPlausible(column, sent * factor) ? sent * factor : null;
};
const pressures = ['systolic_mmhg', 'diastolic_mmhg'] as const;
const isImpossibleReading = (reading: ReadingRow): boolean =>
  isKnownUnit(reading) && pressures.some((column) => reading[column] !== null && pressure(reading, column) === null);

/** The rows of `person_days`. */
export function expectedDays(person: Person, known: Known): Day[] {
  const { user, offsetAt, ranks } = known;
  const nights = new Map(expectedNights(person.sleep, offsetAt, user, ranks).map((night) => [night.night_date, night]));
  const workouts = expectedWorkouts(person.workouts, user, ranks);
  const readings = person.readings.filter((one) => pressures.some((column) => pressure(one, column) !== null));
  const dates = new Set([
    ...expectedMetricDays(person, known).map(({ local_date }) => local_date as string),
    ...datesOf(person, offsetAt).filter((date) => unwornSources(person, date, offsetAt) !== null),
    ...[...person.samples, ...person.readings].map((one) => dayOf(one, offsetAt).date),
    ...nights.keys(),
    ...workouts.flatMap((one) => workoutDayOf(one) ?? []),
  ]);
  const [firstWorkout] = person.workouts.flatMap((one) => workoutDayOf(one) ?? []).sort();
  return [...dates].sort().map((date) => {
    const isToday = (one: Timed): boolean => dayOf(one, offsetAt).date === date;
    const samples = person.samples.filter(isToday);
    const taken = person.readings.filter(isToday);
    const sent = samples.length + taken.length;
    const daysWith = (source: Source): number =>
      countBefore(
        readings.filter((one) => nameOf(one) === nameOf(source)).map((one) => dayOf(one, offsetAt).date),
        date,
      );
    return {
      local_date: date,
      ...ofMetrics(person, date, known),
      ...ofReadings(readings.filter(isToday), bySource(ranks, 'blood_pressure', user, daysWith)),
      ...ofNight(nights.get(date)),
      ...ofWorkouts(
        workouts.filter((one) => workoutDayOf(one) === date),
        firstWorkout !== undefined && date >= firstWorkout,
      ),
      samples: sent === 0 ? null : sent,
      samples_unknown_unit:
        sent === 0
          ? null
          : samples.filter((one) => canonical(one) === undefined).length + taken.filter((one) => !isKnownUnit(one)).length,
      samples_implausible: sent === 0 ? null : samples.filter(isImpossible).length + taken.filter(isImpossibleReading).length,
    };
  });
}

/** Columns of the day, by measure. */
const columns: Readonly<Record<string, string>> = {
  steps: 'steps',
  distance: 'distance_m',
  calories_active: 'calories_active_kcal',
  floors_climbed: 'floors_climbed',
  calories_total: 'calories_total_kcal',
  heart_rate_resting: 'heart_rate_resting_bpm',
  heartrate: 'heartrate_avg_bpm',
  hrv: 'hrv_avg_ms',
  blood_oxygen: 'blood_oxygen_avg_pct',
  glucose: 'glucose_avg_mmol_l',
  weight: 'weight_kg',
  fat: 'fat_pct',
};

const sampleColumns: Readonly<Record<string, string>> = {
  heartrate: 'heartrate_sample_avg_bpm',
  hrv: 'hrv_sample_avg_ms',
  blood_oxygen: 'blood_oxygen_sample_avg_pct',
  glucose: 'glucose_sample_avg_mmol_l',
};

function ofMetrics(person: Person, date: string, known: Known): Day {
  const metric = (measure: string): MetricDay | undefined => metricOf(person, measure, date, known);
  const heart = metric('heartrate');
  const glucose = metric('glucose');
  return {
    ...Object.fromEntries(
      Object.entries(columns).flatMap(([measure, column]) => [
        [column, metric(measure)?.value ?? null],
        ...(measure in sampleColumns ? [[sampleColumns[measure]!, metric(measure)?.sample_avg ?? null]] : []),
        [`${measure}_source`, metric(measure)?.source ?? null],
        [`${measure}_others`, metric(measure)?.others ?? null],
      ]),
    ),
    heartrate_min_bpm: heart?.lowest ?? null,
    heartrate_max_bpm: heart?.highest ?? null,
    // 1 mmol/L of glucose is 18.0182 mg/dL.
    glucose_avg_mg_dl: glucose === undefined ? null : glucose.value * 18.0182,
    glucose_sample_avg_mg_dl: (glucose?.sample_avg ?? null) === null ? null : glucose!.sample_avg! * 18.0182,
    unworn_sources: unwornSources(person, date, known.offsetAt),
  };
}

function ofReadings(readings: readonly ReadingRow[], order: (a: Source, b: Source) => number): Day {
  const sources = bySourceOf(readings).sort(([a], [b]) => order(a!, b!));
  const [best] = sources;
  const meanOf = (column: 'systolic_mmhg' | 'diastolic_mmhg'): number | null => {
    const present = (best ?? []).flatMap((one) => pressure(one, column) ?? []);
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
    sleep_duration_s: night?.duration_s ?? null,
    sleep_started_at: night?.start_at ?? null,
    sleep_source: night?.source ?? null,
    sleep_others: night?.others ?? null,
    sleep_partial_others: night?.partial_others ?? null,
    naps: night?.naps ?? null,
    nap_total_s: night?.nap_total_s ?? null,
    nap_sources: night?.nap_sources ?? null,
  };
}

function ofWorkouts(workouts: readonly Workout[], hasBegun: boolean): Day {
  const seconds = workouts.map((one) => secondsOf(one));
  return {
    workouts: hasBegun ? workouts.length : null,
    workouts_duration_s: some(seconds.map((one) => (one === undefined ? null : Math.floor(one)))),
    workouts_distance_m: some(workouts.map((one) => plausibleOf(one, 'distance_m'))),
    workouts_calories_kcal: some(workouts.map((one) => plausibleOf(one, 'calories_kcal'))),
    workouts_sources: workouts.length === 0 ? null : [...new Set(workouts.map(nameOf))].sort().join(', '),
    workouts_duplicates: some(workouts.map(({ others }) => others.length)),
  };
}
