import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomOf } from '@aorta/people';
import { expect, test } from 'vitest';
import type { QueryValue } from '../query-values.ts';
import type { WarehouseReader } from '../warehouse.ts';
import type { KeptTable } from '../warehouses/kept/kept-table.ts';
import { keptTables } from '../warehouses/kept/kept-tables.ts';
import { metricDays } from '../warehouses/kept/metric-days.ts';
import { BEGIN, DAY, type Event, History } from '../warehouses/random-history.fixture.ts';
import { openDuckDbReader } from './duckdb-reader.ts';
import { historyFile } from './history-file.fixture.ts';
import { wholeQueryOf } from './kept-definitions.ts';

/** Compares the kept tables after random histories with tables that are computed as a whole. */

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
      const history = await History.begin(random, historyFile(path), { days: 40, isFar: true });
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
    const history = await History.begin(randomOf(1), historyFile(path), { days: 40, isFar: false });
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
    const history = await History.begin(randomOf(1), historyFile(path), { days: 40, isFar: false });
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
