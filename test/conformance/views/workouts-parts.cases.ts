import { type Case, type Device, full, on, sparse, workout } from './workouts.cases.ts';
import type { Duplicate, WorkoutRecord } from './workouts-oracle.ts';

/** Small people whose records show the rules for legs, and for records that one source repeats. */

/** A triathlon of two hours, and its legs. */
const triathlon = (device: Device, more: Parameters<typeof workout>[3] = {}): WorkoutRecord =>
  workout('triathlon', device, '08:00:00 10:00:00', { sport: 'triathlon', measures: full, ...more });
const legs = (device: Device, name = ''): WorkoutRecord[] => [
  workout(`ride${name}`, device, '08:22:00 09:25:00', { sport: 'cycling', measures: { distance_m: 20_000, calories_kcal: 700 } }),
  workout(`run${name}`, device, '09:27:00 10:00:00', { measures: { distance_m: 5000, calories_kcal: 400 } }),
  workout(`swim${name}`, device, '08:00:00 08:20:00', { sport: 'swimming', measures: { distance_m: 1500, calories_kcal: 300 } }),
];
const isLeg = (id: string, more: Partial<Duplicate> = {}): Partial<Duplicate> => ({
  id,
  kept_id: 'triathlon',
  reason: 'leg',
  source_place: 1,
  ...more,
});

export const legCases: readonly Case[] = [
  {
    title: 'a triathlon stands for its legs, however complete they are',
    records: [triathlon('watch', { measures: sparse }), ...legs('watch').map((leg) => ({ ...leg, measures: full }))],
    kept: ['triathlon'],
    duplicates: [isLeg('ride', { overlap_share: 0.525 }), isLeg('run', { overlap_share: 0.275 }), isLeg('swim')],
    values: { distance_m: 9900, calories_kcal: 550, average_hr_bpm: null, summed_columns: null, sources: 4 },
  },
  {
    title: 'a triathlon of one source stands for its legs of another source',
    records: [triathlon('app'), ...legs('watch')],
    kept: ['triathlon'],
    duplicates: [isLeg('ride'), isLeg('run'), isLeg('swim')],
    values: { distance_m: 10_000, calories_kcal: 600, sources: 4 },
  },
  {
    title: 'a value that a triathlon lacks, or that is impossible, is the sum of its legs',
    records: [triathlon('app', { measures: { average_hr_bpm: 140, calories_kcal: -1 } }), ...legs('watch')],
    kept: ['triathlon'],
    duplicates: [isLeg('ride'), isLeg('run'), isLeg('swim')],
    values: { distance_m: 26_500, calories_kcal: 1400, average_hr_bpm: 140, summed_columns: 'distance_m, calories_kcal' },
  },
  {
    title: 'a level that a triathlon lacks is not taken from its legs, and an impossible value of a leg does not add up',
    records: [
      triathlon('watch', { measures: {} }),
      workout('run', 'watch', '09:27:00 10:00:00', { measures: { ...full, distance_m: 5000, calories_kcal: 99_999 } }),
    ],
    kept: ['triathlon'],
    duplicates: [isLeg('run')],
    values: { distance_m: 5000, calories_kcal: null, average_hr_bpm: null, summed_columns: 'distance_m' },
  },
  {
    title: 'a sum has the legs of one source, the better one',
    records: [
      triathlon('manual', { measures: {} }),
      ...legs('app', '-app').map((leg) => ({ ...leg, measures: { distance_m: 9000, steps: 10 } })),
      ...legs('watch'),
    ],
    kept: ['triathlon'],
    duplicates: [
      isLeg('ride'),
      isLeg('ride-app', { source_place: 2 }),
      isLeg('run'),
      isLeg('run-app', { source_place: 2 }),
      isLeg('swim'),
      isLeg('swim-app', { source_place: 2 }),
    ],
    values: { distance_m: 26_500, calories_kcal: 1400, steps: 30 },
  },
  {
    title: 'a better source that recorded a single leg has no sum of the triathlon',
    records: [triathlon('manual', { measures: {} }), ...legs('app'), { ...legs('watch')[0]!, id: 'ride-watch' }],
    kept: ['triathlon'],
    duplicates: [
      isLeg('ride', { source_place: 2 }),
      isLeg('ride-watch'),
      isLeg('run', { source_place: 2 }),
      isLeg('swim', { source_place: 2 }),
    ],
    values: { distance_m: 26_500 },
  },
  {
    title: 'a leg that was recorded twice and a lap of a leg do not add up',
    records: [
      triathlon('watch', { measures: {} }),
      ...legs('watch'),
      { ...legs('watch')[1]!, id: 'run-again' },
      workout('ride-lap', 'watch', '08:30:00 08:50:00', { sport: 'cycling', measures: full }),
    ],
    kept: ['triathlon'],
    duplicates: [
      isLeg('ride'),
      isLeg('ride-lap', { source_place: null }),
      isLeg('run'),
      isLeg('run-again', { source_place: null }),
      isLeg('swim'),
    ],
    values: { distance_m: 26_500 },
  },
  {
    title: 'the legs of a triathlon stay out if the record of another source is kept instead of it',
    records: [
      triathlon('watch', { id: 'other', measures: sparse }),
      ...legs('watch'),
      workout('triathlon', 'app', '08:30:00 10:30:00', { sport: 'triathlon', measures: full }),
    ],
    kept: ['triathlon'],
    duplicates: [
      { id: 'other', kept_id: 'triathlon', reason: 'other_source', overlap_share: 0.75 },
      isLeg('ride'),
      isLeg('run'),
      isLeg('swim', { overlap_share: 0 }),
    ],
  },
  {
    title: 'a leg may begin 5 minutes before the triathlon, and end 5 minutes after it',
    records: [
      triathlon('app'),
      workout('early', 'watch', '07:55:00 08:20:00', { sport: 'swimming' }),
      workout('late', 'watch', '09:27:00 10:05:00'),
    ],
    kept: ['triathlon'],
    duplicates: [isLeg('early'), isLeg('late')],
  },
  {
    title: 'a record that begins or ends more than 5 minutes outside of a triathlon is no leg',
    records: [
      triathlon('app'),
      workout('early', 'watch', '07:54:59 08:20:00', { sport: 'swimming' }),
      workout('late', 'watch', '09:27:00 10:05:01'),
    ],
    kept: ['early', 'late', 'triathlon'],
  },
  {
    title: 'a walk of which less than half is inside of a triathlon is no leg',
    records: [triathlon('app'), workout('walk', 'watch', '07:55:00 08:04:59', { sport: 'walking' })],
    kept: ['triathlon', 'walk'],
  },
  {
    title: 'a ride as long as a triathlon is a leg, and never the other way round',
    records: [workout('ride', 'watch', '07:58:00 10:03:00', { sport: 'cycling', measures: full }), triathlon('app')],
    kept: ['triathlon'],
    duplicates: [isLeg('ride')],
  },
  {
    title: 'a record without a sport stands for the legs of its source that it contains',
    records: [triathlon('watch', { sport_slug: null, measures: {} }), ...legs('watch')],
    kept: ['triathlon'],
    duplicates: ['ride', 'run', 'swim'].map((id) => isLeg(id, { reason: 'contained' })),
    values: { distance_m: 26_500 },
  },
];

export const repeatCases: readonly Case[] = [
  {
    title: 'a record stands for the laps that it contains, however complete they are',
    records: [
      workout('lap-1', 'watch', '07:00:00 07:40:00', { sport: 'treadmill_running', measures: full }),
      workout('lap-2', 'watch', '07:40:00 08:00:00', { sport: 'curling', measures: { steps: 4000 } }),
      workout('run', 'watch', '07:00:00 08:00:00'),
    ],
    kept: ['run'],
    duplicates: [
      { id: 'lap-1', kept_id: 'run', reason: 'contained', source_place: 1 },
      { id: 'lap-2', kept_id: 'run', reason: 'contained', source_place: 1 },
    ],
    values: { distance_m: 9900, steps: 4000, summed_columns: 'steps' },
  },
  {
    title: 'the laps of a record stay out if the record of another source is kept instead of it',
    records: [
      workout('lap', 'watch', '07:00:00 07:15:00'),
      workout('run', 'watch', '07:00:00 08:00:00'),
      workout('run-app', 'app', '07:00:00 08:00:00', { measures: full }),
    ],
    kept: ['run-app'],
    duplicates: [
      { id: 'lap', kept_id: 'run-app', reason: 'contained' },
      { id: 'run', kept_id: 'run-app', reason: 'other_source' },
    ],
  },
  {
    title: 'a record contains no record of another sport, and no short one of another source',
    records: [
      workout('ride', 'watch', '07:00:00 10:00:00', { sport: 'cycling' }),
      workout('ride-app', 'app', '08:00:00 09:00:00', { sport: 'cycling' }),
      workout('run', 'watch', '08:00:00 08:30:00'),
    ],
    kept: ['ride', 'ride-app', 'run'],
  },
  {
    title: 'if two records of one source begin and end together, the more complete one is kept, not the longer one',
    records: [
      workout('detected', 'watch', '06:55:00 08:05:00', { sport: null, measures: { steps: 7000 } }),
      workout('started', 'watch', '07:00:00 08:00:00', { measures: full }),
    ],
    kept: ['started'],
    duplicates: [{ id: 'detected', kept_id: 'started', reason: 'repeated' }],
    values: { steps: null, summed_columns: null },
  },
  {
    title: 'two records of one source that overlap by half of the longer one are one workout',
    records: [workout('a', 'watch', '07:00:00 08:00:00'), workout('b', 'watch', '07:30:00 08:30:00', { measures: full })],
    kept: ['b'],
    duplicates: [{ id: 'a', kept_id: 'b', reason: 'repeated', overlap_share: 0.5 }],
  },
  {
    title: 'two records of one source that overlap by less are two workouts',
    records: [workout('a', 'watch', '07:00:00 08:00:00'), workout('b', 'watch', '07:30:01 08:30:01')],
    kept: ['a', 'b'],
  },
  {
    title: 'a hike of several days contains the records of its days',
    records: [
      workout('day-1', 'watch', '07:00:00 15:00:00', { sport: 'walking' }),
      workout('day-4', 'watch', '', { ...on('2026-03-05'), sport: 'walking' }),
      workout('hike', 'watch', '06:00:00 08:00:00', { sport: 'walking', time_end: '2026-03-07T06:00:00Z', measures: {} }),
    ],
    kept: ['hike'],
    duplicates: [
      { id: 'day-1', kept_id: 'hike', reason: 'contained' },
      { id: 'day-4', kept_id: 'hike', reason: 'contained' },
    ],
    values: { distance_m: 19_800, calories_kcal: 1100 },
  },
];
