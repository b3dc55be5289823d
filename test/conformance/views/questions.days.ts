import { expectedDays, type Person } from './person-days-oracle.ts';
import type { Owned, PeopleRows, Sample } from './questions.user.ts';
import { expectedNights, type Night } from './sleep-oracle.ts';
import { ranksWith } from './source-oracle.ts';

/** The days of people in plain code: what each day has, with one source for each value. */

const ranks = ranksWith({});

/** Factors from a unit to the canonical unit of its measure. */
const factors: Readonly<Record<string, number>> = {
  kg: 1,
  lb: 0.45359237,
  'mmol/L': 1,
  'mg/dL': 1 / 18.0182,
  bpm: 1,
  count: 1,
};

/** The value in kilograms, mmol/L or beats per minute. Undefined if the unit is not known. */
export function canonical({ value, unit }: Sample): number | undefined {
  const factor = factors[unit ?? ''];
  return factor === undefined ? undefined : value * factor;
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
  const offsets = offsetsOf(rows);
  const tables = [rows.timeseries, rows.blood_pressure, rows.activity, rows.sleep];
  const users = new Set(tables.flatMap((list) => list.map(({ user_id }) => user_id)));
  return [...users].flatMap((user) => {
    const own = <T extends Owned>(list: readonly T[]): T[] => list.filter(({ user_id }) => user_id === user);
    const person: Person = {
      samples: own(rows.timeseries).map((row) => ({ ...row, sample_type: '' })),
      activity: own(rows.activity).map(({ steps, heart_rate_resting_bpm, ...row }) => ({
        ...row,
        _version_time: '',
        values: { steps, heart_rate_resting_bpm },
      })),
      body: [],
      readings: own(rows.blood_pressure),
      sleep: own(rows.sleep),
      workouts: own(rows.workouts),
      receipts: [],
    };
    const offsetAt = () => offsets.get(user);
    const nights = new Map(expectedNights(person.sleep, offsetAt, user, ranks).map((night) => [night.night_date, night]));
    return expectedDays(person, { user, offsetAt, ranks }).map((day) => {
      const date = day.local_date as string;
      const [number, text] = [
        (name: string) => (day[name] ?? undefined) as number | undefined,
        (name: string) => (day[name] ?? undefined) as string | undefined,
      ];
      const kg = number('weight_kg');
      return {
        user_id: user,
        date,
        steps: number('steps'),
        resting: number('heart_rate_resting_bpm'),
        heartRate: number('heartrate_avg_bpm'),
        glucoseSource: text('glucose_source'),
        weight: kg === undefined ? undefined : { kg, source: text('weight_source')! },
        pressureSource: text('blood_pressure_source'),
        night: nights.get(date),
      };
    });
  });
}
