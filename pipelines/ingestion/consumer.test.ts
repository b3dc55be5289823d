import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partitionOf, WarehouseError } from '@aorta/connectors';
import { DuckDbError } from '@aorta/connectors/duckdb';
import { AortaError, Progress, type Step } from '@aorta/runtime';
import { createLogger } from '@aorta/runtime/json-logger';
import { createMetrics } from '@aorta/runtime/prometheus';
import { type StreamName, streamNames } from '@aorta/schemas';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { delivery, ListSource } from '../../connectors/delivery.fixture.ts';
import { FileError } from '../../connectors/files/errors.ts';
import { FilesSource } from '../../connectors/files/source.ts';
import type { Delivery, Source } from '../../connectors/source.ts';
import { type ConsumeOptions, consume } from './consumer.ts';
import { MemoryLog } from './memory-log.fixture.ts';
import { ingestionMetrics } from './metrics.ts';
import { readAnything, readAnythingWith } from './read-anything.fixture.ts';
import { openRedeliveryWindow } from './redelivery-window/history.ts';
import type { Tally } from './tally.ts';

let folder: string;
let log: MemoryLog;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'consumer-'));
  log = new MemoryLog();
});
afterEach(() => rm(folder, { recursive: true }));

const TYPE = 'historical.data.sleep.created';
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const kept = (offset: number, more: Parameters<typeof delivery>[0] = {}) =>
  delivery({ offset, body: json({ event_type: TYPE, user_id: 'u', offset }), ...more });

async function run<P>(source: Source<P>, options: Partial<ConsumeOptions> = {}) {
  const window = options.window ?? (await openRedeliveryWindow({ folder, log }));
  return consume(source, log, { window, read: readAnything, ...options });
}

function sum(tally: Tally): number {
  const all = (counts: object) => Object.values(counts).reduce((total: number, count: number) => total + count, 0);
  return tally.redelivered + all(tally.streams) + tally.unrouted + all(tally.dead_letters);
}

function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe('the permission to flush', () => {
  test('before the permission is granted, the consumer reads deliveries but neither flushes nor commits them', async () => {
    const source = new ListSource([[kept(0)], [kept(1)]]);
    const { open, opened } = gate();
    const drained = gate();
    source.beforeBatch = async (ordinal) => {
      if (ordinal === 1) drained.open();
    };
    const running = run(source, { permission: opened, pace: { flushDeliveries: 1 } });
    await drained.opened;
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    expect([log.pendingBytes() > 0, log.end(partitionOf('historical_completions')), source.committed]).toEqual([true, 0, []]);
    open();
    expect((await running).tally.received).toBe(2);
    expect([log.end(partitionOf('historical_completions')), source.committed.length > 0]).toEqual([2, true]);
  });

  test('if the permission is refused, the consumer stops before any delivery is durable', async () => {
    const source = new ListSource([[kept(0)], [kept(1)]]);
    const refused = new WarehouseError('AORTA-WAREHOUSE-MISSING', { path: 'w.duckdb' });
    const permission = Promise.reject(refused);
    permission.catch(() => {});
    await expect(run(source, { permission, pace: { flushDeliveries: 1 } })).rejects.toBe(refused);
    expect([log.end(partitionOf('historical_completions')), source.committed]).toEqual([0, []]);
  });
});

describe('source positions', () => {
  test('are committed in order, after the flush that covers them', async () => {
    const source = new ListSource([[kept(0)], [kept(1)], [kept(2)]]);
    const told: [Step, number][] = [];
    const held = gate();
    const secondBatch = gate();
    source.beforeBatch = async (ordinal) => {
      if (ordinal === 1) {
        secondBatch.open();
        await held.opened;
      }
    };
    log.beforeFlush = () => held.opened;
    const running = run(source, { pace: { flushDeliveries: 1 }, onStep: (step) => told.push([step, source.committed.length]) });
    await secondBatch.opened;
    // The source provides the second batch while the first batch is still being flushed. No position is committed yet.
    expect([log.flushes, source.committed, log.end(partitionOf('historical_completions'))]).toEqual([1, [], 0]);
    held.open();
    expect(await running).toMatchObject({ ended: 'drained', tally: { received: 3 } });
    expect(source.committed).toEqual([0, 1, 2]);
    expect(told.at(-1)).toEqual(['source:committed', 3]);
    expect(log.end(partitionOf('historical_completions'))).toBe(3);
  });

  test('are not committed if a flush fails, and the consumer then stops', async () => {
    const source = new ListSource(Array.from({ length: 50 }, (_, offset) => [kept(offset)]));
    const full = new AortaError('AORTA-DATA-UNWRITABLE', { path: 'x', code: 'ENOSPC' });
    log.beforeFlush = async () => {
      throw full;
    };
    await expect(run(source, { pace: { flushDeliveries: 5 } })).rejects.toBe(full);
    expect(source.committed).toEqual([]);
    expect(source.handedOver).toBeLessThan(50);
  });

  test('if a flush fails while the source yields no batch, the consumer stops', async () => {
    const source = new ListSource([[kept(0)], [kept(1)]]);
    const never = gate();
    source.beforeBatch = (ordinal) => (ordinal === 1 ? never.opened : Promise.resolve());
    log.beforeFlush = async () => {
      throw new AortaError('AORTA-DATA-UNWRITABLE', { path: 'x', code: 'EIO' });
    };
    await expect(run(source, { pace: { flushAfterMs: 1 } })).rejects.toMatchObject({ code: 'AORTA-DATA-UNWRITABLE' });
    never.open();
  });

  test('are committed without waiting for the next batch', async () => {
    const source = new ListSource([[kept(0)], [kept(1)]]);
    const committed = gate();
    source.beforeBatch = (ordinal) => (ordinal === 1 ? committed.opened : Promise.resolve());
    const result = await run(source, { pace: { flushAfterMs: 1 }, onStep: () => committed.open() });
    expect(result.tally.received).toBe(2);
  });
});

test('if a batch has `awaited` set, the consumer commits it before reading the next batch', async () => {
  let committedThen: readonly number[] = [];
  const committed: number[] = [];
  await run<number>(
    {
      name: 'list',
      async *batches() {
        yield { deliveries: [kept(0)], position: 0 };
        yield { deliveries: [], position: 1, awaited: true };
        committedThen = [...committed];
      },
      commit: async (positions) => void committed.push(...positions),
    },
    { pace: { flushAfterMs: 3_600_000 } },
  );
  expect(committedThen).toEqual([0, 1]);
});

describe('deliveries before the committed position', () => {
  test('are added to the redelivery window but not to a stream', async () => {
    const id = (value: string) => ({ headers: { 'event-type': TYPE, 'user-id': 'u', 'idempotency-key': value } });
    const before = [kept(0, id('a')), kept(1, id('b'))];
    const after = [kept(2, { ...id('a'), body: before[0]!.body }), kept(3, id('c'))];
    const committed: number[] = [];
    const result = await run<number>({
      name: 'hub',
      async *batches() {
        yield { deliveries: before, position: 1, before: true };
        yield { deliveries: after, position: 3 };
      },
      commit: async (positions) => void committed.push(...positions),
    });
    expect(result.tally).toMatchObject({ received: 2, redelivered: 1, streams: { historical_completions: 1 } });
    expect(log.all('historical_completions').map(({ receipt }) => receipt.offset)).toEqual([3]);
    expect(log.all('redelivered').map(({ receipt }) => receipt.offset)).toEqual([2]);
    expect(committed).toEqual([1, 3]);
  });
});

describe('a stopping consumer', () => {
  test('closes the source after the last commit, even if the source failed', async () => {
    for (const fails of [false, true]) {
      const source = new ListSource([[kept(0)], [kept(1)]]);
      source.beforeBatch = async (ordinal) => {
        if (fails && ordinal === 1) throw new FileError('AORTA-FILE-EMPTY', { file: 'x' });
      };
      let committedBefore: readonly number[] | undefined;
      const closing: Source<number> = {
        name: source.name,
        batches: (signal) => source.batches(signal),
        commit: (positions) => source.commit(positions),
        close: async () => {
          committedBefore = [...source.committed];
        },
      };
      await run(closing);
      expect(committedBefore).toEqual(fails ? [0] : [0, 1]);
    }
  });

  test('reports the error of a failed flush while it closes its source', async () => {
    const progress = new Progress();
    const stalls: (readonly string[])[] = [];
    const failure = new AortaError('AORTA-DATA-UNWRITABLE', { path: '/data/x', code: 'ENOSPC' });
    const broken = new Proxy(log, {
      get: (target, name) => {
        if (name === 'flush') return () => Promise.reject(failure);
        const member = Reflect.get(target, name) as unknown;
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const source: Source<number> = {
      name: 'list',
      batches: async function* () {
        yield { deliveries: [kept(0)], position: 0, awaited: true };
      },
      commit: async () => {},
      close: async () => {
        await new Promise(setImmediate);
        stalls.push(progress.stalls().map(({ reason }) => reason));
      },
    };
    const window = await openRedeliveryWindow({ folder, log });
    await expect(consume(source, broken, { window, progress, read: readAnything })).rejects.toBe(failure);
    expect(stalls).toEqual([[expect.stringContaining(`stopping and closing its source: ${failure.message}`)]]);
  });

  test('is not ready while it closes its source', async () => {
    for (const why of ['failure', 'stop'] as const) {
      const stop = new AbortController();
      const progress = new Progress();
      const stalls: (readonly string[])[] = [];
      const source: Source<number> = {
        name: 'list',
        batches: async function* () {
          yield { deliveries: [kept(0)], position: 0 };
          if (why === 'failure') throw new FileError('AORTA-FILE-EMPTY', { file: 'x' });
          stop.abort();
        },
        commit: async () => {},
        close: async () => {
          await new Promise(setImmediate);
          stalls.push(progress.stalls().map(({ reason }) => reason));
        },
      };
      await run(source, { progress, signal: stop.signal });
      const error = why === 'failure' ? `: ${new FileError('AORTA-FILE-EMPTY', { file: 'x' }).message}` : '';
      expect(stalls).toEqual([[`consumer list has waited for 0 s: stopping and closing its source${error}`]]);
      expect(progress.stalls()).toEqual([]);
    }
  });

  test('stops waiting for the next batch when the loader fails', async () => {
    const source = new ListSource([[kept(0)], [kept(1)]]);
    const never = gate();
    source.beforeBatch = (ordinal) => (ordinal === 1 ? never.opened : Promise.resolve());
    let asked = 0;
    const ready = async () => {
      asked += 1;
      if (asked > 2) throw new DuckDbError('AORTA-WAREHOUSE-FAILED', { step: 'x', problem: 'y' });
    };
    await expect(run(source, { ready, pace: { flushAfterMs: 1 } })).rejects.toMatchObject({ code: 'AORTA-WAREHOUSE-FAILED' });
    expect(source.committed).toEqual([0]);
    never.open();
  });

  test('finishes, flushes and commits the current batch', async () => {
    const stop = new AbortController();
    const source = new ListSource([[kept(0), kept(1)], [kept(2)]]);
    const result = await run(source, { signal: stop.signal, onProgress: () => stop.abort() });
    expect(result).toMatchObject({ ended: 'stopped', tally: { received: 2 } });
    expect(source.committed).toEqual([0]);
    expect(log.end(partitionOf('historical_completions'))).toBe(2);
  });

  test('waits neither for a source that hangs nor for a loader that is never ready', async () => {
    const never = new Promise<void>(() => {});
    for (const hang of ['source', 'ready'] as const) {
      const stop = new AbortController();
      const source = new ListSource([[kept(0)], [kept(1)]]);
      let asked = 0;
      source.beforeBatch = async (ordinal) => {
        if (hang === 'source' && ordinal === 1) {
          stop.abort();
          await never;
        }
      };
      const ready = async () => {
        asked += 1;
        if (hang === 'ready' && asked === 2) {
          stop.abort();
          await never;
        }
      };
      expect(await run(source, { signal: stop.signal, ready })).toMatchObject({ ended: 'stopped' });
      expect(source.committed).toEqual([0]);
    }
  });

  test('commits the batches that the source provided before it failed, and returns the error', async () => {
    const source = new ListSource([[kept(0)], [kept(1)]]);
    const offsets = new FileError('AORTA-FILE-OFFSETS', {
      file: 'f',
      line: 1,
      offset: 1,
      source: 's',
      partition: 'p',
      previous: 1,
    });
    source.beforeBatch = async (ordinal) => {
      if (ordinal === 1) throw offsets;
    };
    expect(await run(source)).toMatchObject({ ended: 'failed', error: offsets, tally: { received: 1 } });
    expect(source.committed).toEqual([0]);
  });

  test('reports an exception that a source throws, but not its message', async () => {
    const source = new ListSource([[kept(0)]]);
    source.beforeBatch = async () => {
      throw new TypeError('ada@example.org');
    };
    const { error } = await run(source);
    expect(error?.code).toBe('AORTA-BUG');
    expect(`${error?.message}${JSON.stringify(error?.details)}`).not.toMatch(/ada/);
  });
});

test('the consumer waits for a flush when the pending bytes reach `maxPendingBytes`', async () => {
  const source = new ListSource(Array.from({ length: 100 }, (_, offset) => [kept(offset)]));
  const pending: number[] = [];
  await run(source, { pace: { flushBytes: 1e9, maxPendingBytes: 1000 }, onProgress: () => pending.push(log.pendingBytes()) });
  expect(Math.max(...pending)).toBeLessThan(1500);
  expect(Math.max(...pending)).toBeGreaterThan(500);
  expect(log.end(partitionOf('historical_completions'))).toBe(100);
});

describe('the tally', () => {
  test('counts the deliveries of a file twice if the file is read twice', async () => {
    const path = join(folder, 'a.ndjson');
    const lines = [json({ event_type: TYPE, user_id: 'u' }), 'broken', json({ event_type: 'nobody.knows' })];
    await writeFile(path, lines.join('\n'));
    const { tally } = await run(new FilesSource({ paths: [path, path] }));
    expect(tally).toEqual({
      received: 6,
      redelivered: 0,
      streams: { historical_completions: 2 },
      unrouted: 2,
      dead_letters: { not_json: 2 },
      partial: {},
      conflicts: 0,
      ahead: 0,
    });
    expect(log.end(partitionOf('historical_completions'))).toBe(2);
  });

  test('counts refused parts by reason', async () => {
    const refused = [
      { reason: 'value_does_not_fit', place: 'a' },
      { reason: 'value_does_not_fit', place: 'b' },
      { reason: 'sample_without_time', place: 'c' },
    ] as const;
    const { tally } = await run(new ListSource([[kept(0)]]), {
      read: readAnythingWith(refused),
    });
    expect(tally).toMatchObject({
      streams: { historical_completions: 1 },
      partial: { value_does_not_fit: 2, sample_without_time: 1 },
    });
  });
});

test('deliveries that state a time of receipt more than five minutes ahead are kept and counted', async () => {
  const now = 1_700_000_000_000;
  const limit = now * 1000 + 300_000_000;
  const dead = delivery({ offset: 3, body: Buffer.from('broken'), receivedAt: limit + 1 });
  const batches = [
    [kept(0, { receivedAt: limit }), kept(1, { receivedAt: limit + 1 })],
    [kept(2, { receivedAt: 2 * limit }), dead],
  ];
  const metrics = createMetrics({ catalogue: ingestionMetrics });
  const { tally } = await run(new ListSource(batches), { metrics, now: () => now });
  expect(tally).toMatchObject({ received: 4, streams: { historical_completions: 3 }, dead_letters: { not_json: 1 }, ahead: 3 });
  expect(await metrics.text()).toContain('aorta_receipts_ahead_total{source="list"} 3\n');
});

describe('metrics and progress', () => {
  test('for each source, the metrics count bytes, flushes, deliveries by outcome, and dead letters by reason', async () => {
    const metrics = createMetrics({ catalogue: ingestionMetrics });
    const bodies = [json({ event_type: TYPE, user_id: 'u' }), json({ event_type: 'x.y', user_id: 'u' }), Buffer.from('{')];
    const source = new ListSource([bodies.map((body, offset) => delivery({ offset, body })), [kept(0)]]);
    const refused = [
      { reason: 'value_does_not_fit', place: 'a' },
      { reason: 'sample_without_time', place: 'c' },
      { reason: 'no_id', place: 'd' },
    ] as const;
    await run(source, {
      metrics,
      read: readAnythingWith(refused),
    });
    const text = (await metrics.text()).split('\n');
    const bytes = [...bodies, kept(0).body].reduce((sum, { length }) => sum + length, 0);
    expect(text.filter((line) => /^aorta_(deliveries|delivery|dead_letters)_/.test(line))).toEqual([
      'aorta_deliveries_total{source="list",outcome="kept"} 2',
      'aorta_deliveries_total{source="list",outcome="unrouted"} 1',
      'aorta_deliveries_total{source="list",outcome="dead_letter"} 1',
      `aorta_delivery_bytes_total{source="list"} ${bytes}`,
      'aorta_dead_letters_total{source="list",reason="sample_without_time"} 2',
      'aorta_dead_letters_total{source="list",reason="not_json"} 1',
    ]);
    expect(text.some((line) => /^aorta_flush_seconds_count\{source="list"\} [1-9]/.test(line))).toBe(true);
  });

  test('the progress shows whether the consumer is waiting for the loader, the source or a flush', async () => {
    let now = 0;
    const progress = new Progress({ clock: () => now });
    const waits = () => progress.waits().map(({ part, reason }) => `${part}: ${reason}`);
    const [loading, source, quiet] = [gate(), gate(), new ListSource([[kept(0)], [kept(1)]])];
    const seen: string[][] = [];
    const [asked, read] = [gate(), gate()];
    quiet.beforeBatch = (ordinal) => {
      if (ordinal === 0) return Promise.resolve();
      read.open();
      return source.opened;
    };
    const running = run(quiet, {
      progress,
      ready: () => {
        asked.open();
        return loading.opened;
      },
    });
    await asked.opened;
    seen.push(waits());
    now += 599_999;
    expect(progress.stalls()).toEqual([]);
    now += 1;
    expect(progress.stalls().map(({ reason }) => reason)).toEqual([
      'consumer list has waited for 600 s (limit 600 s): loading is behind',
    ]);
    loading.open();
    await read.opened;
    seen.push(waits());
    now += 1e9;
    expect(progress.stalls()).toEqual([]);
    log.beforeFlush = async () => {
      seen.push(waits());
    };
    source.open();
    await running;
    expect(seen).toEqual([
      ['consumer list: loading is behind'],
      ['consumer list: nothing new from the source'],
      ['consumer list: the last flush'],
    ]);
    expect(waits()).toEqual([]);
  });
});

/** Deliveries with all possible outcomes, in two partitions. */
const anything: fc.Arbitrary<Delivery> = fc
  .record({
    partition: fc.constantFrom('0', '1'),
    offset: fc.integer({ min: 0, max: 30 }),
    body: fc.constantFrom(
      json({ event_type: TYPE, user_id: 'u' }),
      json({ event_type: 'labtest.courier.created', user_id: 'u' }),
      json({ event_type: TYPE, user_id: 'throws' }),
      json({ user_id: 'u' }),
      Buffer.from('7.77123, Ada'),
      Buffer.from([0x1f, 0x8b, 0]),
    ),
    id: fc.constantFrom('a', 'b', undefined),
  })
  .map(({ id, ...rest }) => delivery({ ...rest, headers: id === undefined ? {} : { 'idempotency-key': id } }));

const throwing: ConsumeOptions['read'] = (stream, type, body, receipt) => {
  if ((body as { user_id: string }).user_id === 'throws') throw new Error('Ada 7.77123');
  return readAnything(stream, type, body, receipt);
};

function cutUp(deliveries: readonly Delivery[], sizes: readonly number[]): Delivery[][] {
  const batches: Delivery[][] = [];
  for (let at = 0, turn = 0; at < deliveries.length; turn += 1) {
    const size = sizes[turn % sizes.length]!;
    batches.push(deliveries.slice(at, at + size));
    at += size;
  }
  return batches;
}

const contents = (of: MemoryLog) => Object.fromEntries(streamNames.map((name: StreamName) => [name, of.all(name)]));

test('every delivery goes to exactly one stream and is counted once, no matter how the deliveries are split into batches', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anything, { maxLength: 60 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
      async (deliveries, sizes) => {
        await rm(folder, { recursive: true, force: true });
        log = new MemoryLog();
        const { tally } = await run(new ListSource(cutUp(deliveries, sizes)), { read: throwing, pace: { flushDeliveries: 7 } });
        const appended = streamNames.reduce((total, name) => total + log.end(partitionOf(name)), 0);
        expect(appended).toBe(deliveries.length);
        expect(tally.received).toBe(deliveries.length);
        expect(sum(tally)).toBe(tally.received);

        const split = contents(log);
        await rm(folder, { recursive: true, force: true });
        log = new MemoryLog();
        const whole = await run(new ListSource([deliveries]), { read: throwing });
        expect(contents(log)).toEqual(split);
        expect(whole.tally).toEqual(tally);
      },
    ),
    { numRuns: 60 },
  );
});

test('values from deliveries appear only in the streams', async () => {
  const written: string[] = [];
  const logger = createLogger('debug', { write: (text: string) => void written.push(text) });
  const path = join(folder, 'a.ndjson');
  const value = { 'Ada Lovelace': 'ada@example.org', number: 7.77123 };
  const head = { source: 'hub', partition: 0, received_at: '2026-01-01T00:00:00Z', headers: { 'user-id': 'ada@example.org' } };
  const lines = [
    { ...head, offset: 0, body: { event_type: TYPE, user_id: 'someone else', data: value } },
    { ...head, offset: 1, body: { event_type: TYPE, user_id: 'ada@example.org', data: value } },
    { ...head, offset: 2, headers: { 'Ada Lovelace': ['ada@example.org'] }, body: value },
    { ...head, offset: 'ada@example.org', body: value },
    { ...head, offset: 3, received_at: 'ada@example.org 7.77123', body: value },
    { ...value, offset: 4 },
    { ...head, offset: 5, headers: {}, body: { event_type: TYPE, user_id: 'throws', data: value } },
  ].map((line) => JSON.stringify(line));
  await writeFile(path, [...lines, `{"Ada Lovelace": 7.77123`, `${lines[1]}`].join('\n'));
  const source = new FilesSource({ paths: [path] });
  const result = await run(source, { read: throwing, logger });
  expect(result).toMatchObject({
    ended: 'failed',
    tally: { received: 8, dead_letters: { user_disagrees: 1, not_a_delivery: 5, 'AORTA-BUG': 1 } },
  });
  const told = JSON.stringify([
    result,
    result.error?.message,
    source.errors,
    source.errors.map(({ message, remedy }) => message + remedy),
    written,
  ]);
  expect(source.errors).toHaveLength(5);
  expect(written).toHaveLength(1);
  expect(told).not.toMatch(/ada@|Lovelace|7\.77123|someone else/);
  expect(JSON.stringify(log.all('dead_letters').map(({ error_headers, places }) => [error_headers, places]))).not.toMatch(
    /ada@|Lovelace|7\.77123/,
  );
});
