import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Logger, silentLogger, writeDurably } from '@aorta/runtime';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { delivery, ListSource } from '../../../connectors/delivery.fixture.ts';
import type { Delivery } from '../../../connectors/source.ts';
import { damagesOf } from '../../../infra/machine/damage.fixture.ts';
import { createChain } from '../chain.ts';
import { consume } from '../consumer.ts';
import { MemoryLog } from '../memory-log.fixture.ts';
import { readAnything } from '../read-anything.fixture.ts';
import { createRouter } from '../router.ts';
import type { Classification, WindowLimits } from './entry.ts';
import { openRedeliveryWindow } from './history.ts';
import type { RedeliveryWindow } from './window.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'window-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const HOUR = 3_600_000_000;

/** A delivery in a partition. The delivery at offset n is normally received at hour n. `late` is its delay in hours. */
interface Logged {
  readonly id: string | null;
  readonly user: string | null;
  readonly body: number;
  readonly late: number;
  readonly kind: 'kept' | 'unrouted' | 'broken' | 'malformed';
}

const logged: fc.Arbitrary<Logged> = fc.record({
  id: fc.constantFrom('a', 'b', 'c', null),
  user: fc.constantFrom('u', 'v', null),
  body: fc.integer({ min: 0, max: 1 }),
  late: fc.integer({ min: -3, max: 3 }),
  kind: fc.constantFrom('kept', 'kept', 'kept', 'unrouted', 'broken', 'malformed'),
});

const limitsOf: fc.Arbitrary<WindowLimits> = fc.record({
  offsets: fc.constantFrom(0, 1, 2, 3, 5, 8, 100),
  bytes: fc.constantFrom(1, 120, 300, 1e9, 1e9, 1e9),
  hours: fc.constantFrom(1, 3, 1000, 1000, 1000),
});

function deliver(partition: string, offset: number, { id, user, body, late, kind }: Logged): Delivery {
  const text =
    kind === 'broken' ? `{"broken ${body}` : JSON.stringify({ user_id: user ?? 'nobody', filling: 'x'.repeat(body * 9) });
  return {
    ...delivery({
      partition,
      offset,
      receivedAt: offset * HOUR + late * HOUR,
      body: Buffer.from(text),
      headers: {
        'event-type': kind === 'unrouted' ? 'nobody.knows' : 'historical.data.sleep.created',
        ...(id === null || kind === 'malformed' ? {} : { 'idempotency-key': id }),
        ...(user === null ? {} : { 'user-id': user }),
      },
    }),
    ...(kind === 'malformed' ? { malformed: true as const } : {}),
  };
}

/** A naive implementation of the redelivery window, which compares a delivery with every earlier delivery. */
function naive(log: ReadonlyMap<number, Delivery>, offset: number, limits: WindowLimits): Classification {
  const own = log.get(offset)!;
  const id = own.headers.get('idempotency-key');
  if (id === undefined || limits.offsets === 0) return 'new';
  let verdict: Classification = 'new';
  for (const [at, other] of log) {
    if (at >= offset || at < offset - limits.offsets) continue;
    if (other.receivedAt < own.receivedAt - limits.hours * HOUR) continue;
    let bytes = 0;
    for (const [between, one] of log) {
      if (between >= at && between < offset && one.headers.has('idempotency-key')) bytes += one.body.length;
    }
    if (bytes > limits.bytes) continue;
    const same = ['idempotency-key', 'user-id', 'event-type'].every((name) => own.headers.get(name) === other.headers.get(name));
    if (!same) continue;
    if (own.body.equals(other.body)) return 'redelivered';
    verdict = 'same-id-other-body';
  }
  return verdict;
}

describe('the redelivery window matches a naive implementation', () => {
  /** A step of the test. `crash` drops the records that were not flushed, and reading resumes at the committed offset. */
  const step = fc.oneof(
    { weight: 10, arbitrary: fc.record({ do: fc.constant('read' as const), count: fc.integer({ min: 1, max: 12 }) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('skip' as const), count: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('rewind' as const), count: fc.constantFrom(1, 3, 10, 30, 1000) }) },
    ...(['flush', 'save', 'evict', 'restart', 'crash', 'lose snapshot', 'damage snapshot'] as const).map((what) => ({
      weight: 1,
      arbitrary: fc.record({ do: fc.constant(what), count: fc.constant(0) }),
    })),
  );

  test('for any log and any sequence of reads, gaps, rewinds, crashes, lost snapshots and evictions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(logged, { minLength: 60, maxLength: 90 }),
        limitsOf,
        fc.array(step, { minLength: 5, maxLength: 40 }),
        async (log, limits, steps) => {
          await rm(folder, { recursive: true, force: true });
          const reading = await Reading.begin(limits);
          for (const { do: what, count } of steps) await reading[what](log, count);
        },
      ),
      { numRuns: 150 },
    );
  });

  const limits = { offsets: 3, bytes: 1e9, hours: 1000 };
  const repeated: Logged = { id: 'a', user: 'u', body: 0, late: 0, kind: 'kept' };
  const single = (offset: number): Logged => ({ ...repeated, id: `single ${offset}` });

  test('for entries that a replay skips', async () => {
    const log = Array.from({ length: 60 }, (_, offset) => (offset === 2 || offset === 4 ? repeated : single(offset)));
    const reading = await Reading.begin(limits);
    await reading.read(log, 60);
    await reading.rewind(log, 60);
    await reading.read(log, 1);
    await reading.skip(log, 2);
    await reading.read(log, 10);
  });

  test('after a snapshot was damaged, even if records were appended after the snapshot', async () => {
    const log = Array.from({ length: 60 }, (_, offset) => (offset === 8 || offset === 11 ? repeated : single(offset)));
    const reading = await Reading.begin(limits);
    await reading.read(log, 9);
    await reading.save();
    await reading.read(log, 2);
    await reading['damage snapshot']();
    await reading.restart();
    await reading.read(log, 10);
  });

  /** Reads one partition through the chain, and compares each result with the naive implementation. */
  class Reading {
    readonly #limits: WindowLimits;
    readonly #streams = new MemoryLog();
    #window!: RedeliveryWindow;
    #known = new Map<number, Delivery>();
    #durable = new Map<number, Delivery>();
    #next = 0;
    #committed = 0;

    private constructor(limits: WindowLimits) {
      this.#limits = limits;
    }

    static async begin(limits: WindowLimits): Promise<Reading> {
      const reading = new Reading(limits);
      await reading.#open();
      return reading;
    }

    async read(log: readonly Logged[], count: number): Promise<void> {
      const take = createChain({
        log: this.#streams,
        window: this.#window,
        router: createRouter(),
        bodyBytes: 1e6,
        read: readAnything,
      });
      for (const end = Math.min(this.#next + count, log.length); this.#next < end; this.#next += 1) {
        const seen = deliver('0', this.#next, log[this.#next]!);
        if (!this.#window.covers('hub', '0', this.#next)) {
          await this.flush();
          await this.#window.restore('hub', '0', this.#next);
        }
        // The delivery is added after the flush, because the flush makes only earlier deliveries durable.
        this.#known.set(this.#next, seen);
        const { outcome, conflict } = take(seen);
        const judged = outcome.kind === 'redelivered' ? 'redelivered' : conflict ? 'same-id-other-body' : 'new';
        expect(judged).toBe(naive(this.#known, this.#next, this.#limits));
      }
    }

    async skip(_log: readonly Logged[], count: number): Promise<void> {
      this.#next += count;
    }

    async rewind(_log: readonly Logged[], count: number): Promise<void> {
      this.#next = Math.max(0, this.#next - count);
    }

    async flush(): Promise<void> {
      await this.#streams.flush();
      this.#durable = new Map(this.#known);
      this.#committed = this.#next;
    }

    async save(): Promise<void> {
      await this.flush();
      await this.#window.save();
    }

    async evict(): Promise<void> {
      await this.flush();
      await this.#window.evict();
    }

    async restart(): Promise<void> {
      await this.flush();
      await this.#open();
    }

    async crash(): Promise<void> {
      this.#streams.crash();
      this.#known = new Map(this.#durable);
      this.#next = this.#committed;
      await this.#open();
    }

    async 'lose snapshot'(): Promise<void> {
      await this.flush();
      await rm(folder, { recursive: true, force: true });
      await this.#open();
    }

    async 'damage snapshot'(): Promise<void> {
      const window = join(folder, 'redelivery-window');
      for (const name of await readdir(window).catch(() => [])) {
        if (name.endsWith('.window')) await writeFile(join(window, name), 'damaged');
      }
    }

    async #open(): Promise<void> {
      // There are so few slots that `evict` moves the partition to disk.
      this.#window = await openRedeliveryWindow({ folder, log: this.#streams, limits: this.#limits, slots: 1 });
    }
  }
});

describe('the redelivery window', () => {
  const limits = { offsets: 100, bytes: 1e9, hours: 48 };
  const sighting = (offset: number, deliveryId: string | null) => ({
    source: 'hub',
    partition: '0',
    offset,
    receivedAt: 0,
    userId: 'u',
    eventType: 't',
    deliveryId,
    bytes: 1,
    crc32: 1,
  });

  test('saves no file for a partition whose deliveries have no ids', async () => {
    const log = new MemoryLog();
    const window = await openRedeliveryWindow({ folder, log, limits, slots: 0 });
    for (let offset = 0; offset < 100; offset += 1) window.classify(sighting(offset, null));
    expect(window.isOverLimit()).toBe(false);
    await window.save();
    expect(await readdir(join(folder, 'redelivery-window'))).toEqual(['index.json']);
  });

  test('can be saved by several sources at the same time', async () => {
    const window = await openRedeliveryWindow({ folder, log: new MemoryLog(), limits });
    await Promise.all(Array.from({ length: 20 }, () => window.save()));
  });

  test('does not save personal identifiers', async () => {
    const window = await openRedeliveryWindow({ folder, log: new MemoryLog(), limits });
    window.classify({ ...sighting(0, 'id-of-a-delivery'), userId: 'ada@example.org' });
    await window.save();
    for (const name of await readdir(join(folder, 'redelivery-window'))) {
      const content = await readFile(join(folder, 'redelivery-window', name), 'latin1');
      expect(content).not.toMatch(/ada@example|id-of-a-delivery/);
    }
  });

  test('distinguishes deliveries by the combination of user, event type and id', async () => {
    const window = await openRedeliveryWindow({ folder, log: new MemoryLog(), limits });
    expect(window.classify({ ...sighting(0, 'c'), userId: 'a', eventType: 'b' })).toBe('new');
    expect(window.classify({ ...sighting(1, 'c'), userId: 'ab', eventType: null })).toBe('new');
    expect(window.classify({ ...sighting(2, 'bc'), userId: 'a', eventType: null })).toBe('new');
    expect(window.classify({ ...sighting(3, 'c'), userId: 'a', eventType: 'b' })).toBe('redelivered');
  });

  test('ignores a snapshot if the streams have a new incarnation', async () => {
    const log = new MemoryLog();
    const window = await openRedeliveryWindow({ folder, log, limits });
    const first = delivery({ offset: 0, headers: { 'idempotency-key': 'a' } });
    await consume(new ListSource([[first]]), log, { window, read: readAnything });
    const again = new MemoryLog();
    again.incarnationNumber = 2;
    const fresh = await openRedeliveryWindow({ folder, log: again, limits });
    const { tally } = await consume(new ListSource([[{ ...first, offset: 1 }]]), again, { window: fresh, read: readAnything });
    expect(tally.redelivered).toBe(0);
    const believed = await openRedeliveryWindow({ folder: join(folder, 'other'), log, limits });
    const { tally: other } = await consume(new ListSource([[{ ...first, offset: 1 }]]), log, {
      window: believed,
      read: readAnything,
    });
    expect(other.redelivered).toBe(1);
  });

  test('rejects a snapshot with a newer format', async () => {
    await mkdir(join(folder, 'redelivery-window'));
    await writeDurably(join(folder, 'redelivery-window', 'index.json'), { format: 3 });
    await expect(openRedeliveryWindow({ folder, log: new MemoryLog(), limits })).rejects.toMatchObject({
      code: 'AORTA-DATA-NEWER',
    });
  });

  test('is built from the streams if any byte of its files is damaged, and keeps the damaged file', async () => {
    const log = new MemoryLog();
    const deliveries = Array.from({ length: 3 }, (_, offset) =>
      delivery({ offset, headers: { 'idempotency-key': `${offset}` } }),
    );
    const first = await openRedeliveryWindow({ folder, log, limits });
    await consume(new ListSource([deliveries]), log, { window: first, read: readAnything });
    const files = (await readdir(join(folder, 'redelivery-window'))).map((name) => join(folder, 'redelivery-window', name));
    expect(files).toHaveLength(2);
    for (const file of files) {
      const written = await readFile(file);
      for (const { what, content } of damagesOf(written, 29)) {
        const warnings: unknown[] = [];
        const logger: Logger = { ...silentLogger, warn: (_, fields) => void warnings.push(fields) };
        await writeFile(file, content);
        const window = await openRedeliveryWindow({ folder, log, limits, logger });
        const again = { ...deliveries[1]!, offset: 3 };
        await window.restore(again.source, again.partition, again.offset);
        const ids = { userId: null, eventType: null, deliveryId: '1' };
        const verdict = window.classify({ ...again, ...ids, bytes: again.body.length, crc32: crc32(again.body) });
        expect([what, verdict]).toEqual([what, 'redelivered']);
        expect([what, warnings]).toEqual([what, [expect.objectContaining({ code: 'AORTA-STATE-DAMAGED' })]]);
        expect(await readFile(`${file}.damaged`)).toEqual(content);
        await rm(`${file}.damaged`);
        await writeFile(file, written);
      }
    }
  });

  test('is restored from a snapshot, and then reads only later records', async () => {
    const log = new MemoryLog();
    const deliveries = Array.from({ length: 70 }, (_, offset) =>
      delivery({ offset, headers: { 'idempotency-key': `${offset}` } }),
    );
    const window = await openRedeliveryWindow({ folder, log, limits });
    await consume(new ListSource([deliveries]), log, { window, read: readAnything });
    log.reads = 0;
    await openRedeliveryWindow({ folder, log, limits });
    expect(log.reads).toBe(0);
  });

  test('does not read the streams when a source repeats the same offsets', async () => {
    const log = new MemoryLog();
    const deliveries = Array.from({ length: 500 }, (_, offset) =>
      delivery({ offset, headers: { 'idempotency-key': `${offset % 90}` } }),
    );
    const window = await openRedeliveryWindow({ folder, log, limits });
    const first = await consume(new ListSource([deliveries]), log, { window, read: readAnything });
    const second = await consume(new ListSource([deliveries]), log, { window, read: readAnything });
    expect(log.reads).toBe(0);
    expect(first.tally.redelivered).toBe(410);
    expect(second.tally).toEqual(first.tally);
  });
});
