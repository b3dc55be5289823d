import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Source } from '@aorta/connectors';
import { type Consumption, consume, openRedeliveryWindow } from '@aorta/ingestion';
import { AortaError } from '@aorta/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MemoryLog } from '../../pipelines/ingestion/memory-log.fixture.ts';
import { readAnything } from '../../pipelines/ingestion/read-anything.fixture.ts';

/** A delivery in the form that a producer sends. */
export interface Sent {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: string | null;
}

interface OpenOptions {
  /** Length of the redelivery window, in offsets. */
  readonly window: number;
  /** Whether the source ends after reading the deliveries that exist when it starts. */
  readonly once: boolean;
  /** Maximum number of bytes that the source may buffer. Absent if there is no limit. */
  readonly heldBytes?: number;
}

/** Partitions to which a test appends deliveries, and sources that read them in one consumer group. */
export interface SourceUnderTest {
  /** Names of the partitions, as they appear in receipts. */
  readonly partitions: readonly string[];
  /** Appends to the partition with this index. Resolves when the deliveries are durable. */
  put(partition: number, deliveries: readonly Sent[]): Promise<void>;
  open(options: OpenOptions): Promise<Source & { readonly heldBytes?: number }>;
  remove(): Promise<void>;
}

const TYPE = 'historical.data.sleep.created';
const PARTITIONS = 3;
/** Padding that keeps a broker's batch below a thousand deliveries. */
const PADDING = 'x'.repeat(500);

/** Returns a valid delivery. The number makes its body unique. */
function numbered(number: number, parts: { readonly id?: string; readonly gzip?: true } = {}): Sent {
  const json = Buffer.from(JSON.stringify({ number, user_id: 'u', padding: PADDING }));
  return {
    body: parts.gzip === true ? gzipSync(json) : json,
    headers: {
      'event-type': TYPE,
      'user-id': 'u',
      'idempotency-key': parts.id ?? `id-${number}`,
      ...(parts.gzip === true ? { 'content-encoding': 'gzip' } : {}),
    },
    key: 'u',
  };
}

/**
 * Tests the rules that every {@link Source} must follow: order, offsets and dead letters. `whyNot` is the reason for
 * skipping the tests.
 */
export function sourceConformance(name: string, make: (partitions: number) => Promise<SourceUnderTest>, whyNot?: string): void {
  let place: SourceUnderTest;
  let folder: string;
  let log: MemoryLog;
  interface RunOptions extends Partial<OpenOptions> {
    readonly signal?: AbortSignal;
    /** Called with the number of deliveries received so far. */
    readonly onTaken?: (received: number) => void;
  }

  async function run({ signal, onTaken, window = 0, once = true, ...options }: RunOptions = {}): Promise<Consumption> {
    const source = await place.open({ window, once, ...options });
    const redelivery = await openRedeliveryWindow({ folder, log, limits: { offsets: window, bytes: 2 ** 28, hours: 48 } });
    return consume(source, log, {
      window: redelivery,
      read: readAnything,
      pace: { flushDeliveries: 100, flushAfterMs: 50 },
      signal,
      onProgress: onTaken === undefined ? undefined : ({ received }: { readonly received: number }) => onTaken(received),
    });
  }

  /** Returns the offsets of a stream's records by partition, in the order of the stream. */
  function offsets(stream: 'historical_completions' | 'redelivered' | 'dead_letters' = 'historical_completions') {
    const found = new Map<string, number[]>();
    for (const { receipt } of log.all(stream))
      found.set(receipt.partition, [...(found.get(receipt.partition) ?? []), receipt.offset]);
    return found;
  }

  const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
  const fill = (count: number, first = 0) =>
    Promise.all(
      place.partitions.map((_, partition) =>
        place.put(
          partition,
          upTo(count).map((at) => numbered(partition * 100_000 + first + at)),
        ),
      ),
    );
  const everything = (count: number) => new Map([...place.partitions].sort().map((partition) => [partition, upTo(count)]));
  const sorted = (found: Map<string, number[]>) => new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));

  describe.skipIf(whyNot !== undefined)(`${name}${whyNot === undefined ? '' : ` (${whyNot})`}`, () => {
    beforeEach(async () => {
      [place, folder] = await Promise.all([make(PARTITIONS), mkdtemp(join(tmpdir(), 'source-'))]);
      log = new MemoryLog();
    });
    afterEach(async () => {
      await place.remove();
      await rm(folder, { recursive: true, force: true });
    });

    test('with `once`, the source reads every partition in order and without gaps, and then ends', async () => {
      await fill(700);
      const { ended, tally } = await run();
      expect([ended, tally.received]).toEqual(['drained', 3 * 700]);
      expect(sorted(offsets())).toEqual(everything(700));
    });

    test('with `once`, the source ends if there are no deliveries', async () => {
      expect(await run()).toMatchObject({ ended: 'drained', tally: { received: 0 } });
    });

    test('a consumer stopped at any point resumes without losing or repeating a delivery', async () => {
      await fill(700);
      for (const stopAt of [1, 200, 300]) {
        const stopping = new AbortController();
        const { ended } = await run({
          signal: stopping.signal,
          onTaken: (taken) => taken >= stopAt && stopping.abort(),
        });
        expect(['stopped', 'drained']).toContain(ended);
      }
      await run();
      expect(sorted(offsets())).toEqual(everything(700));
      await fill(5, 700);
      expect((await run()).tally.received).toBe(15);
      expect(sorted(offsets())).toEqual(everything(705));
    });

    test('after a crash, the source repeats exactly the deliveries that were not durable', async () => {
      await fill(300);
      await run();
      await fill(300, 300);
      log.beforeFlush = async () => {
        throw new AortaError('AORTA-DATA-UNWRITABLE', { path: 'x', code: 'ENOSPC' });
      };
      await expect(run()).rejects.toMatchObject({ code: 'AORTA-DATA-UNWRITABLE' });
      log.crash();
      expect(sorted(offsets())).toEqual(everything(300));
      await run();
      expect(sorted(offsets())).toEqual(everything(600));
    });

    test('a process without a window snapshot recognizes redeliveries of earlier deliveries', async () => {
      await place.put(
        0,
        upTo(20).map((number) => numbered(number)),
      );
      await run({ window: 100 });
      await rm(folder, { recursive: true });
      await place.put(0, [numbered(3), numbered(7), numbered(20), { ...numbered(8), body: Buffer.from('{"user_id":"u"}') }]);
      const { tally } = await run({ window: 100 });
      expect(tally).toMatchObject({ received: 4, redelivered: 2, conflicts: 1 });
      expect(offsets('redelivered')).toEqual(new Map([[place.partitions[0], [20, 21]]]));
    });

    test('with a redelivery window of 0 offsets, the source recognizes no redeliveries', async () => {
      await place.put(0, [numbered(0), numbered(0)]);
      expect((await run({ window: 0 })).tally).toMatchObject({ received: 2, redelivered: 0 });
    });

    test('an unreadable delivery becomes a dead letter with its bytes, key and headers, and the source continues', async () => {
      const headers = { 'event-type': TYPE, 'user-id': 'u', 'idempotency-key': 'x', trace: 'Ünï' };
      const bodies = [Buffer.from('{"half":'), Buffer.from([0xff, 0xfe, 0x00]), Buffer.alloc(0), Buffer.from('[]')];
      const bad: Sent[] = [
        ...bodies.map((body) => ({ body, headers, key: 'k' })),
        { body: bodies[0]!, headers: { ...headers, 'content-encoding': 'gzip' }, key: null },
      ];
      await place.put(1, [numbered(0), ...bad, numbered(1, { gzip: true })]);
      const { tally } = await run();
      expect(tally).toMatchObject({ received: 7, streams: { historical_completions: 2 } });
      expect(tally.dead_letters).toEqual({ not_json: 2, not_utf8: 1, not_an_event: 1, not_gzip: 1 });
      const letters = log.all('dead_letters');
      expect(letters.map(({ body }) => body)).toEqual(bad.map(({ body }) => body));
      expect(letters.map(({ key }) => key?.toString() ?? null)).toEqual(bad.map(({ key }) => key));
      for (const letter of letters) {
        expect(
          Object.fromEntries(Object.entries(letter.headers).map(([header, bytes]) => [header, bytes.toString()])),
        ).toMatchObject(headers);
      }
    });

    test('the source limits the bytes that it buffers while the consumer is slow', async () => {
      const limit = 64 * 1024;
      await fill(2000);
      const source = await place.open({ window: 0, once: true, heldBytes: limit });
      const seen = new Map<string, number[]>();
      let most = 0;
      let batches = 0;
      for await (const { deliveries } of source.batches(new AbortController().signal)) {
        // The consumer is slow at first, so that a source that reads ahead can fill its buffer.
        batches += 1;
        if (batches <= 5) await sleep(200);
        most = Math.max(most, source.heldBytes ?? 0);
        for (const { partition, offset } of deliveries) {
          const known = seen.get(partition);
          if (known === undefined) seen.set(partition, [offset]);
          else known.push(offset);
        }
      }
      await source.close?.();
      expect(sorted(seen)).toEqual(everything(2000));
      // Each partition may exceed the limit by one batch. Without a limit, the source would buffer more than 3 MB.
      if (source.heldBytes !== undefined) expect(most).toBeLessThan(limit + PARTITIONS * 1024 * 1024);
    });

    test('an empty commit changes nothing, and uncommitted deliveries are read again', async () => {
      await fill(10);
      const first = await place.open({ window: 0, once: true });
      let taken = 0;
      for await (const { deliveries } of first.batches(new AbortController().signal)) taken += deliveries.length;
      await first.commit([]);
      await first.close?.();
      expect(taken).toBe(30);
      expect((await run()).tally.received).toBe(30);
    });
  });
}
