import { gunzipSync } from 'node:zlib';
import { bareKafka } from '../../../connectors/kafka/client/kafka.fixture.ts';
import { inTime } from '../../../infra/machine/waiting.fixture.ts';
import type { TestDelivery } from '../../model/delivery.ts';
import type { Poison } from '../stage/stage.ts';
import { TOPIC } from './topic-name.ts';

/** A record as the client library returns it. */
interface Message {
  readonly value: Buffer | null;
  readonly offset: string;
  readonly timestamp: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** Reads everything in the topic with the client library alone, without our code. */
export async function logOfTopic(
  brokers: readonly string[],
): Promise<{ readonly deliveries: TestDelivery[]; readonly poison: Poison[] }> {
  const kafka = bareKafka(brokers);
  const admin = kafka.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(TOPIC);
  await admin.disconnect();
  let left = ends.reduce((sum, { high }) => sum + Number(high), 0);
  const deliveries: TestDelivery[] = [];
  const poison: Poison[] = [];
  const consumer = kafka.consumer({ groupId: 'reader-of-the-log', maxWaitTimeInMs: 100 });
  await consumer.connect();
  try {
    await consumer.subscribe({ topic: TOPIC, fromBeginning: true });
    const read = new Promise<void>((resolve, reject) => {
      consumer.on(consumer.events.CRASH, ({ payload: { error } }) => reject(error));
      const eachMessage = async ({ partition, message }: { partition: number; message: Message }): Promise<void> => {
        const delivery = deliveryOf(`${TOPIC}/${partition}`, message);
        if (delivery === undefined) poison.push({ partition: `${TOPIC}/${partition}`, offset: Number(message.offset) });
        else deliveries.push(delivery);
        left -= 1;
        if (left === 0) resolve();
      };
      consumer.run({ autoCommit: false, eachMessage }).catch(reject);
    });
    await inTime('the records of the topic', read, () => `${left} records were not read`);
  } finally {
    await inTime('the reader of the topic to disconnect', consumer.disconnect());
  }
  return { deliveries, poison };
}

function deliveryOf(partition: string, message: Message): TestDelivery | undefined {
  const named = Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)] as const);
  const { 'content-encoding': encoding, ...headers } = Object.fromEntries(named);
  try {
    const bytes = encoding === 'gzip' ? gunzipSync(message.value!) : message.value!;
    const body: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const [offset, receivedAt] = [Number(message.offset), Number(message.timestamp)];
    return { source: 'kafka', partition, offset, receivedAt, headers, body };
  } catch {
    return undefined;
  }
}
