import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { type TableDeclaration, tables } from '@aorta/schemas';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { BigQuery } from '@google-cloud/bigquery';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTable, timeZoneTable } from '../../../connectors/bigquery/tables/declared.ts';
import { createView } from '../../../connectors/bigquery/tables/plan.ts';
import { fillStatements } from '../../../connectors/bigquery/time-zones.ts';
import { bigQueryViews } from '../../../connectors/bigquery/views-dialect.ts';
import { timeZoneStatements } from '../../../connectors/duckdb/file-schema.ts';
import { duckDbView, duckDbViews } from '../../../connectors/duckdb/views-dialect.ts';
import { asView } from '../../../connectors/warehouses/kept/kept-table.ts';
import { timeseriesDaily } from '../../../connectors/warehouses/kept/timeseries-daily.ts';
import { userOffsetDays } from '../../../connectors/warehouses/kept/user-offset-days.ts';
import { userTimeZones } from '../../../connectors/warehouses/kept/user-time-zones.ts';
import { isShown, type View, type ViewDialect } from '../../../connectors/warehouses/views/dialect.ts';
import { latestSamplesView } from '../../../connectors/warehouses/views/latest.ts';
import { localSamplesView } from '../../../connectors/warehouses/views/local-time.ts';
import { unitConversionsView } from '../../../connectors/warehouses/views/unit-conversions.ts';
import { localTimeOf, type Person, type Sample, spansOf } from './local-time.model.ts';
import { people } from './local-time.people.ts';

/** Compares the views of local time on both warehouses with a model, with rows that the test itself inserts. */

/** The columns that the views read, with their types. */
const columns: Readonly<Record<string, Readonly<Record<string, 'string' | 'int64' | 'float64' | 'timestamp' | 'date'>>>> = {
  ...Object.fromEntries(
    ['timeseries', 'blood_pressure', 'notes'].map((name) => [
      name,
      {
        user_id: 'string',
        resource: 'string',
        provider: 'string',
        source_type: 'string',
        sample_type: 'string',
        source_workout_id: 'string',
        start_at: 'timestamp',
        end_at: 'timestamp',
        timezone_offset_s: 'int64',
        time_basis: 'string',
        value: 'float64',
        unit: 'string',
        _received_at: 'timestamp',
        local_date: 'date',
        _day: 'date',
        _loaded_at: 'timestamp',
      } as const,
    ]),
  ),
  activity: { user_id: 'string', calendar_date: 'date', time_zone: 'string', timezone_offset_s: 'int64' },
  sleep_cycle: { user_id: 'string', session_start: 'timestamp', time_zone: 'string' },
  electrocardiogram: { user_id: 'string', session_start: 'timestamp', time_zone: 'string' },
  sleep: { user_id: 'string', bedtime_stop: 'timestamp', timezone_offset_s: 'int64' },
  workouts: { user_id: 'string', time_start: 'timestamp', timezone_offset_s: 'int64' },
  users: { user_id: 'string', fallback_time_zone: 'string', fallback_time_zone_source: 'string' },
};

type Rows = Readonly<Record<string, readonly (readonly string[])[]>>;

const text = (value: string | null): string => (value === null ? 'null' : `'${value}'`);
const number = (value: number | null): string => String(value ?? 'null');

/** Returns the rows of some people as expressions of a dialect. Samples are in the given table. */
function rowsOf({ instant }: ViewDialect, persons: readonly Person[], table = 'timeseries'): Rows {
  const at = (second: number): string => instant(new Date(second * 1000).toISOString());
  const date = (day: number): string => `date '${new Date(day * 86_400_000).toISOString().slice(0, 10)}'`;
  const of = (person: Person) => text(person.user);
  return {
    [table]: persons.flatMap((person) =>
      person.samples.map(({ at: start, offset, isFloating }) => {
        const local = isFloating ? start : offset === null ? null : start + offset;
        return [
          of(person),
          "'heartrate'",
          "'oura'",
          "'ring'",
          "''",
          "''",
          at(start),
          'null',
          number(offset),
          isFloating ? "'floating'" : "'utc'",
          '1',
          "'bpm'",
          at(0),
          local === null ? 'null' : date(Math.floor(local / 86_400)),
          date(Math.floor(start / 86_400)),
          at(0),
        ];
      }),
    ),
    activity: persons.flatMap((person) =>
      person.activity.map(({ day, zone, offset }) => [of(person), date(day), text(zone), number(offset)]),
    ),
    sleep_cycle: persons.flatMap((person) =>
      person.sessions.filter(({ isEcg }) => !isEcg).map((one) => [of(person), at(one.at), text(one.zone)]),
    ),
    electrocardiogram: persons.flatMap((person) =>
      person.sessions.filter(({ isEcg }) => isEcg).map((one) => [of(person), at(one.at), text(one.zone)]),
    ),
    sleep: persons.flatMap((person) =>
      person.summaries.filter(({ isWorkout }) => !isWorkout).map((one) => [of(person), at(one.at), number(one.offset)]),
    ),
    workouts: persons.flatMap((person) =>
      person.summaries.filter(({ isWorkout }) => isWorkout).map((one) => [of(person), at(one.at), number(one.offset)]),
    ),
    users: persons.map((person) => [of(person), text(person.fallback), text(person.fallback === null ? null : 'manual')]),
  };
}

function viewsOf(dialect: ViewDialect): View[] {
  const declared = (name: string): TableDeclaration => {
    const table = tables.find((one) => one.name === name)!;
    return { ...table, columns: table.columns.filter((column) => column.name in columns[name]!) };
  };
  return [
    asView(userOffsetDays, dialect),
    asView(userTimeZones, dialect),
    ...['timeseries', 'blood_pressure', 'notes'].map((name) => localSamplesView(dialect, declared(name))),
    unitConversionsView(dialect),
    asView(timeseriesDaily, dialect),
    latestSamplesView(dialect),
  ];
}

/** Returns what the views must contain, sorted. */
function expected(persons: readonly Person[]) {
  const spans = persons.flatMap((person) =>
    spansOf(person).map(({ from, to, zone, offset, basis }) => [person.user, from, to, zone, offset, basis]),
  );
  const samples = persons.flatMap((person) => {
    const own = spansOf(person);
    return person.samples.map((sample) => {
      const { basis, date, at, hour, offset } = localTimeOf(own, sample);
      return [person.user, sample.at, basis, date, at, hour, offset];
    });
  });
  return { spans: sorted(spans), samples: sorted(samples) };
}

const sorted = (rows: readonly unknown[][]): string[] => rows.map((row) => JSON.stringify(row)).toSorted();

const spansQuery = (dialect: ViewDialect, seconds: (instant: string) => string): string =>
  `select user_id, ${seconds('from_at')}, ${seconds('to_at')}, time_zone, offset_s, basis from ${dialect.table('user_time_zones')}`;
const samplesQuery = (dialect: ViewDialect, seconds: (instant: string) => string, table = 'timeseries'): string =>
  `select user_id, ${seconds('start_at')}, local_date_basis, cast(local_date as string), cast(local_at as string), local_hour, local_offset_s
   from ${dialect.table(`${table}_local`)}`;
const dailyQuery = (dialect: ViewDialect): string =>
  `select user_id, cast(local_date as string), date_basis, samples from ${dialect.table('timeseries_daily')}`;

/** Returns the rows of `timeseries_daily`, counted from the local times. */
function expectedDays(persons: readonly Person[]): string[] {
  const dates = persons.flatMap((person) => {
    const spans = spansOf(person);
    return person.samples.map((sample) => {
      const { date } = localTimeOf(spans, sample);
      return [person.user, date ?? new Date(sample.at * 1000).toISOString().slice(0, 10), date === null ? 'utc' : 'local'];
    });
  });
  return [...Map.groupBy(dates, (row) => JSON.stringify(row)).values()]
    .map((some) => JSON.stringify([...some[0]!, some.length]))
    .toSorted();
}

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

const problem = await whyNoBigQuery();

describe.skipIf(problem !== undefined)(`BigQuery${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  let provided: ProvidedBigQuery;
  let client: BigQuery;
  const name = `aorta_local_time_${process.pid}`;
  beforeAll(async () => {
    provided = await provideBigQuery();
    client = provided.client();
    await client.createDataset(name);
  });
  afterAll(async () => {
    if (provided?.provider === 'project') await client.dataset(name).delete({ force: true });
    await provided?.stop();
  });

  async function rows(query: string): Promise<string[]> {
    const [found] = await client.query({ query, wrapIntegers: false });
    const plain = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
    return sorted(found.map((row) => Object.values(row as Record<string, unknown>).map(plain)));
  }

  test('BigQuery has the spans and local times of the model', async () => {
    const dataset = { project: provided.project, dataset: name };
    const dialect = bigQueryViews(dataset);
    const persons = fc
      .sample(people, { numRuns: 8, seed: 25 })
      .flatMap((some, group) => some.map((person) => ({ ...person, user: `${group}-${person.user}` })));
    await client.query({ query: createTable(dataset, timeZoneTable) });
    await client.query({ query: `${fillStatements(dataset).join(';\n')};` });
    const inserted = rowsOf(dialect, persons);
    for (const [table, own] of Object.entries(columns)) {
      const definitions = Object.entries(own).map(([column, type]) => `${column} ${type}`);
      await client.query({ query: `create table ${dialect.table(table)} (${definitions.join(', ')})` });
      const values = (inserted[table] ?? []).map((row) => `(${row.join(', ')})`);
      if (values.length > 0) await client.query({ query: `insert into ${dialect.table(table)} values ${values.join(', ')}` });
    }
    for (const view of viewsOf(dialect).filter(isShown)) await client.query({ query: createView(dataset, view) });
    const { spans, samples } = expected(persons);
    expect(samples.length).toBeGreaterThan(80);
    const seconds = (instant: string) => `unix_seconds(${instant})`;
    expect(await rows(spansQuery(dialect, seconds))).toEqual(spans);
    expect(await rows(samplesQuery(dialect, seconds))).toEqual(samples);
    expect(await rows(dailyQuery(dialect))).toEqual(expectedDays(persons));
  });
});
