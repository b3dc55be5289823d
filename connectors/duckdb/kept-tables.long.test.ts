import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomOf } from '@aorta/people';
import { type EventStream, readEvent, type StreamRecords } from '@aorta/schemas';
import { expect, test } from 'vitest';
import { privacyOptions } from '../privacy.ts';
import type { QueryValue } from '../query-values.ts';
import type { Warehouse, WarehouseReader } from '../warehouse.ts';
import type { KeptTable } from '../warehouses/kept/kept-table.ts';
import { keptTables } from '../warehouses/kept/kept-tables.ts';
import { metricDays } from '../warehouses/kept/metric-days.ts';
import { openDuckDbReader } from './duckdb-reader.ts';
import { openDuckDbWarehouse } from './duckdb-warehouse.ts';
import { wholeQueryOf } from './kept-tables.ts';
import { duckDbOptions } from './options.ts';

/** Compares the kept tables after random histories with tables that are computed as a whole. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BEGIN = Date.UTC(2026, 2, 27);
const users = ['u1', 'u2', 'u3'];

type Random = ReturnType<typeof randomOf>;
type Event = readonly [stream: EventStream, type: string, user: string, data: object];

const pick = <T>(random: Random, list: readonly T[]): T => list[random.whole(0, list.length - 1)]!;

/** Offsets of Honolulu, London, Berlin in summer, Kathmandu and Kiritimati, and none. */
const offsets = [-36_000, 0, 7200, 20_700, 50_400, null];

/** The first and the last day on which a sample may lie. */
const farYears = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-30T00:00:00Z')];

/** Returns samples at full minutes near midnight, so that their local dates differ from their dates in UTC. */
function samplesOf(random: Random, shape: 'point' | 'interval'): object[] {
  const day = random.chance(0.05) ? pick(random, farYears) : BEGIN + random.whole(0, 40) * DAY;
  // The samples of some events are far apart.
  const step = pick(random, [HOUR / 2, 5 * HOUR, 40 * DAY]);
  // Most samples have no offset, so that observations of the user's time zone are days apart.
  const offset = random.chance(0.3) ? pick(random, offsets) : null;
  return Array.from({ length: random.whole(1, 5) }, (_, index) => {
    const at = day + random.whole(0, 3) * 7 * HOUR + (day === farYears[1] ? 0 : index * step);
    const start = new Date(at).toISOString();
    const time =
      shape === 'point' ? { timestamp: start } : { start, end: new Date(at + random.whole(1, 90) * 60_000).toISOString() };
    return { ...time, timezone_offset: offset, type: null, value: random.whole(0, 200) };
  });
}

const sources = [
  { provider: 'oura', type: 'ring' },
  // Two watches have the same rank, so the days before decide.
  { provider: 'fitbit', type: 'watch' },
  { provider: 'garmin', type: 'watch' },
  { provider: 'apple_health_kit', type: 'phone' },
];

function eventOf(random: Random): Event {
  const user = pick(random, users);
  const source = pick(random, sources);
  const created = pick(random, ['created', 'updated']);
  const date = new Date(BEGIN + random.whole(0, 40) * DAY).toISOString().slice(0, 10);
  const series = (resource: string, shape: 'point' | 'interval'): Event => [
    'timeseries',
    `daily.data.${resource}.${created}`,
    user,
    { source, data: samplesOf(random, shape) },
  ];
  const number = random.whole(0, 12);
  if (number < 3) return series('heartrate', 'point');
  if (number < 7) return series('steps', 'interval');
  if (number < 12)
    return [
      'activity',
      `daily.data.activity.${created}`,
      user,
      { id: `a-${random.whole(1, 30)}`, user_id: user, calendar_date: date, steps: pick(random, [0, 4000, 9000]), source },
    ];
  const begin = Date.parse(`${date}T22:00:00Z`);
  return [
    'sleep',
    `daily.data.sleep.${created}`,
    user,
    {
      id: `s-${random.whole(1, 6)}`,
      user_id: user,
      calendar_date: date,
      bedtime_start: new Date(begin).toISOString(),
      bedtime_stop: new Date(begin + 8 * HOUR).toISOString(),
      type: 'long_sleep',
      timezone_offset: random.chance(0.3) ? pick(random, offsets) : null,
      duration: 8 * 3600,
      total: 7 * 3600,
      awake: 3600,
      light: 3 * 3600,
      rem: 2 * 3600,
      deep: 2 * 3600,
      source,
    },
  ];
}

/** A clock in milliseconds that stands still until the test moves it. */
interface Clock {
  now: number;
}

/** Every merge is due after this time. */
const MERGED_AFTER_MS = HOUR;

/** Lands random events, and sometimes merges, publishes, erases a user or opens the file again. */
class History {
  readonly #random: Random;
  readonly #path: string;
  readonly #clock: Clock;
  #warehouse: Warehouse;
  #at: Record<string, number> = {};
  #offset = 0;

  private constructor(random: Random, path: string, warehouse: Warehouse, clock: Clock) {
    this.#random = random;
    this.#path = path;
    this.#clock = clock;
    this.#warehouse = warehouse;
  }

  static async begin(random: Random, path: string): Promise<History> {
    const clock = { now: 0 };
    return new History(random, path, await open(path, clock), clock);
  }

  /** Lands events, publishes their rows, and opens the file again. */
  async load(events: readonly Event[]): Promise<void> {
    await this.#land(events);
    await this.#warehouse.merge('all');
    await this.#warehouse.publish('now');
    await this.#reopen();
  }

  /** Lands events, merges them when they are due, and opens the file again without a publication. */
  async mergeLater(events: readonly Event[]): Promise<void> {
    await this.#land(events);
    this.#clock.now += MERGED_AFTER_MS;
    await this.#warehouse.merge('due');
    await this.#warehouse.settled?.();
    expect(this.#warehouse.backlog().batches).toBe(0);
    await this.#reopen();
  }

  async #reopen(): Promise<void> {
    await this.#warehouse.close();
    this.#warehouse = await open(this.#path, this.#clock);
  }

  async #land(events: readonly Event[]): Promise<void> {
    for (const [stream, list] of Map.groupBy(events, ([name]) => name)) {
      const records = list.map((event) => this.#record(event));
      const from = this.#at[stream] ?? 0;
      const to = from + records.length;
      await this.#warehouse.land({ stream, incarnation: 'i', from, to, records } as never);
      this.#at[stream] = to;
    }
  }

  async step(): Promise<void> {
    await this.#land(Array.from({ length: this.#random.whole(1, 12) }, () => eventOf(this.#random)));
    this.#clock.now += this.#random.whole(0, 2) * MERGED_AFTER_MS;
    const next = this.#random.whole(0, 9);
    if (next < 4) await this.#warehouse.merge('due');
    if (next === 4) await this.#warehouse.publish('now');
    if (next === 5) await this.#warehouse.merge('all');
    if (next === 6) await this.#reopen();
  }

  async erase(user: string): Promise<void> {
    await this.#warehouse.erase(user);
  }

  async end(): Promise<void> {
    await this.#warehouse.merge('all');
    await this.#warehouse.publish('now');
    await this.#warehouse.close();
  }

  #record([stream, type, user, data]: Event): StreamRecords[EventStream] {
    const offset = this.#offset++;
    const receipt = {
      source: 's',
      partition: '0',
      offset,
      delivery_id: null,
      header_facts: 0,
      body_bytes: 1,
      body_crc32: 0,
      received_at: (BEGIN + 30 * DAY) * 1000 + offset,
      arrived_at: null,
    };
    const reading = readEvent(stream, type, { user_id: user, data }, receipt);
    if (reading.kind !== 'record') throw new Error(reading.reason);
    return reading.record;
  }
}

const open = (path: string, clock: Clock): Promise<Warehouse> =>
  openDuckDbWarehouse({
    ...duckDbOptions.parse({ type: 'duckdb', path }),
    privacy: privacyOptions.parse({}),
    clock: () => clock.now,
  });

async function rowsOf(reader: WarehouseReader, { columns, key }: KeptTable, relation: string): Promise<QueryValue[][]> {
  const names = columns.map(({ name }) => name).join(', ');
  const rows: QueryValue[][] = [];
  for await (const batch of (await reader.query(`select ${names} from ${relation} order by ${key.join(', ')}`)).rows)
    rows.push(...batch.map((row) => row.map((value) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value))));
  return rows;
}

/** Checks that each kept table equals a recomputation of the whole table. Returns the rows by table. */
async function keptRows(path: string): Promise<ReadonlyMap<string, QueryValue[][]>> {
  const reader = await openDuckDbReader({ path });
  const found = new Map<string, QueryValue[][]>();
  try {
    for (const table of keptTables({})) {
      const kept = await rowsOf(reader, table, table.name);
      expect(kept, table.name).toEqual(await rowsOf(reader, table, `(${wholeQueryOf(table)})`));
      found.set(table.name, kept);
    }
    return found;
  } finally {
    await reader.close();
  }
}

test.each(Array.from({ length: 12 }, (_, index) => index + 1))(
  'kept tables equal a whole recomputation after a random history (seed %i)',
  async (seed) => {
    const random = randomOf(seed);
    const folder = mkdtempSync(join(tmpdir(), 'aorta-kept-'));
    const path = join(folder, 'warehouse.duckdb');
    try {
      const history = await History.begin(random, path);
      for (let step = 0; step < 12; step += 1) await history.step();
      if (seed % 3 === 0) await history.erase('u2');
      await history.step();
      await history.end();
      for (const [name, kept] of await keptRows(path)) {
        expect(kept.length, name).toBeGreaterThan(0);
        if (seed % 3 === 0) expect(kept.filter(([user]) => user === 'u2')).toEqual([]);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test('samples that an earlier run merged without a publication are kept by the next run, whatever it merges', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-kept-'));
  const path = join(folder, 'warehouse.duckdb');
  const source = { provider: 'fitbit', type: 'watch' };
  const instant = (days: number): string => new Date(BEGIN + days * DAY).toISOString();
  const heartRate = (days: number): Event => [
    'timeseries',
    'daily.data.heartrate.created',
    'u1',
    { source, data: [{ timestamp: instant(days), timezone_offset: 0, unit: 'bpm', value: 60 }] },
  ];
  const activity = { id: 'a', user_id: 'u1', calendar_date: instant(2).slice(0, 10), steps: 1000, source };
  try {
    const history = await History.begin(randomOf(1), path);
    // A first time zone, or a new one, would have the samples of all days recomputed.
    await history.load([heartRate(0)]);
    await history.mergeLater([heartRate(1)]);
    await history.load([['activity', 'daily.data.activity.created', 'u1', activity]]);
    await history.end();
    expect((await keptRows(path)).get('timeseries_daily')).toHaveLength(2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a summary changes the source of a day up to 14 days later', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-kept-'));
  const path = join(folder, 'warehouse.duckdb');
  const dayAfter = (days: number): string => new Date(BEGIN + days * DAY).toISOString().slice(0, 10);
  /** Steps of a watch on each of these days after the first. */
  const steps = (provider: string, ...days: readonly number[]): Event[] =>
    days.map((day) => {
      const source = { provider, type: 'watch' };
      const data = { id: `${provider}-${day}`, user_id: 'u1', calendar_date: dayAfter(day), steps: 1000 + day, source };
      return ['activity', 'daily.data.activity.created', 'u1', data];
    });
  /** The source of the steps of days 14 and 15. */
  async function sources(): Promise<QueryValue[]> {
    const reader = await openDuckDbReader({ path });
    try {
      const rows = await rowsOf(reader, metricDays({}), `metric_days where local_date >= '${dayAfter(14)}'`);
      return rows.map((row) => row[metricDays({}).columns.findIndex(({ name }) => name === 'source')]!);
    } finally {
      await reader.close();
    }
  }
  try {
    const history = await History.begin(randomOf(1), path);
    await history.load([...steps('fitbit', 14, 15), ...steps('garmin', 14, 15)]);
    await history.load(steps('fitbit', 0));
    // On day 14, the watch has one of the 14 days before. On day 15, both watches have the same number of them.
    expect((await sources())[0]).toBe('fitbit/watch');
    await history.load(steps('garmin', 1, 2));
    expect(await sources()).toEqual(['garmin/watch', 'garmin/watch']);
    await history.load(steps('fitbit', 3, 4));
    expect(await sources()).toEqual(['fitbit/watch', expect.any(String)]);
    await history.end();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
