import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { silentLogger } from '@aorta/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { partitionName, type StreamLog, type StreamPartition } from '../../stream-log.ts';
import { user } from '../../streams/conformance.fixture.ts';
import { numbersOf, range } from '../../streams/records.fixture.ts';
import type { KafkaClient } from '../client/client.ts';
import { openKafka } from '../client/open.ts';
import { ownByGroup } from './group-ownership.ts';
import { openKafkaLog } from './kafka-log.ts';
import { streamsConnection } from './options.ts';
import { GROUP_OF_TESTS, settingsOf } from './settings.fixture.ts';
import { applyTopics } from './topics.ts';

/** Runs workers that divide the partitions of a stream on a real broker, without a warehouse. */

const problem = await whyNoBroker();

describe.skipIf(problem !== undefined)('workers on a real broker', () => {
  let broker: Awaited<ReturnType<typeof provideBroker>>;
  let settings: ReturnType<typeof settingsOf>;
  let client: KafkaClient;
  beforeAll(async () => {
    broker = await provideBroker();
    settings = settingsOf({ brokers: [...broker.brokers], partitions: 6, prefix: `${randomUUID()}.` });
    client = openKafka(streamsConnection(settings, 'test'), { logger: silentLogger });
    await applyTopics(client.admin, settings);
  });
  afterAll(async () => {
    await client.close();
    await broker.stop();
  });

  /** The simulated warehouse: it stores numbers and positions together. */
  const landed = new Map<string, { incarnation: string; position: number; numbers: number[] }>();
  /** The worker that is landing records, by partition. */
  const at = new Map<string, string>();
  const overlaps: string[] = [];

  async function worker(name: string): Promise<{ stop(): Promise<void>; readonly log: StreamLog }> {
    const own = openKafka(streamsConnection(settings, name), { logger: silentLogger });
    const log = await openKafkaLog({
      client: own,
      settings,
      read: { group: GROUP_OF_TESTS, carried: (of) => landed.get(partitionName(of)), onNews: () => {} },
    });
    let stopping = false;
    const round = async (): Promise<void> => {
      for (const of of log.assigned()) {
        if (of.stream !== 'unrouted') continue;
        const key = partitionName(of);
        const known = landed.get(key) ?? { incarnation: log.incarnation(of), position: log.start(of), numbers: [] };
        if (known.position >= log.end(of)) continue;
        const batch = await log.read(of as StreamPartition<'unrouted'>, known.position, { records: 50, bytes: 1e9 });
        if (!log.assigned().includes(of) || batch.records.length === 0) continue;
        if (at.has(key)) overlaps.push(`${key}: ${at.get(key)} and ${name}`);
        at.set(key, name);
        // Landing in a real warehouse takes time, during which another worker may start.
        await sleep(5);
        expect(landed.get(key)?.position ?? log.start(of)).toBe(known.position);
        landed.set(key, { ...known, position: batch.to, numbers: [...known.numbers, ...numbersOf(batch.records)] });
        at.delete(key);
        await log.commit(GROUP_OF_TESTS, of, batch.to);
      }
    };
    const loop = (async () => {
      while (!stopping) {
        await round();
        await sleep(5);
      }
    })();
    return {
      log,
      stop: async () => {
        stopping = true;
        await loop;
        await log.close();
        await own.close();
      },
    };
  }

  test('workers that join and leave divide the partitions without overlap, and no record is lost or duplicated', async () => {
    const writer = await openKafkaLog({ client, settings, append: true });
    const first = await worker('first');
    let number = 0;
    const write = async (count: number): Promise<void> => {
      for (const end = number + count; number < end; number++) {
        writer.append('unrouted', user(`user-${number % 50}`, number));
        if (number % 100 === 99) await writer.flush();
      }
      await writer.flush();
    };
    const writing = (async () => {
      for (let turns = 0; turns < 30; turns++) {
        await write(200);
        await sleep(100);
      }
    })();
    await sleep(400);
    const second = await worker('second');
    const third = await worker('third');
    const members = await client.admin.members(`${settings.prefix}${GROUP_OF_TESTS}`);
    expect(members.map((member) => member.client).sort()).toEqual(['first', 'second', 'third']);
    const shareOf = ({ log }: typeof first) => log.assigned().filter(({ stream }) => stream === 'unrouted').length;
    // Several rebalances are needed until each worker has two of the six partitions.
    await until('two partitions for each worker', () => [first, second, third].map(shareOf), [2, 2, 2]);
    await second.stop();
    await writing;
    await writer.close();
    const count = (): number => [...landed.values()].reduce((sum, { numbers }) => sum + numbers.length, 0);
    await until('all records', count, (landedCount) => landedCount >= number);
    await first.stop();
    await third.stop();
    expect(overlaps).toEqual([]);
    expect([...landed.values()].flatMap(({ numbers }) => numbers).sort((a, b) => a - b)).toEqual(range(0, 6000));
    for (const { numbers } of landed.values()) expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    const committed = await client.admin.committed(`${settings.prefix}${GROUP_OF_TESTS}`, `${settings.prefix}unrouted`);
    const bounds = await client.admin.bounds(`${settings.prefix}unrouted`);
    expect(committed).toEqual(bounds.map(({ end }) => (end === 0 ? undefined : end)));
  });

  test('each share of work has exactly one owner among the workers', async () => {
    const shares = range(0, 10).map((index) => `share-${index}`);
    const clients = ['one', 'two'].map((name) => openKafka(streamsConnection(settings, name), { logger: silentLogger }));
    const join = (index: number) => ownByGroup({ client: clients[index]!, prefix: settings.prefix, work: 'merge', shares });
    const one = await join(0);
    expect(
      one
        .owned()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(shares);
    const two = await join(1);
    const both = () => [...one.owned(), ...two.owned()].map(({ name }) => name).sort();
    await until('an owner of each share', both, shares);
    expect(two.owned().length).toBeGreaterThan(0);
    await one.close();
    await until('all shares of the remaining worker', () => two.owned().length, shares.length);
    await two.close();
    for (const each of clients) await each.close();
  });
});
