import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { codecOf } from '@aorta/schemas';
import kafkajs, { type Kafka, type Message } from 'kafkajs';
import { type Spent, spent } from '../measure.ts';
import { answer } from './asked.ts';
import { recordOf } from './records.ts';
import { inCalls, partitionOfCall, SETTLING_MS, summary, type TopicToRead } from './summaries.ts';

/** Measures kafkajs alone, without our workarounds. */
const { CompressionCodecs, CompressionTypes, logLevel } = kafkajs;

// kafkajs itself supports only gzip. Its documentation recommends adding other codecs this way.
CompressionCodecs[CompressionTypes.ZSTD] = () => ({
  compress: ({ buffer }: { buffer: Buffer }) => promisify(zstdCompress)(buffer),
  decompress: (bytes: Buffer) => promisify(zstdDecompress)(bytes),
});

const kafkaOf = (brokers: readonly string[]): Kafka =>
  new kafkajs.Kafka({ clientId: 'bare', brokers: [...brokers], logLevel: logLevel.NOTHING });

/** Measures the time from the first batch to the last. Discards the records. */
async function consume({ brokers, topic, group, events }: TopicToRead): Promise<Spent> {
  const consumer = kafkaOf(brokers).consumer({ groupId: group, maxWaitTimeInMs: 500 });
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let count = 0;
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatch: async ({ batch }) => {
      if (count === 0) begun.resolve();
      count += batch.messages.length;
      if (count === events) ended.resolve();
    },
  });
  await begun.promise;
  const took = await spent(() => ended.promise);
  await consumer.disconnect();
  return took;
}

/** The records to write: summaries of 1 KB as the service sends them, or stream records. */
type Payload = 'summaries' | 'records';

interface Writing {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly events: number;
  readonly payload: Payload;
  readonly compression: 'none' | 'zstd';
}

const prepared = new Map<string, readonly Message[]>();

/** Measures an idempotent producer that waits for all in-sync replicas. The messages are prepared before the clock starts. */
async function produce({ brokers, topic, events, payload, compression }: Writing): Promise<Spent> {
  const name = `${payload} ${events}`;
  const messages = prepared.get(name) ?? Array.from({ length: events }, (_, index) => messageOf(payload, index));
  prepared.set(name, messages);
  const producer = kafkaOf(brokers).producer({ idempotent: true, allowAutoTopicCreation: false });
  await producer.connect();
  const type = compression === 'zstd' ? CompressionTypes.ZSTD : CompressionTypes.None;
  const write = (_: number, some: readonly Message[]) =>
    producer.send({ topic, acks: -1, compression: type, messages: [...some] });
  // Connects, and registers the producer with the broker.
  await write(0, messages.slice(0, 1));
  const took = await spent(() => inCalls(messages, write));
  await producer.disconnect();
  return took;
}

function messageOf(payload: Payload, index: number): Message {
  const { key, value, headers } = summary(index);
  const partition = partitionOfCall(index);
  if (payload === 'records') return { partition, key, value: codecOf('activity').encode(recordOf(index)) };
  return { partition, key, value, headers: Object.fromEntries(headers) };
}

/** Returns the CPU usage of an idle consumer, as a fraction of one core. */
async function idle({
  brokers,
  topic,
  seconds,
}: {
  brokers: readonly string[];
  topic: string;
  seconds: number;
}): Promise<number> {
  const consumer = kafkaOf(brokers).consumer({ groupId: `bare-idle-${process.pid}`, maxWaitTimeInMs: 500 });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: false });
  await consumer.run({ autoCommit: false, eachBatch: async () => {} });
  await sleep(SETTLING_MS);
  const { wall, cpu } = await spent(() => sleep(seconds * 1000));
  await consumer.disconnect();
  return cpu / wall;
}

const works = { consume, produce, idle };
export type BareWorks = typeof works;
answer(works);
