import { bySource, countBefore, nameOf, type Ranks, ranksWith } from './source-oracle.ts';

/** Finds the records that count as one workout in plain code, from the rules alone. */

export interface WorkoutRecord {
  readonly id: string;
  readonly provider: string;
  readonly source_type: string;
  readonly calendar_date: string | null;
  readonly time_start: string | null;
  readonly time_end: string | null;
  readonly sport_slug: string | null;
  readonly hr_zones_s: readonly number[];
  /** Values of measures, by column. */
  readonly measures: Readonly<Record<string, number | null>>;
}

export interface Duplicate {
  readonly id: string;
  readonly kept_id: string;
  readonly reason: 'other_source' | 'repeated' | 'leg' | 'contained';
  readonly overlap_share: number;
  readonly source_place: number | null;
}

/** A kept workout, with its values and the ids of its other records. */
export interface Workout extends WorkoutRecord {
  readonly others: readonly string[];
  readonly summed_columns: string | null;
}

/** Families of the sports in the tests. */
const families: Readonly<Record<string, string>> = {
  running: 'run',
  treadmill_running: 'run',
  cycling: 'ride',
  indoor_cycling: 'ride',
  swimming: 'swim',
  walking: 'walk',
  triathlon: 'multi',
  duathlon: 'multi',
};

/** The plausible values of measures in the tests. */
const plausible: Readonly<Record<string, readonly [number, number]>> = {
  average_hr_bpm: [20, 300],
  max_hr_bpm: [20, 300],
  distance_m: [0, 2_000_000],
  calories_kcal: [0, 50_000],
  steps: [0, 500_000],
  max_watts: [0, 3000],
  average_speed_m_s: [0, 80],
  moving_time_s: [0, 600_000],
  total_elevation_gain_m: [0, 50_000],
};
const additive = ['distance_m', 'calories_kcal', 'moving_time_s', 'total_elevation_gain_m', 'steps'];

const MINUTE = 60_000;
const from = ({ time_start }: WorkoutRecord): number => Date.parse(time_start ?? '');
const to = ({ time_end }: WorkoutRecord): number => Date.parse(time_end ?? '');
const lasts = (one: WorkoutRecord): number => to(one) - from(one);

/** The duration of a workout in seconds, or undefined if it is unknown or impossible. */
export function secondsOf(record: WorkoutRecord): number | undefined {
  const seconds = lasts(record) / 1000;
  return seconds > 0 && seconds <= 600_000 ? seconds : undefined;
}

/** The local day of a workout. In the tests, workouts have no offset. */
export const workoutDayOf = ({ calendar_date, time_start }: WorkoutRecord): string | null =>
  calendar_date ?? time_start?.slice(0, 10) ?? null;

export function plausibleOf({ measures }: WorkoutRecord, column: string): number | null {
  const value = measures[column] ?? null;
  const [low, high] = plausible[column]!;
  return value !== null && value >= low && value <= high ? value : null;
}

function completeness(record: WorkoutRecord): number {
  const columns = Object.keys(record.measures).filter((column) => plausibleOf(record, column) !== null);
  return columns.length + (record.hr_zones_s.length > 0 ? 1 : 0);
}

type Compare = (a: WorkoutRecord, b: WorkoutRecord) => number;

const familyOf = ({ sport_slug }: WorkoutRecord): string | undefined => families[sport_slug ?? ''];
const isMultisport = (record: WorkoutRecord): boolean => familyOf(record) === 'multi';
const ofOneSource = (a: WorkoutRecord, b: WorkoutRecord): boolean => nameOf(a) === nameOf(b);
const overlap = (a: WorkoutRecord, b: WorkoutRecord): number => Math.max(0, Math.min(to(a), to(b)) - Math.max(from(a), from(b)));
const share = (a: WorkoutRecord, b: WorkoutRecord): number => overlap(a, b) / Math.max(lasts(a), lasts(b));

const mayMatch = (a: WorkoutRecord, b: WorkoutRecord): boolean =>
  familyOf(a) === undefined || familyOf(b) === undefined || familyOf(a) === familyOf(b);
const isSame = (a: WorkoutRecord, b: WorkoutRecord): boolean => mayMatch(a, b) && share(a, b) >= 0.5;

/** Says whether two records that may match are one recording. None of the two then contains the other. */
function isOneRecording(a: WorkoutRecord, b: WorkoutRecord): boolean {
  const together = Math.abs(from(a) - from(b)) <= 5 * MINUTE && Math.abs(to(a) - to(b)) <= 5 * MINUTE;
  return isSame(a, b) && (together || (isMultisport(a) && isMultisport(b) && !ofOneSource(a, b)));
}

/** Orders records so that each comes before those that it may contain. */
const bySize: Compare = (a, b) => {
  const size = (one: WorkoutRecord): number => lasts(one) + (isMultisport(one) ? 10 * MINUTE : 0);
  return size(b) - size(a) || (a.id < b.id ? -1 : 1);
};

function partReason(container: WorkoutRecord, part: WorkoutRecord): 'leg' | 'contained' | undefined {
  const isInside = from(part) >= from(container) - 5 * MINUTE && to(part) <= to(container) + 5 * MINUTE;
  if (container === part || bySize(container, part) > 0) return undefined;
  if (!isInside || overlap(container, part) < lasts(part) / 2 || isOneRecording(container, part)) return undefined;
  if (isMultisport(container) && !(isMultisport(part) && ofOneSource(container, part))) return 'leg';
  return ofOneSource(container, part) && mayMatch(container, part) ? 'contained' : undefined;
}

/** Keeps each record that is not the same workout as one kept before. Returns for each other record the one that was kept. */
function greedily(records: readonly WorkoutRecord[], order: Compare): Map<WorkoutRecord, WorkoutRecord> {
  const kept: WorkoutRecord[] = [];
  const others = new Map<WorkoutRecord, WorkoutRecord>();
  for (const record of records.toSorted(order)) {
    const same = kept.find((one) => isSame(one, record));
    if (same === undefined) kept.push(record);
    else others.set(record, same);
  }
  return others;
}

/** Counts the 14 days before the day of a record on which its source has a workout. */
function usesBefore(records: readonly WorkoutRecord[]): (record: WorkoutRecord) => number {
  const days = Map.groupBy(records, nameOf);
  return (record) =>
    countBefore(
      days.get(nameOf(record))!.flatMap((one) => workoutDayOf(one) ?? []),
      workoutDayOf(record)!,
    );
}

/** Returns the records that are not kept. */
export function expectedDuplicates(records: readonly WorkoutRecord[], user: string, ranks: Ranks = ranksWith({})): Duplicate[] {
  const uses = usesBefore(records);
  const source = bySource(ranks, 'workouts', user, (one) => uses(one as WorkoutRecord));
  const order: Compare = (a, b) =>
    completeness(b) - completeness(a) || source(a, b) || lasts(b) - lasts(a) || from(a) - from(b) || (a.id < b.id ? -1 : 1);

  const possible = records.filter((one) => secondsOf(one) !== undefined).sort(bySize);
  const containers = new Map(
    possible.flatMap((part) => {
      const biggest = possible.find((one) => partReason(one, part) !== undefined);
      return biggest === undefined ? [] : [[part, biggest] as const];
    }),
  );
  const lost = greedily(
    possible.filter((one) => !containers.has(one)),
    order,
  );
  const wholeOf = (record: WorkoutRecord): WorkoutRecord => {
    const container = containers.get(record);
    return container === undefined ? record : wholeOf(container);
  };

  const parts = [...containers.keys()];
  const adding = [...Map.groupBy(parts, nameOf).values()].flatMap((own) => {
    const direct = own.filter((part) => !own.some((one) => partReason(one, part) !== undefined));
    const repeated = greedily(direct, order);
    return direct.filter((part) => !repeated.has(part));
  });
  const keptFor = (part: WorkoutRecord): WorkoutRecord => lost.get(wholeOf(part)) ?? wholeOf(part);
  const placeOf = (part: WorkoutRecord): number | null => {
    if (!adding.includes(part)) return null;
    const sources = Map.groupBy(
      adding.filter((one) => keptFor(one) === keptFor(part)),
      nameOf,
    );
    const most = (name: string): number => Math.max(...sources.get(name)!.map(uses));
    const compare = bySource(ranks, 'workouts', user, (one) => most(nameOf(one)));
    const places = [...sources.values()].map(([first]) => first!).sort(compare);
    return 1 + places.findIndex((one) => ofOneSource(one, part));
  };

  const whole = [...lost].map(([record, kept]) => ({
    id: record.id,
    kept_id: kept.id,
    overlap_share: share(record, kept),
    source_place: null,
    reason: ofOneSource(record, kept) ? ('repeated' as const) : ('other_source' as const),
  }));
  const ofParts = [...containers].map(([part, container]) => ({
    id: part.id,
    kept_id: keptFor(part).id,
    overlap_share: share(part, keptFor(part)),
    reason: partReason(container, part)!,
    source_place: placeOf(part),
  }));
  return [...whole, ...ofParts].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Returns the kept workouts. A value that one lacks is the sum of its parts of one source. */
export function expectedWorkouts(records: readonly WorkoutRecord[], user: string, ranks: Ranks = ranksWith({})): Workout[] {
  const duplicates = expectedDuplicates(records, user, ranks);
  return records
    .filter(({ id }) => !duplicates.some((one) => one.id === id))
    .map((kept) => {
      const others = duplicates.filter(({ kept_id }) => kept_id === kept.id);
      const parts = others
        .filter(({ source_place }) => source_place !== null)
        .sort((a, b) => a.source_place! - b.source_place!)
        .map(({ id }) => records.find((one) => one.id === id)!);
      const sums = additive.flatMap((column) => {
        if (plausibleOf(kept, column) !== null) return [];
        const sum = sumOf(kept, parts, column);
        return sum === undefined ? [] : [[column, sum] as const];
      });
      return {
        ...kept,
        measures: {
          ...Object.fromEntries(Object.keys(kept.measures).map((column) => [column, plausibleOf(kept, column)])),
          ...Object.fromEntries(sums),
        },
        others: others.map(({ id }) => id),
        summed_columns: sums.length === 0 ? null : sums.map(([column]) => column).join(', '),
      };
    });
}

/** Adds up a value of the parts of one source: of the first that covers three quarters of the workout, or else of the first. */
function sumOf(kept: WorkoutRecord, parts: readonly WorkoutRecord[], column: string): number | undefined {
  const sources = [
    ...Map.groupBy(
      parts.filter((part) => plausibleOf(part, column) !== null),
      nameOf,
    ).values(),
  ];
  const covers = (own: readonly WorkoutRecord[]): number => own.map((part) => share(part, kept)).reduce((a, b) => a + b, 0);
  const own = sources.find((one) => covers(one) >= 0.75 - 1e-7) ?? sources[0];
  return own?.map((part) => plausibleOf(part, column)!).reduce((a, b) => a + b, 0);
}
