import { openKafka } from '@aorta/connectors/kafka/client';
import { type ProvidedBroker, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { silentLogger } from '@aorta/runtime';
import { afterAll, beforeAll } from 'vitest';
import { kafkaSourceOptions } from '../../connectors/kafka/source/options.ts';
import { KafkaSource } from '../../connectors/kafka/source/source.ts';
import { sourceConformance } from './source.ts';

const problem = await whyNoBroker({ own: true });
let broker: ProvidedBroker;
beforeAll(async () => {
  if (problem === undefined) broker = await provideBroker({ own: true });
});
afterAll(() => broker?.stop());

let topics = 0;
sourceConformance(
  'kafka',
  async (partitions) => {
    topics += 1;
    const topic = `events-${topics}`;
    const client = openKafka({ brokers: broker.brokers, clientId: 'test' }, { logger: silentLogger });
    await client.admin.create({ topic, partitions });
    const producer = await client.producer({});
    const settings = kafkaSourceOptions.parse({
      type: 'kafka',
      brokers: broker.brokers,
      topics: [topic],
      consumer_group: topic,
      commit_s: 0.1,
      session_s: 6,
    });
    return {
      partitions: Array.from({ length: partitions }, (_, partition) => `${topic}/${partition}`),
      put: async (partition, deliveries) => {
        const records = deliveries.map(({ body, headers, key }) => ({
          key: key === null ? null : Buffer.from(key),
          value: body,
          headers: Object.entries(headers).map(([name, value]) => [name, Buffer.from(value)] as const),
        }));
        await producer.produce({ topic, partition }, records);
      },
      open: async ({ window, once, heldBytes = settings.held_bytes }) =>
        new KafkaSource({ settings: { ...settings, held_bytes: heldBytes }, open: openKafka, window, once }),
      remove: async () => {
        await producer.close();
        await client.close();
      },
    };
  },
  problem?.message,
);
