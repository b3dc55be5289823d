import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEvent } from '@aorta/schemas';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { privacyOptions } from '../privacy.ts';
import type { LandingBatch, Warehouse } from '../warehouse.ts';
import { openDuckDbWarehouse } from './duckdb-warehouse.ts';
import { duckDbOptions } from './options.ts';

/** Tests the effects of many small batches, such as those of a topic's partitions, on the file and on the next start. */

const BLOCK = 262_144;
const now = Date.UTC(2026, 2, 28, 12);

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  path = join(folder, 'warehouse.duckdb');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (at = path): Promise<Warehouse> =>
  openDuckDbWarehouse({
    ...duckDbOptions.parse({ type: 'duckdb', path: at }),
    privacy: privacyOptions.parse({}),
    // The clock does not advance, so a merge of old dates never becomes due because it has waited long enough.
    clock: () => now,
  });

/** Returns a batch with one event. It has a sample from today and one from last year, and the older sample waits to be merged. */
function batch(from: number): LandingBatch {
  const receipt = {
    source: 's',
    partition: '0',
    offset: from,
    received_at: now * 1000 + from,
    delivery_id: null,
    header_facts: 0,
    body_bytes: 1,
    body_crc32: from,
    arrived_at: null,
  };
  const at = (time: number): string => new Date(time + from * 1000).toISOString();
  const data = [now, now - 300 * 86_400_000].map((time) => ({ timestamp: at(time), unit: 'bpm', value: from }));
  const body = { user_id: 'u', data: { source: { provider: 'oura' }, data } };
  const reading = readEvent('timeseries', 'daily.data.heartrate.created', body, receipt);
  if (reading.kind !== 'record') throw new Error(reading.reason);
  return { stream: 'timeseries', incarnation: 'i', from, to: from + 1, records: [reading.record] };
}

/** Lands batches and, after each of them, merges what is due, as the loader does. */
async function stream(warehouse: Warehouse, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at++) {
    await warehouse.land(batch(at));
    await warehouse.merge('due');
  }
  await warehouse.settled!();
}

async function blocks(file: string): Promise<{ used: number; all: number }> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    const [row] = (await connection.runAndReadAll('pragma database_size')).getRowObjectsJson();
    return { used: Number(row!.used_blocks), all: Number(row!.total_blocks) };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const waiting = (warehouse: Warehouse): number => warehouse.backlog().batches;

describe('a database file that receives many small batches', () => {
  test('waiting batches do not make the file grow when it is published or closed', async () => {
    const warehouse = await open();
    const before = statSync(path).size;
    await stream(warehouse, 0, 60);
    expect(waiting(warehouse), 'old dates wait').toBe(60);
    await warehouse.publish('now');
    // Only some blocks of the tables themselves are rewritten.
    expect(statSync(path).size - before).toBeLessThan(30 * BLOCK);
    await stream(warehouse, 60, 120);
    await warehouse.close();
    expect(existsSync(`${path}.wal`)).toBe(false);
    expect((await blocks(path)).all).toBeLessThan(48);
    const again = await open();
    expect((await again.rows()).timeseries).toBe(240);
    await again.close();
  });

  test('a few waiting batches stay unmerged when the file is published or closed', async () => {
    const warehouse = await open();
    await stream(warehouse, 0, 10);
    await warehouse.publish('now');
    expect(waiting(warehouse)).toBe(10);
    await warehouse.close();
    const again = await open();
    expect(waiting(again)).toBe(10);
    await again.close();
  });

  test('many waiting batches are merged even if their old dates are not due yet', async () => {
    const warehouse = await open();
    await stream(warehouse, 0, 200);
    expect(waiting(warehouse)).toBeLessThan(70);
    await warehouse.close();
  });

  test('even if nothing is published, regular checkpoints leave little to replay after a crash', async () => {
    const warehouse = await open();
    const empty = statSync(path).size;
    await stream(warehouse, 0, 550);
    expect(statSync(path).size, 'a checkpoint was written').toBeGreaterThan(empty + BLOCK);
    // Copies the state that a kill -9 would leave at this moment.
    const killed = join(folder, 'killed.duckdb');
    copyFileSync(path, killed);
    if (existsSync(`${path}.wal`)) copyFileSync(`${path}.wal`, `${killed}.wal`);
    const after = await open(killed);
    expect(after.landed({ stream: 'timeseries', partition: 0 })).toEqual({ incarnation: 'i', position: 550 });
    await after.merge('all');
    expect((await after.rows()).timeseries).toBe(1100);
    await after.close();
    await warehouse.close();
    expect((await blocks(path)).all).toBeLessThan(64);
  });

  test('the time to open a file is proportional to the number of waiting batches', async () => {
    const warehouse = await open();
    const batches = 300;
    for (let at = 0; at < batches; at++) await warehouse.land(batch(at));
    const killed = join(folder, 'killed.duckdb');
    copyFileSync(path, killed);
    copyFileSync(`${path}.wal`, `${killed}.wal`);
    await warehouse.close();
    // Measures CPU time, so that other processes do not count. An earlier version with quadratic time took 7 s, and the current
    // version takes half a second.
    const before = process.cpuUsage();
    const after = await open(killed);
    const { user, system } = process.cpuUsage(before);
    expect(waiting(after)).toBe(batches);
    expect((user + system) / 1e6).toBeLessThan(3);
    await after.close();
  });
});
