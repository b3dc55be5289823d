import { setImmediate as turn } from 'node:timers/promises';
import { silentLogger } from '@aorta/runtime';
import type { StreamName, StreamRecords } from '@aorta/schemas';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inUse, partitionName, type StreamLog, type StreamPartition } from '../../stream-log.ts';
import { readOn, user } from '../../streams/conformance.fixture.ts';
import { numbered, numbersOf, range } from '../../streams/records.fixture.ts';
import { topicOf } from '../../streams/topic-names.ts';
import { openKafkaLog } from './kafka-log.ts';
import { MemoryKafka } from './memory-kafka.fixture.ts';
import type { KafkaStreamsOptions } from './options.ts';
import { GROUP_OF_TESTS, settingsOf } from './settings.fixture.ts';
import { applyTopics, groupOf } from './topics.ts';

/** Tests the behaviour that only Kafka topics have: rebalances, gaps in positions, and records that have not arrived yet. */

let kafka: MemoryKafka;
let settings: ReturnType<typeof settingsOf>;
let carried: Map<string, { incarnation: string; position: number }>;
let news: number;
let opened: StreamLog[];
let warned: unknown[];

async function prepare(options: Partial<KafkaStreamsOptions> = {}): Promise<void> {
  kafka = new MemoryKafka();
  settings = settingsOf({ partitions: 4, ...options });
  await applyTopics(kafka.client().admin, settings);
  carried = new Map();
  news = 0;
  opened = [];
  warned = [];
}
beforeEach(() => prepare());
afterEach(async () => {
  for (const log of opened) await log.close();
});

async function open(name = 'worker', append = true, options = settings): Promise<StreamLog> {
  const log = await openKafkaLog({
    client: kafka.client(name),
    settings: options,
    append,
    logger: { ...silentLogger, warn: (_, fields) => warned.push(fields?.message) },
    read: { group: GROUP_OF_TESTS, carried: (of) => carried.get(partitionName(of)), onNews: () => news++ },
  });
  opened.push(log);
  return log;
}

const plenty = { records: 1e6, bytes: 1e9 };
type Unrouted = StreamPartition<'unrouted'>;
const unrouted = (log: StreamLog): Unrouted[] =>
  log.assigned().filter((of): of is Unrouted => of.stream === 'unrouted' && log.end(of) > 0);

async function append(log: StreamLog, numbers: readonly number[], record = (number: number) => user('a', number)) {
  for (const number of numbers) log.append('unrouted', record(number));
  await log.flush();
  for (let turns = 0; turns < 5; turns++) await turn();
}

test('two members divide the partitions, and a rebalance creates new partition objects', async () => {
  const first = await open('first');
  await append(first, range(0, 40), (number) => user(`user-${number}`, number));
  const before = first.assigned();
  const second = await open('second');
  const names = (log: StreamLog) => log.assigned().map(partitionName);
  expect(new Set([...names(first), ...names(second)]).size).toBe(before.length);
  expect(names(first).length + names(second).length).toBe(before.length);
  expect(first.assigned().some((of) => before.includes(of))).toBe(false);
  const numbers = [...numbersOf(await readOn(first)), ...numbersOf(await readOn(second))];
  expect(numbers.sort((a, b) => a - b)).toEqual(range(0, 40));
});

test('a revoked partition returns no records and accepts no commit', async () => {
  const first = await open('first');
  await append(first, range(0, 3));
  const [of] = unrouted(first) as [Unrouted];
  expect((await first.read(of, 0, { records: 1, bytes: 1 })).to).toBe(1);
  await first.commit(GROUP_OF_TESTS, of, 1);
  await kafka.share(groupOf(settings, GROUP_OF_TESTS));
  expect((await first.read(of, 1, plenty)).records).toEqual([]);
  await first.commit(GROUP_OF_TESTS, of, 3);
  expect(
    kafka.committed(groupOf(settings, GROUP_OF_TESTS), { topic: topicOf(settings, 'unrouted'), partition: of.partition }),
  ).toBe(1);
});

test('while a rebalance waits for returned records to be committed, reads return nothing', async () => {
  const log = await open();
  await append(log, range(0, 3));
  const [of] = unrouted(log) as [Unrouted];
  const { to } = await log.read(of, 0, { records: 2, bytes: 1e9 });
  let shared = false;
  const sharing = kafka.share(groupOf(settings, GROUP_OF_TESTS)).then(() => {
    shared = true;
  });
  for (let turns = 0; turns < 9; turns++) await turn();
  expect(shared).toBe(false);
  expect(log.assigned()).not.toContain(of);
  expect((await log.read(of, to, plenty)).records).toEqual([]);
  await log.commit(GROUP_OF_TESTS, of, to);
  await sharing;
  expect(log.committed(GROUP_OF_TESTS, unrouted(log)[0]!)).toBe(2);
});

test('a partition ends where an open transaction of another program holds it, and a warning says so', async () => {
  const writer = await open('writer');
  await append(writer, range(0, 5));
  const [{ partition }] = unrouted(writer) as [Unrouted];
  await writer.close();
  const topic = topicOf(settings, 'unrouted');
  const log = kafka.logs.get(topic)![partition]!;
  log.held = 3;
  const reader = await open('reader');
  expect(unrouted(reader).map((of) => reader.end(of))).toEqual([3]);
  expect(numbersOf(await readOn(reader))).toEqual(range(0, 3));
  // Records that this process appends cannot be read either.
  await append(reader, [5]);
  await reader.look?.();
  expect(unrouted(reader).map((of) => reader.end(of))).toEqual([3]);
  const where = `${topic}, partition ${partition}, at offset 3: nothing from there up to offset 5`;
  expect(warned).toEqual([expect.stringContaining(where)]);
  delete log.held;
  await reader.look?.();
  expect(unrouted(reader).map((of) => reader.end(of))).toEqual([6]);
  expect(warned).toHaveLength(1);
});

test('a reader skips gaps in positions, even at the end of the partition', async () => {
  kafka.gaps = 3;
  const log = await open();
  await append(log, range(0, 25));
  const [of] = unrouted(log) as [Unrouted];
  const positions = new Map<StreamPartition, number>();
  expect(numbersOf(await readOn(log, 'unrouted', positions, { records: 4, bytes: 1e9 }))).toEqual(range(0, 25));
  expect(positions.get(of)).toBe(100);
  // A partition may end with positions that hold no records, for example with a transaction marker.
  kafka.logs.get(topicOf(settings, 'unrouted'))![of.partition]!.end += 2;
  kafka.deliver();
  expect(await log.read(of, 100, plenty)).toMatchObject({ from: 100, to: 102, records: [] });
});

test('a read returns only records that have arrived, and the reader is notified when more records arrive', async () => {
  const log = await open();
  kafka.held = true;
  await append(log, [0]);
  const [of] = unrouted(log) as [Unrouted];
  expect([log.end(of), await log.read(of, 0, plenty)]).toMatchObject([1, { from: 0, to: 0, records: [] }]);
  kafka.held = false;
  const before = news;
  kafka.deliver();
  expect(news).toBeGreaterThan(before);
  expect(numbersOf((await log.read(of, 0, plenty)).records)).toEqual([0]);
});

test('the records of the last read can be read again, but earlier records cannot', async () => {
  const log = await open();
  await append(log, range(0, 9));
  const [of] = unrouted(log) as [Unrouted];
  const limit = { records: 4, bytes: 1e9 };
  expect(numbersOf((await log.read(of, 0, limit)).records)).toEqual(range(0, 4));
  expect(numbersOf((await log.read(of, 0, limit)).records)).toEqual(range(0, 4));
  expect(numbersOf((await log.read(of, 4, limit)).records)).toEqual(range(4, 8));
  await expect(log.read(of, 3, limit)).rejects.toMatchObject({ code: 'AORTA-BUG' });
});

test('a partition whose buffer is full is paused, and resumes after records are read', async () => {
  await prepare({ buffer_bytes: 1024 * 1024 });
  const log = await open();
  await append(log, range(0, 400), (number) => ({ ...numbered(number, 10_000), user_id: 'a' }));
  expect(kafka.calls.filter((call) => call.startsWith('pause')).length).toBe(1);
  const [of] = unrouted(log) as [Unrouted];
  const numbers: number[] = [];
  let most = 0;
  for (let from = 0; from < 400; ) {
    const { records, to, bytes } = await log.read(of, from, { records: 1000, bytes: 1e9 });
    most = Math.max(most, bytes);
    numbers.push(...numbersOf(records));
    from = to;
    await turn();
  }
  expect(numbers).toEqual(range(0, 400));
  expect(most).toBeLessThan(600_000);
  expect(kafka.calls.filter((call) => call.startsWith('resume')).length).toBeGreaterThan(3);
});

test('a failed commit does not reject, because the next owner resumes where merging into the tables stopped', async () => {
  const log = await open();
  await append(log, range(0, 3));
  const [of] = unrouted(log) as [Unrouted];
  await log.read(of, 0, plenty);
  kafka.commitFails = true;
  await log.commit(GROUP_OF_TESTS, of, 3);
  expect(log.committed(GROUP_OF_TESTS, of)).toBeUndefined();
});

test('if retention deleted records before they were merged into the tables, reads fail unless `overtaken` is `continue`', async () => {
  const log = await open();
  await append(log, range(0, 6));
  const [of] = unrouted(log) as [Unrouted];
  carried.set(partitionName(of), { incarnation: log.incarnation(of), position: 2 });
  kafka.dropBefore(topicOf(settings, 'unrouted'), of.partition, 4);
  await kafka.share(groupOf(settings, GROUP_OF_TESTS));
  const [stopped] = unrouted(log) as [Unrouted];
  await expect(log.read(stopped, 2, plenty)).rejects.toMatchObject({
    code: 'AORTA-STREAM-OVERTAKEN',
    details: { low: 4, position: 2, partition: of.partition },
  });
  await log.close();
  const going = await open('worker', false, { ...settings, overtaken: 'continue' });
  const [goes] = unrouted(going) as [Unrouted];
  for (let turns = 0; turns < 5; turns++) await turn();
  expect(numbersOf((await going.read(goes, 2, plenty)).records)).toEqual([4, 5]);
});

test('reads fail if a partition ends before the position up to which it was merged into the tables', async () => {
  const log = await open();
  await append(log, range(0, 2));
  const [of] = unrouted(log) as [Unrouted];
  carried.set(partitionName(of), { incarnation: log.incarnation(of), position: 5 });
  await kafka.share(groupOf(settings, GROUP_OF_TESTS));
  const [again] = unrouted(log) as [Unrouted];
  await expect(log.read(again, 2, plenty)).rejects.toMatchObject({
    code: 'AORTA-STREAM-TOPIC-SHORTER',
    details: { end: 2, position: 5 },
  });
});

test('a writer fails if its topic is deleted and created again, and the new topic gets a new incarnation', async () => {
  const log = await open();
  await append(log, range(0, 4));
  const before = log.incarnation(inUse(log)[0]!);
  kafka.create(kafka.declared.get(topicOf(settings, 'unrouted'))!);
  log.append('unrouted', user('a', 4));
  await expect(log.flush()).rejects.toMatchObject({ code: 'AORTA-STREAM-RECREATED', details: { known: 4, end: 0 } });
  await log.close();
  const next = await open();
  await turn();
  expect(next.incarnation(unrouted(next)[0]!)).not.toBe(before);
  expect(numbersOf(await readOn(next))).toEqual([4]);
});

test('a record appended while a log checks a topic does not change the incarnation', async () => {
  const first = await open('first');
  const topic = topicOf(settings, 'unrouted');
  const client = kafka.client('late');
  let looks = 0;
  const bounds: typeof client.admin.bounds = async (of) => {
    const before = await client.admin.bounds(of);
    // The first request is made when the log is opened.
    if (of === topic && ++looks === 2) await append(first, [0]);
    return before;
  };
  const late = await openKafkaLog({
    client: { ...client, admin: { ...client.admin, bounds } },
    settings,
    append: false,
    read: { group: GROUP_OF_TESTS, carried: (of) => carried.get(partitionName(of)), onNews: () => news++ },
  });
  opened.push(late);
  expect(looks).toBeGreaterThan(1);
  const identities = [...first.assigned(), ...late.assigned()]
    .filter(({ stream }) => stream === 'unrouted')
    .map((of) => (first.assigned().includes(of) ? first : late).incarnation(of));
  expect(new Set(identities).size).toBe(1);
});

test('two processes that start at the same time agree on the incarnations', async () => {
  const [first, second] = await Promise.all([open('first'), open('second')]);
  const of = (log: StreamLog) => new Map(log.assigned().map((one) => [one.stream, log.incarnation(one)]));
  const [one, other] = [of(first!), of(second!)];
  const both = [...one.keys()].filter((stream) => other.has(stream));
  expect(both.length).toBeGreaterThan(20);
  for (const stream of both) expect([one.get(stream), one.get(stream) === '']).toEqual([other.get(stream), false]);
});

test('reads return the records before an undecodable record, and then fail', async () => {
  const log = await open();
  await append(log, range(0, 2));
  const [of] = unrouted(log) as [Unrouted];
  const to = { topic: topicOf(settings, 'unrouted'), partition: of.partition };
  const good = kafka.logs.get(to.topic)![to.partition]!.records[0]!.value!;
  for (const bad of [Buffer.from('no record'), good.subarray(0, 40), Buffer.concat([good.subarray(0, 2), Buffer.alloc(40)])]) {
    const at = kafka.put(to, { key: null, value: bad });
    kafka.deliver();
    const records: StreamRecords['unrouted'][] = [];
    let from = 0;
    // A new log takes over the partition and reads it from the start.
    const again = await open(`worker-${at}`, false);
    await log.close();
    for (let turns = 0; turns < 5; turns++) await turn();
    const [resumed] = unrouted(again) as [Unrouted];
    const batch = await again.read(resumed, from, plenty);
    records.push(...batch.records);
    from = batch.to;
    expect([numbersOf(records), from]).toEqual([[0, 1], 2]);
    await expect(again.read(resumed, from, plenty)).rejects.toMatchObject({
      code: 'AORTA-STREAM-UNREADABLE',
      details: { position: 2, partition: of.partition },
    });
    await again.close();
    kafka.logs.get(to.topic)![to.partition]!.records.pop();
    kafka.logs.get(to.topic)![to.partition]!.end = 2;
  }
});

test('a tombstone is skipped and does not end the read', async () => {
  const log = await open();
  await append(log, [0]);
  const [of] = unrouted(log) as [Unrouted];
  kafka.put({ topic: topicOf(settings, 'unrouted'), partition: of.partition }, { key: Buffer.from('a'), value: null });
  await append(log, [2]);
  expect(numbersOf(await readOn(log))).toEqual([0, 2]);
});

test('partitions that are added to a topic are read from their beginning', async () => {
  const log = await open();
  await append(log, range(0, 3));
  await readOn(log);
  await kafka.client().admin.addPartitions(topicOf(settings, 'unrouted'), 9);
  expect(log.assigned().filter(({ stream }: { stream: StreamName }) => stream === 'unrouted').length).toBe(9);
  const later = await open('later');
  await append(later, range(3, 103), (number) => user(`user-${number}`, number));
  const numbers = [...numbersOf(await readOn(log)), ...numbersOf(await readOn(later))];
  expect([...new Set(numbers)].sort((a, b) => a - b)).toEqual(range(0, 103));
});

test('a log opened only for appending has no partitions, and a log opened only for reading rejects appends', async () => {
  const writer = await openKafkaLog({ client: kafka.client(), settings, append: true });
  opened.push(writer);
  await append(writer, [0]);
  expect(writer.assigned()).toEqual([]);
  const reader = await open('reader', false);
  expect(() => reader.append('unrouted', numbered(0))).toThrow(expect.objectContaining({ code: 'AORTA-BUG' }));
});

test('opening the log rejects if one of its topics does not exist', async () => {
  kafka.logs.delete(topicOf(settings, 'sleep'));
  await expect(open()).rejects.toMatchObject({ code: 'AORTA-STREAM-TOPIC-MISSING', details: { topic: 'aorta.sleep' } });
});
