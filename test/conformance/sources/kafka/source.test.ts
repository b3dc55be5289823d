import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ProvidedBroker, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { isAortaError, Progress, silentLogger } from '@aorta/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { numbers, offsetsOf } from '../../../../connectors/delivery.fixture.ts';
import type { KafkaClient, KafkaRecord, ProducedRecord } from '../../../../connectors/kafka/client/client.ts';
import { openKafka } from '../../../../connectors/kafka/client/open.ts';
import { settingsFor } from '../../../../connectors/kafka/source/kafka.fixture.ts';
import { KafkaSource, type KafkaSourceOptions } from '../../../../connectors/kafka/source/source.ts';
import { type Collected, collect } from '../../../../connectors/sources/collected.fixture.ts';
import { takesAtMost } from '../../../../infra/machine/goal.fixture.ts';
import { until } from '../../../../infra/machine/waiting.fixture.ts';
import { type Consumption, consume } from '../../../../pipelines/ingestion/consumer.ts';
import { MemoryLog } from '../../../../pipelines/ingestion/memory-log.fixture.ts';
import { readAnything } from '../../../../pipelines/ingestion/read-anything.fixture.ts';
import { openRedeliveryWindow } from '../../../../pipelines/ingestion/redelivery-window/history.ts';
import { completions, killableWorker, recordsOf } from './killable-worker.ts';

const TYPE = 'historical.data.sleep.created';
const LOGIN = { user: 'etl', password: 'right-Zq81' };

const problem = await whyNoBroker({ own: true });
const withBroker = describe.skipIf(problem !== undefined);
const why = problem === undefined ? '' : ` (${problem.message})`;

let broker: ProvidedBroker;
let client: KafkaClient;
let folder: string;
const running: Collected[] = [];
const clients: KafkaClient[] = [];

beforeAll(async () => {
  if (problem !== undefined) return;
  folder = await mkdtemp(join(tmpdir(), 'kafka-source-'));
  broker = await provideBroker({
    own: true,
    users: { [LOGIN.user]: LOGIN.password },
    properties: { 'log.retention.check.interval.ms': '200', 'log.initial.task.delay.ms': '100' },
  });
  client = opened(broker.brokers);
});
afterEach(() => Promise.all(running.splice(0).map((one) => one.stop())));
afterAll(async () => {
  await Promise.all(clients.map((one) => one.close()));
  await broker?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

function opened(brokers: readonly string[]): KafkaClient {
  const one = openKafka({ brokers, clientId: 'test', connectMs: 2000, requestMs: 5000 }, { logger: silentLogger });
  clients.push(one);
  return one;
}

let topics = 0;
/** Creates a topic for one test. Returns its name and the name of a new consumer group. */
async function madeTopic(partitions: number, at = client, settings: Record<string, string> = {}) {
  topics += 1;
  const topic = `events-${topics}`;
  await at.admin.create({ topic, partitions, settings });
  return { topic, group: `group-${topics}` };
}

function record(number: number, padding = 0): ProducedRecord {
  return {
    key: Buffer.from('u'),
    value: Buffer.from(JSON.stringify({ number, user_id: 'u', padding: 'x'.repeat(padding) })),
    headers: [
      ['event-type', Buffer.from(TYPE)],
      ['user-id', Buffer.from('u')],
      ['idempotency-key', Buffer.from(`id-${number}`)],
    ],
  };
}

async function append(
  topic: string,
  partition: number,
  { first, count, at = client, padding = 0 }: { first: number; count: number; at?: KafkaClient; padding?: number },
): Promise<void> {
  const producer = await at.producer({});
  try {
    for (let number = first; number < first + count; number += 500) {
      const records = numbers(number, Math.min(number + 500, first + count)).map((one) => record(one, padding));
      await producer.produce({ topic, partition }, records);
    }
  } finally {
    await producer.close();
  }
}

type TopicAndGroup = { readonly topic: string; readonly group: string };

function sourceOn(
  { topic, group }: TopicAndGroup,
  options: Partial<KafkaSourceOptions> = {},
  settings: Parameters<typeof settingsFor>[1] = {},
) {
  return new KafkaSource({
    settings: settingsFor(broker.brokers, { topics: [topic], consumer_group: group, ...settings }),
    open: openKafka,
    window: 0,
    askEveryMs: 300,
    ...options,
  });
}

function collecting(source: KafkaSource, options?: Parameters<typeof collect>[1]): Collected {
  const collected = collect(source, options);
  running.push(collected);
  return collected;
}

/** Starts a worker with its own streams, like a worker on another machine. */
async function worker(source: KafkaSource, name: string) {
  const log = new MemoryLog();
  const window = await openRedeliveryWindow({
    folder: join(folder, name),
    log,
    limits: { offsets: 0, bytes: 2 ** 28, hours: 48 },
  });
  const stopping = new AbortController();
  const ended: Promise<Consumption> = consume(source, log, { window, read: readAnything, signal: stopping.signal });
  const offsets = () => offsetsIn(log.all('historical_completions').map(({ receipt }) => receipt));
  return {
    source,
    log,
    offsets,
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}

function offsetsIn(receipts: readonly { readonly partition: string; readonly offset: number }[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const { partition, offset } of receipts) {
    const known = found.get(partition);
    if (known === undefined) found.set(partition, [offset]);
    else known.push(offset);
  }
  return found;
}

/** Counts the offsets below `ends` that no worker has read, and the offsets that were read more than once. */
function together(ends: ReadonlyMap<string, number>, ...found: readonly Map<string, number[]>[]) {
  let missing = 0;
  let repeated = 0;
  for (const [partition, end] of ends) {
    const all = found.flatMap((one) => one.get(partition) ?? []);
    const distinct = new Set(all);
    missing += numbers(0, end).filter((offset) => !distinct.has(offset)).length;
    repeated += all.length - distinct.size;
  }
  return { missing, repeated };
}

const committed = async ({ topic, group }: TopicAndGroup) => client.admin.committed(group, topic);
const codeOf = (error: unknown) => (isAortaError(error) ? error.code : error);

withBroker(`a Kafka source${why}`, () => {
  test('the source reads all partitions in order, and reads only new records after a restart', async () => {
    const place = await madeTopic(3);
    for (const partition of [0, 1, 2]) await append(place.topic, partition, { first: 0, count: 1200 });
    const first = collecting(sourceOn(place));
    await until('the initial records', () => first.deliveries.length, 3600);
    for (const partition of [0, 1, 2])
      expect(offsetsOf(first.deliveries, `${place.topic}/${partition}`)).toEqual(numbers(0, 1200));
    await first.stop();
    expect(await committed(place)).toEqual([1200, 1200, 1200]);
    await append(place.topic, 1, { first: 1200, count: 3 });
    const second = collecting(sourceOn(place));
    await until(
      'the new records',
      () => second.deliveries.length,
      (found) => found >= 3,
    );
    expect(offsetsOf(second.deliveries, `${place.topic}/1`)).toEqual([1200, 1201, 1202]);
    expect([first.error, second.error]).toEqual([undefined, undefined]);
  });

  test('a restarted source rereads its redelivery window, but nothing from before its consumer group started', async () => {
    const place = await madeTopic(1);
    await append(place.topic, 0, { first: 0, count: 100 });
    const latest = { start_position: 'latest' };
    const first = collecting(sourceOn(place, { window: 1000 }, latest));
    await until('the commit of the start position', async () => (await committed(place))[0], 100);
    await append(place.topic, 0, { first: 100, count: 30 });
    await until('the new records', () => first.deliveries.length, 30);
    await first.stop();
    await append(place.topic, 0, { first: 130, count: 5 });
    const second = collecting(sourceOn(place, { window: 1000 }, latest));
    await until('the new records', () => second.deliveries.length, 5);
    expect(second.before.get(`${place.topic}/0`)).toEqual(numbers(100, 130));
  });

  test('start_position can be a time', async () => {
    const place = await madeTopic(2);
    const producer = await client.producer({});
    // The records must be younger than the broker's retention.
    const at = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
    for (const partition of [0, 1])
      await producer.produce(
        { topic: place.topic, partition },
        numbers(0, 10).map((one) => ({ ...record(one), timestamp: at + one * 1000 })),
      );
    await producer.close();
    const collected = collecting(
      sourceOn(place, { once: true, window: 100 }, { start_position: new Date(at + 7000).toISOString() }),
    );
    await collected.ended;
    for (const partition of [0, 1]) expect(offsetsOf(collected.deliveries, `${place.topic}/${partition}`)).toEqual([7, 8, 9]);
    expect(collected.deliveries[0]!.receivedAt).toBe((at + 7000) * 1000);
  });

  test('the source reads added partitions from their first record', async () => {
    const place = await madeTopic(1);
    const collected = collecting(sourceOn(place, {}, { start_position: 'latest' }));
    await until('the assignment', async () => (await committed(place))[0], 0);
    await client.admin.addPartitions(place.topic, 2);
    await append(place.topic, 1, { first: 0, count: 10 });
    await until('the new partition', () => collected.deliveries.length, 10);
    expect(offsetsOf(collected.deliveries, `${place.topic}/1`)).toEqual(numbers(0, 10));
  });
});

test.skipIf(problem !== undefined)(
  'a dead letter is written to its topic, with unchanged bytes, key and headers, before the offset is committed',
  async () => {
    const place = await madeTopic(2);
    const { topic: dead } = await madeTopic(1);
    const bad: ProducedRecord = {
      key: Buffer.from('k'),
      value: Buffer.from('{"half":'),
      headers: [
        ['Event-Type', Buffer.from(TYPE)],
        ['trace', Buffer.from([0xa1, 1, 0x78])],
        ['trace', null],
      ],
      timestamp: Date.parse('2026-01-01T00:00:00Z'),
    };
    const producer = await client.producer({});
    await producer.produce({ topic: place.topic, partition: 1 }, [record(0), bad, { key: Buffer.from('gone'), value: null }]);
    await producer.close();
    const reader = await worker(sourceOn(place, { once: true }, { dead_letters: { topic: dead } }), 'dead-letters');
    await until('the commit', async () => (await committed(place))[1], 3);
    const copies: KafkaRecord[] = [];
    const copied = await client.consume({
      group: `${place.group}-copies`,
      topics: [dead],
      onAssigned: ({ low }) => low,
      onBatch: (_, { records }) => void copies.push(...records),
      onFailure: () => {},
    });
    await until('the copies', () => copies.length, 2);
    await copied.stop();
    await reader.stop();
    const [first, second] = copies as [KafkaRecord, KafkaRecord];
    expect([first.key, first.value]).toEqual([bad.key, bad.value]);
    expect(first.headers.slice(0, 3)).toEqual(bad.headers);
    const errors = new Map(first.headers.slice(3).map(([name, value]) => [name.replace('__connect.errors.', ''), String(value)]));
    expect(Object.fromEntries(errors)).toMatchObject({
      topic: place.topic,
      partition: '1',
      offset: '1',
      'exception.class.name': 'not_json',
      stage: 'parse',
    });
    // The copy of a tombstone is a tombstone.
    expect([String(second.key), second.value]).toEqual(['gone', null]);
    expect(reader.log.all('dead_letters').map(({ reason }) => reason)).toEqual(['not_json', 'tombstone']);
  },
);

withBroker(`workers of one consumer group${why}`, () => {
  test('when a worker joins and leaves under load, no record is lost or read twice', async () => {
    const place = await madeTopic(6);
    const stopping = new AbortController();
    const sent = numbers(0, 6).map(() => 0);
    const load = (async () => {
      const producer = await client.producer({});
      while (!stopping.signal.aborted) {
        for (const partition of sent.keys()) {
          await producer.produce(
            { topic: place.topic, partition },
            numbers(sent[partition]!, sent[partition]! + 20).map((one) => record(one)),
          );
          sent[partition]! += 20;
        }
        await sleep(5);
      }
      await producer.close();
    })();
    const first = await worker(sourceOn(place), 'first');
    await until(
      'records from the first worker',
      () => first.log.end(completions),
      (found) => found > 500,
    );
    const second = await worker(sourceOn(place), 'second');
    await until(
      'records from the second worker',
      () => second.log.end(completions),
      (found) => found > 500,
    );
    expect([first.source.partitions.length, second.source.partitions.length]).toEqual([3, 3]);
    expect((await second.stop()).ended).toBe('stopped');
    await until('the first worker to have all partitions again', () => first.source.partitions.length, 6);
    await sleep(500);
    stopping.abort();
    await load;
    const ends = new Map([...sent.entries()].map(([partition, end]) => [`${place.topic}/${partition}`, end]));
    await until('all records', () => together(ends, first.offsets(), second.offsets()).missing, 0);
    expect((await first.stop()).ended).toBe('stopped');
    expect(together(ends, first.offsets(), second.offsets())).toEqual({ missing: 0, repeated: 0 });
    expect(await committed(place)).toEqual(sent);
  });

  test('after a worker is killed with kill -9, another worker reads the remaining records', async () => {
    const place = await madeTopic(4);
    for (const partition of [0, 1, 2, 3]) await append(place.topic, partition, { first: 0, count: 3000, padding: 1000 });
    const streams = join(folder, 'killed');
    const killed = killableWorker({ brokers: broker.brokers, ...place, folder: streams });
    await until(
      'a commit',
      () => committed(place),
      (offsets) => offsets.some((next) => (next ?? 0) > 200),
    );
    killed.kill();
    await killed.ended;
    const other = await worker(sourceOn(place, { once: true }), 'other');
    const ends = new Map([0, 1, 2, 3].map((partition) => [`${place.topic}/${partition}`, 3000]));
    const left = offsetsIn(await recordsOf(streams));
    await until(
      'all records',
      () => committed(place),
      (offsets) => offsets.every((next) => next === 3000),
    );
    await other.stop();
    expect(together(ends, left, other.offsets()).missing).toBe(0);
    // The worker was killed before it had read all records, and the other worker read the rest.
    expect(other.log.end(completions)).toBeGreaterThan(0);
  });

  test('a worker suspended past its session timeout does not commit offsets of lost partitions, and then resumes', async () => {
    const place = await madeTopic(4);
    for (const partition of [0, 1, 2, 3]) await append(place.topic, partition, { first: 0, count: 3000, padding: 1000 });
    const streams = join(folder, 'frozen');
    const frozen = killableWorker({ brokers: broker.brokers, ...place, folder: streams });
    try {
      await until(
        'a commit',
        () => committed(place),
        (offsets) => offsets.some((next) => (next ?? 0) > 200),
      );
      frozen.freeze();
      const other = await worker(sourceOn(place), 'while-frozen');
      const ends = new Map([0, 1, 2, 3].map((partition) => [`${place.topic}/${partition}`, 3000]));
      await until(
        'all records',
        () => committed(place),
        (offsets) => offsets.every((next) => next === 3000),
      );
      frozen.thaw();
      await until('the first worker to have half of the partitions again', () => other.source.partitions.length, 2);
      for (const partition of [0, 1, 2, 3]) await append(place.topic, partition, { first: 3000, count: 10 });
      await until(
        'the later records',
        () => committed(place),
        (offsets) => offsets.every((next) => next === 3010),
      );
      await other.stop();
      frozen.kill();
      await frozen.ended;
      expect(together(ends, offsetsIn(await recordsOf(streams)), other.offsets()).missing).toBe(0);
    } finally {
      frozen.kill();
    }
  });
});

withBroker(`faults of the broker${why}`, () => {
  test('the source reads every record even if the broker is killed with kill -9 and restarted', async () => {
    const own = await provideBroker({ own: true });
    const at = opened(own.brokers);
    try {
      const place = await madeTopic(3, at);
      const source = sourceOn(place, {}, { brokers: [...own.brokers], request_s: 5, connect_s: 2 });
      const reader = await worker(source, 'survivor');
      for (const partition of [0, 1, 2]) await append(place.topic, partition, { first: 0, count: 1000, at });
      await until(
        'the first records',
        () => reader.log.end(completions),
        (found) => found > 100,
      );
      await own.faults!.kill();
      await sleep(1500);
      await own.faults!.restart();
      const ends = new Map([0, 1, 2].map((partition) => [`${place.topic}/${partition}`, 1500]));
      await takesAtMost(20_000, 'reading the records after the restart', async () => {
        for (const partition of [0, 1, 2]) await append(place.topic, partition, { first: 1000, count: 500, at });
        await until('all records', () => together(ends, reader.offsets()).missing, 0);
      });
      await append(place.topic, 0, { first: 1500, count: 1, at });
      await until('the later record', () => reader.offsets().get(`${place.topic}/0`)?.at(-1), 1500);
      expect((await reader.stop()).ended).toBe('stopped');
    } finally {
      await at.close();
      await own.stop();
    }
  });

  test('the source reports that it is waiting while the broker does not answer, and then resumes reading', async () => {
    const own = await provideBroker({ own: true });
    const at = opened(own.brokers);
    try {
      const place = await madeTopic(1, at);
      const progress = new Progress();
      const waits = () => progress.waits().map(({ reason }) => reason);
      const collected = collecting(sourceOn(place, { progress }, { brokers: [...own.brokers], request_s: 5, connect_s: 2 }));
      await append(place.topic, 0, { first: 0, count: 10, at });
      await until('the first records', () => collected.deliveries.length, 10);
      await own.faults!.freeze();
      await until('the wait', waits, (reasons) => reasons.includes('the brokers do not answer'));
      await own.faults!.thaw();
      await append(place.topic, 0, { first: 10, count: 10, at });
      await until('the rest', () => new Set(offsetsOf(collected.deliveries, `${place.topic}/0`)).size, 20);
      await until('no wait', waits, (reasons) => !reasons.includes('the brokers do not answer'));
      await running.pop()!.stop();
    } finally {
      await at.close();
      await own.stop();
    }
  });

  test('wrong credentials fail within seconds, and the error does not show the password', async () => {
    const place = await madeTopic(1);
    await append(place.topic, 0, { first: 0, count: 1 });
    const sasl = { brokers: [...broker.saslBrokers], login: { mechanism: 'plain' as const, ...LOGIN } };
    const right = collecting(sourceOn(place, { once: true }, sasl));
    await right.ended;
    expect([right.error, right.deliveries.length]).toEqual([undefined, 1]);
    const wrong = collecting(sourceOn(place, {}, { ...sasl, login: { ...sasl.login, password: 'wrong-Xy72' } }));
    await takesAtMost(10_000, 'the failure of the login', () => wrong.ended);
    expect(codeOf(wrong.error)).toBe('AORTA-KAFKA-LOGIN');
    expect(JSON.stringify([wrong.error, String(wrong.error)])).not.toContain('Xy72');
  });

  test('a committed offset before the first record or beyond the end causes an error and stays unchanged', async () => {
    const place = await madeTopic(1, client, { 'segment.bytes': '1048576', 'retention.bytes': '1048576' });
    await append(place.topic, 0, { first: 0, count: 10 });
    const first = collecting(sourceOn(place));
    await until('the first records', () => first.deliveries.length, 10);
    await first.stop();
    await append(place.topic, 0, { first: 10, count: 40, padding: 200_000 });
    await until(
      'retention',
      async () => (await client.admin.bounds(place.topic))[0]!.low,
      (found) => found > 10,
    );
    const { low } = (await client.admin.bounds(place.topic))[0]!;
    const second = collecting(sourceOn(place));
    await second.ended;
    expect(codeOf(second.error)).toBe('AORTA-KAFKA-OFFSET-EXPIRED');
    expect((second.error as Error).message).toContain('offset 10 ');
    expect(await committed(place)).toEqual([10]);
    const third = collecting(sourceOn(place, { once: true }, { when_expired: 'continue' }));
    await third.ended;
    expect(offsetsOf(third.deliveries, `${place.topic}/0`)[0]).toBeGreaterThanOrEqual(low);
    await client.admin.reset('beyond', place.topic, new Map([[0, 5000]]));
    const beyond = collecting(sourceOn({ ...place, group: 'beyond' }));
    await beyond.ended;
    expect(codeOf(beyond.error)).toBe('AORTA-KAFKA-OFFSET-BEYOND');
  });
});
