import { AortaError, Progress, silentLogger } from '@aorta/runtime';
import { expect, test } from 'vitest';
import { partitionOf, type ReadBatch, type StreamPartition } from '../stream-log.ts';
import { ReadPositions, StreamReader, type StreamReaderOptions } from './stream-reader.ts';

const LIMIT = { records: 2, bytes: 1e6 };

/** A log of two partitions with five records each. Tests change its behaviour through `state`. */
function script() {
  const [sleep, second] = [partitionOf('sleep'), partitionOf('sleep', 2)];
  const state = { assigned: [sleep, second] as StreamPartition[], incarnation: 'a', start: 0, onRead: () => {} };
  const log = {
    assigned: () => state.assigned,
    incarnation: () => state.incarnation,
    start: () => state.start,
    end: () => 5,
    read: async (of: StreamPartition, from: number): Promise<ReadBatch<never>> => {
      state.onRead();
      return { stream: of.stream as never, from, to: Math.min(5, from + LIMIT.records), records: [], bytes: 1 };
    },
  };
  return { sleep, second, state, log };
}

const open = (log: object, kept = {}, more: Partial<StreamReaderOptions> = {}) => {
  const positions = new ReadPositions(kept);
  const options = { log: log as StreamReaderOptions['log'], positions, dropped: 'skip' as const, logger: silentLogger };
  return { positions, reader: new StreamReader({ ...options, ...more }) };
};

/** Reads everything and returns the position at which each batch began. */
async function readAll(reader: StreamReader): Promise<string[]> {
  const began: string[] = [];
  for (const partition of reader.partitions())
    for (let batch = await partition.next(LIMIT); batch !== undefined; batch = await partition.next(LIMIT)) {
      began.push(`${partition.of.partition}: ${batch.from}`);
      partition.advance(batch.to);
    }
  return began;
}

test('only partitions of the requested streams are read, each from its saved position', async () => {
  const { log } = script();
  const { reader, positions } = open(log, { 'sleep/0': { incarnation: 'a', position: 3 } });
  expect(await reader.isBehind()).toBe(true);
  expect(await readAll(reader)).toEqual(['0: 3', '2: 0', '2: 2', '2: 4']);
  expect(positions.all()).toEqual({ 'sleep/0': { incarnation: 'a', position: 5 }, 'sleep/2': { incarnation: 'a', position: 5 } });
  expect(await reader.isBehind()).toBe(false);
  expect(open(log, {}, { streams: ['body'] }).reader.partitions()).toEqual([]);
});

test('a partition with a new incarnation is read from its start', async () => {
  const { log } = script();
  const { reader } = open(log, { 'sleep/0': { incarnation: 'before', position: 3 } });
  expect(reader.partitions().map(({ read, position }) => [read, position])).toEqual([
    [undefined, 0],
    [undefined, 0],
  ]);
});

test('the reader skips records that retention has deleted, unless `dropped` is `refuse`', async () => {
  const { log, state } = script();
  state.start = 4;
  const kept = { 'sleep/0': { incarnation: 'a', position: 3 } };
  expect(open(log, kept).reader.partitions()[0]!.position).toBe(4);
  expect(open(log, kept, { dropped: 'refuse' }).reader.partitions()[0]!.position).toBe(3);
});

test('a damaged partition is logged once and read no further, while the other partitions continue', async () => {
  const { log, state } = script();
  const logged: unknown[] = [];
  const progress = new Progress();
  const { reader } = open(
    log,
    {},
    {
      logger: { ...silentLogger, error: (event, fields) => void logged.push([event, fields?.code]) },
      lane: ({ of }) => progress.lane({ kind: 'stream', reader: 'r', of: String(of.partition) }, { part: 'r' }),
    },
  );
  let broken = true;
  state.onRead = () => {
    if (broken) throw new AortaError({ code: 'AORTA-SEGMENT-CORRUPT', class: 'setup', message: 'm', remedy: 'r', details: {} });
  };
  const [first, second] = reader.partitions();
  expect(await first!.next(LIMIT)).toBeUndefined();
  broken = false;
  expect(await first!.next(LIMIT)).toBeUndefined();
  expect(await second!.next(LIMIT)).toBeDefined();
  expect(first!.damage?.code).toBe('AORTA-SEGMENT-CORRUPT');
  expect(logged).toEqual([['stream cannot be read', 'AORTA-SEGMENT-CORRUPT']]);
  expect(progress.lanes().map(({ of, state: word }) => [of, word])).toEqual([
    ['0', 'damaged'],
    ['2', 'reading'],
  ]);
});

test('an error other than damage makes the reader reject', async () => {
  const { log, state } = script();
  state.onRead = () => {
    throw new AortaError('AORTA-BUG', { place: 'log', problem: 'test' });
  };
  await expect(readAll(open(log).reader)).rejects.toMatchObject({ code: 'AORTA-BUG' });
});

test('a batch is discarded if its partition is revoked during the read, and a reassigned partition is read again', async () => {
  const { log, state, sleep, second } = script();
  const { reader } = open(log);
  state.assigned = [second];
  const [before] = reader.partitions();
  state.onRead = () => {
    state.assigned = [];
  };
  expect(await before!.next(LIMIT)).toBeUndefined();
  expect([before!.isAssigned, reader.partitions()]).toEqual([false, []]);
  state.assigned = [partitionOf('sleep', 2), sleep];
  state.onRead = () => {};
  expect(reader.partitions()[0]).not.toBe(before);
  expect(await readAll(reader)).toHaveLength(6);
});

test('growth of a partition is reported only if its progress lane is already open', () => {
  const { log } = script();
  const progress = new Progress();
  const lane: StreamReaderOptions['lane'] = ({ of }) =>
    progress.lane({ kind: 'stream', reader: 'r', of: String(of.partition) }, { part: 'r' });
  const { reader } = open({ ...log, end: () => 7 }, {}, { lane });
  const [first] = reader.partitions();
  first!.lane!.report({ position: 5, end: 5 });
  reader.reportEnds();
  expect(progress.lanes().map(({ of, position, end }) => [of, position, end])).toEqual([['0', 5, 7]]);
  reader.close();
  expect(progress.lanes()).toEqual([]);
});

test('a batch keeps the portions before an unreadable portion, and the read rejects if the first portion is unreadable', async () => {
  const { log, state } = script();
  const [partition] = open(log).reader.partitions();
  let reads = 0;
  state.onRead = () => {
    if (++reads > 2) throw new Error('not to be read');
  };
  const portions: unknown[] = [];
  const batch = { add: (records: readonly unknown[]) => void portions.push(records) };
  const readInto = () => partition!.readInto(batch, { records: 10, bytes: 1e6 }, (read) => read);
  expect(await readInto()).toEqual({ to: 4, records: 0, lastReceivedAt: undefined });
  expect(portions).toHaveLength(2);
  partition!.advance(4);
  await expect(readInto()).rejects.toThrow('not to be read');
});

test('a batch is discarded if its partition is revoked while portions are read', async () => {
  const { log, state } = script();
  const [partition] = open(log).reader.partitions();
  state.onRead = () => {
    state.assigned = [];
  };
  expect(await partition!.readInto({ add: () => {} }, LIMIT, (read) => read)).toBeUndefined();
});
