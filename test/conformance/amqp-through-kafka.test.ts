import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Delivery, Source } from '@aorta/connectors';
import { openKafka } from '@aorta/connectors/kafka/client';
import { startEventHubs } from '@aorta/event-hubs-server';
import { provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { silentLogger } from '@aorta/runtime';
import { describe, expect, test } from 'vitest';
import { eventHubsSourceOptions } from '../../connectors/event-hubs/options.ts';
import { EventHubsSource } from '../../connectors/event-hubs/source.ts';
import { encoded } from '../../connectors/kafka/source/amqp.fixture.ts';
import { kafkaSourceOptions } from '../../connectors/kafka/source/options.ts';
import { KafkaSource } from '../../connectors/kafka/source/source.ts';

const problem = await whyNoBroker();
const user = '0f9d2c1e-5a7b-4c3d-9e8f-0a1b2c3d4e5f';
const body = gzipSync('{"event_type":"daily.data.sleep.created"}');
const properties = {
  'Event-Type': 'daily.data.sleep.created',
  'user-id': user,
  'team-id': 'Überteam',
  'idempotency-key': 'msg_1',
  long: 'x'.repeat(300),
  attempt: 70_000,
  ratio: 1.5,
};
type Header = readonly [name: string, value: Buffer];
const ofAmqpItself = { 'content-encoding': 'gzip', 'content-type': 'application/json' };

/** Returns the event's headers as Event Hubs' Kafka endpoint delivers them. `own` encodes the standard AMQP properties. */
function headersBy(own: (text: string) => Buffer): readonly Header[] {
  return [
    ...Object.entries(properties).map(([name, value]): Header => [name, encoded(value)]),
    ...Object.entries(ofAmqpItself).map(([name, value]): Header => [name, own(value)]),
    ['x-opt-partition-key', encoded(user)],
  ];
}

async function deliveriesOf(source: Source): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  for await (const batch of source.batches(new AbortController().signal)) deliveries.push(...batch.deliveries);
  await source.close?.();
  return deliveries;
}

/** Returns the content of a delivery, without its source and offset. */
const contentOf = ({ headers, key, body: bytes, inline }: Delivery) => ({
  headers: new Map([...headers].sort()),
  key,
  bytes,
  inline,
});

describe.skipIf(problem !== undefined)(`an AMQP event${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  test('becomes the same delivery over AMQP and over Kafka, with either header encoding of the Kafka endpoint', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'amqp-'));
    const [server, broker] = await Promise.all([startEventHubs({ hubs: [{ name: 'events', partitions: 1 }] }), provideBroker()]);
    const client = openKafka({ brokers: broker.brokers, clientId: 'test' }, { logger: silentLogger });
    try {
      const messageProperties = { content_encoding: 'gzip', content_type: 'application/json' };
      const event = { body: body.toString('base64'), properties, messageProperties, partitionKey: user };
      await server.faults.append({ hub: 'events', partition: '0', events: [event] });
      const hubs = { type: 'event-hubs', connection: server.connectionString, hubs: ['events'], claim_s: 0.3 };
      const settings = eventHubsSourceOptions.parse(hubs);
      const [overAmqp] = await deliveriesOf(new EventHubsSource({ settings, folder, window: 0, once: true }));

      const topic = `amqp-${randomUUID()}`;
      await client.admin.create({ topic, partitions: 1 });
      const producer = await client.producer({});
      const ways = [headersBy((text) => encoded(text)), headersBy((text) => Buffer.from(text))];
      await producer.produce(
        { topic, partition: 0 },
        ways.map((headers) => ({ key: null, value: body, headers })),
      );
      await producer.close();
      const kafka = kafkaSourceOptions.parse({ type: 'kafka', brokers: broker.brokers, topics: [topic], consumer_group: topic });
      const source = new KafkaSource({ settings: kafka, open: openKafka, window: 0, once: true });
      const overKafka = await deliveriesOf(source);

      expect(overAmqp!.headers.size).toBe(9);
      expect(overKafka.map(contentOf)).toEqual([contentOf(overAmqp!), contentOf(overAmqp!)]);
    } finally {
      await client.close();
      await Promise.all([server.stop(), broker.stop()]);
      await rm(folder, { recursive: true });
    }
  });
});
