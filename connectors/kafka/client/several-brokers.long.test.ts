import { setTimeout as sleep } from 'node:timers/promises';
import { KafkaCluster, whyNoJvmBroker } from '@aorta/kafka-broker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTime, until } from '../../../infra/machine/waiting.fixture.ts';
import type { KafkaClient } from './client.ts';
import { bareKafka, clientOf, fresh } from './kafka.fixture.ts';

const problem = await whyNoJvmBroker();
const PARTITIONS = 9;
const partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);
const users = { etl: 'secret' };

describe.skipIf(problem !== undefined)(`a producer on three brokers ${problem?.message ?? ''}`, () => {
  let cluster: KafkaCluster;
  let client: KafkaClient;

  beforeAll(async () => {
    cluster = await KafkaCluster.start({ users });
    client = clientWith({});
  });
  afterAll(async () => {
    await client?.close();
    await cluster?.stop();
  });

  const clientWith = (settings: { readonly requestMs?: number }): KafkaClient =>
    clientOf(cluster.secureBrokers, {
      tls: { ca: cluster.authority.chain },
      login: { mechanism: 'plain', user: 'etl', password: 'secret' },
      ...settings,
    });

  async function topicOf(): Promise<string> {
    const topic = fresh('several');
    await client.admin.create({ topic, partitions: PARTITIONS, replicas: 3, settings: { 'min.insync.replicas': '2' } });
    return topic;
  }

  /** Returns the values of every partition in order, read by the unmodified library. */
  async function held(topic: string): Promise<string[][]> {
    await cluster.inSync();
    const values = partitions.map((): string[] => []);
    const kafka = bareKafka(cluster.brokers);
    const admin = kafka.admin();
    await admin.connect();
    const ends = await admin.fetchTopicOffsets(topic);
    await admin.disconnect();
    let left = ends.reduce((sum, { high }) => sum + Number(high), 0);
    const consumer = kafka.consumer({ groupId: fresh('held'), maxWaitTimeInMs: 100 });
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    const reading = new Promise<void>((resolve, reject) => {
      const eachMessage = async ({ partition, message }: { partition: number; message: { value: Buffer | null } }) => {
        values[partition]!.push(String(message.value));
        left -= 1;
        if (left === 0) resolve();
      };
      consumer.run({ autoCommit: false, eachMessage }).catch(reject);
    });
    await inTime('all records', reading, () => `${left} records were not read`);
    await consumer.disconnect();
    return values;
  }

  /** Writes to all partitions until the returned function is called, which returns the acknowledged records and the errors. */
  async function underLoad(
    client: KafkaClient,
    topic: string,
  ): Promise<() => Promise<{ written: string[][]; refused: string[] }>> {
    const producer = await client.producer({});
    const written = partitions.map((): string[] => []);
    const refused: string[] = [];
    let at = 0;
    let over = false;
    const one = async (partition: number): Promise<void> => {
      const values = [`${at++}`, `${at++}`];
      const records = values.map((value) => ({ key: null, value: Buffer.from(value) }));
      await producer.produce({ topic, partition }, records).then(
        () => written[partition]!.push(...values),
        (error: unknown) => void refused.push(String(error)),
      );
    };
    const loads = partitions.map(async (partition) => {
      while (!over) {
        await one(partition);
        await sleep(5);
      }
    });
    return async () => {
      over = true;
      await Promise.all(loads);
      await producer.close();
      return { written, refused };
    };
  }

  test('a broker that stops answering causes no duplicates on the other brokers', async () => {
    const topic = await topicOf();
    const producer = await client.producer({});
    const write = (value: string): Promise<number[]> =>
      Promise.all(
        partitions.map((partition) => producer.produce({ topic, partition }, [{ key: null, value: Buffer.from(value) }])),
      );
    await write('before');
    await cluster.members[0]!.freeze();
    const writing = write('meanwhile');
    // Keep the broker frozen for longer than the request timeout.
    await sleep(8_000);
    await cluster.members[0]!.thaw();
    await writing;
    await write('after');
    await producer.close();
    expect(await held(topic)).toEqual(partitions.map(() => ['before', 'meanwhile', 'after']));
  });

  test('during rolling restarts and broker kills under load, each record is written exactly once and in order', async () => {
    const topic = await topicOf();
    // The controllers notice a killed broker only after 9 s. The client gives up on a record after twice the request timeout.
    const patient = clientWith({ requestMs: 15_000 });
    const end = await underLoad(patient, topic);
    await cluster.restartInTurn();
    for (const member of cluster.members) {
      await member.kill();
      await sleep(1_000);
      await member.restart();
      await cluster.inSync();
    }
    const { written, refused } = await end();
    await patient.close();
    expect(refused).toEqual([]);
    expect(await held(topic)).toEqual(written);
  });

  test('closing a client whose brokers were restarted leaves no connection open', async () => {
    const connections = (): number => process.getActiveResourcesInfo().filter((name) => /^(TCP|TLS)/.test(name)).length;
    await client.close();
    await until('the end of all connections', connections, 0);
  });
});
