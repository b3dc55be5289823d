import { tables } from '@aorta/schemas';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asView } from '../../../connectors/warehouses/kept/kept-table.ts';
import type { View, ViewDialect } from '../../../connectors/warehouses/views/dialect.ts';
import { workoutsDeduplicatedView } from '../../../connectors/warehouses/views/workouts-deduplicated.ts';
import { workoutsDuplicates } from '../../../connectors/warehouses/views/workouts-duplicates.ts';
import { type LoadedViews, type OpenViews, type Relation, type Row, rounded } from './loaded-views.ts';
import { athletes, devices } from './people.fixture.ts';
import { expectedDuplicates, type WorkoutRecord } from './workouts-oracle.ts';

/** Compares the workouts with an oracle in plain code, on both warehouses. */

const declared = tables.find(({ name }) => name === 'workouts')!;
const workoutViews = (dialect: ViewDialect): View[] => [
  asView(workoutsDuplicates(declared, {}), dialect),
  workoutsDeduplicatedView(dialect, declared),
];

type Device = keyof typeof devices;

const full = { average_hr_bpm: 140, max_hr_bpm: 170, distance_m: 10_000, calories_kcal: 600, average_speed_m_s: 2.8 };
const sparse = { distance_m: 9900, calories_kcal: 550 };

/** A workout of a device on 2 March, such as `07:00:00 08:00:00`. */
const workout = (
  id: string,
  device: Device,
  times: string,
  { sport = 'running', ...more }: Partial<WorkoutRecord> & { sport?: string | null } = {},
): WorkoutRecord => ({
  ...{ id, ...devices[device], calendar_date: '2026-03-02', sport_slug: sport, hr_zones_s: [], measures: sparse },
  ...{ time_start: `2026-03-02T${times.slice(0, 8)}Z`, time_end: `2026-03-02T${times.slice(-8)}Z` },
  ...more,
});

interface Case {
  readonly title: string;
  readonly records: readonly WorkoutRecord[];
  readonly kept: readonly string[];
  readonly duplicates?: readonly { readonly id: string; readonly kept_id: string }[];
}

const cases: readonly Case[] = [
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
    title: 'records of one source are never the same workout',
    records: [workout('one', 'watch', '07:00:00 08:00:00'), workout('two', 'watch', '07:00:00 08:00:00')],
    kept: ['one', 'two'],
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
    title: 'a triathlon of one source does not replace its parts of another source',
    records: [
      workout('triathlon', 'watch', '08:00:00 10:00:00', { sport: 'triathlon', measures: full }),
      workout('swim', 'app', '08:00:00 08:20:00', { sport: 'swimming' }),
      workout('ride', 'app', '08:22:00 09:25:00', { sport: 'cycling' }),
      workout('run', 'app', '09:27:00 10:00:00'),
    ],
    kept: ['ride', 'run', 'swim', 'triathlon'],
  },
  {
    title: 'a triathlon without a sport replaces no part that is shorter than half of it',
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
    title: 'of two equally complete records of equal sources, the earlier one is kept, and then the one with the smaller id',
    records: [
      workout('a', 'apple', '07:01:00 08:10:00'),
      workout('b', 'watch', '07:00:00 08:00:00'),
      workout('c', 'watch', '18:00:00 19:00:00'),
      workout('d', 'apple', '18:00:00 19:05:00'),
    ],
    kept: ['b', 'c'],
    duplicates: [
      { id: 'a', kept_id: 'b' },
      { id: 'd', kept_id: 'c' },
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

const randomPeople = fc.sample(athletes, { seed: 25, numRuns: 300 });

/** Two sources whose records each overlap the next by half: the greedy choice takes as many steps as there are records. */
const chain: WorkoutRecord[] = Array.from({ length: 60 }, (_, index) => {
  const start = Date.parse('2026-03-02T00:00:00Z') + index * 1_800_000;
  return {
    ...workout(`chain${String(index).padStart(2, '0')}`, index % 2 === 0 ? 'watch' : 'apple', '00:00:00 00:00:00'),
    time_start: new Date(start).toISOString(),
    time_end: new Date(start + 3_600_000).toISOString(),
  };
});

const people: readonly (readonly [string, readonly WorkoutRecord[]])[] = [
  ...cases.map(({ records }, index) => [`case-${index}`, records] as const),
  ...randomPeople.map((records, index) => [`random-${String(index).padStart(3, '0')}`, records] as const),
  ['chain', chain],
];

const relations: Relation[] = [
  {
    name: 'workouts',
    rows: people.flatMap(([user_id, records]) =>
      records.map(({ measures, id, ...record }) => ({ ...record, ...measures, user_id, id: `${user_id} ${id}`, title: id })),
    ),
  },
];

export function workoutsSuite(warehouse: string, open: OpenViews): void {
  describe(warehouse, () => {
    let loaded: LoadedViews;
    let kept: Map<string, Row[]>;
    let duplicates: Map<string, Row[]>;
    beforeAll(async () => {
      loaded = await open(relations, workoutViews);
      const ofUser = (rows: Row[]): Map<string, Row[]> => Map.groupBy(rows, ({ user_id }) => user_id as string);
      kept = ofUser(await loaded.query('select * from {workouts_deduplicated} order by id'));
      duplicates = ofUser(await loaded.query('select * from {workouts_duplicates} order by id'));
    });
    afterAll(() => loaded?.[Symbol.asyncDispose]());

    test.each(cases.map((one, index) => [one.title, one, `case-${index}`] as const))('%s', (_title, one, user) => {
      expect((kept.get(user) ?? []).map(({ title }) => title)).toEqual(one.kept);
      const found = (duplicates.get(user) ?? []).map(({ id, kept_id }) => ({ id, kept_id }));
      const named = (one.duplicates ?? []).map((pair) => ({ id: `${user} ${pair.id}`, kept_id: `${user} ${pair.kept_id}` }));
      expect(found).toEqual(named);
    });

    test('the workouts of random people equal those of the oracle, and no source replaces its own', () => {
      for (const [user, records] of people) {
        const named = records.map((record) => ({ ...record, id: `${user} ${record.id}` }));
        const expected = expectedDuplicates(named);
        const found = duplicates.get(user) ?? [];
        const shown = found.map(({ id, kept_id, overlap_share }) => ({ id, kept_id, overlap_share }));
        expect({ user, named, duplicates: shown }).toEqual({
          user,
          named,
          duplicates: expected.map((one) => rounded({ ...one })),
        });
        const rows = kept.get(user) ?? [];
        const without = new Set(expected.map(({ id }) => id));
        expect(rows.map(({ id }) => id)).toEqual(
          named
            .map(({ id }) => id)
            .filter((id) => !without.has(id))
            .sort(),
        );
        for (const row of rows) {
          const others = expected.filter(({ kept_id }) => kept_id === row.id).map(({ id }) => id);
          expect([row.sources, (row.also_recorded as Row[]).map(({ id }) => id).sort()]).toEqual([1 + others.length, others]);
        }
        for (const one of found) {
          expect(`${one.provider}/${one.source_type}`).not.toBe(`${one.kept_provider}/${one.kept_source_type}`);
        }
      }
    });

    test('a kept workout has all its columns, and lists the other records with their overlap', () => {
      const morning = kept.get('case-0')!.find(({ title }) => title === 'morning')!;
      expect(morning).toMatchObject({
        ...{ average_hr_bpm: 140, distance_m: 10_000, time_start: '2026-03-02T07:00:00.000Z', sport_slug: 'running', sources: 2 },
        also_recorded: [
          { id: 'case-0 morning-app', provider: 'strava', source_type: 'app', overlap_share: Number((58 / 60).toPrecision(11)) },
        ],
      });
      expect(Object.keys(morning)).toEqual([
        ...declared.columns.map(({ name }) => name),
        '_loaded_at',
        'also_recorded',
        'sources',
      ]);
    });
  });
}
