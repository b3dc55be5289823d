import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ProvidedBroker, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { isAortaError } from '@aorta/runtime';
import { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { takesAtMost } from '../../../infra/machine/goal.fixture.ts';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import type { KafkaClient } from './client.ts';
import { bareKafka, clientOf, fresh, read, write } from './kafka.fixture.ts';
import type { Broker } from './kafkajs/internals.ts';

const require = createRequire(import.meta.url);

const own = {
  own: true,
  users: { reader: 'secret' },
  properties: {
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': 'User:ANONYMOUS',
  },
} as const;
const problem = await whyNoBroker(own);

const codeOf = async (work: Promise<unknown>): Promise<string | undefined> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return isAortaError(error) ? error.code : undefined;
};

/** In Kafka's protocol, this API key identifies the request that contains the password. */
const SASL_AUTHENTICATE = 36;

/** Starts a proxy to a broker. The proxy closes the connection during each of the first `cuts` logins. */
async function cuttingLogins(
  broker: string,
): Promise<{ address: string; cuts: number; splitCall: number; close(): Promise<void> }> {
  const [host, port] = broker.split(':');
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const there = connect(Number(port), host);
    for (const socket of [client, there]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    // During a login, each chunk of data is one request. It begins with its length, followed by its API key.
    client.on('data', (bytes) => {
      if (bytes.length > 6 && bytes.readInt16BE(4) === SASL_AUTHENTICATE && proxy.splitCall < proxy.cuts) {
        proxy.splitCall++;
        client.destroy();
        there.destroy();
      } else there.write(bytes);
    });
    there.on('data', (bytes) => client.write(bytes));
    there.on('close', () => client.destroy());
    client.on('close', () => there.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxy = {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: 0,
    splitCall: 0,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

describe.skipIf(problem !== undefined)(`faults of the client library and of brokers ${problem?.message ?? ''}`, () => {
  let broker: ProvidedBroker;
  let client: KafkaClient;

  beforeAll(async () => {
    broker = await provideBroker(own);
    client = clientOf(broker.brokers);
  });
  afterAll(async () => {
    await client?.close();
    await broker?.stop();
  });

  async function topicOf(partitions = 1, settings: Record<string, string> = {}): Promise<string> {
    const topic = fresh('faults');
    await client.admin.create({ topic, partitions, settings });
    return topic;
  }

  /** Deletes the records of partition 0 before an offset, as retention does. */
  async function forget(topic: string, before: number): Promise<void> {
    const admin = bareKafka(broker.brokers).admin();
    await admin.connect();
    await admin.fetchTopicOffsets(topic);
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: String(before) }] });
    await admin.disconnect();
  }

  describe('a wrong configuration is reported within seconds', () => {
    const onAssigned = (): number => 0;
    const wishes = { group: 'g', onAssigned, onBatch: () => {}, onFailure: () => {} };

    test('a wrong password is reported as a refused login', async () => {
      const login = { mechanism: 'plain', user: 'reader', password: 'wrong' } as const;
      const wrongUser = clientOf(broker.saslBrokers, { login });
      await takesAtMost(4_000, 'reporting a wrong password', async () => {
        expect(await codeOf(wrongUser.consume({ ...wishes, topics: ['x'] }))).toBe('AORTA-KAFKA-LOGIN');
        expect(await codeOf(wrongUser.producer({}))).toBe('AORTA-KAFKA-LOGIN');
      });
      await wrongUser.close();
    });

    test('a connection lost during the login is retried and not reported as a wrong password', async () => {
      const login = { mechanism: 'plain', user: 'reader', password: 'secret' } as const;
      const proxy = await cuttingLogins(broker.saslBrokers[0]!);
      const reader = clientOf([proxy.address], { login });
      try {
        proxy.cuts = Number.POSITIVE_INFINITY;
        expect(await codeOf(reader.admin.topics())).toBe('AORTA-KAFKA-UNREACHABLE');
        expect(proxy.splitCall).toBeGreaterThan(1);
        proxy.cuts = proxy.splitCall + 2;
        expect(await codeOf(reader.admin.topics())).toBe(undefined);
        expect(proxy.splitCall).toBe(proxy.cuts);
      } finally {
        await reader.close();
        await proxy.close();
      }
    });

    test('a topic or group that the user may not use is reported as forbidden', async () => {
      const topic = await topicOf();
      const reader = clientOf(broker.saslBrokers, { login: { mechanism: 'plain', user: 'reader', password: 'secret' } });
      const refused = async (): Promise<string | undefined> => {
        const error = await takesAtMost(6_000, 'reporting a missing permission', () =>
          reader.consume({ ...wishes, topics: [topic] }).catch((thrown: unknown) => thrown),
        );
        return isAortaError(error) ? `${error.code} ${error.details.what}` : undefined;
      };
      expect(await refused()).toBe('AORTA-KAFKA-FORBIDDEN topic');
      const admin = bareKafka(broker.brokers).admin();
      await admin.connect();
      const allowed = { permissionType: AclPermissionTypes.ALLOW, resourcePatternType: ResourcePatternTypes.LITERAL };
      const right = {
        ...allowed,
        principal: 'User:reader',
        host: '*',
        resourceType: AclResourceTypes.TOPIC,
        resourceName: topic,
      };
      await admin.createAcls({ acl: [{ ...right, operation: AclOperationTypes.READ }] });
      expect(await refused()).toBe('AORTA-KAFKA-FORBIDDEN consumer group');
      await admin.disconnect();
      await reader.close();
    });

    test('a missing topic is reported', async () => {
      expect(await codeOf(client.consume({ ...wishes, topics: ['no-such'] }))).toBe('AORTA-KAFKA-TOPIC-MISSING');
      expect(await codeOf(client.admin.bounds('no-such'))).toBe('AORTA-KAFKA-TOPIC-MISSING');
    });

    test('an address without a broker is reported, and so is a TLS connection to a plain-text port', async () => {
      const unreachable = clientOf(['127.0.0.1:1'], { connectMs: 500 });
      await takesAtMost(4_000, 'reporting an address without a broker', () =>
        expect(unreachable.consume({ ...wishes, topics: ['x'] })).rejects.toMatchObject({
          code: 'AORTA-KAFKA-UNREACHABLE',
          details: { reason: 'ECONNREFUSED' },
        }),
      );
      const safe = clientOf(broker.brokers, { tls: true, connectMs: 500 });
      expect(await codeOf(safe.consume({ ...wishes, topics: ['x'] }))).toMatch(/AORTA-KAFKA-(TLS|UNREACHABLE)/);
      await Promise.all([unreachable.close(), safe.close()]);
    });
  });

  test('stop() sends the last commits and delivers no more batches', async () => {
    const topic = await topicOf();
    const group = fresh('g');
    const producer = await client.producer({});
    let at = 0;
    const flow = setInterval(
      () => void producer.produce({ topic, partition: 0 }, [{ key: null, value: Buffer.from(`${at++}`) }]),
      5,
    );
    const reading = await read(client, {
      group,
      topics: [topic],
      onRelease: async ([partition]) => {
        // Simulates records that become durable only later.
        await sleep(500);
        expect(await partition!.commit(reading.batches.at(-1)!.batch.next)).toBe(true);
      },
    });
    await until(
      'some batches',
      () => reading.batches.length,
      (count) => count > 5,
    );
    const [partition] = reading.consumer.assigned();
    const stopping = reading.consumer.stop();
    const before = reading.batches.length;
    await stopping;
    clearInterval(flow);
    await producer.close();
    await sleep(300);
    expect(reading.batches.length).toBe(before);
    expect(await client.admin.committed(group, topic)).toEqual([reading.batches.at(-1)!.batch.next]);
    expect(partition!.lost.aborted).toBe(true);
    expect(await partition!.commit(1)).toBe(false);
    expect(await client.admin.members(group)).toEqual([]);
  });

  test('after a rebalance, the new owner resumes from the last commit of the old owner, which can no longer commit', async () => {
    const topic = await topicOf(2);
    const group = fresh('g');
    await write(client, topic, ['a', 'b', 'c']);
    await write(client, topic, ['x', 'y'], 1);
    const answers: boolean[] = [];
    const first = await read(client, {
      group,
      topics: [topic],
      onRelease: async (partitions) => {
        // Sleeps for longer than a heartbeat interval, so that other members must wait.
        await sleep(1_500);
        for (const partition of partitions) answers.push(await partition.commit(partition.partition === 0 ? 3 : 2));
      },
    });
    await until('all records', () => [first.offsets(0).length, first.offsets(1).length], [3, 2]);
    const before = first.consumer.assigned();
    const second = await read(client, { group, topics: [topic] });
    await until('one partition each', () => [first, second].map(({ consumer }) => consumer.assigned().length), [1, 1]);
    expect(answers).toEqual([true, true]);
    const now = [...first.consumer.assigned(), ...second.consumer.assigned()].sort(
      (one, other) => one.partition - other.partition,
    );
    expect(now.map(({ partition, committed }) => [partition, committed])).toEqual([
      [0, 3],
      [1, 2],
    ]);
    for (const partition of before) {
      expect(partition.lost.aborted).toBe(true);
      expect(await partition.commit(1)).toBe(false);
    }
    expect(await client.admin.committed(group, topic)).toEqual([3, 2]);
    expect(first.released).toEqual(before);
    expect(first.incidents).toEqual(['rebalance']);
    await write(client, topic, ['d']);
    await until(
      'the next record',
      () => [...first.values(), ...second.values()],
      (values) => values.includes('d'),
    );
    expect(second.values()).not.toContain('c');
    await Promise.all([first.consumer.stop(), second.consumer.stop()]);
  });

  test('a member keeps its partition through an assignment or a pause that takes longer than the session timeout', async () => {
    const topic = await topicOf();
    const group = fresh('g');
    await write(client, topic, ['a', 'b']);
    const reading = await read(client, {
      group,
      topics: [topic],
      sessionMs: 3_000,
      onAssigned: async () => {
        await sleep(5_000);
        return 0;
      },
    });
    await until('the first records', () => reading.offsets().length, 2);
    const [partition] = reading.consumer.assigned();
    partition!.pause();
    await sleep(5_000);
    partition!.resume();
    await write(client, topic, ['c']);
    await until('the last record', () => reading.offsets().length, 3);
    expect(reading.values()).toEqual(['a', 'b', 'c']);
    expect(reading.assigned.length).toBe(1);
    expect(await partition!.commit(3)).toBe(true);
    expect(reading.incidents).toEqual([]);
    await reading.consumer.stop();
  });

  test('creating a topic succeeds even if the brokers do not list the topic at once', async () => {
    const { KafkaJSProtocolError } = require('kafkajs') as typeof import('kafkajs');
    type Asked = { createTopics(wanted: unknown): Promise<unknown>; metadata(topics?: string[]): Promise<unknown> };
    const { prototype } = require('kafkajs/src/broker') as { prototype: Asked };
    const { createTopics } = prototype;
    const metadata = vi.spyOn(prototype, 'metadata');
    const created = vi.spyOn(prototype, 'createTopics').mockImplementationOnce(async function (this: Asked, wanted) {
      const answer = await createTopics.call(this, wanted);
      const unknown = { message: 'planted', type: 'UNKNOWN_TOPIC_OR_PARTITION', code: 3 };
      metadata.mockRejectedValueOnce(new KafkaJSProtocolError(unknown as never));
      return answer;
    });
    try {
      const topic = fresh('faults');
      expect(await client.admin.create({ topic, partitions: 2 })).toBe(true);
      expect(await client.admin.partitions(topic)).toBe(2);
      expect(await client.admin.create({ topic, partitions: 2 })).toBe(false);
    } finally {
      created.mockRestore();
      metadata.mockRestore();
    }
  });

  test('if a partition has no leader during an assignment, the offset lookup is retried without another rebalance', async () => {
    const topic = await topicOf();
    await write(client, topic, ['a', 'b']);
    const { KafkaJSProtocolError } = require('kafkajs') as typeof import('kafkajs');
    // The test simulates the error, because it cannot make a real broker lose its leadership at the right moment.
    const asked = vi.spyOn((require('kafkajs/src/broker') as { prototype: Broker }).prototype, 'listOffsets');
    try {
      const reading = await read(client, {
        group: fresh('g'),
        topics: [topic],
        onAssigned: () => {
          const gone = { message: 'planted', type: 'NOT_LEADER_FOR_PARTITION', code: 6 };
          asked.mockRejectedValueOnce(new KafkaJSProtocolError(gone as never));
          return 0;
        },
      });
      await until('both records', () => reading.offsets().length, 2);
      expect(reading.assigned.length).toBe(1);
      expect(reading.incidents).toEqual([]);
      await reading.consumer.stop();
    } finally {
      asked.mockRestore();
    }
  });

  test('an idle consumer uses little CPU, and resumes and stops without delay', async () => {
    const topic = await topicOf(3);
    const reading = await read(client, { group: fresh('g'), topics: [topic] });
    for (const partition of reading.consumer.assigned()) partition.pause();
    await sleep(1_000);
    await write(client, topic, ['x']);
    await takesAtMost(600, 'resuming the partitions', () => {
      for (const partition of reading.consumer.assigned()) partition.resume();
      return until('the record', () => reading.batches.length, 1);
    });
    await sleep(500);
    const before = process.cpuUsage();
    await sleep(4_000);
    const { user, system } = process.cpuUsage(before);
    // CPU usage as a fraction of one core, including the connections of producers and of the admin client. Without the workarounds it exceeds 5 %.
    expect((user + system) / 4_000_000).toBeLessThan(0.03);
    await takesAtMost(1_000, 'stopping an idle consumer', () => reading.consumer.stop());
  });

  test('a start offset outside the log ends the consumer with an error', async () => {
    const topic = await topicOf();
    await write(client, topic, ['a', 'b', 'c', 'd']);
    await forget(topic, 2);
    for (const start of [1, 5, 2.5]) {
      const refused = read(client, { group: fresh('g'), topics: [topic], onAssigned: () => start });
      await expect(refused).rejects.toMatchObject({
        code: 'AORTA-KAFKA-OUT-OF-RANGE',
        details: { topic, partition: 0, next: start, low: 2, end: 4 },
      });
    }
    const callbackError = new Error('thrown by the callback');
    const thrown = read(client, {
      group: fresh('g'),
      topics: [topic],
      onAssigned: () => {
        throw callbackError;
      },
    });
    await expect(thrown).rejects.toBe(callbackError);
    const atEnd = await read(client, { group: fresh('g'), topics: [topic], onAssigned: ({ end }) => end });
    await write(client, topic, ['e']);
    await until('the new record', () => atEnd.offsets().length, 1);
    expect(atEnd.offsets()).toEqual([4]);
    await atEnd.consumer.stop();
  });

  test('if retention deletes unread records, the consumer ends with an error that names the offsets instead of skipping records', async () => {
    const topic = await topicOf();
    await write(client, topic, ['a', 'b', 'c']);
    const reading = await read(client, { group: fresh('g'), topics: [topic] });
    await until('three records', () => reading.offsets().length, 3);
    const [partition] = reading.consumer.assigned();
    partition!.pause();
    await write(client, topic, ['d', 'e', 'f', 'g']);
    await forget(topic, 6);
    partition!.resume();
    await until('the failure', () => reading.failures.length);
    expect(reading.failures).toMatchObject([
      { code: 'AORTA-KAFKA-OUT-OF-RANGE', details: { topic, partition: 0, next: 3, low: 6, end: 7 } },
    ]);
    expect(reading.values()).toEqual(['a', 'b', 'c']);
    expect(partition!.lost.aborted).toBe(true);
    await reading.consumer.stop();
  });

  test('a consumer ends with an error if its topic is deleted and created again with fewer records', async () => {
    const topic = await topicOf();
    await write(client, topic, ['a', 'b', 'c']);
    const reading = await read(client, { group: fresh('g'), topics: [topic] });
    await until('three records', () => reading.offsets().length, 3);
    reading.consumer.assigned()[0]!.pause();
    const admin = bareKafka(broker.brokers).admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [topic] });
    await until('a new topic', () => client.admin.create({ topic, partitions: 1 }).catch(() => false));
    await admin.disconnect();
    await write(client, topic, ['other']);
    for (const partition of reading.consumer.assigned()) partition.resume();
    await until('the failure', () => reading.failures.length);
    expect(reading.failures).toMatchObject([{ code: 'AORTA-KAFKA-OUT-OF-RANGE', details: { next: 3, low: 0, end: 1 } }]);
    expect(reading.values()).toEqual(['a', 'b', 'c']);
    await reading.consumer.stop();
  });

  test.each([3, 12])(
    'if a broker is killed and restarted after %i s, the consumer gets every record in order within seconds',
    async (seconds) => {
      const topic = await topicOf(2);
      const group = fresh('g');
      const reading = await read(client, {
        group,
        topics: [topic],
        onBatch: (from, batch) => void from.commit(batch.next).catch(() => {}),
      });
      const producer = await clientOf(broker.brokers, { requestMs: 30_000 }).producer({});
      const written: Promise<number>[] = [];
      let at = 0;
      const produce = (): void => {
        const partition = at % 2;
        written.push(producer.produce({ topic, partition }, [{ key: null, value: Buffer.from(`${at++}`) }]));
      };
      const flow = setInterval(produce, 5);
      onTestFinished(() => clearInterval(flow));
      await until(
        'a steady flow',
        () => reading.batches.length,
        (count) => count > 20,
      );
      await broker.faults!.kill();
      await sleep(seconds * 1_000);
      await broker.faults!.restart();
      const before = reading.batches.length;
      await takesAtMost(4_000, 'the first batch after the restart', () =>
        until(
          'a batch after the restart',
          () => reading.batches.length,
          (count) => count > before,
        ),
      );
      await sleep(1_000);
      clearInterval(flow);
      const offsets = await Promise.all(written);
      await producer.close();
      // The producer wrote no record twice, and the calls to each partition kept their order.
      const bounds = await client.admin.bounds(topic);
      expect(bounds.map(({ end }) => end)).toEqual([Math.ceil(at / 2), Math.floor(at / 2)]);
      expect(offsets).toEqual(offsets.map((_, index) => Math.floor(index / 2)));
      await until(
        'all records',
        () => bounds.map((_, partition) => reading.offsets(partition).at(-1)),
        bounds.map(({ end }) => end - 1),
      );
      for (const partition of [0, 1]) {
        expect([...new Set(reading.offsets(partition))]).toEqual(offsets.filter((_, index) => index % 2 === partition));
      }
      expect(reading.failures).toEqual([]);
      await reading.consumer.stop();
    },
  );

  test('a new consumer fails within its timeout while the broker is frozen, and a running consumer continues afterwards', async () => {
    const topic = await topicOf();
    const reading = await read(client, { group: fresh('g'), topics: [topic], sessionMs: 3_000, watchdogMs: 3_000 });
    await write(client, topic, ['before']);
    await until('the first records', () => reading.offsets().length, 1);
    const [partition] = reading.consumer.assigned();
    await partition!.commit(1);
    await broker.faults!.freeze();
    try {
      const late = clientOf(broker.brokers, { connectMs: 500 });
      const wishes = { group: 'g', topics: [topic], onAssigned: () => 0, onBatch: () => {}, onFailure: () => {} };
      await takesAtMost(4_000, 'reporting a frozen broker', async () => {
        expect(await codeOf(late.consume(wishes))).toBe('AORTA-KAFKA-UNREACHABLE');
        expect(await codeOf(late.producer({}))).toBe('AORTA-KAFKA-UNREACHABLE');
      });
      await takesAtMost(4_000, 'closing a client of a frozen broker', () => late.close());
      await until(
        'a silence incident',
        () => reading.incidents,
        (incidents) => incidents.includes('silence'),
      );
      expect(partition!.lost.aborted).toBe(true);
    } finally {
      await broker.faults!.thaw();
    }
    await write(client, topic, ['after']);
    await until(
      'the second record',
      () => reading.values(),
      (values) => values.includes('after'),
    );
    expect(reading.values()).toEqual(['before', 'after']);
    expect(reading.failures).toEqual([]);
    await broker.faults!.freeze();
    try {
      await takesAtMost(10_000, 'stopping a consumer of a frozen broker', () => reading.consumer.stop());
    } finally {
      await broker.faults!.thaw();
    }
  });
});
