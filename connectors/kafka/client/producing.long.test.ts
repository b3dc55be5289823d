import { type ProvidedBroker, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import type { KafkaClient, KafkaProducer, ProducedRecord } from './client.ts';
import { bareKafka, clientOf, fresh, read } from './kafka.fixture.ts';

const problem = await whyNoBroker();
const record = (value: string | Buffer): ProducedRecord => ({ key: null, value: Buffer.from(value) });

describe.skipIf(problem !== undefined)(`a producer and an admin client ${problem?.message ?? ''}`, () => {
  let broker: ProvidedBroker;
  let client: KafkaClient;
  let producer: KafkaProducer;

  beforeAll(async () => {
    broker = await provideBroker();
    client = clientOf(broker.brokers);
    producer = await client.producer({});
  });
  afterAll(async () => {
    await client?.close();
    await broker?.stop();
  });

  async function topicOf(partitions = 1, settings: Record<string, string> = {}): Promise<string> {
    const topic = fresh('writing');
    await client.admin.create({ topic, partitions, settings });
    return topic;
  }

  test('calls to one partition keep their order and return their offsets', async () => {
    const topic = await topicOf(3);
    const offsets = await Promise.all(
      Array.from({ length: 300 }, (_, at) =>
        producer.produce({ topic, partition: at % 3 }, [record(`${at}`), record(`${at}, too`)]),
      ),
    );
    expect(offsets).toEqual(offsets.map((_, at) => 2 * Math.floor(at / 3)));
    const reading = await read(client, { group: fresh('g'), topics: [topic] });
    await until('all records', () => [0, 1, 2].map((partition) => reading.offsets(partition).length), [200, 200, 200]);
    expect(reading.values(1).slice(0, 4)).toEqual(['1', '1, too', '4', '4, too']);
    await reading.consumer.stop();
  });

  test("a call larger than a batch is split to fit the topic's limit", async () => {
    const topic = await topicOf(1, { 'max.message.bytes': '10000' });
    const records = Array.from({ length: 50 }, (_, at) => record(Buffer.alloc(1_000, at)));
    expect(await producer.produce({ topic, partition: 0 }, records)).toBe(0);
    expect(await producer.produce({ topic, partition: 0 }, [record('next')])).toBe(50);
  });

  test("only the call with a record above the topic's size limit is rejected", async () => {
    const topic = await topicOf(1, { 'max.message.bytes': '10000' });
    const to = { topic, partition: 0 };
    const large = record(Buffer.from(Array.from({ length: 20_000 }, () => Math.random() * 256)));
    const [before, refused, after] = await Promise.allSettled([
      producer.produce(to, [record('before')]),
      producer.produce(to, [record('with it'), large]),
      producer.produce(to, [record('after')]),
    ]);
    expect(before).toEqual({ status: 'fulfilled', value: 0 });
    expect(refused).toMatchObject({
      reason: { code: 'AORTA-KAFKA-RECORD-SIZE', details: { topic, partition: 0, bytes: 20_020 } },
    });
    expect(after).toEqual({ status: 'fulfilled', value: 1 });

    // The compressed record may fit into a batch. Only the broker can decide that.
    const zipped = await client.producer({ compression: 'gzip' });
    expect(await zipped.produce(to, [record(Buffer.alloc(20_000))])).toBe(2);
    const divided = await Promise.allSettled([zipped.produce(to, [large]), zipped.produce(to, [record('small')])]);
    expect(divided[0]).toMatchObject({ reason: { code: 'AORTA-KAFKA-RECORD-SIZE' } });
    expect(divided[1]).toEqual({ status: 'fulfilled', value: 3 });
    await zipped.close();
  });

  test('writing to a missing topic or partition is reported, and a partition that is added later can be written to', async () => {
    const topic = await topicOf(1);
    await producer.produce({ topic, partition: 0 }, [record('x')]);
    await expect(producer.produce({ topic, partition: 1 }, [record('x')])).rejects.toMatchObject({
      code: 'AORTA-KAFKA-PARTITION-MISSING',
      details: { topic, partition: 1 },
    });
    await client.admin.addPartitions(topic, 2);
    expect(await producer.produce({ topic, partition: 1 }, [record('x')])).toBe(0);
    expect(await producer.produce({ topic, partition: 0 }, [record('x')])).toBe(1);
    await expect(producer.produce({ topic: 'no-such', partition: 0 }, [record('x')])).rejects.toMatchObject({
      code: 'AORTA-KAFKA-TOPIC-MISSING',
    });
  });

  test('close() waits for calls in progress and rejects new calls', async () => {
    const topic = await topicOf();
    const closing = await client.producer({});
    const written = closing.produce({ topic, partition: 0 }, [record('x')]);
    const closed = closing.close();
    await expect(closing.produce({ topic, partition: 0 }, [record('y')])).rejects.toMatchObject({ code: 'AORTA-KAFKA-FAILED' });
    expect(await written).toBe(0);
    await closed;
    await closing.close();
  });

  test('a transactional id has one holder, and the brokers refuse the writes of the previous one', async () => {
    const to = { topic: await topicOf(), partition: 0 };
    const transactionalId = fresh('id');
    const first = await client.producer({ transactionalId, compression: 'gzip' });
    await first.produce(to, [record('a'), record('b')]);
    const second = await client.producer({ transactionalId });
    await expect(first.produce(to, [record('too late')])).rejects.toMatchObject({
      code: 'AORTA-KAFKA-FAILED',
      details: { reason: 'INVALID_PRODUCER_EPOCH' },
    });
    await expect(first.produce(to, [record('again')])).rejects.toMatchObject({ code: 'AORTA-KAFKA-FAILED' });
    await Promise.all(['c', 'd', 'e'].map((value) => second.produce(to, [record(value)])));
    expect(await valuesOf(to.topic)).toEqual(['a', 'b', 'c', 'd', 'e']);
    await first.close();
    await second.close();
  });

  test('taking over a transactional id aborts the transaction that its previous holder has begun', async () => {
    const to = { topic: await topicOf(), partition: 0 };
    const transactionalId = fresh('id');
    const bare = bareKafka(broker.brokers).producer({ transactionalId, idempotent: true, maxInFlightRequests: 1 });
    await bare.connect();
    const begun = await bare.transaction();
    await begun.send({ topic: to.topic, messages: [{ value: 'unfinished', partition: 0 }] });
    const next = await client.producer({ transactionalId });
    await next.produce(to, [record('a')]);
    await expect(begun.commit()).rejects.toThrow(/epoch/);
    expect(await valuesOf(to.topic)).toEqual(['a']);
    await bare.disconnect();
    await next.close();
  });

  /** Reads partition 0 of a topic to its end. */
  async function valuesOf(topic: string): Promise<unknown[]> {
    const end = (await client.admin.bounds(topic))[0]!.end;
    const reading = await read(client, { group: fresh('g'), topics: [topic] });
    await until('the end of the topic', () => reading.batches.at(-1)?.batch.next, end);
    await reading.consumer.stop();
    return reading.values(0);
  }

  test('the admin client returns topics, settings, committed offsets and members', async () => {
    const topic = await topicOf(2, { 'retention.ms': '86400000' });
    const group = fresh('g');
    expect(await client.admin.create({ topic, partitions: 2 })).toBe(false);
    expect(await client.admin.topics()).toContain(topic);
    expect((await client.admin.topics()).filter((name) => name.startsWith('__'))).toEqual([]);
    expect((await client.admin.settings(topic)).get('retention.ms')).toBe('86400000');
    expect(await client.admin.partitions(topic)).toBe(2);
    expect(await client.admin.committed(group, topic)).toEqual([undefined, undefined]);
    expect(await client.admin.members(group)).toEqual([]);
    await producer.produce({ topic, partition: 1 }, [record('x'), record('y')]);
    await client.admin.reset(group, topic, new Map([[1, 1]]));
    const reading = await read(client, { group, topics: [topic] });
    await until('the second record', () => reading.offsets(1).length, 1);
    expect(reading.values(1)).toEqual(['y']);
    expect(await client.admin.members(group)).toEqual([
      {
        client: 'test',
        host: expect.stringMatching(/^\/?127\.0\.0\.1$/),
        partitions: [
          { topic, partition: 0 },
          { topic, partition: 1 },
        ],
      },
    ]);
    await expect(client.admin.reset(group, topic, new Map([[1, 0]]))).rejects.toMatchObject({ code: 'AORTA-KAFKA-GROUP-IN-USE' });
    await reading.consumer.stop();
    expect(await client.admin.bounds(topic)).toEqual([
      { low: 0, stable: 0, end: 0 },
      { low: 0, stable: 2, end: 2 },
    ]);
  });
});
