import { type TableDeclaration, tables } from '@aorta/schemas';
import { asView } from '../../../connectors/warehouses/kept/kept-table.ts';
import { timeseriesDaily } from '../../../connectors/warehouses/kept/timeseries-daily.ts';
import { userOffsetDays } from '../../../connectors/warehouses/kept/user-offset-days.ts';
import { userTimeZones } from '../../../connectors/warehouses/kept/user-time-zones.ts';
import type { View, ViewDialect } from '../../../connectors/warehouses/views/dialect.ts';
import { latestSamplesView } from '../../../connectors/warehouses/views/latest.ts';
import { localSamplesView } from '../../../connectors/warehouses/views/local-time.ts';
import { unitConversionsView } from '../../../connectors/warehouses/views/unit-conversions.ts';
import { localTimeOf, type Person, spansOf } from './local-time.model.ts';

/** The rows, views and expected results of the tests of local time on both warehouses. */

/** The columns that the views read, with their types. */
export const columns: Readonly<Record<string, Readonly<Record<string, 'string' | 'int64' | 'float64' | 'timestamp' | 'date'>>>> =
  {
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

export type Rows = Readonly<Record<string, readonly (readonly string[])[]>>;

const text = (value: string | null): string => (value === null ? 'null' : `'${value}'`);
const number = (value: number | null): string => String(value ?? 'null');

/** Returns the rows of some people as expressions of a dialect. Samples are in the given table. */
export function rowsOf({ instant }: ViewDialect, persons: readonly Person[], table = 'timeseries'): Rows {
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

export function viewsOf(dialect: ViewDialect): View[] {
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
export function expected(persons: readonly Person[]) {
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

export const sorted = (rows: readonly unknown[][]): string[] => rows.map((row) => JSON.stringify(row)).toSorted();

export const spansQuery = (dialect: ViewDialect, seconds: (instant: string) => string): string =>
  `select user_id, ${seconds('from_at')}, ${seconds('to_at')}, time_zone, offset_s, basis from ${dialect.table('user_time_zones')}`;
export const samplesQuery = (dialect: ViewDialect, seconds: (instant: string) => string, table = 'timeseries'): string =>
  `select user_id, ${seconds('start_at')}, local_date_basis, cast(local_date as string), cast(local_at as string), local_hour, local_offset_s
   from ${dialect.table(`${table}_local`)}`;
export const dailyQuery = (dialect: ViewDialect): string =>
  `select user_id, cast(local_date as string), date_basis, samples from ${dialect.table('timeseries_daily')}`;

/** Returns the rows of `timeseries_daily`, counted from the local times. */
export function expectedDays(persons: readonly Person[]): string[] {
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
