import { tables } from '@aorta/schemas';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asView } from '../../../connectors/warehouses/kept/kept-table.ts';
import type { View, ViewDialect } from '../../../connectors/warehouses/views/dialect.ts';
import { workoutsDeduplicatedView } from '../../../connectors/warehouses/views/workouts-deduplicated.ts';
import { workoutsDuplicates } from '../../../connectors/warehouses/views/workouts-duplicates.ts';
import { type LoadedViews, type OpenViews, type Relation, type Row, rounded } from './loaded-views.ts';
import { athletes } from './people.fixture.ts';
import { on, sourceCases, workout } from './workouts.cases.ts';
import { expectedDuplicates, expectedWorkouts, type WorkoutRecord } from './workouts-oracle.ts';
import { legCases, repeatCases } from './workouts-parts.cases.ts';

/** Compares the workouts with an oracle in plain code, on both warehouses. */

const declared = tables.find(({ name }) => name === 'workouts')!;
const workoutViews = (dialect: ViewDialect): View[] => [
  asView(workoutsDuplicates(declared, {}), dialect),
  workoutsDeduplicatedView(dialect, declared),
];

const cases = [...sourceCases, ...legCases, ...repeatCases];

const measures = ['average_hr_bpm', 'distance_m', 'calories_kcal', 'moving_time_s', 'steps', 'max_watts'];

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

/** Users whose two watches record the same workouts on two days. Only the hash of user and source says which one is kept. */
const tied = Array.from({ length: 12 }, (_, index) => `tied-${index}`);
const twoWatches: readonly WorkoutRecord[] = ['2026-03-02', '2026-03-20'].flatMap((date) =>
  (['watch', 'apple'] as const).map((device) => workout(`${device}-${date}`, device, '', on(date))),
);

const people: readonly (readonly [string, readonly WorkoutRecord[]])[] = [
  ...cases.map(({ records }, index) => [`case-${index}`, records] as const),
  ...randomPeople.map((records, index) => [`random-${String(index).padStart(3, '0')}`, records] as const),
  ['chain', chain],
  ...tied.map((user) => [user, twoWatches] as const),
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
      const rows = kept.get(user) ?? [];
      expect(rows.map(({ title }) => title)).toEqual(one.kept);
      const found = duplicates.get(user) ?? [];
      const named = (one.duplicates ?? []).map((pair) => ({
        ...pair,
        id: `${user} ${pair.id}`,
        kept_id: `${user} ${pair.kept_id}`,
      }));
      expect(found.map(({ id }) => id)).toEqual(named.map(({ id }) => id));
      expect(found).toMatchObject(named);
      if (one.values !== undefined) expect(rows[0]).toMatchObject(one.values);
    });

    test('the workouts of random people equal those of the oracle', () => {
      for (const [user, records] of people) {
        const named = records.map((record) => ({ ...record, id: `${user} ${record.id}` }));
        const shown = (duplicates.get(user) ?? []).map(({ id, kept_id, reason, overlap_share, source_place }) => ({
          id,
          kept_id,
          reason,
          overlap_share,
          source_place,
        }));
        const expected = expectedDuplicates(named, user).map((one) => rounded({ ...one }));
        expect({ user, named, duplicates: shown }).toEqual({ user, named, duplicates: expected });
        const rows = (kept.get(user) ?? []).map(({ id, also_recorded, sources, summed_columns, ...row }) => ({
          id,
          sources,
          summed_columns,
          others: (also_recorded as Row[]).map((other) => other.id).sort(),
          measures: Object.fromEntries(measures.map((name) => [name, row[name]])),
        }));
        const workouts = expectedWorkouts(named, user).map(({ id, others, summed_columns, ...one }) => ({
          id,
          sources: 1 + others.length,
          summed_columns,
          others,
          measures: Object.fromEntries(measures.map((name) => [name, one.measures[name] ?? null])),
        }));
        expect({ user, named, rows }).toEqual({ user, named, rows: workouts.sort((a, b) => (a.id < b.id ? -1 : 1)) });
      }
    });

    test('random people have every reason, sums of parts, and nested and repeated parts', () => {
      const all = [...duplicates.values()].flat();
      const count = (is: (row: Row) => boolean): number => all.filter(is).length;
      for (const reason of ['other_source', 'repeated', 'leg', 'contained'])
        expect(
          count((row) => row.reason === reason),
          reason,
        ).toBeGreaterThan(100);
      const isPart = ({ reason }: Row): boolean => reason === 'leg' || reason === 'contained';
      expect(count((row) => isPart(row) && row.source_place === null)).toBeGreaterThan(50);
      expect(count((row) => row.source_place === 2)).toBeGreaterThan(20);
      expect(count((row) => isPart(row) && (row.overlap_share as number) >= 0.5)).toBeGreaterThan(50);
      const summed = [...kept.values()].flat().filter(({ summed_columns }) => summed_columns !== null);
      expect(summed.length).toBeGreaterThan(50);
      // Legs of a triathlon that is a duplicate itself.
      const keptIds = new Map(all.map(({ id, kept_id }) => [id, kept_id]));
      expect(count((row) => row.reason === 'leg' && row.overlap_share === 0)).toBeGreaterThan(0);
      expect([...keptIds.values()].filter((id) => keptIds.has(id))).toEqual([]);
    });

    test('a user keeps the same one of two equal sources, and not every user keeps the same one', () => {
      const sources = tied.map((user) => [...new Set(kept.get(user)!.map(({ provider }) => provider))]);
      expect(sources.filter((list) => list.length !== 1)).toEqual([]);
      expect(new Set(sources.flat())).toEqual(new Set(['garmin', 'apple_health_kit']));
    });

    const shownNames: Readonly<Record<string, string>> = { calendar_date: 'local_date' };

    test('a kept workout has all its columns, and lists the other records with their overlap', () => {
      const morning = kept.get('case-0')!.find(({ title }) => title === 'morning')!;
      expect(morning).toMatchObject({
        average_hr_bpm: 140,
        distance_m: 10_000,
        time_start: '2026-03-02T07:00:00.000Z',
        sport_slug: 'running',
        sources: 2,
        also_recorded: [
          {
            id: 'case-0 morning-app',
            provider: 'strava',
            source_type: 'app',
            reason: 'other_source',
            overlap_share: Number((58 / 60).toPrecision(11)),
          },
        ],
      });
      expect(Object.keys(morning)).toEqual([
        ...declared.columns.flatMap(({ name }) => (name === 'source_type' ? [name, 'source'] : [shownNames[name] ?? name])),
        '_loaded_at',
        'also_recorded',
        'sources',
        'summed_columns',
      ]);
    });
  });
}
