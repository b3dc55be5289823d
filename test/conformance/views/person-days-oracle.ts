import {
  canonical,
  type Day,
  dayOf,
  factors,
  hourlyMean,
  isImpossible,
  isPlausible,
  mean,
  momentOf,
  mostMinutes,
  type SampleRow,
  some,
  startsBeside,
  type Timed,
  units,
} from './sample-days-oracle.ts';
import { expectedNights, type OffsetAt, type SleepRecord } from './sleep-oracle.ts';
import { bySource, countBefore, nameOf, type Ranks, type Source } from './source-oracle.ts';
import { expectedWorkouts, plausibleOf, secondsOf, type Workout, type WorkoutRecord, workoutDayOf } from './workouts-oracle.ts';

/** Computes the days of one user in plain code, from stored rows and the rules alone. */

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
