import { randomUUID } from 'node:crypto';
import { deleteTopic, dropRecords, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { isAortaError, silentLogger } from '@aorta/runtime';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { inUse, partitionName, type StreamLog, type StreamPartition } from '../../stream-log.ts';
import { readOn, user } from '../../streams/conformance.fixture.ts';
import { numbersOf, range } from '../../streams/records.fixture.ts';
import { topicOf } from '../../streams/topic-names.ts';
import type { KafkaClient } from '../client/client.ts';
import { openKafka } from '../client/open.ts';
import { openKafkaLog } from './kafka-log.ts';
import { streamsConnection } from './options.ts';
import { GROUP_OF_TESTS, settingsOf } from './settings.fixture.ts';
import { applyTopics, declaredTopics } from './topics.ts';

const problem = await whyNoBroker({ own: true });
const plenty = { records: 1e6, bytes: 1e9 };

describe.skipIf(problem !== undefined)('a Kafka stream log on a real broker with faults', () => {
  let broker: Awaited<ReturnType<typeof provideBroker>>;
  let settings: ReturnType<typeof settingsOf>;
  let client: KafkaClient;
  let topic: string;
  let opened: StreamLog[];
  const carried = new Map<string, { incarnation: string; position: number }>();
  beforeAll(async () => {
    broker = await provideBroker({ own: true });
  });
  afterAll(() => broker.stop());
  beforeEach(async () => {
    settings = settingsOf({ brokers: [...broker.brokers], partitions: 2, prefix: `${randomUUID()}.` });
    client = openKafka(streamsConnection(settings, 'test'), { logger: silentLogger });
    await applyTopics(client.admin, settings);
    topic = topicOf(settings, 'unrouted');
    carried.clear();
    opened = [];
  });
  afterEach(async () => {
    for (const log of opened) await log.close();
    await client.close();
  });

  async function open(options: Partial<typeof settings> = {}): Promise<StreamLog> {
    const log = await openKafkaLog({
      client,
      settings: { ...settings, ...options },
      append: true,
      read: { group: GROUP_OF_TESTS, carried: (of) => carried.get(partitionName(of)), onNews: () => {} },
    });
    opened.push(log);
    return log;
  }
  async function append(log: StreamLog, numbers: readonly number[]): Promise<void> {
    for (const number of numbers) log.append('unrouted', user('a', number));
    await log.flush();
  }

  test('if retention deleted records before they were merged into the tables, reads fail unless `overtaken` is `continue`', async () => {
    const log = await open();
    await append(log, range(0, 20));
    const [of] = inUse(log) as [StreamPartition];
    carried.set(partitionName(of), { incarnation: log.incarnation(of), position: 5 });
    await log.close();
    await dropRecords(broker.brokers[0]!, topic, of.partition, 12);
    const stopped = await open();
    const [again] = inUse(stopped) as [StreamPartition];
    await expect(stopped.read(again, 5, plenty)).rejects.toMatchObject({
      code: 'AORTA-STREAM-OVERTAKEN',
      details: { topic, partition: of.partition, low: 12, position: 5 },
    });
    await stopped.close();
    const going = await open({ overtaken: 'continue' });
    expect(numbersOf(await readOn(going, 'unrouted', new Map([[inUse(going)[0]!, 5]])))).toEqual(range(12, 20));
  });

  test('a writer fails if its topic is deleted and created again, and a newly opened log reads all records of the new topic', async () => {
    const log = await open();
    await append(log, range(0, 20));
    const before = log.incarnation(inUse(log)[0]!);
    carried.set(partitionName(inUse(log)[0]!), { incarnation: before, position: 20 });
    await deleteTopic(broker.brokers[0]!, topic);
    const declared = declaredTopics(settings).find((one) => one.topic === topic)!;
    await until('the new topic', () => client.admin.create(declared));
    log.append('unrouted', user('a', 20));
    const refused: unknown = await log.flush().catch((error: unknown) => error);
    expect(isAortaError(refused)).toBe(true);
    await log.close();
    const next = await open();
    // The new topic gets more records than the old one had. A reader that resumed from the old position would skip the first 20.
    await append(next, range(30, 60));
    const [of] = inUse(next) as [StreamPartition];
    expect(next.incarnation(of)).not.toBe(before);
    expect(numbersOf(await readOn(next)).filter((number) => number >= 30)).toEqual(range(30, 60));
  });

  test('acknowledged records survive a SIGKILL of the broker, and a new log can read and append', async () => {
    const log = await open();
    await append(log, range(0, 50));
    const positions = new Map<StreamPartition, number>();
    expect(numbersOf(await readOn(log, 'unrouted', positions))).toEqual(range(0, 50));
    const killed = broker.faults!.kill();
    for (const number of range(50, 80)) log.append('unrouted', user('a', number));
    const flush = log.flush().then(
      () => true,
      () => false,
    );
    await killed;
    await broker.faults!.restart();
    const durable = await flush;
    await log.close();
    const next = await open();
    await append(next, range(100, 120));
    const numbers = numbersOf(await readOn(next));
    const sent = durable ? [...range(0, 80), ...range(100, 120)] : [...range(0, 50), ...range(100, 120)];
    expect(numbers.filter((number) => durable || number < 50 || number >= 100)).toEqual(sent);
  });
});
