import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEvent, type StreamRecords } from '@aorta/schemas';
import { expect, test } from 'vitest';
import { privacyOptions } from '../privacy.ts';
import { openDuckDbWarehouse } from './duckdb-warehouse.ts';
import { duckDbOptions, LEAST_MEMORY } from './options.ts';

const SAMPLES = 1000;
const EVENTS = 250;
const A_BATCH = SAMPLES * EVENTS;
/** Number of samples in the largest merge, see `MOST_SAMPLES`. */
const LARGEST = 500_000;
const NEW = Date.UTC(2026, 2, 20);

/** Returns an event with one sample per second. Each user has twenty consecutive events. */
function event(index: number, daysBack: number): StreamRecords['timeseries'] {
  const begin = NEW + (index % 20) * SAMPLES * 1000 - daysBack * 86_400_000;
  const data = Array.from({ length: SAMPLES }, (_, sample) => ({
    timestamp: new Date(begin + sample * 1000).toISOString(),
    unit: 'bpm',
    value: 60 + ((sample * 7 + index) % 90),
  }));
  const receipt = {
    source: 'hub',
    partition: '0',
    offset: index,
    received_at: (NEW + 20 * SAMPLES * 1000) * 1000,
    delivery_id: null,
    header_facts: 3,
    body_bytes: 1,
    body_crc32: index,
    arrived_at: null,
  };
  const body = {
    event_type: 'daily.data.heartrate.created',
    user_id: `u${Math.floor(index / 20)}`,
    data: { source: 'oura', data },
  };
  const reading = readEvent('timeseries', body.event_type, body, receipt);
  if (reading.kind !== 'record') throw new Error(reading.reason);
  return reading.record;
}

test.each([
  ['recent', 0],
  ['old', 40],
])('the largest merge of %s dates needs at most five sixths of the minimum memory', async (_, daysBack) => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  const settings = duckDbOptions.parse({ type: 'duckdb', path: join(folder, 'w.duckdb') });
  const warehouse = await openDuckDbWarehouse({
    ...settings,
    memory: `${(LEAST_MEMORY * 5) / 6}MB`,
    privacy: privacyOptions.parse({}),
  });
  try {
    let next = 0;
    // Half of the second round repeats keys of the first round, so the merge finds them in the table.
    for (const back of [0, EVENTS * 4]) {
      let position = next;
      next -= back;
      for (let batch = 0; batch < 8; batch++) {
        const records = Array.from({ length: EVENTS }, (_, index) => event(next + index, daysBack));
        await warehouse.land({ stream: 'timeseries', incarnation: 'i', from: position, to: position + EVENTS, records });
        next += EVENTS;
        position += EVENTS;
      }
      next = position;
      const { targets } = await warehouse.merge('all');
      const merges = targets.filter(({ table }) => table === 'timeseries').map(({ rows }) => rows);
      expect(merges).toEqual([LARGEST, LARGEST, LARGEST, LARGEST]);
    }
    expect((await warehouse.rows()).timeseries).toBe(12 * A_BATCH);
  } finally {
    await warehouse.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
