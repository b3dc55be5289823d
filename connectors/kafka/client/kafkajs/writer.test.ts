import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { KafkajsAdmin } from './admin.ts';
import { type Fate, IdempotentBrokers } from './idempotent-brokers.fixture.ts';
import { IdempotentWriter } from './writer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const PARTITIONS = [0, 1, 2, 3];

function writerOn(brokers: IdempotentBrokers): IdempotentWriter {
  const admin: Partial<KafkajsAdmin> = { partitions: async () => PARTITIONS.length, isMissing: async () => false };
  return new IdempotentWriter({
    open: () => brokers.open(),
    admin: admin as KafkajsAdmin,
    compression: 0,
    batchRecords: 3,
    requestBytes: 100_000,
    patienceMs: 120_000,
    limitOf: async () => 10_000,
  });
}

/** Writes to a partition. Returns the offset of the first record, or the error code. */
async function written(writer: IdempotentWriter, partition: number, values: readonly string[]): Promise<number | string> {
  const done = new Promise<number | string>((resolve) => {
    const records = values.map((value) => ({ key: null, value: Buffer.from(value) }));
    writer.push({ to: { topic: 't', partition }, records, written: resolve, failed: ({ code }) => resolve(code) });
  });
  return done;
}

async function settled<T>(work: Promise<T>): Promise<T> {
  let over = false;
  void work.finally(() => {
    over = true;
  });
  while (!over) await vi.advanceTimersByTimeAsync(50);
  return work;
}

const passing: readonly Fate[] = ['well', 'request lost', 'answer lost', 'replicas slow', 'moved'];

test('each record is written once and in order, and its offset is returned, even if requests fail', async () => {
  const fates = fc.array(fc.constantFrom(...passing), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fates, async (some) => {
      const brokers = new IdempotentBrokers(some);
      const writer = writerOn(brokers);
      for (const round of ['a', 'b', 'c']) {
        // Two calls per partition. One of them is larger than a batch.
        const values = [[1, 2, 3, 4].map((at) => `${round}${at}`), [`${round}5`]];
        const calls = PARTITIONS.flatMap((partition) => values.map((few) => written(writer, partition, few)));
        const offsets = await settled(Promise.all(calls));
        const before = 'abc'.indexOf(round) * 5;
        expect(offsets).toEqual(PARTITIONS.flatMap(() => [before, before + 4]));
      }
      await settled(writer.close());
      const all = ['a', 'b', 'c'].flatMap((round) => [1, 2, 3, 4, 5].map((at) => `${round}${at}`));
      expect(PARTITIONS.map((partition) => brokers.values(partition))).toEqual(PARTITIONS.map(() => all));
    }),
    { numRuns: 200 },
  );
});

test('if a record is refused on a retry after a lost answer, the next record is still written', async () => {
  const brokers = new IdempotentBrokers(['answer lost', 'forbidden']);
  const writer = writerOn(brokers);
  expect(await settled(written(writer, 0, ['first']))).toBe('AORTA-KAFKA-FORBIDDEN');
  expect(await settled(written(writer, 0, ['second']))).toBe(1);
  expect(brokers.values(0)).toEqual(['first', 'second']);
});

test('if the writer gives up on a record after two minutes, it reports an error and still writes the next record', async () => {
  const brokers = new IdempotentBrokers(['answer lost', ...Array.from({ length: 300 }, (): Fate => 'request lost')]);
  const writer = writerOn(brokers);
  expect(await settled(written(writer, 0, ['first']))).toBe('AORTA-KAFKA-UNACKNOWLEDGED');
  brokers.fates.length = 0;
  expect(await settled(written(writer, 0, ['second']))).toBe(1);
  expect(brokers.values(0)).toEqual(['first', 'second']);
});
