import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  partitionOf,
  privacyOptions,
  type ReadableLog,
  type ReadBatch,
  type ReadLimit,
  type StreamPartition,
  type Warehouse,
} from '@aorta/connectors';
import { duckDbOptions } from '@aorta/connectors/duckdb';
import { openDuckDbWarehouse } from '@aorta/connectors/duckdb/module';
import { type LocalLog, openLocalLog, SegmentError } from '@aorta/connectors/log';
import { Progress, systemTime } from '@aorta/runtime';
import { createMetrics } from '@aorta/runtime/prometheus';
import type { StreamName, StreamRecords } from '@aorta/schemas';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { completion, connectedUserRecord } from '../../connectors/streams/records.fixture.ts';
import { clockChanges, moveClocks } from '../../infra/machine/system-clock.fixture.ts';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { GROUP } from './groups.ts';
import { Stopped, startLoader } from './loader.ts';
import { loadingMetrics } from './metrics.ts';

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
  vi.useRealTimers();
  await warehouse.close();
  await log.close();
  rmSync(folder, { recursive: true, force: true });
});

async function append(count: number, from = 0): Promise<void> {
  for (let offset = from; offset < from + count; offset++) log.append('historical_completions', completion(offset));
  await log.flush();
}

/** Resolves when a part of the program waits for this reason. */
async function reasonToWait(progress: Progress, reason: string): Promise<void> {
  const reasons = () => progress.waits().map((wait) => wait.reason);
  await until(`a wait: ${reason}`, reasons, (all) => all.includes(reason));
}

describe('the loader', () => {
  test('lands and merges all stream records and commits their positions', async () => {
    await append(7);
    const loader = startLoader({ log, warehouse, batch: { records: 3, bytes: 1 << 20 } });
    await loader.finish();
    await append(2, 7);
    await loader.finish();
    await loader.stop();
    expect((await warehouse.rows()).historical_completions).toBe(9);
    expect(log.committed(GROUP, partitionOf('historical_completions'))).toBe(9);
    expect(warehouse.landed(partitionOf('historical_completions'))?.position).toBe(9);
  });

  test('reports its positions, and counts landed and merged records', async () => {
    const metrics = createMetrics({ catalogue: loadingMetrics });
    const progress = new Progress({ clock: () => 1_774_000_060_000 });
    await append(7);
    const loader = startLoader({ log, warehouse, metrics, progress, batch: { records: 3, bytes: 1 << 20 } });
    await loader.finish();
    await append(1, 7);
    loader.wake();
    expect(progress.lanes()).toMatchObject([
      { kind: 'stream', reader: GROUP, of: 'historical_completions/0', position: 7, end: 8, lag: 1, lagMs: 60_000 },
    ]);
    await loader.finish();
    expect(progress.lanes()).toMatchObject([{ position: 8, end: 8, lag: 0, lagMs: 0, state: 'landing' }]);
    const text = (await metrics.text()).split('\n');
    for (const line of [
      'aorta_loading_batches_total{stream="historical_completions"} 4',
      'aorta_loading_records_total{stream="historical_completions"} 8',
      'aorta_loading_land_seconds_count{stream="historical_completions"} 4',
      'aorta_merge_rows_total{table="historical_completions",range="recent"} 8',
      'aorta_merge_rows_total{table="deliveries",range="recent"} 8',
      'aorta_warehouse_backlog_records 0',
    ])
      expect(text).toContain(line);
    expect(text.some((line) => /^aorta_publish_seconds_count [1-9]/.test(line))).toBe(true);
    await loader.stop();
    expect(progress.lanes()).toEqual([]);
    expect(progress.waits()).toEqual([]);
  });

  test('does not publish before its first idle pause', async () => {
    const asked: [pace: string, position: number | undefined][] = [];
    const watched = new Proxy(warehouse, {
      get: (target, member: keyof Warehouse) =>
        member === 'publish'
          ? (pace: 'due' | 'now') => {
              asked.push([pace, target.landed({ stream: 'historical_completions', partition: 0 })?.position]);
              return target.publish(pace);
            }
          : typeof target[member] === 'function'
            ? (target[member] as () => unknown).bind(target)
            : target[member],
    });
    await append(7);
    const loader = startLoader({ log, warehouse: watched, batch: { records: 3, bytes: 1 << 20 } });
    await until(
      'a publication',
      () => asked,
      (all) => all.length > 0,
    );
    expect(asked).toEqual([['due', 7]]);
    await loader.stop();
  });

  test('continues to land records during a publication, and fails if the publication fails', async () => {
    const published = Promise.withResolvers<boolean>();
    let begun = false;
    const slow = new Proxy(warehouse, {
      get: (target, name) => {
        if (name === 'publish')
          return () => {
            begun = true;
            return published.promise;
          };
        const member = Reflect.get(target, name) as unknown;
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const loader = startLoader({ log, warehouse: slow });
    await until('the publication', () => begun);
    await append(3);
    loader.wake();
    const landed = () => warehouse.landed(partitionOf('historical_completions'))?.position;
    await until('the landed position', landed, 3);
    const failure = new Error('no space');
    published.reject(failure);
    await expect(loader.failed).resolves.toBe(failure);
    await expect(loader.stop()).rejects.toBe(failure);
  });

  test('delays landing if the warehouse requests a delay, but lands records at once while a caller is waiting', async () => {
    const progress = new Progress();
    const sparing = new Proxy(warehouse, {
      get: (target, name) => {
        if (name === 'landingWait') return () => 3_600_000;
        const member = Reflect.get(target, name) as unknown;
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    await append(7);
    const loader = startLoader({ log, warehouse: sparing, progress });
    await reasonToWait(progress, 'gathering records for a batch');
    expect(warehouse.landed({ stream: 'historical_completions', partition: 0 })).toBeUndefined();
    // A loader that waits to gather more records does not count as stalled.
    expect(progress.stalls()).toEqual([]);
    await loader.finish();
    expect(warehouse.landed({ stream: 'historical_completions', partition: 0 })?.position).toBe(7);
    await loader.stop();
  });

  test.each(clockChanges)('if the clock is %s, reports a delayed landing with the time that is left', async (_, jump) => {
    const clock = moveClocks();
    let rest = 60_000;
    const sparing = new Proxy(warehouse, {
      get: (target, name) => {
        if (name === 'landingWait') return () => rest;
        const member = Reflect.get(target, name) as unknown;
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const due = (): (number | undefined)[] => loader.upcoming().landings.map(({ dueAt }) => systemTime(dueAt) - clock.now());
    await append(1);
    const loader = startLoader({ log, warehouse: sparing });
    await until('the delay', due, [60_000]);
    clock.set(jump);
    clock.pass(20_000);
    expect(due()).toEqual([40_000]);
    rest = 0;
    await loader.finish();
    await loader.stop();
  });

  test('reports the stalled stream if landing hangs', async () => {
    let now = 0;
    const progress = new Progress({ clock: () => now });
    await append(2);
    const landing = Promise.withResolvers<void>();
    const held = new Proxy(warehouse, {
      get: (target, name) => {
        if (name === 'land') return () => landing.promise;
        // Without `gather`, the loader lands whole batches with `land`.
        if (name === 'gather') return undefined;
        const member = Reflect.get(target, name) as unknown;
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const loader = startLoader({ log, warehouse: held, progress });
    await reasonToWait(progress, 'landing a batch');
    now += 60_000;
    expect(progress.stalls().map(({ reason }) => reason)).toEqual([
      'loading has waited for 60 s (limit 60 s): landing a batch',
      'group warehouse in stream historical_completions/0 has been at 0 for 60 s with 2 records waiting (landing)',
    ]);
    landing.resolve();
    await loader.stop();
  });

  test('resumes from the landed position in the warehouse, not from the committed position', async () => {
    await append(3);
    await log.commit(GROUP, partitionOf('historical_completions'), 3);
    const loader = startLoader({ log, warehouse });
    await loader.finish();
    await loader.stop();
    expect((await warehouse.rows()).historical_completions).toBe(3);
  });

  test('delays a consumer while the backlog exceeds its limit', async () => {
    const loader = startLoader({ log, warehouse, batch: { records: 2, bytes: 1 << 20 }, backlog: 4 });
    await append(9);
    await loader.ready();
    expect(
      log.end(partitionOf('historical_completions')) - (warehouse.landed(partitionOf('historical_completions'))?.position ?? 0),
    ).toBeLessThanOrEqual(4);
    await loader.stop();
  });

  test('rejects calls to finish() after it has been stopped', async () => {
    const loader = startLoader({ log, warehouse });
    await loader.stop();
    await append(1);
    await expect(loader.finish()).rejects.toThrow(Stopped);
    expect(warehouse.landed(partitionOf('historical_completions'))).toBeUndefined();
  });

  test('loads intact streams and reports a damaged stream', async () => {
    await append(3);
    log.append('connections', connectedUserRecord('connections', 'provider.connection.created', 0));
    await log.flush();
    await log.close();
    const segment = join(folder, 'streams', 'connections', `${'0'.repeat(20)}.avro`);
    const file = openSync(segment, 'r+');
    writeSync(file, Buffer.alloc(40, 0x5a), 0, 40, 0);
    closeSync(file);

    // A log that is open only for reading cannot replace a damaged segment.
    log = await openLocalLog({ folder: join(folder, 'streams'), readOnly: true });
    const only = {
      assigned: () => log.assigned(),
      incarnation: (of: StreamPartition) => log.incarnation(of),
      start: (of: StreamPartition) => log.start(of),
      end: (of: StreamPartition) => log.end(of),
      read: <S extends StreamName>(of: StreamPartition<S>, from: number, limit: ReadLimit) => log.read(of, from, limit),
      commit: async () => {},
    };
    const loader = startLoader({ log: only, warehouse });
    await expect(loader.finish()).rejects.toMatchObject({ code: 'AORTA-SEGMENT-CORRUPT' });
    await loader.stop();
    expect(await warehouse.rows()).toMatchObject({ historical_completions: 3, connection_events: 0 });
  });

  test('reports a stream that is shorter than its landed position', async () => {
    await append(2);
    await warehouse.land({
      stream: 'historical_completions',
      incarnation: log.incarnation(partitionOf('historical_completions')),
      from: 0,
      to: 3,
      records: [0, 1, 2].map(completion),
    });
    const loader = startLoader({ log, warehouse });
    await expect(loader.finish()).rejects.toMatchObject({ code: 'AORTA-STREAM-SHORTER', details: { end: 2, position: 3 } });
    await loader.stop();
  });

  test('if it fails, rejects finish(), ready() and stop() with the same error', async () => {
    let fail = false;
    const failing = {
      ...log,
      assigned: () => log.assigned(),
      start: () => 0,
      incarnation: log.incarnation.bind(log),
      end: log.end.bind(log),
      commit: log.commit.bind(log),
      read: ((...words: Parameters<LocalLog['read']>) =>
        fail ? Promise.reject(new Error('gone')) : log.read(...words)) as LocalLog['read'],
    } as unknown as LocalLog;
    const loader = startLoader({ log: failing, warehouse, backlog: 0 });
    fail = true;
    await append(1);
    await expect(loader.finish()).rejects.toThrow('gone');
    await expect(loader.ready()).rejects.toThrow('gone');
    await expect(loader.stop()).rejects.toThrow('gone');
  });
});

/** A log of a stream with two partitions. Positions have gaps, and tests can revoke the partitions. */
class DividedLog implements ReadableLog {
  readonly records = new Map<number, readonly { position: number; offset: number }[]>();
  readonly commits: [partition: number, position: number][] = [];
  parts: readonly StreamPartition<'historical_completions'>[] = [0, 1].map((number) => ({
    stream: 'historical_completions' as const,
    partition: number,
  }));
  /** Called before each read of a partition. */
  onRead: (of: StreamPartition) => void | Promise<void> = () => {};

  assigned(): readonly StreamPartition[] {
    return this.parts;
  }
  incarnation(): string {
    return 'i';
  }
  start(): number {
    return 5;
  }
  end({ partition }: StreamPartition): number {
    return (this.records.get(partition)?.at(-1)?.position ?? 4) + 1;
  }
  async read<S extends StreamName>(of: StreamPartition<S>, from: number, limit: ReadLimit): Promise<ReadBatch<S>> {
    await this.onRead(of);
    const held = (this.records.get(of.partition) ?? []).filter(({ position }) => position >= from).slice(0, limit.records);
    const records = held.map(({ offset }) => completion(offset)) as unknown as StreamRecords[S][];
    return { stream: of.stream, from, to: (held.at(-1)?.position ?? from - 1) + 1, records, bytes: 1 };
  }
  async commit(_: string, { partition }: StreamPartition, position: number): Promise<void> {
    this.commits.push([partition, position]);
  }
}

describe('partitions of a stream', () => {
  const divided = (): DividedLog => {
    const divided = new DividedLog();
    divided.records.set(
      0,
      [0, 1, 2].map((n) => ({ position: 7 + 10 * n, offset: n })),
    );
    divided.records.set(
      1,
      [3, 4].map((n) => ({ position: 6 + 10 * n, offset: n })),
    );
    return divided;
  };
  const rows = async (): Promise<number | undefined> => (await warehouse.rows()).historical_completions;

  test('are landed separately, and gaps in their positions do not count as records', async () => {
    const shared = divided();
    const metrics = createMetrics({ catalogue: loadingMetrics });
    const progress = new Progress();
    const loader = startLoader({ log: shared, warehouse, metrics, progress, batch: { records: 2, bytes: 1 } });
    await loader.finish();
    expect(await rows()).toBe(5);
    expect([0, 1].map((partition) => warehouse.landed({ stream: 'historical_completions', partition })?.position)).toEqual([
      28, 47,
    ]);
    expect(shared.commits).toEqual([
      [0, 18],
      [1, 47],
      [0, 28],
    ]);
    expect(await metrics.text()).toContain('aorta_loading_records_total{stream="historical_completions"} 5\n');
    expect(progress.lanes().map(({ of }) => of)).toEqual(['historical_completions/0', 'historical_completions/1']);
    await loader.stop();
  });

  test('are not landed if they are reassigned during a read, and later resume from the landed position', async () => {
    const shared = divided();
    const [first, second] = shared.parts;
    shared.onRead = (of) => {
      if (of === second) shared.parts = [first!];
    };
    const progress = new Progress();
    const loader = startLoader({ log: shared, warehouse, progress });
    await loader.finish();
    expect(await rows()).toBe(3);
    expect(shared.commits).toEqual([[0, 28]]);
    // While the partition was not assigned, another worker landed one of its records.
    const one = { stream: 'historical_completions', partition: 1, incarnation: 'i' } as const;
    await warehouse.land({ ...one, from: 5, to: 37, records: [completion(3)] });
    shared.parts = [first!, { ...second! }];
    await loader.finish();
    expect(shared.commits).toEqual([
      [0, 28],
      [1, 47],
    ]);
    expect(await rows()).toBe(5);
    await loader.stop();
  });

  test('are read in portions, and are landed up to the first damaged portion', async () => {
    const shared = divided();
    const many = Array.from({ length: 5000 }, (_, offset) => ({ position: offset + 5, offset }));
    shared.records.set(0, many);
    shared.parts = [shared.parts[0]!];
    const metrics = createMetrics({ catalogue: loadingMetrics });
    const loader = startLoader({ log: shared, warehouse, metrics });
    await loader.finish();
    await loader.stop();
    expect(await rows()).toBe(5000);
    expect(await metrics.text()).toContain('aorta_loading_batches_total{stream="historical_completions"} 1\n');

    shared.records.set(0, [
      ...many,
      ...many.map(({ position, offset }) => ({ position: position + 5000, offset: offset + 5000 })),
    ]);
    let reads = 0;
    shared.onRead = () => {
      if (++reads > 2) throw new SegmentError('AORTA-SEGMENT-CORRUPT', { file: 'f', record: 1 });
    };
    const damaged = startLoader({ log: shared, warehouse });
    await expect(damaged.finish()).rejects.toMatchObject({ code: 'AORTA-SEGMENT-CORRUPT' });
    await damaged.stop();
    expect(await rows()).toBe(5000 + 2 * 2048);
  });

  test('are not polled while their records are in flight, and are read again when the records arrive and wake the loader', async () => {
    const shared = divided();
    const there = shared.records.get(1)!;
    let reads = 0;
    shared.records.set(1, [{ position: 36, offset: 3 }]);
    shared.onRead = async (of) => {
      // Lets the test go on, even if the loader reads without a pause.
      await new Promise(setImmediate);
      if (of.partition !== 1) return;
      reads++;
      // The log reports the end before the records arrive.
      shared.records.set(1, arrived ? there : []);
      shared.end = (one) => (one.partition === 1 ? 47 : 28);
    };
    let arrived = false;
    const loader = startLoader({ log: shared, warehouse });
    const finished = loader.finish();
    await until('the first read', () => reads > 0);
    // From now on, only the test ends the loader's pauses. Without pauses, the loader would read again at each of these turns.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    for (let turn = 0; turn < 50; turn++) await rows();
    expect(reads).toBeLessThan(5);
    arrived = true;
    loader.wake();
    await finished;
    expect(await rows()).toBe(5);
    await loader.stop();
  });
});
