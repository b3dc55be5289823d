import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEvent } from '@aorta/schemas';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clockChanges, moveClocks, TWO_HOURS } from '../../infra/machine/system-clock.fixture.ts';
import { privacyOptions } from '../privacy.ts';
import type { Warehouse } from '../warehouse.ts';
import { openDuckDbWarehouse } from './duckdb-warehouse.ts';
import { duckDbOptions } from './options.ts';

/** A merge of few old samples waits for more of them this long. */
const GATHERED_MS = 5_000;

let folder: string;
let warehouse: Warehouse;
let position: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  position = 0;
});
afterEach(async () => {
  await warehouse.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(more: { readonly clock?: () => number } = {}): Promise<void> {
  const settings = duckDbOptions.parse({
    type: 'duckdb',
    path: join(folder, 'w.duckdb'),
    publish_every_s: 30,
    old_after_s: GATHERED_MS / 1000,
  });
  warehouse = await openDuckDbWarehouse({ ...settings, privacy: privacyOptions.parse({}), ...more });
}

/** Lands an event with one old sample, which waits for others before it is merged. */
async function land(): Promise<void> {
  const from = position++;
  const receipt = { source: 's', partition: '0', offset: from, received_at: Date.UTC(2026, 4, 6) * 1000, delivery_id: null };
  const facts = { header_facts: 0, body_bytes: 1, body_crc32: 1, arrived_at: null };
  const data = [{ timestamp: `2026-01-0${position}T00:00:00+00:00`, unit: 'bpm', value: 60 }];
  const body = { user_id: 'u', data: { source: { provider: 'withings', type: 'watch' }, data } };
  const reading = readEvent('timeseries', 'daily.data.heartrate.created', body, { ...receipt, ...facts });
  if (reading.kind !== 'record') throw new Error(reading.reason);
  await warehouse.land({ stream: 'timeseries', incarnation: 'i', from, to: position, records: [reading.record] });
}

/** Runs the merges that are due, and returns the number of merged rows. */
async function mergedRows(): Promise<number> {
  await warehouse.merge('due');
  await warehouse.settled?.();
  return (await warehouse.rows()).timeseries!;
}

test.each(clockChanges)('after the clock is %s, a batch is merged after the usual time, and not earlier', async (_, jump) => {
  const clock = moveClocks();
  await open();
  await land();
  clock.pass(1_000);
  clock.set(jump);
  clock.pass(3_900);
  expect(await mergedRows()).toBe(0);
  clock.pass(100);
  expect(await mergedRows()).toBe(1);
  await land();
  clock.pass(GATHERED_MS);
  expect(await mergedRows()).toBe(2);
});

test.each(clockChanges)('after the clock is %s, a copy is published after the usual time, and not earlier', async (_, jump) => {
  const clock = moveClocks();
  await open();
  await land();
  await warehouse.merge('all');
  expect(await warehouse.publish('due')).toBe(true);
  await land();
  clock.set(jump);
  clock.pass(GATHERED_MS);
  expect(await mergedRows()).toBe(2);
  clock.pass(24_900);
  expect(await warehouse.publish('due')).toBe(false);
  clock.pass(100);
  expect(await warehouse.publish('due')).toBe(true);
});

test('if the clock is set back between two processes, a batch of the first process is merged soon after the second has started', async () => {
  let now = Date.UTC(2026, 4, 6, 12);
  const clock = (): number => now;
  await open({ clock });
  await land();
  await warehouse.close();
  now -= TWO_HOURS;
  await open({ clock });
  now += 4_999;
  expect(await mergedRows()).toBe(0);
  now += 1;
  expect(await mergedRows()).toBe(1);
});
