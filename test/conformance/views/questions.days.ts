import type { Owned, PeopleRows, Sample, Source } from './questions.user.ts';
import { expectedNights, type Night } from './sleep-oracle.ts';
import { bySource, nameOf, ranksWith } from './source-oracle.ts';

/** The days of people in plain code: what each day has, with one source for each value. */

const ranks = ranksWith({});

/** Factors from a unit to the canonical unit of its measure. */
const factors: Readonly<Record<string, number>> = {
  ...{ kg: 1, lb: 0.45359237, 'mmol/L': 1, 'mg/dL': 1 / 18.0182, bpm: 1, count: 1 },
};

/** The value in kilograms, mmol/L or beats per minute. Undefined if the unit is not known. */
export function canonical({ value, unit }: Sample): number | undefined {
  const factor = factors[unit ?? ''];
  return factor === undefined ? undefined : value * factor;
}

/** The rows of the best source for a measure. */
function best<T extends Source>(measure: string, rows: readonly T[]): T[] {
  const sources = [...Map.groupBy(rows, nameOf).values()];
  return sources.toSorted(([a], [b]) => bySource(ranks, measure)(a!, b!))[0] ?? [];
}

/** The offsets of users from UTC in seconds. Each user has only one. */
export function offsetsOf(rows: PeopleRows): ReadonlyMap<string, number> {
  const known = [...rows.timeseries, ...rows.blood_pressure, ...rows.sleep].filter((row) => row.timezone_offset_s !== null);
  return new Map(known.map(({ user_id, timezone_offset_s }) => [user_id, timezone_offset_s!]));
}

type Timed = Owned & { readonly start_at: string; readonly time_basis?: string };

/** Returns a function for the local time of a row, in milliseconds. */
export function localClock(rows: PeopleRows): (row: Timed) => number {
  const offsets = offsetsOf(rows);
  return ({ user_id, start_at, time_basis }) =>
    Date.parse(start_at) + (time_basis === 'floating' ? 0 : (offsets.get(user_id) ?? 0) * 1000);
}

export const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
export const mean = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0) / list.length;

export interface Day extends Owned {
  readonly date: string;
  readonly steps: number | undefined;
  readonly resting: number | undefined;
  readonly heartRate: number | undefined;
  readonly weight: { readonly kg: number; readonly source: string } | undefined;
  readonly glucoseSource: string | undefined;
  readonly pressureSource: string | undefined;
  readonly night: Night | undefined;
}

/** All days of all users on which there is any data. */
export function daysOf(rows: PeopleRows): Day[] {
  const clock = localClock(rows);
  const offsets = offsetsOf(rows);
  const local = <T extends Timed>(row: T) => ({ ...row, date: dateOf(clock(row)) });
  const users = new Set(
    [...rows.timeseries, ...rows.blood_pressure, ...rows.activity, ...rows.sleep].map(({ user_id }) => user_id),
  );
  return [...users].flatMap((user) => {
    const own = <T extends Owned>(list: readonly T[]): T[] => list.filter(({ user_id }) => user_id === user);
    const samples = Map.groupBy(own(rows.timeseries).map(local), ({ date }) => date);
    const readings = Map.groupBy(own(rows.blood_pressure).map(local), ({ date }) => date);
    const activity = Map.groupBy(own(rows.activity), ({ calendar_date }) => calendar_date);
    const nights = new Map(
      expectedNights(own(rows.sleep), () => offsets.get(user), user).map((night) => [night.night_date, night]),
    );
    const workouts = own(rows.workouts).map(({ calendar_date }) => calendar_date!);
    const withValue = own(rows.activity).filter((row) => row.steps !== null || row.heart_rate_resting_bpm !== null);
    const summaries = withValue.map((row) => row.calendar_date);
    return [...new Set([...samples.keys(), ...readings.keys(), ...summaries, ...nights.keys(), ...workouts])].map((date) => {
      const known = (resource: string) =>
        best(
          resource,
          (samples.get(date) ?? []).filter((one) => one.resource === resource && canonical(one) !== undefined),
        );
      const ofActivity = (measure: string, column: 'steps' | 'heart_rate_resting_bpm') =>
        best(
          measure,
          (activity.get(date) ?? []).filter((one) => one[column] !== null),
        )[0]?.[column] ?? undefined;
      const [beats, weights, glucose] = [known('heartrate'), known('weight'), known('glucose')];
      const pressure = best('blood_pressure', readings.get(date) ?? [])[0];
      return {
        ...{
          user_id: user,
          date,
          steps: ofActivity('steps', 'steps'),
          resting: ofActivity('heart_rate_resting', 'heart_rate_resting_bpm'),
        },
        heartRate: beats.length === 0 ? undefined : mean(beats.map((one) => canonical(one)!)),
        weight:
          weights[0] === undefined ? undefined : { kg: mean(weights.map((one) => canonical(one)!)), source: nameOf(weights[0]) },
        glucoseSource: glucose[0] === undefined ? undefined : nameOf(glucose[0]),
        pressureSource: pressure === undefined ? undefined : nameOf(pressure),
        night: nights.get(date),
      };
    });
  });
}
