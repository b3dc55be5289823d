import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  codecOf,
  readEvent,
  resourceColumns,
  type StreamRecords,
  type TimeseriesStream,
  timeseriesResources,
} from '@aorta/schemas';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { privacyOptions } from '../privacy.ts';
import type { Warehouse, WarehouseReader } from '../warehouse.ts';
import { openDuckDbReader } from './duckdb-reader.ts';
import { openDuckDbWarehouse } from './duckdb-warehouse.ts';
import { duckDbOptions } from './options.ts';

/** Follows samples of all kinds from an event to a query. */

let folder: string;
let path: string;
let warehouse: Warehouse;
let reader: WarehouseReader | undefined;
let received: Map<TimeseriesStream, StreamRecords[TimeseriesStream][]>;
let offset = 0;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  path = join(folder, 'warehouse.duckdb');
  received = new Map();
  offset = 0;
  warehouse = await openDuckDbWarehouse({
    ...duckDbOptions.parse({ type: 'duckdb', path }),
    privacy: privacyOptions.parse({}),
  });
});
afterEach(async () => {
  await reader?.close();
  reader = undefined;
  await warehouse.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Receives one event. Its record passes through the codec of its stream. */
function receive(resource: string, samples: readonly object[], source: object = {}): void {
  const stream: TimeseriesStream = timeseriesResources.find((one) => one.resource === resource)!.stream;
  const receipt = {
    source: 's',
    partition: '0',
    offset: offset++,
    received_at: Date.UTC(2026, 2, 28) * 1000 + offset,
    delivery_id: null,
    header_facts: 0,
    body_bytes: 1,
    body_crc32: 1,
    arrived_at: null,
  };
  const data = { source: { provider: 'oura', type: 'ring', ...source }, data: samples };
  const reading = readEvent(stream, `daily.data.${resource}.created`, { user_id: 'u', data }, receipt);
  if (reading.kind !== 'record') throw new Error(reading.reason);
  const codec = codecOf(stream);
  received.set(stream, [...(received.get(stream) ?? []), codec.decode(codec.encode(reading.record))]);
}

/** Lands and merges the received events, and returns a function that runs queries. */
async function ask(): Promise<(sql: string) => Promise<{ columns: string[]; rows: unknown[][] }>> {
  for (const [stream, records] of received)
    await warehouse.land({ stream, incarnation: 'i', from: 0, to: records.length, records });
  await warehouse.merge('all');
  await warehouse.publish('now');
  reader = await openDuckDbReader({ path });
  return async (sql) => {
    const { columns, rows } = await reader!.query(sql);
    const list: unknown[][] = [];
    for await (const chunk of rows) list.push(...chunk.map((row) => [...row]));
    return { columns: columns.map(({ name }) => name), rows: list };
  };
}

const single = timeseriesResources.filter(({ stream }) => stream === 'timeseries');
const at = '2026-03-27T08:00:00Z';
const until = '2026-03-27T08:30:00Z';

test('four types of cholesterol at the same time make four rows, and a newer sample replaces only its own type', async () => {
  const types = ['cholesterol/hdl', 'cholesterol/ldl', 'cholesterol/total', 'cholesterol/triglycerides'];
  receive(
    'cholesterol',
    types.map((type, index) => ({ timestamp: at, type, unit: 'mmol/L', value: index + 1 })),
  );
  receive('cholesterol', [{ timestamp: at, type: 'cholesterol/ldl', unit: 'mmol/L', value: 9 }]);
  expect((await (await ask())('select sample_type, cholesterol_mmol_l from cholesterol order by all')).rows).toEqual([
    ['cholesterol/hdl', 1],
    ['cholesterol/ldl', 9],
    ['cholesterol/total', 3],
    ['cholesterol/triglycerides', 4],
  ]);
});

test('the key of a sample includes its type, its workout or neither, depending on the resource', async () => {
  const sample = (type: string, value: number) => ({ start: at, end: until, type, value });
  for (const { resource } of single) {
    receive(resource, [sample('a', 1), sample('b', 2)], { workout_id: 'w-1' });
    receive(resource, [sample('b', 3)], { workout_id: 'w-2' });
  }
  const query = await ask();
  for (const { resource, typeIsKey } of single) {
    const expected = typeIsKey ? [[1], [3]] : resource.startsWith('workout_') ? [[2], [3]] : [[3]];
    expect((await query(`select value from ${resource} order by all`)).rows, resource).toEqual(expected);
  }
});

test('the table workout_duration has the workout, its sport, the intensity and the duration', async () => {
  receive('workout_duration', [{ start: at, end: until, unit: 'min', value: 30, intensity: 'high' }], {
    workout_id: 'w',
    sport: 'running',
  });
  expect(
    (await (await ask())('select source_workout_id, source_sport, intensity, workout_duration_min from workout_duration')).rows,
  ).toEqual([['w', 'running', 'high', 30]]);
});

test('each injection of an event keeps its own type, value and delivery columns', async () => {
  const injection = { start: at, end: at, unit: 'unit' };
  receive('insulin_injection', [
    { ...injection, type: 'rapid_acting', value: 4, delivery_mode: 'bolus', bolus_purpose: 'meal' },
    { ...injection, type: 'long_acting', value: 12, delivery_mode: 'basal', delivery_form: 'standard' },
  ]);
  expect(
    (
      await (
        await ask()
      )(
        'select sample_type, insulin_injection_unit, delivery_mode, delivery_form, bolus_purpose from insulin_injection order by all',
      )
    ).rows,
  ).toEqual([
    ['long_acting', 12, 'basal', 'standard', null],
    ['rapid_acting', 4, 'bolus', null, 'meal'],
  ]);
});

test('a note is a row with its text and tags, and the newest of several notes for one time replaces the others', async () => {
  const note = { start: at, end: until, timezone_offset: -36_000, unit: 'text' };
  receive('note', [
    { ...note, value: 'a pizza', tags: ['food', 'exercise'] },
    { ...note, start: until, value: '', tags: [] },
  ]);
  receive('note', [{ ...note, value: 'two pizzas', tags: ['food'] }]);
  const columns = 'start_at::varchar, end_at::varchar, timezone_offset_s, text, tags, unit, local_date::varchar';
  expect((await (await ask())(`select ${columns} from notes order by start_at`)).rows).toEqual([
    ['2026-03-27 08:00:00+00', '2026-03-27 08:30:00+00', -36_000n, 'two pizzas', '["food"]', 'text', '2026-03-26'],
    ['2026-03-27 08:30:00+00', '2026-03-27 08:30:00+00', -36_000n, '', '[]', 'text', '2026-03-26'],
  ]);
});

test('a value in another known unit is converted, and its value and unit stay as sent', async () => {
  receive('glucose', [{ timestamp: at, unit: 'mg/dL', value: 180.182 }]);
  receive('cholesterol', [
    { timestamp: at, type: 'cholesterol/hdl', unit: 'mg/dL', value: 38.67 },
    { timestamp: at, type: 'cholesterol/other', unit: 'mg/dL', value: 38.67 },
  ]);
  const query = await ask();
  const columns = 'value, unit, round(value_canonical, 9), unit_canonical';
  expect((await query(`select round(glucose_mmol_l, 9), ${columns} from glucose`)).rows).toEqual([
    [10, 180.182, 'mg/dL', 10, 'mmol/L'],
  ]);
  expect((await query(`select cholesterol_mmol_l, ${columns} from cholesterol order by sample_type`)).rows).toEqual([
    [1, 38.67, 'mg/dL', 1, 'mmol/L'],
    [null, 38.67, 'mg/dL', null, null],
  ]);
});

test('the views have the declared columns, and the value column is NULL for a unit that is not known', async () => {
  for (const { resource, unit } of single) {
    receive(resource, [
      { start: at, end: until, unit, value: 1 },
      { start: until, end: until, unit: `not ${unit}`, value: 2 },
    ]);
  }
  const query = await ask();
  const own = [
    'source_workout_id',
    'source_sport',
    'sensor_location',
    'intensity',
    'delivery_mode',
    'delivery_form',
    'bolus_purpose',
  ];
  for (const declared of single) {
    const { value, further } = resourceColumns(declared);
    const { columns } = await query(`select * from ${declared.resource} limit 0`);
    expect(columns.includes('end_at'), declared.resource).toBe(declared.form === 'interval');
    expect(columns.filter((name) => own.includes(name))).toEqual(further);
    const { rows } = await query(`select ${value}, value from ${declared.resource} order by start_at`);
    expect(rows).toEqual([
      [1, 1],
      [null, 2],
    ]);
  }
});
