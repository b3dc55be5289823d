import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEvent } from '@aorta/schemas';
import { type LocalLog, openLocalLog } from '@aorta/streams';
import { Progress } from '@aorta/telemetry';
import { createMetrics } from '@aorta/telemetry/prometheus';
import { duckDbOptions, privacyOptions, type Warehouse } from '@aorta/warehouse';
import { openDuckDbWarehouse } from '@aorta/warehouse/duckdb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { completion } from './completion.fixture.ts';
import { GROUP, Stopped, startJobs } from './jobs.ts';

let folder: string;
let log: LocalLog;
let warehouse: Warehouse;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  log = await openLocalLog({ folder: join(folder, 'streams') });
  warehouse = await openDuckDbWarehouse({
    ...duckDbOptions.parse({ type: 'duckdb', path: join(folder, 'w.duckdb') }),
    privacy: privacyOptions.parse({}),
  });
});
afterEach(async () => {
  await warehouse.close();
  await log.close();
  rmSync(folder, { recursive: true, force: true });
});

async function append(count: number, from = 0): Promise<void> {
  for (let offset = from; offset < from + count; offset++) log.append('historical_completions', completion(offset));
  await log.flush();
}

describe('the jobs', () => {
  test('carry what the streams hold into the tables, and commit behind it', async () => {
    await append(7);
    const jobs = startJobs({ log, warehouse, batch: { records: 3, bytes: 1 << 20 } });
    await jobs.finish();
    await append(2, 7);
    await jobs.finish();
    await jobs.stop();
    expect((await warehouse.rows()).historical_completions).toBe(9);
    expect(log.committed(GROUP, 'historical_completions')).toBe(9);
    expect(warehouse.landed('historical_completions')?.position).toBe(9);
  });

  test('say how far they are, and measure what they land and merge', async () => {
    const metrics = createMetrics();
    const progress = new Progress({ clock: () => 1_774_000_060_000 });
    await append(7);
    const jobs = startJobs({ log, warehouse, metrics, progress, batch: { records: 3, bytes: 1 << 20 } });
    await jobs.finish();
    await append(1, 7);
    jobs.wake();
    expect(progress.lanes()).toMatchObject([
      { kind: 'stream', reader: GROUP, of: 'historical_completions', position: 7, end: 8, lag: 1, lagMs: 60_000 },
    ]);
    await jobs.finish();
    expect(progress.lanes()).toMatchObject([{ position: 8, end: 8, lag: 0, lagMs: 0, state: 'landing' }]);
    const text = (await metrics.text()).split('\n');
    for (const line of [
      'aorta_job_batches_total{stream="historical_completions"} 4',
      'aorta_job_records_total{stream="historical_completions"} 8',
      'aorta_job_land_seconds_count{stream="historical_completions"} 4',
      'aorta_merge_rows_total{table="historical_completions",range="recent"} 8',
      'aorta_merge_rows_total{table="deliveries",range="recent"} 8',
      'aorta_warehouse_backlog_records 0',
    ])
      expect(text).toContain(line);
    expect(text.some((line) => /^aorta_publish_seconds_count [1-9]/.test(line))).toBe(true);
    await jobs.stop();
    expect(progress.lanes()).toEqual([]);
    expect(progress.waits()).toEqual([]);
  });

  test('publish nothing before they had a pause, and then what is there', async () => {
    const asked: [pace: string, position: number | undefined][] = [];
    const watched = new Proxy(warehouse, {
      get: (target, member: keyof Warehouse) =>
        member === 'publish'
          ? (pace: 'due' | 'now') => {
              asked.push([pace, target.landed('historical_completions')?.position]);
              return target.publish(pace);
            }
          : (target[member] as () => unknown).bind(target),
    });
    await append(7);
    const jobs = startJobs({ log, warehouse: watched, batch: { records: 3, bytes: 1 << 20 } });
    await vi.waitFor(() => expect(asked).toHaveLength(1), 10_000);
    expect(asked).toEqual([['due', 7]]);
    await jobs.stop();
  });

  test('that do not get on with landing turn readiness red, and say where', async () => {
    let now = 0;
    const progress = new Progress({ clock: () => now });
    await append(2);
    const landing = Promise.withResolvers<void>();
    const held = new Proxy(warehouse, {
      get: (target, name) => {
        if (name === 'land') return () => landing.promise;
        const member = Reflect.get(target, name) as unknown;
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const jobs = startJobs({ log, warehouse: held, progress });
    while (!progress.waits().some(({ reason }) => reason === 'landing a batch')) await new Promise(setImmediate);
    now += 60_000;
    expect(progress.stalls().map(({ reason }) => reason)).toEqual([
      'jobs has waited for 60 s, and may for 60 s: landing a batch',
      'group warehouse in stream historical_completions stands at 0 for 60 s, and 2 records wait (landing)',
    ]);
    landing.resolve();
    await jobs.stop();
  });

  test('start where the warehouse stands, not where the group does', async () => {
    await append(3);
    await log.commit(GROUP, 'historical_completions', 3);
    const jobs = startJobs({ log, warehouse });
    await jobs.finish();
    await jobs.stop();
    expect((await warehouse.rows()).historical_completions).toBe(3);
  });

  test('make a consumer wait that is too far ahead', async () => {
    const jobs = startJobs({ log, warehouse, batch: { records: 2, bytes: 1 << 20 }, backlog: 4 });
    await append(9);
    await jobs.ready();
    expect(log.end('historical_completions') - (warehouse.landed('historical_completions')?.position ?? 0)).toBeLessThanOrEqual(
      4,
    );
    await jobs.stop();
  });

  test('that were stopped do not finish what is left', async () => {
    const jobs = startJobs({ log, warehouse });
    await jobs.stop();
    await append(1);
    await expect(jobs.finish()).rejects.toThrow(Stopped);
    expect(warehouse.landed('historical_completions')).toBeUndefined();
  });

  test('bring whole streams into the tables where another is damaged, and then say so', async () => {
    await append(3);
    const receipt = {
      source: 's',
      partition: '0',
      offset: 0,
      received_at: 1,
      delivery_id: null,
      header_facts: 0,
      body_bytes: 1,
      body_crc32: 1,
    };
    const reading = readEvent(
      'connections',
      'provider.connection.created',
      { user_id: 'u', data: { provider: 'oura' } },
      receipt,
    );
    if (reading.kind !== 'record') throw new Error(reading.reason);
    log.append('connections', reading.record);
    await log.flush();
    await log.close();
    const segment = join(folder, 'streams', 'connections', `${'0'.repeat(20)}.avro`);
    const file = openSync(segment, 'r+');
    writeSync(file, Buffer.alloc(40, 0x5a), 0, 40, 0);
    closeSync(file);

    log = await openLocalLog({ folder: join(folder, 'streams') });
    const jobs = startJobs({ log, warehouse });
    await expect(jobs.finish()).rejects.toMatchObject({ code: 'AORTA-SEGMENT-CORRUPT' });
    await jobs.stop();
    expect(await warehouse.rows()).toMatchObject({ historical_completions: 3, connection_events: 0 });
  });

  test('say so where a stream has become shorter than what was landed of it', async () => {
    await append(2);
    await warehouse.land({
      stream: 'historical_completions',
      incarnation: log.incarnation('historical_completions'),
      from: 0,
      to: 3,
      records: [0, 1, 2].map(completion),
    });
    const jobs = startJobs({ log, warehouse });
    await expect(jobs.finish()).rejects.toMatchObject({ code: 'AORTA-STREAM-SHORTER', details: { end: 2, position: 3 } });
    await jobs.stop();
  });

  test('that failed say so to whoever waits', async () => {
    let fail = false;
    const failing = {
      ...log,
      streams: () => log.streams(),
      incarnation: log.incarnation.bind(log),
      end: log.end.bind(log),
      commit: log.commit.bind(log),
      read: ((...words: Parameters<LocalLog['read']>) =>
        fail ? Promise.reject(new Error('gone')) : log.read(...words)) as LocalLog['read'],
    } as unknown as LocalLog;
    const jobs = startJobs({ log: failing, warehouse, backlog: 0 });
    fail = true;
    await append(1);
    await expect(jobs.finish()).rejects.toThrow('gone');
    await expect(jobs.ready()).rejects.toThrow('gone');
    await expect(jobs.stop()).rejects.toThrow('gone');
  });
});
