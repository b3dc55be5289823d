import { codecOf, type StreamName, type StreamRecords } from '@aorta/schemas';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { inUse, NotEncodable, partitionName, partitionOf, type StreamLog, type StreamPartition } from '../stream-log.ts';
import { numbered, numbersOf, range } from './records.fixture.ts';

/** The storage of one stream log, for one test. */
export interface LogStorage {
  /** Opens the log for appending and reading. Each partition is read from its position in {@link carried}, or from its start if no position is known. */
  open(): Promise<StreamLog>;
  /** The position up to which each partition has been merged into the tables, by partition name. */
  readonly carried: Map<string, { readonly incarnation: string; readonly position: number }>;
  /** The consumer group that reads and commits. */
  readonly group: string;
  /** Replaces the stream with a new, empty one. Called only while no log is open. */
  remake(stream: StreamName): Promise<void>;
  /** After a call with true, all writes fail until a call with false. Undefined if {@link Abilities.refuses} is false. */
  readonly refuse?: (refused: boolean) => void;
  remove(): Promise<void>;
}

const plenty = { records: 1e6, bytes: 1e9 };
export const user = (name: string, number: number): StreamRecords['unrouted'] => ({ ...numbered(number), user_id: name });

/** Reads every partition of a stream from the given positions to its end, and updates the positions. */
export async function readOn(
  log: StreamLog,
  stream: StreamName = 'unrouted',
  positions = new Map<StreamPartition, number>(),
  limit = plenty,
): Promise<StreamRecords['unrouted'][]> {
  const all: StreamRecords['unrouted'][] = [];
  for (const of of log.assigned()) {
    if (of.stream !== stream) continue;
    let from = positions.get(of) ?? log.start(of);
    while (from < log.end(of)) {
      const start = from;
      const { records, to } = await until(
        `the record at position ${start}`,
        () => log.read(of as StreamPartition<'unrouted'>, start, limit),
        (read) => read.to > start,
      );
      all.push(...records);
      from = to;
    }
    positions.set(of, from);
  }
  return all;
}

const ascending = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);

/** Optional abilities of a stream log under test. */
interface Abilities {
  /** Whether the test can make writes fail with {@link LogStorage.refuse}, which is impossible with a real broker. Default: true. */
  readonly refuses?: boolean;
}

/** The test suite that every implementation of the stream log must pass. */
export function streamLogConformance(name: string, create: () => Promise<LogStorage>, { refuses = true }: Abilities = {}): void {
  describe(`${name}: append, read, commit`, () => {
    let place: LogStorage;
    let log: StreamLog;
    beforeEach(async () => {
      place = await create();
      log = await place.open();
    });
    afterEach(async () => {
      await log.close();
      await place.remove();
    });
    const reopen = async (): Promise<void> => {
      await log.close();
      log = await place.open();
    };

    test('flushed records are read back unchanged, also after the log is reopened', async () => {
      const records = range(0, 60).map((number) => ({
        ...user(`user-${number % 9}`, number),
        body: Buffer.alloc(number * 31, number),
      }));
      for (const record of records) log.append('unrouted', record);
      await log.flush();
      const byNumber = (some: readonly StreamRecords['unrouted'][]) =>
        [...some].sort((a, b) => a.receipt.offset - b.receipt.offset).map((record) => codecOf('unrouted').encode(record));
      expect(byNumber(await readOn(log))).toEqual(byNumber(records));
      await reopen();
      expect(byNumber(await readOn(log))).toEqual(byNumber(records));
    });

    test("records of one user stay in order when other users' records are appended in between", async () => {
      for (const number of range(0, 400)) {
        log.append('unrouted', user(`user-${number % 7}`, number));
        if (number % 37 === 0) await log.flush();
      }
      await log.flush();
      const records = await readOn(log);
      expect(records.length).toBe(400);
      for (const one of range(0, 7)) {
        const numbers = numbersOf(records.filter(({ user_id }) => user_id === `user-${one}`));
        expect(numbers).toEqual(ascending(numbers));
        expect(numbers.length).toBeGreaterThan(50);
      }
    });

    test('a record becomes visible only after the flush and counts as pending until it is durable', async () => {
      log.append('unrouted', user('a', 0));
      const bytes = log.pendingBytes();
      expect(bytes).toBeGreaterThan(50);
      expect(inUse(log)).toEqual([]);
      const flush = log.flush();
      log.append('unrouted', user('a', 2));
      expect(log.pendingBytes()).toBe(2 * bytes);
      // An implementation may or may not flush records that are appended just after the flush began.
      await flush;
      expect([0, bytes]).toContain(log.pendingBytes());
      await log.flush();
      expect(log.pendingBytes()).toBe(0);
      expect(numbersOf(await readOn(log))).toEqual([0, 2]);
    });

    test('a listener is called once for each flush that wrote something, until it unsubscribes', async () => {
      const heard: string[] = [];
      const endFirst = log.onDurable(() => heard.push('first'));
      log.onDurable(() => heard.push('second'));
      await log.flush();
      expect(heard).toEqual([]);
      log.append('unrouted', user('a', 0));
      log.append('unrouted', user('b', 1));
      await log.flush();
      expect(heard).toEqual(['first', 'second']);
      endFirst();
      log.append('unrouted', user('a', 2));
      await log.flush();
      expect(heard).toEqual(['first', 'second', 'second']);
    });

    test('closing the log drops records that were not flushed', async () => {
      log.append('unrouted', user('a', 0));
      await log.flush();
      log.append('unrouted', user('a', 1));
      await reopen();
      expect(numbersOf(await readOn(log))).toEqual([0]);
    });

    test('a record that does not fit the schema is rejected and leaves the log unchanged', async () => {
      log.append('unrouted', user('a', 0));
      const bytes = log.pendingBytes();
      expect(() => log.append('unrouted', { ...user('a', 1), body: 5 } as never)).toThrow(NotEncodable);
      expect(log.pendingBytes()).toBe(bytes);
      log.append('unrouted', user('a', 2));
      await log.flush();
      expect(numbersOf(await readOn(log))).toEqual([0, 2]);
    });

    test('a read respects its limits of records and bytes, but returns at least one record', async () => {
      for (const number of range(0, 40)) log.append('unrouted', user('a', number));
      await log.flush();
      const [of] = inUse(log) as [StreamPartition<'unrouted'>];
      await readOn(log, 'redelivered');
      const first = await until(
        'the first record',
        () => log.read(of, log.start(of), { records: 1, bytes: 1 }),
        ({ records }) => records.length > 0,
      );
      expect(numbersOf(first.records)).toEqual([0]);
      const positions = new Map<StreamPartition, number>([[of, first.to]]);
      expect(numbersOf(await readOn(log, 'unrouted', positions, { records: 3, bytes: first.bytes * 2 }))).toEqual(range(1, 40));
      const end = await log.read(of, log.end(of), plenty);
      expect([end.records, end.from, end.to]).toEqual([[], log.end(of), log.end(of)]);
      await expect(log.read(of, log.end(of) + 1, plenty)).rejects.toMatchObject({ code: 'AORTA-BUG' });
    });

    test('records of one stream do not appear in another', async () => {
      log.append('unrouted', user('a', 0));
      log.append('redelivered', user('a', 1) as never);
      await log.flush();
      expect(inUse(log).map(({ stream }) => stream)).toEqual(['redelivered', 'unrouted']);
      expect(numbersOf(await readOn(log))).toEqual([0]);
      expect(numbersOf(await readOn(log, 'redelivered'))).toEqual([1]);
    });

    test("a group's position survives a restart, and a position beyond the end is rejected", async () => {
      for (const number of range(0, 5)) log.append('unrouted', user('a', number));
      await log.flush();
      const [of] = inUse(log) as [StreamPartition];
      expect([log.committed(place.group, of), log.groups(of)]).toEqual([undefined, []]);
      await readOn(log);
      await log.commit(place.group, of, 3);
      await expect(log.commit(place.group, of, log.end(of) + 1)).rejects.toMatchObject({ code: 'AORTA-BUG' });
      await reopen();
      const [again] = inUse(log) as [StreamPartition];
      expect([log.committed(place.group, again), log.groups(again)]).toEqual([3, [place.group]]);
    });

    test("after a restart, reading resumes from the position of the tables, not from the group's committed position", async () => {
      for (const number of range(0, 6)) log.append('unrouted', user('a', number));
      await log.flush();
      const [of] = inUse(log) as [StreamPartition];
      await readOn(log);
      await log.commit(place.group, of, 5);
      place.carried.set(partitionName(of), { incarnation: log.incarnation(of), position: 2 });
      await reopen();
      const [again] = inUse(log) as [StreamPartition];
      expect(numbersOf(await readOn(log, 'unrouted', new Map([[again, 2]])))).toEqual([2, 3, 4, 5]);
    });

    test('a stream that is deleted and created again gets a new incarnation and is read from its start, even if it is longer than before', async () => {
      for (const number of range(0, 4)) log.append('unrouted', user('a', number));
      await log.flush();
      const [of] = inUse(log) as [StreamPartition];
      const before = log.incarnation(of);
      expect(before).not.toBe('');
      place.carried.set(partitionName(of), { incarnation: before, position: 4 });
      await reopen();
      expect(log.incarnation(inUse(log)[0]!)).toBe(before);
      await log.close();
      await place.remake('unrouted');
      log = await place.open();
      for (const number of range(0, 9)) log.append('unrouted', user('a', number));
      await log.flush();
      const [recreated] = inUse(log) as [StreamPartition];
      expect(log.incarnation(recreated)).not.toBe(before);
      expect(numbersOf(await readOn(log))).toEqual(range(0, 9));
      await reopen();
      expect(numbersOf(await readOn(log))).toEqual(range(0, 9));
    });

    const whereRefused = refuses ? test : () => {};
    whereRefused(
      'after a failed write the log rejects appends and flushes, and a reopened log still has the durable records',
      async () => {
        const refuse = place.refuse!;
        for (const number of range(0, 5)) log.append('unrouted', user('a', number));
        await log.flush();
        refuse(true);
        log.append('unrouted', user('a', 5));
        const refused = await log.flush().catch((error: unknown) => error);
        expect(refused).toMatchObject({ code: expect.stringMatching(/^AORTA-/) });
        refuse(false);
        expect(() => log.append('unrouted', user('a', 6))).toThrow(refused as Error);
        await expect(log.flush()).rejects.toBe(refused);
        await reopen();
        log.append('unrouted', user('a', 7));
        await log.flush();
        const numbers = numbersOf(await readOn(log));
        expect(numbers.slice(0, 5)).toEqual(range(0, 5));
        // In Kafka, the record whose write failed may still be in the topic.
        expect(numbers.filter((number) => number !== 5).slice(5)).toEqual([7]);
      },
    );

    test('a closed log rejects every use, and closing it again does nothing', async () => {
      await log.close();
      expect(() => log.append('unrouted', user('a', 0))).toThrow(expect.objectContaining({ code: 'AORTA-BUG' }));
      await expect(log.read(partitionOf('unrouted'), 0, plenty)).rejects.toMatchObject({ code: 'AORTA-BUG' });
      await log.close();
    });
  });
}
