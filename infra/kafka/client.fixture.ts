import { Kafka, type KafkaConfig, logLevel, type SASLOptions } from 'kafkajs';
import { inTime } from '../machine/waiting.fixture.ts';

/** Returns a client with short timeouts and few retries. */
export function client(brokers: readonly string[], sasl?: SASLOptions, ssl?: KafkaConfig['ssl']): Kafka {
  return new Kafka({
    clientId: 'test',
    brokers: [...brokers],
    logLevel: logLevel.NOTHING,
    requestTimeout: 5000,
    retry: { initialRetryTime: 50, retries: 5 },
    sasl,
    ssl,
  });
}

export async function produce(kafka: Kafka, topic: string, values: readonly string[]): Promise<void> {
  const producer = kafka.producer();
  await producer.connect();
  await producer.send({ topic, messages: values.map((value) => ({ partition: 0, value })) });
  await producer.disconnect();
}

/** Reads a topic from its beginning, and returns the first `count` values. */
export async function consume(kafka: Kafka, topic: string, count: number): Promise<string[]> {
  const consumer = kafka.consumer({ groupId: `of-${topic}`, maxWaitTimeInMs: 100 });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  const values: string[] = [];
  const done = new Promise<void>((resolve, reject) => {
    consumer
      .run({
        eachMessage: async ({ message }) => {
          values.push(String(message.value));
          if (values.length === count) resolve();
        },
      })
      .catch(reject);
  });
  await inTime(`${count} records of ${topic}`, done, () => values);
  await consumer.disconnect();
  return values;
}

/**
 * An ApiVersions request (version 0), which every ready broker answers. The response begins with the correlation id of
 * the request, 42.
 */
export const question = Buffer.from('0000000a001200000000002affff', 'hex');
