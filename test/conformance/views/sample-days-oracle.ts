import type { OffsetAt } from './sleep-oracle.ts';
import { nameOf, type Source } from './source-oracle.ts';

/** Computes the rows of `timeseries_daily` in plain code, and which samples count in which unit. */

/** A row of `timeseries`. */
export interface SampleRow extends Source {
  readonly resource: string;
  readonly sample_type: string;
  readonly start_at: string;
  readonly end_at: string | null;
  readonly timezone_offset_s: number | null;
  readonly time_basis: 'utc' | 'floating';
  readonly value: number;
  readonly unit: string | null;
}

export type Day = Record<string, unknown>;

const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
export const mean = (list: readonly number[]): number => sum(list) / list.length;
export const some = (list: readonly (number | null | undefined)[]): number | null => {
  const present = list.filter((one) => one !== null && one !== undefined);
  return present.length === 0 ? null : sum(present);
};

export interface Timed {
  readonly start_at: string;
  readonly timezone_offset_s: number | null;
  readonly time_basis?: 'utc' | 'floating';
}

/** The local time of a row in milliseconds, from its own offset or else that of the user. Without either, it is the time in UTC. */
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
export const factors: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  steps: { count: 1 },
  heartrate: { bpm: 1 },
  hrv: { ms: 1, s: 1000 },
  glucose: { 'mmol/l': 1, 'mg/dl': 1 / 18.0182 },
  blood_oxygen: { '%': 1 },
  weight: { kg: 1, lb: 0.45359237 },
  fat: { '%': 1 },
};
export const units: Readonly<Record<string, string>> = {
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

export const isPlausible = (measure: string, value: number): boolean =>
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
export function hourlyMean(moments: readonly Moment[], following: readonly number[], mostMinutes: number): number {
  const HOUR = 3_600_000;
  const hours = Map.groupBy(moments, ({ clock }) => Math.floor(clock / HOUR));
  return mean(
    [...hours].map(([hour, ofHour]) => {
      const weights = ofHour.map(({ start, end, clock }) => {
        const next = Math.min(...following.filter((other) => other > start));
        const lasts = end === undefined ? mostMinutes * 60_000 : end - start;
        return Math.min(lasts, next - start, (hour + 1) * HOUR - clock);
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
export function expectedSampleDays({ samples }: { readonly samples: readonly SampleRow[] }, offsetAt: OffsetAt): Day[] {
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
