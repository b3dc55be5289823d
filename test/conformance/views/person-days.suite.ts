import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { duckDbViews } from '../../../connectors/warehouses/duckdb/views-dialect.ts';
import type { ShownView } from '../../../connectors/warehouses/views/dialect.ts';
import { personDaysView } from '../../../connectors/warehouses/views/person-days.ts';
import { unitConversionsView } from '../../../connectors/warehouses/views/unit-conversions.ts';
import { type LoadedViews, type OpenViews, type Relation, type Row, rounded } from './loaded-views.ts';
import { noSleep, offsetOf, people, timeZones, zonesOf } from './people.fixture.ts';
import { expectedDays, type Person } from './person-days-oracle.ts';
import { dayViews, storedTables, storedViews } from './stored-tables.ts';

/** Compares the days with an oracle in plain code, on both warehouses. */

const random = fc.sample(people, { seed: 25, numRuns: 200 });
const userOf = (index: number): string => `random-${String(index).padStart(3, '0')}`;

/** The rows of a table for all people. */
const rowsOf = (rows: (person: Person, user_id: string) => readonly Row[]): Row[] =>
  random.flatMap((person, index) =>
    rows(person, userOf(index)).map((row, at) => ({ id: `${userOf(index)} ${at}`, ...row, user_id: userOf(index) })),
  );

const relations: Relation[] = [
  {
    name: 'metric_days',
    columns: {
      ...{ user_id: 'string', local_date: 'date', measure: 'string', value: 'float64', unit: 'string', source: 'string' },
      coverage: 'float64',
    },
    rows: rowsOf(({ metrics }) => metrics.map((row) => ({ ...row }))),
  },
  {
    name: 'timeseries_daily',
    columns: {
      ...{ user_id: 'string', resource: 'string', provider: 'string', source_type: 'string', calendar_date: 'date' },
      ...{ samples: 'int64', value_min: 'float64', value_max: 'float64', value_avg: 'float64' },
      ...{ sample_type: 'string', unit: 'string' },
    },
    rows: rowsOf(({ samples }) => samples.map((row) => ({ ...row }))),
  },
  ...(['activity', 'body'] as const).map((name) => ({
    name,
    rows: rowsOf((person) => person[name].map(({ values, ...row }) => ({ ...row, ...values }))),
  })),
  { name: 'blood_pressure', rows: rowsOf(({ readings }) => readings.map((row) => ({ ...row }))) },
  { name: 'sleep', rows: rowsOf(({ sleep }, user) => sleep.map((row) => ({ ...row, id: `${user} ${row.id}` }))) },
  {
    name: 'workouts',
    rows: rowsOf(({ workouts }, user) =>
      workouts.map(({ measures, ...row }) => ({ ...row, ...measures, id: `${user} ${row.id}` })),
    ),
  },
  ...timeZones(random.flatMap((_, index) => zonesOf(userOf(index), index))),
];

export function personDaysSuite(warehouse: string, open: OpenViews): void {
  describe(warehouse, () => {
    let loaded: LoadedViews;
    beforeAll(async () => {
      loaded = await open(relations, (dialect) => [unitConversionsView(dialect), ...dayViews(dialect)]);
    });
    afterAll(() => loaded?.[Symbol.asyncDispose]());

    test('the days of random people equal those of the oracle', async () => {
      const rows = await loaded.query('select * from {person_days} order by user_id, calendar_date');
      const days = Map.groupBy(rows, ({ user_id }) => user_id as string);
      for (const [index, person] of random.entries()) {
        const expected = expectedDays(person, offsetOf(index)).map(rounded);
        const names = Object.keys(expected[0] ?? {});
        const found = (days.get(userOf(index)) ?? []).map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
        expect({ index, person, days: found }).toEqual({ index, person, days: expected });
      }
    });

    test('the view describes every column in its order', async () => {
      const [row] = await loaded.query('select * from {person_days} limit 1');
      expect(Object.keys(row!)).toEqual((personDaysView(duckDbViews) as ShownView).columns.map(({ name }) => name));
    });
  });
}

/** The questions of an analyst that got wrong answers, over tables as they are stored. */
const oura = { provider: 'oura', source_type: 'ring' };
const garmin = { provider: 'garmin', source_type: 'watch' };
const strava = { provider: 'strava', source_type: 'app' };
const night = { ...noSleep, bedtime_start: '2026-03-01T22:00:00Z', bedtime_stop: '2026-03-02T06:00:00Z', timezone_offset_s: 0 };
const run = { calendar_date: '2026-03-02', sport_slug: 'running', distance_m: 5000, calories_kcal: 300 };
const ride = { calendar_date: '2026-03-02', sport_slug: 'cycling', distance_m: 20_000, calories_kcal: 500 };
const sample = { calendar_date: '2026-03-02', start_at: '2026-03-02T12:00:00Z', sample_type: '', source_workout_id: '' };
const stored = storedTables({
  sleep: [
    { ...night, ...oura, id: 's1', user_id: 'two-devices', total_s: 26_000, efficiency: 0.91, deep_s: 5000 },
    { ...night, ...garmin, id: 's2', user_id: 'two-devices', total_s: 27_000, efficiency: 88, deep_s: 6000, light_s: 15_000 },
  ],
  workouts: [
    {
      ...run,
      ...garmin,
      id: 'w1',
      user_id: 'two-devices',
      time_start: '2026-03-02T07:00:00Z',
      time_end: '2026-03-02T07:30:00Z',
    },
    {
      ...run,
      ...strava,
      id: 'w2',
      user_id: 'two-devices',
      time_start: '2026-03-02T07:00:30Z',
      time_end: '2026-03-02T07:29:00Z',
    },
    {
      ...ride,
      ...garmin,
      id: 'w3',
      user_id: 'two-devices',
      time_start: '2026-03-02T18:00:00Z',
      time_end: '2026-03-02T19:00:00Z',
    },
    {
      ...ride,
      ...strava,
      id: 'w4',
      user_id: 'two-devices',
      time_start: '2026-03-02T18:01:00Z',
      time_end: '2026-03-02T19:01:00Z',
    },
  ],
  timeseries: [
    { ...sample, ...garmin, user_id: 'no-offset', resource: 'heartrate', value: 60, unit: 'bpm' },
    { ...sample, ...garmin, user_id: 'per-second', resource: 'heartrate', value: 1.2, unit: 'count/s' },
    {
      ...{ ...sample, ...garmin, user_id: 'per-second', resource: 'heartrate', value: 66, unit: 'bpm' },
      start_at: '2026-03-02T13:00:00Z',
    },
    // The ring is the better source, but has no heart rate per minute.
    { ...sample, ...oura, user_id: 'per-second', resource: 'heartrate', value: 1.1, unit: 'count/s' },
    { ...sample, ...oura, user_id: 'per-second', resource: 'weight', value: 100, unit: 'lb' },
    {
      ...sample,
      provider: 'dexcom',
      source_type: 'unknown',
      user_id: 'no-offset',
      resource: 'glucose',
      value: 90.091,
      unit: 'mg/dL',
    },
  ],
});

export function personDaysStoredSuite(warehouse: string, open: OpenViews): void {
  describe(`${warehouse}, with the tables as they are stored`, () => {
    let loaded: LoadedViews;
    beforeAll(async () => {
      loaded = await open(stored, storedViews);
    });
    afterAll(() => loaded?.[Symbol.asyncDispose]());

    const dayOf = async (user: string): Promise<Row[]> =>
      loaded.query(`select * from {person_days} where user_id = '${user}' and calendar_date = '2026-03-02'`);

    test('two workouts that two devices recorded are two workouts', async () => {
      const [day] = await dayOf('two-devices');
      expect(day).toMatchObject({
        workouts: 2,
        workouts_duration_s: 5400,
        workouts_distance_m: 25_000,
        workouts_calories_kcal: 800,
      });
    });

    test('the efficiencies 0.91 and 88 of two devices do not have the mean 44.455', async () => {
      expect(await dayOf('two-devices')).toMatchObject([{ sleep_efficiency: 0.91 }]);
    });

    test('a night does not mix the values of two devices', async () => {
      expect(await dayOf('two-devices')).toMatchObject([
        { sleep_source: 'oura/ring', sleep_total_s: 26_000, sleep_deep_s: 5000, sleep_light_s: null },
      ]);
    });

    test('a heart rate per second does not count as one per minute, and pounds become kilograms', async () => {
      expect(await dayOf('per-second')).toMatchObject([
        {
          ...{ heartrate_avg_bpm: 66, heartrate_min_bpm: 66, heartrate_max_bpm: 66, heartrate_source: 'garmin/watch' },
          ...{ weight_kg: 45.359237, samples: 4, samples_unknown_unit: 2 },
        },
      ]);
    });

    test('a user whose samples have no offset has a day, with glucose in both units', async () => {
      const mmol = 90.091 / 18.0182;
      expect(await dayOf('no-offset')).toMatchObject([
        { samples: 2, heartrate_avg_bpm: 60, glucose_avg_mg_dl: 90.091, glucose_avg_mmol_l: Number(mmol.toPrecision(11)) },
      ]);
    });
  });
}
