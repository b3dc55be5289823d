import { isAortaError, type Metrics, Progress, silentLogger, silentMetrics } from '@aorta/runtime';
import type { DeadLetter } from '@aorta/schemas';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { numbers, offsetsOf } from '../../delivery.fixture.ts';
import { type Collected, collect } from '../../sources/collected.fixture.ts';
import type { KafkaAdmin } from '../client/client.ts';
import { ORIGIN_HEADER } from './dead-letter-topic.ts';
import { settingsFor } from './kafka.fixture.ts';
import { MemoryKafka } from './single-consumer.fixture.ts';
import { KafkaSource, type KafkaSourceOptions } from './source.ts';

const running: Collected[] = [];
afterEach(() => Promise.all(running.splice(0).map((one) => one.stop())));

function sourceOn(
  kafka: MemoryKafka,
  options: Partial<KafkaSourceOptions> = {},
  settings: Parameters<typeof settingsFor>[1] = {},
) {
  return new KafkaSource({
    settings: settingsFor(['memory:1'], { commit_s: 0.01, ...settings }),
    open: () => kafka.client(),
    window: 0,
    askEveryMs: 20,
    ...options,
  });
}

function collecting(source: KafkaSource, options?: Parameters<typeof collect>[1]): Collected {
  const collected = collect(source, options);
  running.push(collected);
  return collected;
}

/** Returns a logger and metrics that record incidents and warnings. */
function heard(): { readonly said: unknown[]; readonly options: Pick<KafkaSourceOptions, 'logger' | 'metrics'> } {
  const said: unknown[] = [];
  const warn = (message: string, { source: _, ...fields }: Record<string, unknown> = {}): void => {
    said.push([message, fields]);
  };
  const count = (_: string, { incident }: { incident?: string }, amount?: number): void => {
    if (incident !== undefined) said.push(`${incident} ${amount}`);
  };
  return { said, options: { logger: { ...silentLogger, warn }, metrics: { ...silentMetrics, count } as Metrics } };
}

const records = (count: number, bytes = 2) => Array.from({ length: count }, () => ({ value: Buffer.alloc(bytes, 0x20) }));
const codeOf = (error: unknown) => (isAortaError(error) ? error.code : error);
/** Sets the group's committed offset. */
const stoodAt = (kafka: MemoryKafka, next: number, note?: string) => kafka.commits.set('aorta events/0', { next, note });

/** Starts a source in the middle of a partition, and waits until it has reread its window and the rest. */
async function rereading() {
  const kafka = new MemoryKafka({ events: 1 });
  kafka.append('events', 0, records(50));
  stoodAt(kafka, 25);
  const collected = collecting(sourceOn(kafka, { window: 12 }));
  await until('all', () => collected.deliveries.length, 25);
  expect(collected.before.get('events/0')).toEqual(numbers(13, 25));
  return { kafka, collected };
}

describe('topics with streams of Aorta', () => {
  const streams = { 'aorta.sleep': 1, 'aorta._register': 1, 'aorta._state': 8, 'aorta._shares': 1 };

  test('match no pattern, and the log names them', async () => {
    const kafka = new MemoryKafka({ events: 1, ...streams });
    for (const topic of ['events', 'aorta.sleep']) kafka.append(topic, 0, records(3));
    const said: unknown[] = [];
    const logger = { ...silentLogger, info: (message: string, fields?: object) => said.push([message, fields]) };
    const collected = collecting(sourceOn(kafka, { logger }, { topics: undefined, topics_regex: '.*' }));
    await until('the events', () => collected.deliveries.length, 3);
    expect(new Set(collected.deliveries.map(({ partition }) => partition))).toEqual(new Set(['events/0']));
    const topics = Object.keys(streams).toSorted().join(', ');
    expect(said).toContainEqual(['topics with streams of Aorta are left out', { source: 'kafka', topics }]);
  });

  test('cannot be named as a source', async () => {
    const kafka = new MemoryKafka(streams);
    const collected = collecting(sourceOn(kafka, {}, { topics: ['aorta.sleep'] }));
    await collected.ended;
    expect(collected.error).toMatchObject({ code: 'AORTA-KAFKA-TOPIC-OWN', details: { topic: 'aorta.sleep' } });
  });
});

test('a dead letter that another source copied from this topic is not copied back', async () => {
  const kafka = new MemoryKafka({ events: 1, dead: 1 });
  const copied = [[ORIGIN_HEADER, Buffer.from('events')]] as const;
  const fromElsewhere = [[ORIGIN_HEADER, Buffer.from('other')]] as const;
  kafka.append('events', 0, [{ headers: copied }, { headers: fromElsewhere }, { headers: [] }]);
  const letter = { error_headers: {} } as DeadLetter;
  const source = sourceOn(kafka, { once: true }, { dead_letters: { topic: 'dead' } });
  for await (const { deliveries, position } of source.batches(new AbortController().signal)) {
    for (const delivery of deliveries) source.onDeadLetter(delivery, letter);
    await source.commit([position]);
  }
  await source.close();
  const copies = kafka.topics.get('dead')![0]!.records;
  expect(copies.map(({ headers }) => headers.map(([, value]) => String(value)))).toEqual([
    ['other', 'events', '0'],
    ['events', '0'],
  ]);
});

describe('the start of a partition', () => {
  test('the window before the position is reread, and its records are not emitted again', async () => {
    const { kafka, collected } = await rereading();
    expect(offsetsOf(collected.deliveries, 'events/0')).toEqual(numbers(25, 50));
    await until('the commit', () => kafka.committed('aorta', 'events', 0), 50);
  });

  test('the reread starts no earlier than the group’s first offset, which is stored in the commit metadata', async () => {
    const kafka = new MemoryKafka({ events: 1 });
    kafka.append('events', 0, records(50));
    const latest = { start_position: 'latest' };
    const first = collecting(sourceOn(kafka, { window: 100 }, latest));
    await until('the commit of the start', () => kafka.committed('aorta', 'events', 0), 50);
    kafka.append('events', 0, records(5));
    await until('the later records', () => first.deliveries.length, 5);
    await first.stop();
    kafka.append('events', 0, records(3));
    const second = collecting(sourceOn(kafka, { window: 100 }, latest));
    await until('the later records', () => second.deliveries.length, 3);
    expect(second.before.get('events/0')).toEqual(numbers(50, 55));
  });

  describe('the note of a commit', () => {
    const noteOn = (kafka: MemoryKafka) => kafka.commits.get('aorta events/0')?.note;

    test('it names the last record and the streams, also if later offsets have no record', async () => {
      const kafka = new MemoryKafka({ events: 1 });
      kafka.append('events', 0, records(5));
      const log = kafka.topics.get('events')![0]!;
      // The offset of a transaction marker.
      log.end += 1;
      collecting(sourceOn(kafka, { streams: 'abc' }));
      await until('the commit after the marker', () => kafka.committed('aorta', 'events', 0), 6);
      expect(noteOn(kafka)).toBe('aorta first=0 last=4 streams=abc');
    });

    test('it names no record until the first one is durable', async () => {
      const kafka = new MemoryKafka({ events: 1 });
      kafka.append('events', 0, records(5));
      const collected = collecting(sourceOn(kafka, { streams: 'abc' }, { start_position: 'latest' }));
      await until('the commit of the start', () => noteOn(kafka), 'aorta first=5');
      kafka.append('events', 0, records(2));
      await until('the records', () => collected.deliveries.length, 2);
      await until('the commit', () => noteOn(kafka), 'aorta first=5 last=6 streams=abc');
    });

    test('a worker that has read no record keeps the last record of the worker before it', async () => {
      const kafka = new MemoryKafka({ events: 1 });
      kafka.append('events', 0, records(5));
      stoodAt(kafka, 5, 'aorta first=0 last=4 streams=abc');
      kafka.topics.get('events')![0]!.end += 1;
      collecting(sourceOn(kafka, { streams: 'def' }));
      await until('the commit after the marker', () => kafka.committed('aorta', 'events', 0), 6);
      expect(noteOn(kafka)).toBe('aorta first=0 last=4 streams=abc');
    });
  });

  describe('if the cluster loses the commit metadata', () => {
    /** Reads three records after a commit at 50 without metadata. Returns the deliveries passed to the window, and the warnings. */
    async function readOn(start_position: string, window = 100) {
      const kafka = new MemoryKafka({ events: 1 });
      kafka.append(
        'events',
        0,
        numbers(0, 53).map((second) => ({ timestamp: Date.parse('2026-01-01T00:00:00Z') + second * 1000 })),
      );
      stoodAt(kafka, 50);
      const { said, options } = heard();
      const collected = collecting(sourceOn(kafka, { window, ...options }, { start_position }));
      await until('the later records', () => collected.deliveries.length, 3);
      expect(offsetsOf(collected.deliveries, 'events/0')).toEqual([50, 51, 52]);
      return { before: collected.before.get('events/0') ?? [], said };
    }
    const lost = (from: number, unread: number): unknown[] => [
      'beginning_lost 1',
      ['the first offset of the group is unknown', { partition: 'events/0', from, unread }],
    ];

    test('a group that started at `latest` rereads nothing and reports the loss', async () => {
      const { before, said } = await readOn('latest');
      expect(before).toEqual([]);
      expect(said).toEqual(lost(50, 50));
      expect((await readOn('latest', 20)).said).toEqual(lost(50, 20));
    });

    test('a group that started at a time rereads from the first record at or after that time', async () => {
      const { before, said } = await readOn('2026-01-01T00:00:40Z');
      expect(before).toEqual(numbers(40, 50));
      expect(said).toEqual(lost(40, 0));
      expect((await readOn('2026-01-01T00:10:00Z')).before).toEqual([]);
    });

    test('a group that started at `earliest` rereads from the first record', async () => {
      const { before, said } = await readOn('earliest');
      expect(before).toEqual(numbers(0, 50));
      expect(said).toEqual(lost(0, 0));
    });

    test('a process remembers the group’s first offset', async () => {
      const kafka = new MemoryKafka({ events: 1 });
      kafka.keepsNotes = false;
      kafka.append('events', 0, records(50));
      const { said, options } = heard();
      const collected = collecting(sourceOn(kafka, { window: 100, ...options }, { start_position: 'latest' }));
      await until('the commit of the start', () => kafka.committed('aorta', 'events', 0), 50);
      kafka.append('events', 0, records(5));
      await until('the later records', () => kafka.committed('aorta', 'events', 0), 55);
      kafka.consumer!.lose();
      kafka.commits.set('aorta events/0', { next: 60, note: undefined });
      kafka.append('events', 0, records(8));
      await kafka.consumer!.assign();
      await until('the records after those of another worker', () => collected.deliveries.length, 8);
      // The window already holds offsets 50 to 54. Only the records that another worker has read since then are passed
      // to the window.
      expect(collected.before.get('events/0')).toEqual(numbers(55, 60));
      expect(said).toEqual([]);
    });
  });

  test('with a start time, reading starts at the first record at or after that time', async () => {
    const kafka = new MemoryKafka({ events: 1 });
    kafka.append(
      'events',
      0,
      numbers(0, 10).map((second) => ({ timestamp: Date.parse('2026-01-01T00:00:00Z') + second * 1000 })),
    );
    const collected = collecting(sourceOn(kafka, { window: 5 }, { start_position: '2026-01-01T00:00:07Z' }));
    await until('the later records', () => collected.deliveries.length, 3);
    expect(offsetsOf(collected.deliveries, 'events/0')).toEqual([7, 8, 9]);
    expect(collected.before.size).toBe(0);
  });

  test('the error for a committed offset outside the log names that offset and the start or end of the log', async () => {
    const overtaken = new MemoryKafka({ events: 1 });
    overtaken.append('events', 0, records(50));
    overtaken.trim('events', 0, 30);
    stoodAt(overtaken, 20);
    const first = collecting(sourceOn(overtaken));
    await first.ended;
    expect(codeOf(first.error)).toBe('AORTA-KAFKA-OFFSET-EXPIRED');
    expect((first.error as Error).message).toMatch(/offset 20 of partition events\/0.* 30: .* 10 offsets/);
    expect(overtaken.committed('aorta', 'events', 0)).toBe(20);

    const beyond = new MemoryKafka({ events: 1 });
    beyond.append('events', 0, records(5));
    stoodAt(beyond, 20);
    const second = collecting(sourceOn(beyond));
    await second.ended;
    expect(codeOf(second.error)).toBe('AORTA-KAFKA-OFFSET-BEYOND');
    expect((second.error as Error).message).toMatch(/offset 20 .* ends at 5/);
  });

  test('with `when_expired: continue`, reading starts at the first remaining record', async () => {
    const kafka = new MemoryKafka({ events: 1 });
    kafka.append('events', 0, records(50));
    kafka.trim('events', 0, 30);
    stoodAt(kafka, 20);
    const collected = collecting(sourceOn(kafka, { window: 100 }, { when_expired: 'continue' }));
    await until('the remaining records', () => collected.deliveries.length, 20);
    expect(offsetsOf(collected.deliveries, 'events/0')).toEqual(numbers(30, 50));
  });

  test('reading fails if a topic is missing', async () => {
    const collected = collecting(sourceOn(new MemoryKafka({ others: 1 })));
    await collected.ended;
    expect(codeOf(collected.error)).toBe('AORTA-KAFKA-TOPIC-MISSING');
  });

  test('topics_regex must match the whole name of a topic', async () => {
    const kafka = new MemoryKafka({ events: 1, 'events.old': 1, labs: 1 });
    for (const topic of kafka.topics.keys()) kafka.append(topic, 0, records(1));
    const collected = collecting(sourceOn(kafka, { once: true }, { topics: undefined, topics_regex: 'events|lab.' }));
    await collected.ended;
    expect(collected.deliveries.map(({ partition }) => partition).sort()).toEqual(['events/0', 'labs/0']);
  });
});

test('after a rebalance, a worker rereads only the records that it has not passed to its window', async () => {
  const { kafka, collected } = await rereading();
  // Another worker has read and committed more records.
  await kafka.consumer!.revoke();
  kafka.append('events', 0, records(20));
  stoodAt(kafka, 55);
  collected.before.clear();
  await kafka.consumer!.assign();
  await until('the rest', () => collected.deliveries.length, 40);
  expect(collected.before.get('events/0')).toEqual(numbers(50, 55));
  // An operator rewinds the group so far that the window starts before the records already passed to the window.
  await kafka.consumer!.revoke();
  stoodAt(kafka, 15);
  collected.before.clear();
  await kafka.consumer!.assign();
  await until('all later records', () => collected.deliveries.length, 40 + 55);
  expect(collected.before.get('events/0')).toEqual(numbers(3, 15));
});

describe('committed positions', () => {
  test('the source commits only durable positions, and survives a failed commit', async () => {
    const kafka = new MemoryKafka({ events: 1 });
    kafka.append('events', 0, records(20));
    const lazy = collecting(sourceOn(kafka), { commit: false });
    await until('all', () => lazy.deliveries.length, 20);
    await until('the commit of the start', () => kafka.committed('aorta', 'events', 0), 0);
    await lazy.stop();
    expect(kafka.committed('aorta', 'events', 0)).toBe(0);

    let failures = 3;
    kafka.beforeCommit = async () => {
      if (failures-- > 0) throw new Error('the coordinator is away');
    };
    const again = collecting(sourceOn(kafka));
    await until('the commit', () => kafka.committed('aorta', 'events', 0), 20);
    expect([again.deliveries.length, again.error]).toEqual([20, undefined]);
  });

  test('a committed position advances past offsets without a record', async () => {
    const kafka = new MemoryKafka({ events: 1 });
    kafka.append('events', 0, records(10));
    const log = kafka.topics.get('events')![0]!;
    log.records = log.records.filter(({ offset }) => offset < 3 || offset === 5);
    const collected = collecting(sourceOn(kafka, { once: true }));
    await collected.ended;
    expect(offsetsOf(collected.deliveries, 'events/0')).toEqual([0, 1, 2, 5]);
    await collected.stop();
    expect(kafka.committed('aorta', 'events', 0)).toBe(10);
  });
});

describe('a rebalance', () => {
  test('the source drops queued records, asks ingestion to flush, and waits for the records already taken', async () => {
    const kafka = new MemoryKafka({ events: 1 });
    kafka.append('events', 0, records(20));
    const source = sourceOn(kafka);
    const batches = source.batches(new AbortController().signal)[Symbol.asyncIterator]();
    const taken = (await batches.next()).value!;
    expect(taken.deliveries.length).toBe(10);
    let released = false;
    const releasing = kafka.consumer!.revoke().then(() => {
      released = true;
    });
    const asked = (await batches.next()).value!;
    expect([asked.deliveries.length, asked.awaited]).toEqual([0, true]);
    expect(released).toBe(false);
    await source.commit([taken.position, asked.position]);
    await releasing;
    expect(kafka.committed('aorta', 'events', 0)).toBe(10);
    expect([source.partitions, source.heldBytes]).toEqual([[], 0]);
    await kafka.consumer!.assign();
    const after = (await batches.next()).value!;
    expect(after.deliveries[0]!.offset).toBe(10);
    await source.close();
  });

  test('the source commits nothing for a lost partition, even if its records become durable later', async () => {
    const kafka = new MemoryKafka({ events: 1 });
    kafka.append('events', 0, records(10));
    const source = sourceOn(kafka);
    const batches = source.batches(new AbortController().signal)[Symbol.asyncIterator]();
    const taken = (await batches.next()).value!;
    kafka.consumer!.lose();
    stoodAt(kafka, 77);
    await source.commit([taken.position]);
    await source.close();
    expect(kafka.committed('aorta', 'events', 0)).toBe(77);
  });
});

test('the bytes that a source holds are bounded, and all records arrive in order', async () => {
  const kafka = new MemoryKafka({ events: 3 });
  for (const partition of [0, 1, 2]) kafka.append('events', partition, records(200, 100));
  const source = sourceOn(kafka, { once: true }, { held_bytes: 5000 });
  let most = 0;
  const offsets = new Map<string, number[]>();
  for await (const { deliveries } of source.batches(new AbortController().signal)) {
    most = Math.max(most, source.heldBytes);
    for (const { partition, offset } of deliveries) offsets.set(partition, [...(offsets.get(partition) ?? []), offset]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await source.close();
  for (const partition of [0, 1, 2]) expect(offsets.get(`events/${partition}`)).toEqual(numbers(0, 200));
  // Each partition may exceed the limit by one batch.
  expect(most).toBeLessThanOrEqual(5000 + 3 * 1000);
  expect(most).toBeGreaterThan(4000);
});

describe('a run with `once`', () => {
  test('the run reads up to the ends that the logs had at its start, even if other workers read some records', async () => {
    const kafka = new MemoryKafka({ events: 2 });
    for (const partition of [0, 1]) kafka.append('events', partition, records(15));
    const alone = collecting(sourceOn(kafka, { once: true }));
    await alone.ended;
    expect(alone.deliveries.length).toBe(30);
    await alone.stop();

    kafka.append('events', 0, records(1));
    const source = sourceOn(kafka, { once: true });
    const other = collecting(source);
    await until('the assignment', () => source.partitions.length, 2);
    await other.ended;
    expect(other.deliveries.length).toBe(1);
  });

  describe('if a transaction is open', () => {
    /** Returns a cluster with five records. An open transaction holds the last two. */
    function held(): { kafka: MemoryKafka; log: { held?: number; end: number } } {
      const kafka = new MemoryKafka({ events: 2 });
      kafka.append('events', 0, records(5));
      const log = kafka.topics.get('events')![0]!;
      log.held = 3;
      return { kafka, log };
    }

    test('the run ends at the last stable offset, and a warning says which partition is held, where and since when', async () => {
      const { kafka } = held();
      const { said, options } = heard();
      const progress = new Progress();
      const collected = collecting(sourceOn(kafka, { once: true, progress, ...options }));
      await collected.ended;
      expect([offsetsOf(collected.deliveries, 'events/0'), collected.error]).toEqual([[0, 1, 2], undefined]);
      expect(progress.lanes().find(({ of }) => of === 'events/0')).toMatchObject({ position: 3, end: 3, lag: 0 });
      const code = 'AORTA-KAFKA-TRANSACTION-OPEN';
      const message = expect.stringMatching(
        /since 2023-11-14T22:13:20.000Z.* partition events\/0 at offset 3: .* up to offset 5/,
      );
      const remedy = expect.stringContaining('--bootstrap-server memory:1 abort --topic events --partition 0 --start-offset 3');
      expect(said).toEqual(['transaction 1', ['an open transaction holds a partition', { code, message, remedy }]]);
    });

    test('the run also ends if the transaction holds the partition from its first record', async () => {
      const { kafka, log } = held();
      log.held = 0;
      const { said, options } = heard();
      const collected = collecting(sourceOn(kafka, { once: true, ...options }));
      await collected.ended;
      expect([collected.deliveries, said.length]).toEqual([[], 2]);
    });

    test('nothing is reported if the transaction ends before the run does', async () => {
      const { kafka, log } = held();
      const { said, options } = heard();
      const client = kafka.client();
      let asked = 0;
      const bounds: KafkaAdmin['bounds'] = async (topic) => {
        asked += 1;
        // The first answer comes before the transaction ends.
        if (asked > 1) log.held = log.end;
        return client.admin.bounds(topic);
      };
      const open = () => ({ ...client, admin: { ...client.admin, bounds } });
      const collected = collecting(sourceOn(kafka, { once: true, open, ...options }));
      await collected.ended;
      expect(said).toEqual([]);
    });

    test('a new group that starts at `latest` reads the records of the transaction once they are committed', async () => {
      const { kafka, log } = held();
      const collected = collecting(sourceOn(kafka, {}, { start_position: 'latest' }));
      await until('the commit of the start', () => kafka.committed('aorta', 'events', 0), 3);
      log.held = log.end;
      kafka.append('events', 0, []);
      await until('the records of the transaction', () => offsetsOf(collected.deliveries, 'events/0'), [3, 4]);
    });

    test('a group may be ahead of the transaction, because another client has read its records', async () => {
      const { kafka } = held();
      stoodAt(kafka, 5);
      const collected = collecting(sourceOn(kafka, { once: true }));
      await collected.ended;
      expect([collected.deliveries, collected.error]).toEqual([[], undefined]);
    });
  });

  test('the run ends when another worker has read and committed all partitions', async () => {
    const kafka = new MemoryKafka({ events: 1 });
    kafka.append('events', 0, records(5));
    const client = kafka.client();
    // This consumer gets no assignment.
    const consumer = { assigned: () => [], stop: async () => {}, [Symbol.asyncDispose]: async () => {} };
    let checks = 0;
    const committed: KafkaAdmin['committed'] = (group, topic) => {
      checks += 1;
      return client.admin.committed(group, topic);
    };
    const open = () => ({ ...client, admin: { ...client.admin, committed }, consume: async () => consumer });
    const collected = collecting(sourceOn(kafka, { once: true, open }));
    let ended = false;
    void collected.ended.then(() => {
      ended = true;
    });
    stoodAt(kafka, 4);
    await until(
      'two checks of the committed offset',
      () => checks,
      (count) => count >= 2,
    );
    expect(ended).toBe(false);
    stoodAt(kafka, 5);
    await collected.ended;
    expect(collected.deliveries).toEqual([]);
  });
});

describe('progress', () => {
  test('each partition is listed, and brokers that do not answer are reported', async () => {
    const kafka = new MemoryKafka({ events: 2 });
    kafka.append('events', 1, records(7));
    let now = 0;
    const progress = new Progress({ clock: () => now });
    const reasons = () => progress.waits().map(({ reason }) => reason);
    const collected = collecting(sourceOn(kafka, { progress }));
    await until('all', () => collected.deliveries.length, 7);
    expect(progress.lanes().map(({ of, position, end, lag }) => ({ of, position, end, lag }))).toEqual([
      { of: 'events/0', position: 0, end: 0, lag: 0 },
      { of: 'events/1', position: 7, end: 7, lag: 0 },
    ]);
    kafka.beforeAnswer = () => Promise.reject(new Error('away'));
    await until('the wait', reasons, ['the brokers do not answer']);
    now = 61_000;
    expect(progress.stalls().map(({ kind }) => kind)).toContain('waiting');
    kafka.beforeAnswer = async () => {};
    await until('an answer', () => progress.stalls(), []);
    // A worker without partitions also reports brokers that do not answer.
    kafka.consumer!.lose();
    expect(progress.lanes()).toEqual([]);
    kafka.beforeAnswer = () => Promise.reject(new Error('away'));
    await until('the wait', reasons, ['the brokers do not answer']);
    await collected.stop();
    expect(progress.lanes()).toEqual([]);
  });
});
