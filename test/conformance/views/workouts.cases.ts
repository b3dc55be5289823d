import type { Row } from './loaded-views.ts';
import { devices } from './people.fixture.ts';
import type { Duplicate, WorkoutRecord } from './workouts-oracle.ts';

/** Small people whose records show the rules for workouts that several sources recorded. */

export type Device = keyof typeof devices;

export const full = { average_hr_bpm: 140, max_hr_bpm: 170, distance_m: 10_000, calories_kcal: 600, average_speed_m_s: 2.8 };
export const sparse = { distance_m: 9900, calories_kcal: 550 };

/** A workout of a device on 2 March, such as `07:00:00 08:00:00`. */
export const workout = (
  id: string,
  device: Device,
  times: string,
  { sport = 'running', ...more }: Partial<WorkoutRecord> & { sport?: string | null } = {},
): WorkoutRecord => ({
  id,
  ...devices[device],
  calendar_date: '2026-03-02',
  sport_slug: sport,
  hr_zones_s: [],
  measures: sparse,
  time_start: `2026-03-02T${times.slice(0, 8)}Z`,
  time_end: `2026-03-02T${times.slice(-8)}Z`,
  ...more,
});

export interface Case {
  readonly title: string;
  readonly records: readonly WorkoutRecord[];
  readonly kept: readonly string[];
  readonly duplicates?: readonly Partial<Duplicate>[];
  /** Values of the first kept workout. */
  readonly values?: Row;
}

const amongSources: readonly Case[] = [
  {
    title: 'two workouts that two devices recorded are two workouts, each in the more complete record',
    records: [
      workout('morning', 'watch', '07:00:00 08:00:00', { measures: full }),
      workout('morning-app', 'app', '07:01:00 07:59:00'),
      workout('evening', 'app', '18:00:00 18:30:00', { sport: 'cycling', measures: full }),
      workout('evening-watch', 'watch', '18:00:10 18:31:00', { sport: 'indoor_cycling' }),
    ],
    kept: ['evening', 'morning'],
    duplicates: [
      { id: 'evening-watch', kept_id: 'evening' },
      { id: 'morning-app', kept_id: 'morning' },
    ],
  },
  {
    title: 'an overlap of exactly half of the longer record is the same workout',
    records: [workout('long', 'watch', '07:00:00 08:00:00'), workout('short', 'app', '07:30:00 08:00:00')],
    kept: ['long'],
    duplicates: [{ id: 'short', kept_id: 'long' }],
  },
  {
    title: 'an overlap of less than half of the longer record is another workout',
    records: [workout('long', 'watch', '07:00:00 08:00:00'), workout('short', 'app', '07:30:01 08:00:00')],
    kept: ['long', 'short'],
  },
  {
    title: 'a workout that one source recorded twice counts once',
    records: [workout('one', 'watch', '07:00:00 08:00:00'), workout('two', 'watch', '07:00:00 08:00:00')],
    kept: ['one'],
    duplicates: [{ id: 'two', kept_id: 'one', reason: 'repeated', overlap_share: 1, source_place: null }],
  },
  {
    title: 'records of different sport families are different workouts',
    records: [workout('run', 'watch', '07:00:00 08:00:00'), workout('ride', 'app', '07:00:00 08:00:00', { sport: 'cycling' })],
    kept: ['ride', 'run'],
  },
  {
    title: 'a sport without a family matches every other',
    records: [
      workout('run', 'watch', '07:00:00 08:00:00', { measures: full }),
      workout('other', 'app', '07:00:00 08:00:00', { sport: 'curling' }),
      workout('unnamed', 'phone', '07:00:00 08:00:00', { sport: null }),
    ],
    kept: ['run'],
    duplicates: [
      { id: 'other', kept_id: 'run' },
      { id: 'unnamed', kept_id: 'run' },
    ],
  },
  {
    title: 'a triathlon without a sport replaces no part of another source that is shorter than half of it',
    records: [
      workout('triathlon', 'watch', '08:00:00 10:00:00', { sport: null, measures: full }),
      workout('swim', 'app', '08:00:00 08:20:00', { sport: 'swimming' }),
      workout('ride', 'app', '08:22:00 09:20:00', { sport: 'cycling' }),
      workout('run', 'app', '09:27:00 10:00:00'),
    ],
    kept: ['ride', 'run', 'swim', 'triathlon'],
  },
  {
    title: 'a record is compared with kept records only, so duplicates do not chain',
    records: [
      workout('first', 'watch', '07:00:00 08:00:00', { measures: full }),
      workout('second', 'app', '07:30:00 08:30:00', { measures: { ...sparse, steps: 5 } }),
      workout('third', 'phone', '08:00:00 09:00:00'),
    ],
    kept: ['first', 'third'],
    duplicates: [{ id: 'second', kept_id: 'first' }],
  },
  {
    title: 'the source with the better rank wins if the records are equally complete',
    records: [workout('app', 'app', '07:00:00 08:10:00'), workout('watch', 'watch', '07:00:00 08:00:00')],
    kept: ['watch'],
    duplicates: [{ id: 'app', kept_id: 'watch' }],
  },
  {
    title:
      'the longer one of two equally complete records of one source is kept, then the earlier one, then the one with the smaller id',
    records: [
      workout('a', 'watch', '07:00:00 08:00:00'),
      workout('b', 'watch', '07:01:00 08:03:00'),
      workout('c', 'watch', '18:01:00 19:01:00'),
      workout('d', 'watch', '18:00:00 19:00:00'),
      workout('e', 'watch', '18:00:00 19:00:00'),
    ],
    kept: ['b', 'd'],
    duplicates: [
      { id: 'a', kept_id: 'b' },
      { id: 'c', kept_id: 'd' },
      { id: 'e', kept_id: 'd' },
    ],
  },
  {
    title: 'heart rate zones count as one measure',
    records: [
      workout('watch', 'watch', '07:00:00 08:00:00'),
      workout('app', 'app', '07:00:00 08:00:00', { hr_zones_s: [0, 60, 60, 0, 0, 0] }),
    ],
    kept: ['app'],
    duplicates: [{ id: 'watch', kept_id: 'app' }],
  },
  {
    title: 'two records of a workout that lasts several days are the same workout',
    records: [
      workout('hike', 'watch', '06:00:00 08:00:00', { time_end: '2026-03-07T06:00:00Z', measures: full }),
      workout('hike-app', 'app', '06:00:00 08:00:00', {
        time_start: '2026-03-04T00:00:00Z',
        time_end: '2026-03-07T06:00:00Z',
      }),
    ],
    kept: ['hike'],
    duplicates: [{ id: 'hike-app', kept_id: 'hike' }],
  },
  {
    title: 'records without a duration are the same workout as no other',
    records: [
      workout('a', 'watch', '07:00:00 07:00:00'),
      workout('b', 'app', '07:00:00 07:00:00'),
      workout('c', 'phone', '07:00:00 08:00:00', { time_end: null }),
      workout('d', 'apple', '07:00:00 06:00:00'),
    ],
    kept: ['a', 'b', 'c', 'd'],
  },
];

export const on = (date: string): Partial<WorkoutRecord> => ({
  calendar_date: date,
  time_start: `${date}T07:00:00Z`,
  time_end: `${date}T08:00:00Z`,
});

const ties: readonly Case[] = [
  {
    title: 'if two records are equally complete, that of the source with workouts on more of the 14 days before is kept',
    records: [
      workout('apple', 'apple', '07:00:00 08:10:00'),
      workout('apple-15-days-before', 'apple', '', on('2026-02-15')),
      workout('apple-16-days-before', 'apple', '', on('2026-02-14')),
      workout('apple-day-after', 'apple', '', on('2026-03-03')),
      workout('watch', 'watch', '07:00:00 08:00:00'),
      workout('watch-14-days-before', 'watch', '', on('2026-02-16')),
    ],
    kept: ['apple-15-days-before', 'apple-16-days-before', 'apple-day-after', 'watch', 'watch-14-days-before'],
    duplicates: [{ id: 'apple', kept_id: 'watch' }],
  },
  {
    title: 'several workouts on one day count as one day of use',
    records: [
      workout('apple', 'apple', '07:00:00 08:00:00'),
      workout('apple-once', 'apple', '', on('2026-02-28')),
      workout('apple-again', 'apple', '', on('2026-03-01')),
      workout('watch', 'watch', '07:00:00 08:00:00'),
      ...['06', '09', '11'].map((hour) =>
        workout(`watch-${hour}`, 'watch', '', {
          ...on('2026-02-20'),
          time_start: `2026-02-20T${hour}:00:00Z`,
          time_end: `2026-02-20T${hour}:30:00Z`,
        }),
      ),
    ],
    kept: ['apple', 'apple-again', 'apple-once', 'watch-06', 'watch-09', 'watch-11'],
    duplicates: [{ id: 'watch', kept_id: 'apple' }],
  },
  {
    title: 'an impossible value does not make a record more complete',
    records: [
      workout('app', 'app', '07:00:00 08:00:00', { measures: { distance_m: 9900, steps: 9000 } }),
      workout('watch', 'watch', '07:00:00 08:00:00', { measures: { distance_m: 9900, average_hr_bpm: 0, max_watts: 9999 } }),
    ],
    kept: ['app'],
    duplicates: [{ id: 'watch', kept_id: 'app' }],
  },
  {
    title: 'a record that lasts longer than any workout contains no other',
    records: [
      workout('forgotten', 'watch', '06:00:00 06:00:00', { sport: 'triathlon', time_end: '2026-04-02T06:00:00Z' }),
      workout('run', 'watch', '07:00:00 08:00:00'),
    ],
    kept: ['forgotten', 'run'],
  },
];

export const sourceCases: readonly Case[] = [...amongSources, ...ties];
