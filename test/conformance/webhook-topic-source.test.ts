import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Delivery } from '@aorta/connectors';
import { openKafka } from '@aorta/connectors/kafka/client';
import { type ProvidedBroker, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { Progress, silentLogger, silentMetrics } from '@aorta/runtime';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kafkaSourceOptions } from '../../connectors/kafka/source/options.ts';
import { KafkaSource } from '../../connectors/kafka/source/source.ts';
import { TopicIntake } from '../../connectors/webhook/intake/topic-intake.ts';
import type { Message } from '../../connectors/webhook/message.ts';
import { WebhookSource } from '../../connectors/webhook/module.ts';
import { webhookSourceOptions } from '../../connectors/webhook/options.ts';
import { inTime, until } from '../../infra/machine/waiting.fixture.ts';
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

/** Lines of the head, the content type that is kept, and the body. */
const signedMessages: readonly (readonly [head: string, kept: string | undefined, body: string])[] = [
  ['', undefined, '{}'],
  ['content-type:\r\n', '', '{}'],
  ['content-type: application/json, application/json\r\n', 'application/json, application/json', '{"a":1}'],
  ['content-type: text/plain; charset="\r\n', 'text/plain; charset="', 'not JSON'],
];

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

test.skipIf(problem !== undefined)('an intake topic keeps the bytes and the content type of every signed message', async () => {
  const topic = 'intake-content-types';
  const client = openKafka({ brokers: broker.brokers, clientId: 'test' }, { logger: silentLogger });
  await client.admin.create({ topic, partitions: 1 });
  const reading = kafkaSourceOptions.parse({
    type: 'kafka',
    name: 'webhook',
    brokers: broker.brokers,
    topics: [topic],
    consumer_group: topic,
    commit_s: 0.1,
    session_s: 6,
  });
  const reader = new KafkaSource({ settings: reading, open: openKafka, window: 0, once: false });
  const intake = await TopicIntake.open({ client, topic, partitions: 1, reader });
  const source = new WebhookSource({
    settings,
    intake,
    once: false,
    logger: silentLogger,
    metrics: silentMetrics,
    progress: new Progress(),
  });
  const stop = new AbortController();
  const taken: Delivery[] = [];
  const taking = (async () => {
    for await (const { deliveries } of source.batches(stop.signal)) taken.push(...deliveries);
  })();
  try {
    const port = await until('the port', () => source.port);
    for (const [at, [head, , body]] of signedMessages.entries()) {
      const now = new Date();
      const signature = new Webhook(settings.secrets[0]!).sign(`msg_${at}`, now, body);
      const seconds = Math.floor(now.getTime() / 1000);
      const signed = `svix-id: msg_${at}\r\nsvix-timestamp: ${seconds}\r\nsvix-signature: ${signature}\r\n`;
      const socket = connect(port!, '127.0.0.1');
      const length = `content-length: ${Buffer.byteLength(body)}\r\n`;
      socket.write(`POST /webhook HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${signed}${head}${length}\r\n${body}`);
      expect(await inTime('the answer', text(socket))).toMatch(/^HTTP\/1\.1 204 /);
    }
    await until('all deliveries', () => taken.length, signedMessages.length);
  } finally {
    stop.abort();
    await taking.catch(() => {});
    await source.close();
  }
  const read = new Map(
    taken.map(({ headers, body }) => [headers.get('svix-id'), [headers.get('content-type'), body.toString()]]),
  );
  for (const [at, [, type, body]] of signedMessages.entries()) expect(read.get(`msg_${at}`)).toEqual([type, body]);
});
