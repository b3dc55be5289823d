import { type KafkaClient, openKafka } from '@aorta/connectors/kafka/client';
import { type ProvidedBroker, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { type LogFields, silentLogger } from '@aorta/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bareKafka, endOfTransactions, read, write } from '../../connectors/kafka/client/kafka.fixture.ts';
import { probe } from '../../connectors/kafka/source/module.ts';
import { kafkaSourceOptions } from '../../connectors/kafka/source/options.ts';
import { KafkaSource } from '../../connectors/kafka/source/source.ts';
import type { ProbeSurroundings } from '../../connectors/source.ts';
import { until } from '../../infra/machine/waiting.fixture.ts';

const problem = await whyNoBroker({ own: true });

describe.skipIf(problem !== undefined)(`Kafka transactions${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  let broker: ProvidedBroker;
  let client: KafkaClient;
  beforeAll(async () => {
    broker = await provideBroker({ own: true });
    client = openKafka({ brokers: broker.brokers, clientId: 'test' }, { logger: silentLogger });
  });
  afterAll(async () => {
    await client?.close();
    await broker?.stop();
  });

  const settingsOf = (topic: string) =>
    kafkaSourceOptions.parse({ type: 'kafka', brokers: broker.brokers, topics: [topic], consumer_group: topic });

  /** Reads to the last stable offset of the topic, commits, and returns the values. `warned` gets the messages of warnings. */
  async function readOnce(topic: string, warned: string[] = []): Promise<string[]> {
    const logger = { ...silentLogger, warn: (_: string, fields?: LogFields) => warned.push(String(fields?.message)) };
    const source = new KafkaSource({ settings: settingsOf(topic), open: openKafka, window: 0, once: true, logger });
    const values: string[] = [];
    for await (const { deliveries, position } of source.batches(new AbortController().signal)) {
      values.push(...deliveries.map(({ body }) => String(body)));
      await source.commit([position]);
    }
    await source.close();
    return values;
  }

  test('the source skips aborted transactions, and commits the end offset of the log', async () => {
    await client.admin.create({ topic: 'transactions', partitions: 1 });
    const producer = bareKafka(broker.brokers).producer({ transactionalId: 't', idempotent: true, maxInFlightRequests: 1 });
    await producer.connect();
    const send = async (values: readonly string[], end: 'commit' | 'abort'): Promise<void> => {
      const transaction = await producer.transaction();
      await transaction.send({ topic: 'transactions', messages: values.map((value) => ({ value })) });
      await transaction[end]();
    };
    await send(['a', 'b'], 'commit');
    await send(['x', 'y', 'z'], 'abort');
    await send(['c'], 'commit');
    await send(['v', 'w'], 'abort');
    await producer.disconnect();
    const end = await endOfTransactions(client, 'transactions');
    expect(await readOnce('transactions')).toEqual(['a', 'b', 'c']);
    expect(await client.admin.committed('transactions', 'transactions')).toEqual([end]);
    expect(await readOnce('transactions')).toEqual([]);
  });

  test('the source reads to an open transaction, says so, and reads on when the transaction has ended', async () => {
    await client.admin.create({ topic: 'open', partitions: 1 });
    const bare = bareKafka(broker.brokers);
    const producer = bare.producer({ transactionalId: 'o', idempotent: true, maxInFlightRequests: 1 });
    await producer.connect();
    const send = async (value: string) => {
      const transaction = await producer.transaction();
      await transaction.send({ topic: 'open', messages: [{ value, timestamp: '1767225600000' }] });
      return transaction;
    };
    await (await send('a')).commit();
    // The record at offset 0 and the marker at offset 1 come before the open transaction.
    const open = await send('open');
    const other = bare.producer();
    await other.connect();
    await other.send({ topic: 'open', messages: [{ value: 'after' }] });
    await other.disconnect();
    expect(await client.admin.bounds('open')).toEqual([{ low: 0, stable: 2, end: 4 }]);

    const warned: string[] = [];
    expect(await readOnce('open', warned)).toEqual(['a']);
    expect(warned).toEqual([expect.stringMatching(/since 2026-01-01T00:00:00.000Z\..* open\/0 at offset 2: .* offset 4 /)]);
    expect(await client.admin.committed('open', 'open')).toEqual([2]);
    expect(await readOnce('open', warned)).toEqual([]);
    expect(warned).toHaveLength(2);

    const findings = await probe([settingsOf('open')], {
      patience: { connectMs: 10_000, requestMs: 10_000 },
    } as ProbeSurroundings);
    expect(findings.map(({ state, found }) => [state, found])).toEqual(
      expect.arrayContaining([
        ['ok', expect.stringContaining('a lag of 0 records')],
        ['warn', expect.stringContaining('holds partition open/0 at offset 2')],
      ]),
    );

    await open.abort();
    await producer.disconnect();
    await endOfTransactions(client, 'open');
    expect(await readOnce('open', warned)).toEqual(['after']);
    expect(warned).toHaveLength(2);
  });

  test('the end that a batch reports is the last stable offset', async () => {
    await client.admin.create({ topic: 'batch', partitions: 1 });
    const producer = bareKafka(broker.brokers).producer({ transactionalId: 'b', idempotent: true, maxInFlightRequests: 1 });
    await producer.connect();
    await write(client, 'batch', ['a']);
    const transaction = await producer.transaction();
    await transaction.send({ topic: 'batch', messages: [{ value: 'open' }] });
    await write(client, 'batch', ['after']);
    const reading = await read(client, { group: 'batch', topics: ['batch'] });
    expect(reading.assigned.map(({ low, stable, end }) => [low, stable, end])).toEqual([[0, 1, 3]]);
    await until('the first batch', () => reading.batches.map(({ batch: { next, stable } }) => [next, stable]), [[1, 1]]);
    await transaction.commit();
    await until('all records', () => reading.values(), ['a', 'open', 'after']);
    await reading.consumer.stop();
    await producer.disconnect();
  });
});
