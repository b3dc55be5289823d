import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomOf } from '@aorta/people';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BEGIN, DAY, type Event, History } from '../warehouses/random-history.fixture.ts';
import { CHANGED_PERSON_DAYS } from '../warehouses/views/changed-person-days.ts';
import { openDuckDbReader } from './duckdb-reader.ts';
import { historyFile } from './history-file.fixture.ts';

/** The tests share one file, and each follows the changes of the one before. */

let folder: string;
let path: string;
let history: History;
let watermark = '1970-01-01 00:00:00+00';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-changed-'));
  path = join(folder, 'warehouse.duckdb');
  history = await History.begin(randomOf(1), historyFile(path), { days: 10, isFar: false });
});

afterAll(async () => {
  await history.end();
  rmSync(folder, { recursive: true, force: true });
});

const dayAfter = (days: number): string => new Date(BEGIN + days * DAY).toISOString().slice(0, 10);

const activity = (id: string, user: string, days: number, steps: number, provider = 'fitbit'): Event => [
  'activity',
  'daily.data.activity.created',
  user,
  { id, user_id: user, calendar_date: dayAfter(days), steps, source: { provider, type: 'watch' } },
];

const zoned = (user: string, day: number, zone: string): Event => [
  'activity',
  'daily.data.activity.created',
  user,
  { id: `a${day}`, user_id: user, calendar_date: dayAfter(day), time_zone: zone, source: { provider: 'fitbit', type: 'watch' } },
];

/** Returns the days that changed since the last call, by user, as numbers of days after the first. */
async function changes(): Promise<Record<string, number[]>> {
  const reader = await openDuckDbReader({ path });
  try {
    const days: Record<string, number[]> = {};
    const query = `select user_id, (local_date - date '${dayAfter(0)}')::integer, changed_at::varchar from ${CHANGED_PERSON_DAYS}
where changed_at > '${watermark}' order by all`;
    for await (const batch of (await reader.query(query)).rows)
      for (const [user, day, at] of batch) {
        days[String(user)] = [...(days[String(user)] ?? []), Number(day)];
        if (String(at) > watermark) watermark = String(at);
      }
    return days;
  } finally {
    await reader.close();
  }
}

/** Returns the values of a query with one column. */
async function values(query: string): Promise<string[]> {
  const reader = await openDuckDbReader({ path });
  try {
    return (await Array.fromAsync((await reader.query(query)).rows)).flat(2).map(String);
  } finally {
    await reader.close();
  }
}

const workouts = (): Promise<string[]> => values('select id from workouts_deduplicated order by id');

function sleep(user: string, provider: string, from: string, to: string): Event {
  const data = {
    id: `${provider} ${to}`,
    user_id: user,
    calendar_date: to.slice(0, 10),
    bedtime_start: from,
    bedtime_stop: to,
    type: 'long_sleep',
    duration: 28_800,
    total: 25_200,
    source: { provider, type: 'watch' },
  };
  return ['sleep', 'daily.data.sleep.created', user, data];
}

test('new days are marked, and no later ones', async () => {
  await history.load([0, 1, 2, 9].map((day) => activity(`a${day}`, 'u1', day, 1000)));
  await history.load([activity('b', 'u2', 3, 1000)]);
  const { u1, u2 } = await changes();
  expect(u1).toEqual(expect.arrayContaining([0, 1, 2, 9]));
  expect(u1!.filter((day) => day > 20)).toEqual([]);
  expect(u2).toContain(3);
});

test('a late correction marks its day, and the days whose sources it may determine', async () => {
  await history.load([activity('a2', 'u1', 2, 2000)]);
  const { u1, u2 } = await changes();
  expect(u2).toBeUndefined();
  expect(u1).toContain(2);
  expect(u1).toContain(9);
  expect(u1).not.toContain(0);
});

test('a summary that moves to another date marks both dates', async () => {
  await history.load([activity('a9', 'u1', 6, 3000)]);
  const { u1 } = await changes();
  expect(u1).toEqual(expect.arrayContaining([6, 9]));
  expect(u1).not.toContain(2);
});

test('a receipt of another user, a day later, marks the days that it completes', async () => {
  history.wait(DAY);
  await history.load([activity('b', 'u2', 3, 1500)]);
  const { u1, u2 } = await changes();
  expect(u1).toEqual([20, 21]);
  expect(u2).toContain(3);
});

test('other preferences mark all days of all users', async () => {
  await history.prefer({ steps: ['garmin/watch'] });
  await history.load([activity('b', 'u2', 3, 1600)]);
  const { u1, u2 } = await changes();
  expect(u1).toEqual(expect.arrayContaining([0, 1, 2, 6, 9]));
  expect(u2).toContain(3);
});

test('an erasure marks all days of the user, who has no rows any more', async () => {
  await history.erase('u1');
  await history.publish();
  const { u1, u2 } = await changes();
  expect(u2).toBeUndefined();
  expect(u1).toEqual(expect.arrayContaining([0, 1, 2, 6, 9]));
});

/** Returns a workout of 60 hours. One with more measures is better. */
function longWorkout(id: string, hours: number, measures: number): Event {
  const begin = BEGIN + hours * 3_600_000;
  const all = { distance: 1000, calories: 100, average_hr: 120, max_hr: 150 };
  const data = {
    id,
    user_id: 'u3',
    calendar_date: new Date(begin).toISOString().slice(0, 10),
    time_start: new Date(begin).toISOString(),
    time_end: new Date(begin + 60 * 3_600_000).toISOString(),
    sport: { id: 1, name: 'Sailing', slug: 'sailing' },
    ...Object.fromEntries(Object.entries(all).slice(0, measures)),
    source: { provider: 'fitbit', type: 'watch' },
  };
  return ['workouts', 'daily.data.workouts.created', 'u3', data];
}

test('a workout that moves marks the days of workouts that others of its chain excluded', async () => {
  // Each overlaps the next by half, and the next is better. So the last is kept, and the second, but not the first.
  await history.load([longWorkout('w0', 0, 1), longWorkout('w1', 30, 2), longWorkout('w2', 60, 3), longWorkout('w3', 90, 4)]);
  await changes();
  expect(await workouts()).toEqual(['w1', 'w3']);
  await history.load([longWorkout('w3', 480, 4)]);
  expect(await workouts()).toEqual(['w0', 'w2', 'w3']);
  const { u3 } = await changes();
  expect(u3).toEqual(expect.arrayContaining([0, 1, 2, 3, 20]));
});

test('a new time zone marks the days of sleeps without an offset, from its first day on', async () => {
  const source = { provider: 'fitbit', type: 'watch' };
  const night = (day: number): Event => sleep('u4', 'fitbit', `${dayAfter(day - 1)}T22:00:00Z`, `${dayAfter(day)}T06:00:00Z`);
  const stated = { id: 'a-u4', user_id: 'u4', calendar_date: dayAfter(5), time_zone: 'Asia/Tokyo', steps: 1, source };
  const before = { ...stated, id: 'b-u4', calendar_date: dayAfter(0), time_zone: 'Europe/London' };
  await history.load([night(3), night(12), ['activity', 'daily.data.activity.created', 'u4', before]]);
  await changes();
  await history.load([['activity', 'daily.data.activity.created', 'u4', stated]]);
  const { u4 } = await changes();
  expect(u4).toEqual(expect.arrayContaining([5, 12]));
  // Far from the change, so only the zone can have marked it.
  await history.load([['activity', 'daily.data.activity.created', 'u4', { ...before, time_zone: 'America/New_York' }]]);
  expect((await changes()).u4).toEqual(expect.arrayContaining([0, 3]));
  await history.load([night(40)]);
  await changes();
  await history.load([['activity', 'daily.data.activity.created', 'u4', { ...stated, time_zone: 'Europe/Paris' }]]);
  expect((await changes()).u4).toContain(40);
});

test('a time zone that ends marks the days after it, whose source a night of its last days decides', async () => {
  const both = ['fitbit', 'garmin'].map((one) => sleep('u6', one, `${dayAfter(19)}T22:00:00Z`, `${dayAfter(20)}T06:00:00Z`));
  await history.load([zoned('u6', 2, 'Europe/London'), zoned('u6', 8, 'Europe/Paris'), ...both]);
  const source = `select source from sleep_nights where user_id = 'u6' and night_date = date '${dayAfter(20)}'`;
  const [first] = await values(source);
  const other = first === 'fitbit/watch' ? 'garmin' : 'fitbit';
  // The middle of this night is noon, UTC. In London, it is 15 days before the other nights. In Tokyo, it is 14 days before them, so
  // that its source becomes the usual one.
  await history.load([sleep('u6', other, `${dayAfter(5)}T08:00:00Z`, `${dayAfter(5)}T16:00:00Z`)]);
  expect(await values(source)).toEqual([first]);
  await changes();
  await history.load([zoned('u6', 2, 'Asia/Tokyo')]);
  expect(await values(source)).toEqual([`${other}/watch`]);
  expect((await changes()).u6).toContain(20);
});

test('a new time zone moves readings of blood pressure to other days, also in stored tables', async () => {
  const source = { provider: 'withings', type: 'cuff' };
  const reading = { timestamp: `${dayAfter(3)}T02:00:00Z`, systolic: 120, diastolic: 80, unit: 'mmHg' };
  await history.load([['blood_pressure', 'daily.data.blood_pressure.created', 'u7', { source, data: [reading] }]]);
  const days = "select local_date::varchar from source_days where user_id = 'u7' and provider = 'withings'";
  expect(await values(days)).toEqual([dayAfter(3)]);
  await changes();
  await history.load([zoned('u7', 13, 'America/Los_Angeles')]);
  expect(await values(days)).toEqual([dayAfter(2)]);
  expect((await changes()).u7).toEqual(expect.arrayContaining([2, 3]));
});

test('a sleep whose calendar date is wrong marks the date of its night', async () => {
  const [stream, type, user, data] = sleep('u8', 'fitbit', `${dayAfter(24)}T22:00:00Z`, `${dayAfter(25)}T06:00:00Z`);
  await history.load([[stream, type, user, { ...data, calendar_date: dayAfter(-10), timezone_offset: 0 }]]);
  expect(await values("select night_date::varchar from sleep_nights where user_id = 'u8'")).toEqual([dayAfter(25)]);
  const { u8 } = await changes();
  expect(u8).toEqual(expect.arrayContaining([-10, 25]));
});

test('a day of glucose marks the days whose indicator looks back to a day whose source it decides', async () => {
  /** Readings that last the whole day, from one day to another. */
  const readings = (type: string, mgDl: number, from: number, to: number): Event => {
    const data = Array.from({ length: to - from + 1 }, (_, index) => ({
      start: `${dayAfter(from + index)}T00:00:00Z`,
      end: `${dayAfter(from + index + 1)}T00:00:00Z`,
      timezone_offset: 0,
      type: null,
      unit: 'mg/dL',
      value: mgDl,
    }));
    return ['timeseries', 'daily.data.glucose.created', 'u9', { source: { provider: type, type: 'unknown' }, data }];
  };
  await history.load([readings('dexcom_v3', 100, -40, -5), readings('eversense', 200, -40, -5)]);
  const indicators =
    "select local_date::varchar || ' ' || round(gmi_pct, 6)::varchar from glucose_days where gmi_pct is not null and user_id = 'u9' order by 1";
  const before = await values(indicators);
  expect(new Set(before.map((row) => row.slice(11))).size).toBe(1);
  const other = before.at(-1)!.endsWith(String(3.31 + 2.392)) ? 'eversense' : 'dexcom_v3';
  await changes();
  // The day before all others makes its source the usual one of the 14 days after it.
  await history.load([readings(other, other === 'eversense' ? 200 : 100, -41, -41)]);
  const later = (await values(indicators)).filter((row) => !before.includes(row)).map((row) => row.slice(0, 10));
  const { u9 } = await changes();
  expect(u9).toEqual(expect.arrayContaining(later.map((date) => (Date.parse(date) - BEGIN) / DAY)));
  expect(later.at(-1)).toBe(dayAfter(-41 + 14 + 13));
});

test('the erasure of the user with the last receipt of all marks the days that it takes from the others', async () => {
  history.wait(4 * DAY);
  await history.load([activity('x', 'x', 9, 1000)]);
  const { u3 } = await changes();
  expect(u3!.length).toBeGreaterThan(3);
  await history.erase('x');
  await history.publish();
  expect((await changes()).u3).toEqual(u3);
});

test('a receipt without data for any day marks the days that it completes, too', async () => {
  history.wait(3 * DAY);
  const data = {
    user_id: 'u5',
    provider: { slug: 'fitbit', name: 'Fitbit', logo: '' },
    source: { provider: 'fitbit', type: 'watch' },
  };
  await history.load([['connections', 'provider.connection.created', 'u5', data]]);
  const { u3, u4 } = await changes();
  expect(u3).toEqual([21, 22, 23, 24, 25, 26, 27, 28]);
  expect(u4).toEqual(u3);
});

test('a load without news marks nothing', async () => {
  await history.load([]);
  expect(await changes()).toEqual({});
});
