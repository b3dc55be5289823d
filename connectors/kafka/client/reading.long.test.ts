import { type ProvidedBroker, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import type { Kafka } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takesAtMost } from '../../../infra/machine/goal.fixture.ts';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import type { Compression, KafkaClient } from './client.ts';
import { bareKafka, clientOf, endOfTransactions, fresh, read, write } from './kafka.fixture.ts';

const own = { own: true, properties: { 'log.cleaner.backoff.ms': '100' } } as const;
const problem = await whyNoBroker(own);

describe.skipIf(problem !== undefined)(`a consumer ${problem?.message ?? ''}`, () => {
  let broker: ProvidedBroker;
  let client: KafkaClient;
  let bare: Kafka;

  beforeAll(async () => {
    broker = await provideBroker(own);
    client = clientOf(broker.brokers);
    bare = bareKafka(broker.brokers);
  });
  afterAll(async () => {
    await client?.close();
    await broker?.stop();
  });

  async function topicOf(partitions = 1, settings: Record<string, string> = {}): Promise<string> {
    const topic = fresh('reading');
    await client.admin.create({ topic, partitions, settings });
    return topic;
  }

  test('receives keys, tombstones, ordered headers and times as they were written', async () => {
    const topic = await topicOf();
    const producer = await client.producer({});
    const to = { topic, partition: 0 };
    const headers = [
      ['b', Buffer.from('1')],
      ['2', Buffer.from([0, 255])],
      ['b', null],
      ['constructor', Buffer.from('x')],
      ['b', Buffer.alloc(0)],
    ] as const;
    expect(
      await producer.produce(to, [{ key: Buffer.from('k'), value: Buffer.from('v'), headers, timestamp: 1_700_000_000_123 }]),
    ).toBe(0);
    expect(
      await producer.produce(to, [
        { key: null, value: null },
        { key: Buffer.alloc(0), value: Buffer.alloc(0) },
      ]),
    ).toBe(1);
    await producer.close();

    const reading = await read(client, { group: fresh('g'), topics: [topic] });
    await until('three records', () => reading.offsets().length, 3);
    const [first, second, third] = reading.batches.flatMap(({ batch }) => batch.records);
    expect(first).toEqual({ offset: 0, timestamp: 1_700_000_000_123, key: Buffer.from('k'), value: Buffer.from('v'), headers });
    expect(second).toMatchObject({ offset: 1, key: null, value: null, headers: [] });
    expect(third).toMatchObject({ offset: 2, key: Buffer.alloc(0), value: Buffer.alloc(0) });
    const { next, stable } = reading.batches.at(-1)!.batch;
    expect([next, stable]).toEqual([3, 3]);
    const names = headers.reduce((sum, [name, value]) => sum + name.length + (value?.length ?? 0), 0);
    expect(reading.batches.reduce((sum, { batch }) => sum + batch.bytes, 0)).toBe(2 + names);
    await reading.consumer.stop();
  });

  const compressions: readonly Compression[] = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];

  test.each(compressions)(
    'reads records that were written with compression %s, even if the broker recompresses them',
    async (compression) => {
      const ours = await topicOf();
      // The broker compresses this topic again with its Java library, which uses a different framing for snappy.
      const java = await topicOf(1, { 'compression.type': compression === 'none' ? 'uncompressed' : compression });
      const values = Array.from({ length: 500 }, (_, at) => `${at}-${'abcdefgh'.repeat(at % 40)}`);
      const producer = await client.producer({ compression });
      const plain = await client.producer({});
      const records = values.map((value) => ({ key: null, value: Buffer.from(value) }));
      await producer.produce({ topic: ours, partition: 0 }, records);
      await plain.produce({ topic: java, partition: 0 }, records);
      await Promise.all([producer.close(), plain.close()]);
      for (const topic of [ours, java]) {
        const reading = await read(client, { group: fresh('g'), topics: [topic] });
        await until(
          'all records',
          () => reading.offsets().length,
          (count) => count >= values.length,
        );
        expect(reading.values()).toEqual(values);
        await reading.consumer.stop();
      }
    },
  );

  test('neither transaction markers nor records of aborted transactions are delivered, even if transactions overlap', async () => {
    const topic = await topicOf();
    const [one, other] = await Promise.all(
      ['one', 'other'].map(async (name) => {
        const producer = bare.producer({ transactionalId: fresh(name), idempotent: true, maxInFlightRequests: 1 });
        await producer.connect();
        return producer;
      }),
    );
    const say = (value: string) => ({ topic, messages: [{ value, partition: 0 }] });
    const kept = await one!.transaction();
    await kept.send(say('kept'));
    await kept.commit();
    const outer = await one!.transaction();
    await outer.send(say('outer'));
    const inner = await other!.transaction();
    await inner.send(say('inner'));
    await inner.abort();
    await outer.send({ topic, messages: [{ key: Buffer.alloc(4), value: 'outer, again', partition: 0 }] });
    await outer.send(say('outer, at last'));
    await outer.abort();
    const last = await other!.transaction();
    await last.send(say('kept, too'));
    await last.commit();
    const dropped = await one!.transaction();
    await dropped.send(say('dropped'));
    await dropped.abort();
    await Promise.all([one!.disconnect(), other!.disconnect()]);

    const end = await endOfTransactions(client, topic);
    const reading = await read(client, { group: fresh('g'), topics: [topic] });
    await until('the end', () => reading.batches.at(-1)?.batch.next, end);
    expect(reading.values()).toEqual(['kept', 'kept, too']);
    // Start in the middle of both transactions.
    const later = await read(client, { group: fresh('g'), topics: [topic], onAssigned: () => 3 });
    await until('the end', () => later.batches.at(-1)?.batch.next, end);
    expect(later.values()).toEqual(['kept, too']);
    // Start where only a transaction marker is left.
    const marker = await read(client, { group: fresh('g'), topics: [topic], onAssigned: () => end - 1 });
    await until('the end', () => marker.batches.at(-1)?.batch.next, end);
    expect(marker.batches.map(({ batch }) => batch.records.length)).toEqual([0]);
    await Promise.all([reading, later, marker].map(({ consumer }) => consumer.stop()));
  });

  test('reads a compacted topic to the end, across its gaps', async () => {
    const topic = await topicOf(1, {
      'cleanup.policy': 'compact',
      'segment.bytes': '1048576',
      'segment.ms': '100',
      'min.cleanable.dirty.ratio': '0.01',
      'delete.retention.ms': '0',
    });
    const producer = await client.producer({});
    const to = { topic, partition: 0 };
    const put = (key: string, value: string | null) => ({
      key: Buffer.from(key),
      value: value === null ? null : Buffer.from(value),
    });
    await producer.produce(to, [
      put('kept', 'k'),
      ...Array.from({ length: 20 }, (_, at) => put('same', `${at}`)),
      put('gone', 'g'),
    ]);
    await producer.produce(to, [put('gone', null), put('same', 'last but one'), put('same', null)]);
    // Kafka compacts only segments that are no longer written to.
    const tick = setInterval(() => void producer.produce(to, [put('same', 'tick')]).catch(() => {}), 150);
    try {
      await until(
        'compaction',
        async () => {
          const look = await read(client, { group: fresh('g'), topics: [topic] });
          await until('a record', () => look.offsets().length);
          await look.consumer.stop();
          return look.offsets();
        },
        (offsets) => !offsets.includes(5) && !offsets.includes(21),
      );
    } finally {
      clearInterval(tick);
      await producer.close();
    }
    const end = (await client.admin.bounds(topic))[0]!.end;
    for (const start of [0, 1, 10, 21, 22, 24]) {
      const reading = await read(client, { group: fresh('g'), topics: [topic], onAssigned: () => start });
      await until(`the end from ${start}`, () => reading.batches.at(-1)?.batch.next, end);
      expect(reading.offsets().filter((offset) => offset < start)).toEqual([]);
      expect(reading.values().includes('k')).toBe(start === 0);
      expect(reading.values().at(-1)).toBe('tick');
      expect(reading.batches.reduce((next, { batch }) => (batch.next > next ? batch.next : Number.NaN), start)).toBe(end);
      await reading.consumer.stop();
    }
  });

  test('reads a record that is larger than the fetch limit', async () => {
    const topic = await topicOf(1, { 'max.message.bytes': '8000000' });
    const producer = await client.producer({});
    const large = Buffer.alloc(5_000_000, 'x');
    await producer.produce({ topic, partition: 0 }, [
      { key: null, value: Buffer.from('before') },
      { key: null, value: large },
      { key: null, value: Buffer.from('after') },
    ]);
    await producer.close();
    const reading = await read(client, { group: fresh('g'), topics: [topic] });
    await until('all records', () => reading.offsets().length, 3);
    expect(reading.batches.flatMap(({ batch }) => batch.records.map(({ value }) => value!.length))).toEqual([6, 5_000_000, 5]);
    await reading.consumer.stop();
  });

  test('a second client resumes from the committed offset of the group', async () => {
    const topic = await topicOf(2);
    const group = fresh('g');
    await write(client, topic, ['a', 'b', 'c']);
    const first = await read(client, { group, topics: [topic] });
    await until('all records', () => first.offsets().length, 3);
    expect(first.assigned.map(({ committed, low, end }) => [committed, low, end])).toEqual([
      [undefined, 0, 3],
      [undefined, 0, 0],
    ]);
    expect(await first.consumer.assigned()[0]!.commit(2)).toBe(true);
    await first.consumer.stop();
    expect(first.consumer.assigned()).toEqual([]);
    expect(await client.admin.committed(group, topic)).toEqual([2, undefined]);

    const second = await read(client, { group, topics: [topic] });
    await until('the last record', () => second.offsets().length, 1);
    expect(second.assigned[0]!.committed).toBe(2);
    expect(second.values()).toEqual(['c']);
    await second.consumer.stop();
  });

  test('a paused partition delivers nothing while other partitions continue, and can resume at once', async () => {
    const topic = await topicOf(2);
    const reading = await read(client, { group: fresh('g'), topics: [topic] });
    const [held] = reading.consumer.assigned();
    held!.pause();
    held!.pause();
    await write(client, topic, ['x']);
    await write(client, topic, ['y'], 1);
    await until('the other partition', () => reading.values(1).length, 1);
    expect(reading.values(0)).toEqual([]);
    await takesAtMost(1_000, 'resuming a partition', () => {
      held!.resume();
      return until('the paused partition', () => reading.values(0).length, 1);
    });
    await reading.consumer.stop();
  });

  test('finds new partitions and new topics that match a pattern and are not left out', async () => {
    const name = fresh('pattern');
    const except = (all: readonly string[]) => new Set(all.filter((topic) => topic.endsWith('.left')));
    const topics = [new RegExp(`^${name}\\.`, 'g')];
    const reading = await read(client, { group: fresh('g'), topics, except, metadataAgeMs: 500 });
    expect(reading.consumer.assigned()).toEqual([]);
    await client.admin.create({ topic: `${name}.left`, partitions: 1 });
    await write(client, `${name}.left`, ['left out']);
    await client.admin.create({ topic: `${name}.one`, partitions: 1 });
    await write(client, `${name}.one`, ['first']);
    await until('the first record', () => reading.values().length, 1);
    await reading.consumer.assigned()[0]!.commit(1);
    await client.admin.create({ topic: `${name}.two`, partitions: 1 });
    await write(client, `${name}.two`, ['second']);
    await until('the second record', () => reading.values().length, 2);
    await reading.consumer.assigned()[1]!.commit(1);
    await client.admin.addPartitions(`${name}.one`, 2);
    await write(client, `${name}.one`, ['third'], 1);
    await until('the third record', () => reading.values(1).length, 1);
    expect(reading.values()).toEqual(['first', 'second']);
    expect(reading.failures).toEqual([]);
    await reading.consumer.stop();
  });
});
