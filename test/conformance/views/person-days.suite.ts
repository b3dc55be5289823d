import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { duckDbViews } from '../../../connectors/duckdb/views-dialect.ts';
import { asView } from '../../../connectors/warehouses/kept/kept-table.ts';
import { timeseriesDaily } from '../../../connectors/warehouses/kept/timeseries-daily.ts';
import type { ShownView } from '../../../connectors/warehouses/views/dialect.ts';
import { localSamplesView } from '../../../connectors/warehouses/views/local-time.ts';
import { personDaysView } from '../../../connectors/warehouses/views/person-days.ts';
import { unitConversionsView } from '../../../connectors/warehouses/views/unit-conversions.ts';
import {
  completeness,
  expectedCalendar,
  expectedSourceDays,
  expectedSources,
  LAST_RECEIPT,
  sourcesByDate,
} from './calendar-oracle.ts';
import { expectedGlucoseDays, expectedHeartrateHours, expectedStepsHours } from './hours-oracle.ts';
import { type LoadedViews, type OpenViews, type Relation, type Row, rounded } from './loaded-views.ts';
import { noSleep, offsetOf, people, timeZones, zonesOf } from './people.fixture.ts';
import { expectedDays, expectedMetricDays, type Known, type Person } from './person-days-oracle.ts';
import { expectedSampleDays } from './sample-days-oracle.ts';
import { type Preferred, ranksWith } from './source-oracle.ts';
import { dayViews, declared, storedTables, storedViews } from './stored-tables.ts';

/** Compares the days with an oracle in plain code, on both warehouses. */

const random = fc.sample(people, { seed: 25, numRuns: 200 });
const userOf = (index: number): string => `random-${String(index).padStart(3, '0')}`;

/** The rows of a table for all people. */
const rowsOf = (rows: (person: Person, user_id: string) => readonly Row[]): Row[] =>
  random.flatMap((person, index) =>
    rows(person, userOf(index)).map((row, at) => ({ id: `${userOf(index)} ${at}`, ...row, user_id: userOf(index) })),
  );

/** The table has a local date only if the provider sent it. */
const localDate = ({ start_at, timezone_offset_s, time_basis }: Person['samples'][number]): string | null =>
  timezone_offset_s === null && time_basis === 'utc'
    ? null
    : new Date(Date.parse(start_at) + (timezone_offset_s ?? 0) * 1000).toISOString().slice(0, 10);

const relations: Relation[] = [
  {
    name: 'timeseries',
    rows: rowsOf(({ samples }) => samples.map((row) => ({ ...row, local_date: localDate(row), source_workout_id: '' }))),
  },
  {
    name: 'blood_pressure',
    rows: rowsOf(({ readings }) =>
      readings.map((row, at) => ({
        ...row,
        time_basis: 'utc',
        sample_type: '',
        source_workout_id: String(at),
        local_date: localDate({ ...row, time_basis: 'utc' } as unknown as Person['samples'][number]),
      })),
    ),
  },
  ...(['activity', 'body'] as const).map((name) => ({
    name,
    rows: rowsOf((person) => person[name].map(({ values, ...row }) => ({ ...row, ...values }))),
  })),
  { name: 'sleep', rows: rowsOf(({ sleep }, user) => sleep.map((row) => ({ ...row, id: `${user} ${row.id}` }))) },
  {
    name: 'workouts',
    rows: rowsOf(({ workouts }, user) =>
      workouts.map(({ measures, ...row }) => ({ ...row, ...measures, id: `${user} ${row.id}` })),
    ),
  },
  {
    name: 'deliveries',
    rows: [
      ...random.flatMap(({ receipts }, index) =>
        receipts.map(({ counts, ...row }, at) => ({
          ...row,
          user_id: userOf(index),
          source_offset: at,
          stream: 'activity',
          redelivered: !counts && at % 2 === 0,
          dead_letter_reason: !counts && at % 2 === 1 ? 'no_id' : null,
          _loaded_at: '2026-04-02T00:00:00Z',
        })),
      ),
      { user_id: 'anybody', stream: 'unrouted', received_at: LAST_RECEIPT, _loaded_at: '2026-04-02T00:00:00Z' },
      // The clock of a broker was wrong.
      { user_id: 'anybody', stream: 'unrouted', received_at: '2026-04-09T00:00:00Z', _loaded_at: '2026-04-02T00:00:00Z' },
    ],
  },
  ...timeZones(random.flatMap((_, index) => zonesOf(userOf(index), index))),
];

const ownPreferences: Preferred = {
  default: ['manual', 'withings/cuff', 'phone'],
  steps: ['apple_health_kit', 'ring'],
  // Entries by hand on a phone still come last.
  distance: ['phone'],
  glucose: ['garmin', 'scale'],
  weight: ['oura', 'garmin/watch'],
  blood_pressure: ['omron'],
  sleep: ['fitbit', 'watch'],
  workouts: ['app', 'phone'],
};

/** Preferences by name. The tests of BigQuery take only those of a configuration, because the local server is slow. */
const preferences: Readonly<Record<string, Preferred>> = { usual: {}, own: ownPreferences };

export function personDaysSuite(warehouse: string, open: OpenViews, names: readonly string[] = ['usual', 'own']): void {
  describe.each(names)(`${warehouse}, with %s preferences`, (name) => {
    const preferred = preferences[name]!;
    const ranks = ranksWith(preferred);
    let loaded: LoadedViews;
    beforeAll(async () => {
      loaded = await open(relations, (dialect) => [
        unitConversionsView(dialect),
        ...['timeseries', 'blood_pressure'].map((name) => localSamplesView(dialect, declared(name))),
        asView(timeseriesDaily, dialect),
        ...dayViews(dialect, preferred),
      ]);
    });
    afterAll(() => loaded?.[Symbol.asyncDispose]());

    /** Compares all rows of each person, in any order. */
    async function compare(view: string, expected: (person: Person, known: Known) => Row[]): Promise<void> {
      const found = Map.groupBy(await loaded.query(`select * from {${view}}`), ({ user_id }) => user_id as string);
      const sorted = (rows: readonly Row[]): Row[] => rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
      for (const [index, person] of random.entries()) {
        const rows = expected(person, { user: userOf(index), offsetAt: offsetOf(index), ranks }).map(rounded);
        const names = Object.keys(rows[0] ?? {});
        const shown = (found.get(userOf(index)) ?? []).map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
        expect({ index, person, rows: sorted(shown) }).toEqual({ index, person, rows: sorted(rows) });
      }
    }

    test('the samples of each day equal those of the oracle', () =>
      compare('timeseries_daily', (person, { offsetAt }) => expectedSampleDays(person, offsetAt)));

    test('the measures of each day equal those of the oracle', () => compare('metric_days', expectedMetricDays));

    test('the days of random people equal those of the oracle', () =>
      compare('person_days', (person, known) => {
        const isComplete = completeness(person, known);
        return expectedDays(person, known).map((day) => ({ ...day, is_complete: isComplete(day.local_date as string) }));
      }));

    test('the sources of each day equal those of the oracle', () => compare('source_days', expectedSourceDays));

    test('the sources of each person equal those of the oracle', () => compare('person_sources', expectedSources));

    test('the hours of steps equal those of the oracle', () => compare('steps_hours', expectedStepsHours));

    test('the hours of heart rates equal those of the oracle', () => compare('heartrate_hours', expectedHeartrateHours));

    test('the days of glucose equal those of the oracle', () => compare('glucose_days', expectedGlucoseDays));

    test('the calendars of random people equal those of the oracle', () => compare('person_calendar', expectedCalendar));

    test('the random people have complete and incomplete days, days without data, and odd days before their calendar', () => {
      const calendars = random.map((person, index) => {
        const known = { user: userOf(index), offsetAt: offsetOf(index), ranks };
        return { rows: expectedCalendar(person, known), first: [...sourcesByDate(person, known).keys()].sort()[0] };
      });
      const kinds = Map.groupBy(
        calendars.flatMap(({ rows }) => rows),
        ({ is_complete, sources }) => `${is_complete} ${sources === null ? 'none' : 'some'}`,
      );
      for (const kind of ['true some', 'true none', 'false some', 'false none'])
        expect([kind, (kinds.get(kind)?.length ?? 0) > 50]).toEqual([kind, true]);
      expect(calendars.filter(({ rows, first }) => first !== undefined && first !== rows[0]?.local_date).length).toBeGreaterThan(
        10,
      );
    });

    test('the view describes every column in its order', async () => {
      const [row] = await loaded.query('select * from {person_days} limit 1');
      expect(Object.keys(row!)).toEqual((personDaysView(duckDbViews, {}) as ShownView).columns.map(({ name }) => name));
    });
  });
}

/** The questions of an analyst that got wrong answers, over tables as they are stored. */
const oura = { provider: 'oura', source_type: 'ring' };
const garmin = { provider: 'garmin', source_type: 'watch' };
const withings = { provider: 'withings', source_type: 'scale' };
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
      ...sample,
      ...garmin,
      user_id: 'per-second',
      resource: 'heartrate',
      value: 66,
      unit: 'bpm',
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
    { ...sample, ...withings, user_id: 'weighed', resource: 'weight', value: 80, unit: 'kg' },
    // The first sample says where the user is, and the second one has no offset: 06:00 UTC is 22:00 of the day before.
    {
      ...sample,
      ...garmin,
      user_id: 'traveller',
      resource: 'heartrate',
      value: 60,
      unit: 'bpm',
      start_at: '2026-03-02T05:00:00Z',
      timezone_offset_s: -28_800,
      local_date: '2026-03-01',
    },
    {
      ...sample,
      ...garmin,
      user_id: 'traveller',
      resource: 'heartrate',
      value: 70,
      unit: 'bpm',
      start_at: '2026-03-02T06:00:00Z',
      timezone_offset_s: null,
    },
  ],
  body: [
    { ...withings, id: 'b1', user_id: 'weighed', calendar_date: '2026-03-02', weight_kg: 90, fat_pct: 20 },
    { ...garmin, id: 'b2', user_id: 'weighed', calendar_date: '2026-03-02', weight_kg: 95 },
  ],
  blood_pressure: [{ ...sample, ...oura, user_id: 'no-offset', systolic_mmhg: 120, diastolic_mmhg: 80, unit: 'mmHg' }],
});

export function personDaysStoredSuite(warehouse: string, open: OpenViews): void {
  describe(`${warehouse}, with the tables as they are stored`, () => {
    let loaded: LoadedViews;
    beforeAll(async () => {
      loaded = await open(stored, storedViews);
    });
    afterAll(() => loaded?.[Symbol.asyncDispose]());

    const dayOf = async (user: string): Promise<Row[]> =>
      loaded.query(`select * from {person_days} where user_id = '${user}' and local_date = '2026-03-02'`);

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
          heartrate_avg_bpm: 66,
          heartrate_min_bpm: 66,
          heartrate_max_bpm: 66,
          heartrate_source: 'garmin/watch',
          weight_kg: 45.359237,
          samples: 4,
          samples_unknown_unit: 2,
        },
      ]);
    });

    test('the samples of a source come before its summary, and a scale before a watch', async () => {
      expect(await dayOf('weighed')).toMatchObject([
        { weight_kg: 80, weight_source: 'withings/scale', weight_others: 1, fat_pct: 20, fat_others: 0 },
      ]);
    });

    test('a reading of a user whose offset is unknown counts on its UTC date', async () => {
      expect(await dayOf('no-offset')).toMatchObject([
        { blood_pressure_systolic_mmhg: 120, blood_pressure_source: 'oura/ring', blood_pressure_others: 0 },
      ]);
    });

    test('a sample without an offset counts on the local date of the user, also among the observations', async () => {
      const days = await loaded.query("select * from {person_days} where user_id = 'traveller'");
      expect(days).toMatchObject([{ local_date: '2026-03-01', heartrate_avg_bpm: 65, samples: 2 }]);
      const dates = await loaded.query("select local_date from {observations} where user_id = 'traveller'");
      expect(dates).toEqual([{ local_date: '2026-03-01' }, { local_date: '2026-03-01' }]);
    });

    test('a user whose samples have no offset has a day, with glucose in both units', async () => {
      const mmol = 90.091 / 18.0182;
      expect(await dayOf('no-offset')).toMatchObject([
        { samples: 3, heartrate_avg_bpm: 60, glucose_avg_mg_dl: 90.091, glucose_avg_mmol_l: Number(mmol.toPrecision(11)) },
      ]);
    });
  });
}
