import { openKafka } from '@aorta/connectors/kafka-client';
import { type ProvidedBroker, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { Progress, silentLogger, silentMetrics } from '@aorta/runtime';
import { afterAll, beforeAll } from 'vitest';
import { kafkaSourceOptions } from '../../connectors/sources/kafka/options.ts';
import { KafkaSource } from '../../connectors/sources/kafka/source.ts';
import { TopicIntake } from '../../connectors/sources/webhook/intake/topic-intake.ts';
import type { Message } from '../../connectors/sources/webhook/message.ts';
import { webhookSourceOptions } from '../../connectors/sources/webhook/options.ts';
import { WebhookSource } from '../../connectors/sources/webhook/source.ts';
import { sourceConformance } from './source.ts';

const problem = await whyNoBroker({ own: true });
let broker: ProvidedBroker;
beforeAll(async () => {
  if (problem === undefined) broker = await provideBroker({ own: true });
});
afterAll(() => broker?.stop());

const settings = webhookSourceOptions.parse({
  type: 'webhook',
  listen: '127.0.0.1:0',
  secrets: [`whsec_${Buffer.alloc(24, 1).toString('base64')}`],
});

let topics = 0;
// The suite chooses the partition of each delivery, so the messages do not get theirs from their users.
sourceConformance(
  'webhook with an intake topic',
  async (partitions) => {
    topics += 1;
    const topic = `intake-${topics}`;
    const client = openKafka({ brokers: broker.brokers, clientId: 'test' }, { logger: silentLogger });
    await client.admin.create({ topic, partitions });
    const reading = kafkaSourceOptions.parse({
      type: 'kafka',
      name: 'webhook',
      brokers: broker.brokers,
      topics: [topic],
      consumer_group: topic,
      commit_s: 0.1,
      session_s: 6,
    });
    const chosen = new Map<Message, number>();
    const openIntake = (window: number): Promise<TopicIntake> => {
      const own = openKafka({ brokers: broker.brokers, clientId: 'receiver' }, { logger: silentLogger });
      const reader = new KafkaSource({ settings: reading, open: openKafka, window, once: true });
      return TopicIntake.open({ client: own, topic, partitions, reader, partitionOf: (message) => chosen.get(message)! });
    };
    return {
      partitions: Array.from({ length: partitions }, (_, partition) => `${topic}/${partition}`),
      put: async (partition, deliveries) => {
        const intake = await openIntake(0);
        const messages = deliveries.map(({ body, headers, key }, at): Message => {
          const time = (1_700_000_000_000 + at) * 1000;
          return { receivedAt: time, arrivedAt: time, user: key, headers: new Map(Object.entries(headers)), body };
        });
        for (const message of messages) chosen.set(message, partition);
        await Promise.all(messages.map((message) => intake.append(message)));
        await intake.close();
      },
      open: async ({ window }) =>
        new WebhookSource({
          settings,
          intake: await openIntake(window),
          once: true,
          logger: silentLogger,
          metrics: silentMetrics,
          progress: new Progress(),
        }),
      remove: () => client.close(),
    };
  },
  problem?.message,
);
