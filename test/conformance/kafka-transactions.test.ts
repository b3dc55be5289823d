import { type KafkaClient, openKafka } from '@aorta/connectors/kafka/client';
import { type ProvidedBroker, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { silentLogger } from '@aorta/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bareKafka } from '../../connectors/kafka/client/kafka.fixture.ts';
import { kafkaSourceOptions } from '../../connectors/kafka/source/options.ts';
import { KafkaSource } from '../../connectors/kafka/source/source.ts';

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

  /** Reads to the current end of the topic, commits, and returns the values. */
  async function readOnce(topic: string): Promise<string[]> {
    const settings = kafkaSourceOptions.parse({ type: 'kafka', brokers: broker.brokers, topics: [topic], consumer_group: topic });
    const source = new KafkaSource({ settings, open: openKafka, window: 0, once: true });
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
    expect(await readOnce('transactions')).toEqual(['a', 'b', 'c']);
    const [{ end }] = (await client.admin.bounds('transactions')) as unknown as readonly [{ readonly end: number }];
    expect(await client.admin.committed('transactions', 'transactions')).toEqual([end]);
    expect(await readOnce('transactions')).toEqual([]);
  });
});
