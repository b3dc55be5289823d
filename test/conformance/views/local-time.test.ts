import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { timeZoneStatements } from '../../../connectors/duckdb/file-schema.ts';
import { duckDbView, duckDbViews } from '../../../connectors/duckdb/views-dialect.ts';
import type { Person, Sample } from './local-time.model.ts';
import { people } from './local-time.people.ts';
import {
  columns,
  dailyQuery,
  expected,
  expectedDays,
  type Rows,
  rowsOf,
  samplesQuery,
  sorted,
  spansQuery,
  viewsOf,
} from './local-time.suite.ts';

const noRows = { activity: [], sessions: [], summaries: [], samples: [], fallback: null };
const HOUR = 3600;
const second = (time: string): number => Date.parse(time) / 1000;
/** Returns one sample per hour. */
const hourly = (from: string, hours: number, isFloating = false): Sample[] =>
  Array.from({ length: hours }, (_, hour) => ({ at: second(from) + hour * HOUR, offset: null, isFloating }));
const day = (date: string): number => Date.parse(date) / 86_400_000;

const inDuckDb = {
  seconds: (instant: string) => `epoch_us(${instant}) // 1000000`,
};

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run("set TimeZone = 'America/New_York'");
  const types = { timestamp: 'timestamptz', float64: 'double' } as Readonly<Record<string, string>>;
  for (const [name, own] of Object.entries(columns)) {
    const definitions = Object.entries(own).map(([column, type]) => `${column} ${types[type] ?? type}`);
    await connection.run(`create table ${name} (${definitions.join(', ')})`);
  }
  await connection.run(timeZoneStatements.join(';'));
  for (const view of viewsOf(duckDbViews)) await connection.run(duckDbView(view));
});
afterAll(() => connection.disconnectSync());
beforeEach(async () => {
  for (const name of Object.keys(columns)) await connection.run(`delete from ${name}`);
});

async function insert(rows: Rows): Promise<void> {
  for (const [name, values] of Object.entries(rows))
    if (values.length > 0)
      await connection.run(`insert into ${name} values ${values.map((row) => `(${row.join(', ')})`).join(', ')}`);
}

async function duckDbRows(query: string): Promise<string[]> {
  const plain = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
  return sorted((await connection.runAndReadAll(query)).getRows().map((row) => row.map(plain)));
}

const spansInDuckDb = () => duckDbRows(spansQuery(duckDbViews, inDuckDb.seconds));
const samplesInDuckDb = (table?: string) => duckDbRows(samplesQuery(duckDbViews, inDuckDb.seconds, table));

async function daysInDuckDb(): Promise<Record<string, number>> {
  const rows = await connection.runAndReadAll(
    "select local_date::varchar || ' ' || date_basis, samples from timeseries_daily order by all",
  );
  return Object.fromEntries(rows.getRows().map(([date, samples]) => [String(date), Number(samples)]));
}

test('DuckDB has the spans and local times of the model', async () => {
  await fc.assert(
    fc.asyncProperty(people, async (persons) => {
      for (const name of Object.keys(columns)) await connection.run(`delete from ${name}`);
      await insert(rowsOf(duckDbViews, persons));
      const { spans, samples } = expected(persons);
      expect(await spansInDuckDb()).toEqual(spans);
      expect(await samplesInDuckDb()).toEqual(samples);
      expect(await duckDbRows(dailyQuery(duckDbViews))).toEqual(expectedDays(persons));
    }),
    { numRuns: 40 },
  );
});

test.each(['blood_pressure', 'notes'])('samples in %s have a local time, and their offsets count', async (table) => {
  const offset = -5 * HOUR;
  const known: Sample = { at: second('2026-01-01T00:00:00Z'), offset, isFloating: false };
  const persons = [{ ...noRows, user: 'u', samples: [known, ...hourly('2026-01-02T00:00:00Z', 2)] }];
  await insert(rowsOf(duckDbViews, persons, table));
  expect(await samplesInDuckDb(table)).toEqual(expected(persons).samples);
  expect(await spansInDuckDb()).toEqual(sorted([['u', 0, null, null, offset, 'offset']]));
});

test('without offsets, the days on which clocks change have 23 and 25 hours', async () => {
  const samples = [...hourly('2026-03-28T00:00:00Z', 72), ...hourly('2026-10-24T00:00:00Z', 72)];
  await insert(rowsOf(duckDbViews, [{ ...noRows, user: 'u', fallback: 'Europe/Berlin', samples }]));
  expect(await daysInDuckDb()).toMatchObject({ '2026-03-29 local': 23, '2026-10-25 local': 25, '2026-03-30 local': 24 });
});

test('a zone with a half-hour offset decides the local day', async () => {
  const samples = [second('2026-01-01T18:29:59Z'), second('2026-01-01T18:30:00Z')].map((at) => ({
    at,
    offset: null,
    isFloating: false,
  }));
  await insert(rowsOf(duckDbViews, [{ ...noRows, user: 'u', fallback: 'Asia/Kolkata', samples }]));
  expect(await daysInDuckDb()).toEqual({ '2026-01-01 local': 1, '2026-01-02 local': 1 });
});

test('nothing is known about a user without evidence, and evidence that arrives later fills the local times', async () => {
  const samples = hourly('2026-01-10T02:00:00Z', 1);
  const person: Person = { ...noRows, user: 'u', samples };
  const time = async () => JSON.parse((await samplesInDuckDb())[0]!) as unknown[];
  await insert(rowsOf(duckDbViews, [person]));
  expect(await time()).toEqual(['u', samples[0]!.at, 'none', null, null, null, null]);
  expect(await daysInDuckDb()).toEqual({ '2026-01-10 utc': 1 });

  // The service answers with this zone if none was set.
  await connection.run("update users set fallback_time_zone = 'UTC', fallback_time_zone_source = 'service'");
  expect(await time()).toEqual(['u', samples[0]!.at, 'none', null, null, null, null]);
  await connection.run("update users set fallback_time_zone = 'America/New_York', fallback_time_zone_source = null");
  expect(await time()).toEqual(['u', samples[0]!.at, 'zone', '2026-01-09', '2026-01-09 21:00:00', 21, -5 * HOUR]);
  expect(await daysInDuckDb()).toEqual({ '2026-01-09 local': 1 });

  const activity = [{ day: day('2026-01-10'), zone: 'Europe/Berlin', offset: null }];
  await insert({ activity: rowsOf(duckDbViews, [{ ...person, activity }]).activity! });
  expect(await time()).toEqual(['u', samples[0]!.at, 'zone', '2026-01-10', '2026-01-10 03:00:00', 3, HOUR]);

  const workout = [{ at: second('2026-01-10T01:00:00Z'), offset: 9 * HOUR, isWorkout: true }];
  await insert({ workouts: rowsOf(duckDbViews, [{ ...person, summaries: workout }]).workouts! });
  expect(await time()).toEqual(['u', samples[0]!.at, 'zone_offset', '2026-01-10', '2026-01-10 11:00:00', 11, 9 * HOUR]);
});

test('an offset that the zone has keeps the zone, and another one ends it until the zone is confirmed again', async () => {
  const summaries = [
    ['2026-02-01T12:00:00Z', HOUR],
    ['2026-02-05T12:00:00Z', -5 * HOUR],
    ['2026-02-07T12:00:00Z', -5 * HOUR],
    ['2026-02-09T12:00:00Z', HOUR],
    ['2026-04-01T12:00:00Z', 2 * HOUR],
  ].map(([at, offset]) => ({ at: second(at as string), offset: offset as number, isWorkout: true }));
  const activity = [{ day: day('2026-02-01'), zone: 'Europe/Berlin', offset: null }];
  await insert(rowsOf(duckDbViews, [{ ...noRows, user: 'u', activity, summaries }]));
  expect(await spansInDuckDb()).toEqual(
    sorted([
      ['u', 0, second('2026-02-05T12:00:00Z'), 'Europe/Berlin', null, 'summary_zone'],
      ['u', second('2026-02-05T12:00:00Z'), second('2026-02-09T12:00:00Z'), null, -5 * HOUR, 'offset'],
      ['u', second('2026-02-09T12:00:00Z'), null, 'Europe/Berlin', null, 'summary_zone'],
    ]),
  );
});

test('a floating time is the local time, and its offset comes from the zone', async () => {
  const samples = [
    // The repeated hour counts as the first one.
    ...hourly('2026-10-25T01:30:00Z', 3, true),
    { at: second('2026-10-25T00:30:00Z'), offset: null, isFloating: false },
  ];
  await insert(rowsOf(duckDbViews, [{ ...noRows, user: 'u', fallback: 'Europe/Berlin', samples }]));
  expect(await samplesInDuckDb()).toEqual(
    sorted([
      ['u', second('2026-10-25T00:30:00Z'), 'zone', '2026-10-25', '2026-10-25 02:30:00', 2, 2 * HOUR],
      ['u', second('2026-10-25T01:30:00Z'), 'floating', '2026-10-25', '2026-10-25 01:30:00', 1, 2 * HOUR],
      ['u', second('2026-10-25T02:30:00Z'), 'floating', '2026-10-25', '2026-10-25 02:30:00', 2, 2 * HOUR],
      ['u', second('2026-10-25T03:30:00Z'), 'floating', '2026-10-25', '2026-10-25 03:30:00', 3, HOUR],
    ]),
  );
});

test('the latest sample has a local time', async () => {
  const samples = hourly('2026-01-10T02:00:00Z', 3);
  await insert(rowsOf(duckDbViews, [{ ...noRows, user: 'u', fallback: 'America/New_York', samples }]));
  await connection.run("update timeseries set resource = 'heartrate', value = 60, _received_at = start_at");
  expect(await duckDbRows('select local_at::varchar, local_date_basis from latest_samples')).toEqual(
    sorted([['2026-01-09 23:00:00', 'zone']]),
  );
});

test('a sample outside the years of the table of time zones has no local time', async () => {
  const samples = ['2009-12-31T23:00:00Z', '2038-01-01T00:00:00Z'].flatMap((time) => hourly(time, 1));
  await insert(rowsOf(duckDbViews, [{ ...noRows, user: 'u', fallback: 'UTC', samples }]));
  expect(await samplesInDuckDb()).toEqual(sorted(samples.map(({ at }) => ['u', at, 'none', null, null, null, null])));
});
