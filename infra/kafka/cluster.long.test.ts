import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { client, consume, produce } from './client.fixture.ts';
import { KafkaCluster, whyNoJvmBroker } from './index.ts';

const problem = await whyNoJvmBroker();
const users = { etl: 'secret' };

describe.skipIf(problem !== undefined)(`three brokers on this machine ${problem?.message ?? ''}`, () => {
  let cluster: KafkaCluster;
  beforeAll(async () => {
    cluster = await KafkaCluster.start({ users });
  });
  afterAll(() => cluster?.stop());

  test('a topic with a replica on each broker keeps its records when brokers are restarted or killed', async () => {
    const kafka = client(cluster.brokers);
    const admin = kafka.admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: 'kept', numPartitions: 3 }] });
    const { topics } = await admin.fetchTopicMetadata({ topics: ['kept'] });
    expect(topics[0]!.partitions.map(({ replicas }) => [...replicas].sort())).toEqual([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ]);
    await admin.disconnect();
    await produce(kafka, 'kept', ['one']);
    await cluster.inSync();
    await cluster.restartInTurn();
    await produce(kafka, 'kept', ['two']);
    await cluster.members[0]!.kill();
    await cluster.ledWithout(cluster.members[0]!);
    await produce(client(cluster.brokers.slice(1)), 'kept', ['three']);
    await cluster.members[0]!.restart();
    await cluster.inSync();
    expect(await consume(kafka, 'kept', 3)).toEqual(['one', 'two', 'three']);
  });

  test('clients can log in over TLS only if they trust the authority of the brokers’ certificates', async () => {
    const login = { mechanism: 'plain', username: 'etl', password: 'secret' } as const;
    const secure = client(cluster.secureBrokers, login, { ca: [cluster.authority.chain] }).admin();
    await secure.connect();
    expect((await secure.describeCluster()).brokers.map(({ nodeId }) => nodeId).sort()).toEqual([1, 2, 3]);
    await secure.disconnect();
    const untrusting = client(cluster.secureBrokers, login, true).admin();
    await expect(untrusting.connect()).rejects.toMatchObject({ cause: { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' } });
  });
});
