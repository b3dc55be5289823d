import { completeness } from './calendar-oracle.ts';
import { expectedDays, type Known, type Person } from './person-days-oracle.ts';
import type { Owned, PeopleRows } from './questions.user.ts';
import { expectedNights, type Night } from './sleep-oracle.ts';
import { ranksWith } from './source-oracle.ts';

/** The days of people in plain code: what each day has, with one source for each value. */

const ranks = ranksWith({});

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

/** A person, with what the oracles of days need to know. */
export interface KnownPerson {
  readonly person: Person;
  readonly known: Known;
}

/** The persons with data or deliveries. */
export function personsOf(rows: PeopleRows): KnownPerson[] {
  const offsets = offsetsOf(rows);
  const tables = [rows.users, rows.timeseries, rows.blood_pressure, rows.activity, rows.sleep, rows.deliveries];
  const users = new Set(tables.flatMap((list) => list.map(({ user_id }) => user_id)));
  return [...users].map((user) => {
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
      receipts: own(rows.deliveries).flatMap(({ provider, source_type, received_at, redelivered, dead_letter_reason }) =>
        provider === null || source_type === null
          ? []
          : [{ provider, source_type, received_at, counts: !redelivered && dead_letter_reason === null }],
      ),
    };
    return { person, known: { user, offsetAt: () => offsets.get(user), ranks } };
  });
}

export interface Day extends Owned {
  readonly date: string;
  readonly isComplete: boolean;
  readonly steps: number | undefined;
  readonly resting: number | undefined;
  readonly weight: { readonly kg: number; readonly source: string } | undefined;
  readonly pressureSource: string | undefined;
  readonly night: Night | undefined;
}

/** All days of a person on which there is any data. */
export function daysOf({ person, known }: KnownPerson): Day[] {
  const { user, offsetAt } = known;
  const isComplete = completeness(person, known);
  const nights = new Map(expectedNights(person.sleep, offsetAt, user, ranks).map((night) => [night.night_date, night]));
  return expectedDays(person, known).map((day) => {
    const date = day.local_date as string;
    const number = (name: string) => (day[name] ?? undefined) as number | undefined;
    const kg = number('weight_kg');
    return {
      user_id: user,
      date,
      isComplete: isComplete(date),
      steps: number('steps'),
      resting: number('heart_rate_resting_bpm'),
      weight: kg === undefined ? undefined : { kg, source: day.weight_source as string },
      pressureSource: (day.blood_pressure_source ?? undefined) as string | undefined,
      night: nights.get(date),
    };
  });
}
