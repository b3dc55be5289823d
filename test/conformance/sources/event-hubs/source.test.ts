import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EventHubsServer, startEventHubs } from '@aorta/event-hubs-server';
import { isAortaError, Progress } from '@aorta/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { numbers, offsetsOf } from '../../../../connectors/delivery.fixture.ts';
import { FileCheckpoints } from '../../../../connectors/event-hubs/checkpoints/file-store.ts';
import {
  append,
  bareEvent,
  event,
  gzipped,
  keepingLogger,
  sourceOn,
} from '../../../../connectors/event-hubs/event-hubs.fixture.ts';
import { startProxy } from '../../../../connectors/event-hubs/proxy.fixture.ts';
import type { EventHubsSource } from '../../../../connectors/event-hubs/source.ts';
import { type Collected, collect } from '../../../../connectors/sources/collected.fixture.ts';
import { takesAtMost } from '../../../../infra/machine/goal.fixture.ts';
import { until } from '../../../../infra/machine/waiting.fixture.ts';
import { consume } from '../../../../pipelines/ingestion/consumer.ts';
import { MemoryLog } from '../../../../pipelines/ingestion/memory-log.fixture.ts';
import { openRedeliveryWindow } from '../../../../pipelines/ingestion/redelivery-window/history.ts';

let folder: string;
let server: EventHubsServer;
const running: Collected[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'event-hubs-'));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

function collecting(source: EventHubsSource, options?: Parameters<typeof collect>[1]): Collected {
  const collected = collect(source, options);
  running.push(collected);
  return collected;
}

const partition = (id: number, hub = 'events') => ({ hub, partition: String(id) });

function codeOf(error: unknown): string | undefined {
  return isAortaError(error) ? error.code : undefined;
}

/** Returns the sequence number in the checkpoint of a partition. */
async function checkpointOf(id: number): Promise<number | undefined> {
  const all = await new FileCheckpoints(folder, 'test').listCheckpoints(`127.0.0.1:${server.port}`, 'events', '$Default');
  return all.find(({ partitionId }) => partitionId === String(id))?.sequenceNumber;
}

describe('an Event Hubs source', () => {
  test('the source reads all hubs and partitions in order, and reads only new events after a restart', async () => {
    server = await startEventHubs({
      hubs: [
        { name: 'events', partitions: 2 },
        { name: 'labs', partitions: 1 },
      ],
    });
    for (const where of [partition(0), partition(1), partition(0, 'labs')])
      await append(server, where, { first: 0, count: 1200 });
    const source = () => sourceOn(server, folder, {}, { hubs: ['Events', 'labs'] });
    const first = collecting(source());
    await until('the initial events', () => first.deliveries.length, 3600);
    for (const name of ['events/0', 'events/1', 'labs/0']) expect(offsetsOf(first.deliveries, name)).toEqual(numbers(0, 1200));
    await first.stop();
    await append(server, partition(1), { first: 1200, count: 3 });
    const second = collecting(source());
    await until(
      'the new events',
      () => second.deliveries.length,
      (found) => found >= 3,
    );
    expect(second.deliveries.map((delivery) => [delivery.partition, delivery.offset])).toEqual([
      ['events/1', 1200],
      ['events/1', 1201],
      ['events/1', 1202],
    ]);
    expect([first.error, second.error]).toEqual([undefined, undefined]);
  });

  test('with `once`, the source ends after reading the existing events, even if a partition is empty', async () => {
    server = await startEventHubs({ hubs: [{ name: 'events', partitions: 3 }] });
    await append(server, partition(0), { first: 0, count: 700 });
    await append(server, partition(2), { first: 0, count: 1 });
    const first = collecting(sourceOn(server, folder, { once: true }));
    await first.ended;
    expect(first.deliveries).toHaveLength(701);
    await first.stop();
    const second = collecting(sourceOn(server, folder, { once: true }));
    await second.ended;
    expect([second.deliveries, second.error]).toEqual([[], undefined]);
  });

  test('the source resumes from its checkpoint in a geo-replicated hub, whose offsets are not numbers', async () => {
    server = await startEventHubs({ hubs: [{ name: 'events', partitions: 1, geoReplicated: true }] });
    await append(server, partition(0), { first: 0, count: 300 });
    const [state] = (await server.faults.state()).hubs;
    expect(state!.partitions[0]!.lastOffset).toMatch(/^1:\d+$/);
    const first = collecting(sourceOn(server, folder));
    await until('the checkpoint', () => checkpointOf(0), 299);
    await first.stop();
    const kept = await new FileCheckpoints(folder, 'test').listCheckpoints(`127.0.0.1:${server.port}`, 'events', '$Default');
    expect(kept[0]!.offset).toBe(state!.partitions[0]!.lastOffset);
    await append(server, partition(0), { first: 300, count: 300 });
    const second = collecting(sourceOn(server, folder, { window: 50 }));
    await until('the new events', () => second.deliveries.length, 300);
    expect(offsetsOf(second.deliveries, 'events/0')).toEqual(numbers(0, 600).slice(300));
    expect(second.before.get('events/0')).toEqual(numbers(0, 300).slice(250));
    await server.faults.reset();
    await append(server, partition(0), { first: 600, count: 10 });
    await until('the events after a reset', () => second.deliveries.length, 310);
    expect([first.error, second.error]).toEqual([undefined, undefined]);
  });

  test('the source writes no checkpoint before a commit, so a restart reads the events again', async () => {
    server = await startEventHubs({ hubs: [{ name: 'events', partitions: 1 }] });
    await append(server, partition(0), { first: 0, count: 100 });
    const first = collecting(sourceOn(server, folder), { commit: false });
    await until('the events', () => first.deliveries.length, 100);
    await first.stop();
    expect(await checkpointOf(0)).toBeUndefined();
    const second = collecting(sourceOn(server, folder));
    await until('the events again', () => second.deliveries.length, 100);
    await until('the checkpoint by time', () => checkpointOf(0), 99);
  });

  test('start_position applies only to a partition without a checkpoint', async () => {
    server = await startEventHubs({ hubs: [{ name: 'events', partitions: 1 }] });
    const early = Date.parse('2026-01-01T00:00:00Z');
    await server.faults.append({ ...partition(0), events: [event(0), event(1)], enqueuedTime: early });
    await server.faults.append({ ...partition(0), events: [event(2)], enqueuedTime: early + 60_000 });
    const since = collecting(sourceOn(server, join(folder, 'time'), {}, { start_position: '2026-01-01T00:00:30Z' }));
    await until(
      'the event after the start position',
      () => since.deliveries.length,
      (found) => found > 0,
    );
    await append(server, partition(0), { first: 3, count: 1 });
    await until('the later event', () => since.deliveries.length, 2);
    expect(since.deliveries.map(({ offset }) => offset)).toEqual([2, 3]);
    await since.stop();

    // An empty partition also gets a checkpoint.
    await server.faults.recreate({ hub: 'events' });
    const empty = collecting(sourceOn(server, join(folder, 'empty'), { worker: 'one' }, { start_position: 'latest' }));
    const none = new FileCheckpoints(join(folder, 'empty'), 'test');
    const kept = () => none.listCheckpoints(`127.0.0.1:${server.port}`, 'events', '$Default');
    await until('the checkpoint of an empty partition', async () => (await kept()).length, 1);
    await empty.stop();
    await append(server, partition(0), { first: 0, count: 4 });
    const filled = collecting(sourceOn(server, join(folder, 'empty'), { once: true }, { start_position: 'latest' }));
    await filled.ended;
    expect(offsetsOf(filled.deliveries, 'events/0')).toEqual([0, 1, 2, 3]);

    // The source stops before an event arrives. Its checkpoint contains the position to which `latest` referred when the
    // source started.
    const latest = collecting(sourceOn(server, folder, {}, { start_position: 'latest' }));
    await until('the first checkpoint', () => checkpointOf(0), 3);
    await latest.stop();
    await append(server, partition(0), { first: 4, count: 1 });
    const later = collecting(sourceOn(server, folder, { window: 100 }, { start_position: 'latest' }));
    await until(
      'the event sent while no worker ran',
      () => later.deliveries.length,
      (found) => found > 0,
    );
    expect(later.deliveries.map(({ offset }) => offset)).toEqual([4]);
    // The consumer group started after the first four events, so the window does not include them.
    expect([...later.before]).toEqual([]);
  });
});

describe('the redelivery window of an Event Hubs source', () => {
  test('a worker that takes over a partition rereads the window from the hub, unless it has just read the partition', async () => {
    server = await startEventHubs({ hubs: [{ name: 'events', partitions: 2 }] });
    await append(server, partition(0), { first: 0, count: 500 });
    await append(server, partition(1), { first: 0, count: 500 });
    const logger = keepingLogger();
    const a = collecting(sourceOn(server, folder, { worker: 'a', window: 200 }));
    await until('all events', () => a.deliveries.length, 1000);
    await until('the checkpoints', async () => (await checkpointOf(0)) === 499 && (await checkpointOf(1)) === 499);
    const b = collecting(sourceOn(server, folder, { worker: 'b', window: 200, logger }));
    await until(
      'the window of the partition that b took over',
      () => [...b.before.values()].flat().length,
      (found) => found >= 200,
    );
    const [name] = [...b.before.keys()];
    expect([...b.before]).toEqual([[name, numbers(0, 500).slice(300)]]);
    expect(b.deliveries).toEqual([]);
    const told = logger.lines.find((line) => line.event === 'redelivery window reread');
    expect(told?.fields).toMatchObject({ partition: name, events: 200 });
    await b.stop();
    await append(server, { hub: 'events', partition: name!.slice(-1) }, { first: 500, count: 1 });
    await until('the event in a', () => a.deliveries.length, 1001);
    // Worker `a` has read the whole partition, so it rereads nothing.
    expect([...a.before]).toEqual([]);
  });

  test('a worker recognizes redeliveries of events that another worker has read', async () => {
    server = await startEventHubs({ hubs: [{ name: 'events', partitions: 1 }] });
    await append(server, partition(0), { first: 0, count: 50 });
    const take = async (name: string): Promise<Record<string, unknown>> => {
      const log = new MemoryLog();
      const window = await openRedeliveryWindow({ folder: join(folder, name), log });
      const source = sourceOn(server, folder, { worker: name, window: 20_000, once: true });
      const { tally, ended, error } = await consume(source, log, { window, pace: { flushAfterMs: 50 } });
      expect([ended, error]).toEqual(['drained', undefined]);
      return { received: tally.received, redelivered: tally.redelivered };
    };
    expect(await take('first')).toEqual({ received: 50, redelivered: 0 });
    // Repeats the same deliveries, for a worker that has not read the partition before.
    await append(server, partition(0), { first: 40, count: 10 });
    await append(server, partition(0), { first: 50, count: 1 });
    expect(await take('second')).toEqual({ received: 11, redelivered: 10 });
  });
});

describe('malformed events from a hub', () => {
  test('every malformed event becomes a record or a dead letter, and the checkpoint reaches the end of the partition', async () => {
    server = await startEventHubs({ hubs: [{ name: 'events', partitions: 1 }] });
    const good = { event_type: 'historical.data.sleep.created', user_id: 'u', data: {} };
    const marked = { 'Event-Type': 'daily.unheard.of', 'Content-Encoding': 'GZIP' };
    await server.faults.append({
      ...partition(0),
      events: [
        bareEvent(gzipped(good)), // gzip without content-encoding
        bareEvent(Buffer.from(JSON.stringify(good)), { 'content-encoding': 'gzip' }), // content-encoding without gzip
        bareEvent(gzipped(good), marked),
        bareEvent(Buffer.from('{"no')),
        bareEvent(Buffer.alloc(0)),
        bareEvent(Buffer.from('7'), { 'event-type': 5, 'user-id': true, 'idempotency-key': null }),
        bareEvent(Buffer.from(JSON.stringify({ ...good, padding: 'x'.repeat(1_040_000) }))), // nearly 1 MiB
      ],
    });
    const log = new MemoryLog();
    const window = await openRedeliveryWindow({ folder, log });
    const { tally, error } = await consume(sourceOn(server, folder, { once: true }), log, { window });
    expect(error).toBeUndefined();
    const dead = Object.values(tally.dead_letters).reduce((sum, count) => sum + count, 0);
    const kept = Object.values(tally.streams).reduce((sum, count) => sum + count, 0);
    expect(tally.received).toBe(7);
    expect(kept + dead + tally.unrouted + tally.redelivered).toBe(7);
    expect(tally.dead_letters).toMatchObject({ not_gzip: 1, not_json: 2 });
    expect(await checkpointOf(0)).toBe(6);
  });
});

describe('errors that the source reports within seconds', () => {
  const errorOf = async (settings: Parameters<typeof sourceOn>[3], of = server): Promise<unknown> => {
    const collected = collecting(sourceOn(of, folder, {}, settings));
    await takesAtMost(8000, 'the failure of the source', () => collected.ended);
    expect(collected.deliveries).toEqual([]);
    return collected.error;
  };

  test('a wrong key, a missing hub, a missing group and an unreachable host each fail with a different code', async () => {
    server = await startEventHubs({ hubs: [{ name: 'events', partitions: 1, groups: ['mine'] }] });
    const wrong = server.connectionString.replace(/SharedAccessKey=[^;]+/, 'SharedAccessKey=wrong-key');
    const refused = await errorOf({ connection: wrong });
    expect(codeOf(refused)).toBe('AORTA-HUB-REFUSED');
    expect(JSON.stringify(refused) + String(refused)).not.toContain('wrong-key');
    expect(codeOf(await errorOf({ hubs: ['nowhere'] }))).toBe('AORTA-HUB-MISSING');
    expect(codeOf(await errorOf({ consumer_group: 'theirs' }))).toBe('AORTA-HUB-GROUP-MISSING');
    expect(await errorOf({ connection: server.connectionString.replace(/:\d+;/, ':1;') })).toMatchObject({
      code: 'AORTA-HUB-UNREACHABLE',
      class: 'transient',
    });
  });

  test('a checkpoint beyond the end of the log stays unchanged, and the error names it and the last position', async () => {
    server = await startEventHubs({ hubs: [{ name: 'events', partitions: 1 }] });
    await append(server, partition(0), { first: 0, count: 10 });
    const first = collecting(sourceOn(server, folder, { once: true }));
    await first.ended;
    await first.stop();
    await server.faults.recreate({ hub: 'events' });
    await append(server, partition(0), { first: 0, count: 4 });
    const second = collecting(sourceOn(server, folder));
    await second.ended;
    expect(second.error).toMatchObject({ code: 'AORTA-HUB-CHECKPOINT', details: { checkpoint: 9, last: 3, partition: '0' } });
    expect(await checkpointOf(0)).toBe(9);
  });

  test('a damaged checkpoint ends the source, and after its deletion everything in the hub is read again', async () => {
    server = await startEventHubs({ hubs: [{ name: 'events', partitions: 1 }] });
    await append(server, partition(0), { first: 0, count: 10 });
    const first = collecting(sourceOn(server, folder, { once: true }));
    await first.ended;
    await first.stop();
    const names = await readdir(folder, { recursive: true });
    const file = join(folder, names.find((name) => /checkpoints\/0\.\d+$/.test(name))!);
    await writeFile(file, '');
    const second = collecting(sourceOn(server, folder));
    await second.ended;
    const details = { file, hub: 'events', partition: '0' };
    expect(second.error).toMatchObject({ code: 'AORTA-HUB-CHECKPOINT-DAMAGED', details });
    await second.stop();
    await rm(file);
    const third = collecting(sourceOn(server, folder, { once: true }));
    await third.ended;
    expect([offsetsOf(third.deliveries, 'events/0'), third.error]).toEqual([numbers(0, 10), undefined]);
  });

  test('the source fails with AORTA-HUB-CHECKPOINT if its hub is recreated while the source is reading', async () => {
    server = await startEventHubs({ hubs: [{ name: 'events', partitions: 1 }] });
    await append(server, partition(0), { first: 0, count: 10 });
    const collected = collecting(sourceOn(server, folder));
    await until('the checkpoint', () => checkpointOf(0), 9);
    await server.faults.recreate({ hub: 'events' });
    await until(
      'the error',
      () => collected.error,
      (error) => error !== undefined,
    );
    expect(collected.error).toMatchObject({ code: 'AORTA-HUB-CHECKPOINT', details: { checkpoint: 9, last: -1 } });
  });

  test('if the events at the checkpoint have expired, the source warns and resumes from the first remaining event', async () => {
    server = await startEventHubs({ hubs: [{ name: 'events', partitions: 1 }] });
    await append(server, partition(0), { first: 0, count: 10 });
    const first = collecting(sourceOn(server, folder, { once: true }));
    await first.ended;
    await first.stop();
    await append(server, partition(0), { first: 10, count: 20 });
    await server.faults.trim({ ...partition(0), before: 15 });
    const logger = keepingLogger();
    const second = collecting(sourceOn(server, folder, { logger, window: 3 }));
    await until('the events that are left', () => second.deliveries.length, 15);
    expect(offsetsOf(second.deliveries, 'events/0')).toEqual(numbers(0, 30).slice(15));
    expect(logger.lines.filter(({ level }) => level === 'warn')).toEqual([
      {
        level: 'warn',
        event: 'events expired before they were read',
        fields: { hub: 'events', partition: '0', events: 5, from: 15 },
      },
    ]);
  });
});

describe('faults of the hub or the network', () => {
  /** Reads two partitions during a fault. Every event must arrive once and in order. */
  async function through(happens: () => Promise<unknown>): Promise<void> {
    server = await startEventHubs({ hubs: [{ name: 'events', partitions: 2 }] });
    for (const id of [0, 1]) await append(server, partition(id), { first: 0, count: 300 });
    const collected = collecting(sourceOn(server, folder));
    await until('the events before', () => collected.deliveries.length, 600);
    await happens();
    for (const id of [0, 1]) await append(server, partition(id), { first: 300, count: 300 });
    await until(
      'the events after',
      () => collected.deliveries.length,
      (found) => found >= 1200,
    );
    for (const name of ['events/0', 'events/1']) expect(offsetsOf(collected.deliveries, name)).toEqual(numbers(0, 600));
    expect(collected.error).toBeUndefined();
  }

  test('the source loses no event when connections are reset', () => through(() => server.faults.reset()));
  test('the source loses no event when links are detached', () => through(() => server.faults.detach()));
  test('the source loses no event when the server closes a connection', () => through(() => server.faults.close()));
  test('the source loses no event when the server closes a connection with open requests', () =>
    through(async () => {
      await server.faults.mute({ node: '$management' });
      await until(
        'a management request',
        async () => (await server.faults.state()).connections,
        (found) => found > 1,
      );
      await server.faults.close({ condition: 'amqp:internal-error' });
      await server.faults.unmute();
    }));
  test('the source loses no event when the server stops serving its links', () => through(() => server.faults.stall()));
  test('the source loses no event when the network freezes', () => through(() => server.faults.freeze()));
  test('the source reads each event once, even if the hub delivers it twice', () =>
    through(() => server.faults.repeatDeliveries({ times: 20 })));
  test('the source loses no event when the server refuses links for a while', () =>
    through(async () => {
      await server.faults.refuse({ forMs: 1500 });
      await server.faults.reset();
    }));
});

describe('a partition that the hub does not serve', () => {
  const settings = { stalled_s: 1 } as const;
  const reasons = (progress: Progress): string[] => progress.stalls().map(({ reason }) => reason);

  test('a partition without a link counts as stalled, even if it is empty, until the hub serves it again', async () => {
    server = await startEventHubs({ hubs: [{ name: 'events', partitions: 2 }] });
    const progress = new Progress();
    const collected = collecting(sourceOn(server, folder, { progress }, settings));
    await until('the links', async () => (await server.faults.state()).links.length, 2);
    await sleep(1000);
    expect(reasons(progress)).toEqual([]);
    // The client treats this refusal as if the server were busy, and retries without an error. A probe of the hub succeeds.
    await server.faults.refuse({ kind: 'receive', partition: '1' });
    await server.faults.detach({ kind: 'receive', partition: '1' });
    const silent = /^partition events\/1 of source event-hubs has been silent for \d+ s \(opening\)$/;
    await until(
      'the stall',
      () => reasons(progress),
      (found) => found.length > 0,
    );
    expect(reasons(progress)).toEqual([expect.stringMatching(silent)]);
    await server.faults.admit();
    await until('no stall', () => reasons(progress), []);
    await append(server, partition(1), { first: 0, count: 5 });
    await until('the events', () => collected.deliveries.length, 5);
    expect(collected.error).toBeUndefined();
  });

  test('while a hub refuses the source, the source opens no links and only probes the hub', async () => {
    server = await startEventHubs({ hubs: [{ name: 'events', partitions: 2 }] });
    const [progress, logger] = [new Progress(), keepingLogger()];
    const collected = collecting(sourceOn(server, folder, { progress, logger }, settings));
    await until('the links', async () => (await server.faults.state()).links.length, 2);
    await server.faults.revokeListen();
    await append(server, partition(0), { first: 0, count: 5 });
    await until(
      'the stall',
      () => reasons(progress),
      (found) => found.length > 0,
    );
    expect(reasons(progress)).toEqual([
      expect.stringMatching(/^hub events of source event-hubs has not been read for \d+ s: its key or role is refused/),
    ]);
    const tries = async () => {
      const { attaches, reads } = (await server.faults.state()).counts;
      return attaches + reads;
    };
    const before = await tries();
    await sleep(2500);
    expect((await tries()) - before).toBeLessThanOrEqual(2);
    await server.faults.grantListen();
    // The source probes the hub every 15 seconds.
    await takesAtMost(20_000, 'reading after the hub granted access', () =>
      until('the events', () => collected.deliveries.length, 5),
    );
    await until('no stall', () => reasons(progress), []);
    const said = logger.lines.filter(({ level }) => level !== 'debug').map(({ event: line }) => line);
    expect(said.filter((line) => line.startsWith('hub can'))).toEqual(['hub cannot be read', 'hub can be read again']);
    expect(collected.error).toBeUndefined();
  });
});

describe('AMQP over WebSockets', () => {
  test('the source reads through a proxy with a password, and continues after a connection reset', async () => {
    server = await startEventHubs({ hubs: [{ name: 'events', partitions: 2 }] });
    const proxy = await startProxy('me:secret');
    try {
      for (const id of [0, 1]) await append(server, partition(id), { first: 0, count: 300 });
      const settings = { transport: 'websockets', proxy: proxy.address } as const;
      const collected = collecting(sourceOn(server, folder, {}, settings));
      await until('the events before', () => collected.deliveries.length, 600);
      await server.faults.reset();
      for (const id of [0, 1]) await append(server, partition(id), { first: 300, count: 300 });
      await until(
        'the events after',
        () => collected.deliveries.length,
        (found) => found >= 1200,
      );
      for (const name of ['events/0', 'events/1']) expect(offsetsOf(collected.deliveries, name)).toEqual(numbers(0, 600));
      const { connections } = (await server.faults.state()).counts;
      expect(connections).toBeGreaterThan(1);
      // Every connection went through the proxy.
      expect(proxy.tunnels()).toBe(connections);
      expect(collected.error).toBeUndefined();
    } finally {
      await proxy.stop();
    }
  });

  test('if the proxy address or password is wrong, the source fails within seconds without showing the password', async () => {
    server = await startEventHubs({ hubs: [{ name: 'events', partitions: 1 }] });
    const proxy = await startProxy('me:secret');
    try {
      for (const address of [proxy.address.replace('secret', 'wrong-word'), 'http://me:wrong-word@127.0.0.1:1']) {
        const collected = collecting(sourceOn(server, folder, {}, { transport: 'websockets', proxy: address }));
        await takesAtMost(12_000, 'the failure of the source', () => collected.ended);
        expect(collected.error).toMatchObject({ code: 'AORTA-HUB-UNREACHABLE' });
        expect(JSON.stringify(collected.error) + String(collected.error)).not.toContain('wrong-word');
      }
      expect(proxy.tunnels()).toBe(0);
    } finally {
      await proxy.stop();
    }
  });
});

describe('several workers of an Event Hubs source', () => {
  test('workers share the partitions, and other workers take over the partitions of a worker that stops', async () => {
    server = await startEventHubs({ hubs: [{ name: 'events', partitions: 4 }] });
    const logger = keepingLogger();
    const a = collecting(sourceOn(server, folder, { worker: 'a', logger }));
    const owners = async (): Promise<string> => {
      const all = await new FileCheckpoints(folder, 'test').listOwnership(`127.0.0.1:${server.port}`, 'events', '$Default');
      return all
        .map(({ ownerId }) => ownerId)
        .sort()
        .join();
    };
    await until('the only worker to own all partitions', owners, 'a,a,a,a');
    const b = collecting(sourceOn(server, folder, { worker: 'b' }));
    await until('the second worker to own half of them', owners, 'a,a,b,b');
    const lost = () => logger.lines.filter((line) => line.event === 'partition lost to another worker').length;
    await until('the first worker to release them', lost, 2);
    for (const id of numbers(0, 4)) await append(server, partition(id), { first: 0, count: 100 });
    const seen = () => [...a.deliveries, ...b.deliveries].map((delivery) => `${delivery.partition}:${delivery.offset}`);
    await until('all events, in either worker', () => new Set(seen()).size, 400);
    expect(a.deliveries.length).toBeGreaterThan(0);
    expect(b.deliveries.length).toBeGreaterThan(0);
    await a.stop();
    // The worker released its partitions when it stopped, so the other worker does not wait for its claims to expire.
    expect((await owners()).includes('a')).toBe(false);
    await until('the other worker to own all partitions', owners, 'b,b,b,b');
    for (const id of numbers(0, 4)) await append(server, partition(id), { first: 100, count: 100 });
    await until('the remaining events', () => new Set(seen()).size, 800);
    for (const name of numbers(0, 4).map((id) => `events/${id}`)) {
      const offsets = offsetsOf(b.deliveries, name);
      expect(offsets).toEqual(offsets.toSorted((one, other) => one - other));
    }
  });

  test('a worker that loses a partition drops the buffered events of that partition and writes no checkpoint for it', async () => {
    server = await startEventHubs({ hubs: [{ name: 'events', partitions: 1 }] });
    await append(server, partition(0), { first: 0, count: 2000 });
    // The test reads only one batch, so the worker still buffers the other events.
    const a = sourceOn(server, folder, { worker: 'a' });
    const stopping = new AbortController();
    const batches = a.batches(stopping.signal);
    const first = (await batches.next()).value!;
    await until(
      'the worker to hold events',
      () => a.heldBytes,
      (found) => found > 0,
    );
    const store = new FileCheckpoints(folder, 'b');
    const place = [`127.0.0.1:${server.port}`, 'events', '$Default'] as const;
    const [record] = await store.listOwnership(...place);
    expect(await store.claimOwnership([{ ...record!, ownerId: 'b' }])).toHaveLength(1);
    await until('the worker to drop the events', () => a.heldBytes, 0);
    await a.commit([first.position]);
    stopping.abort();
    await a.close();
    expect(await checkpointOf(0)).toBeUndefined();
    expect((await store.listOwnership(...place)).map(({ ownerId }) => ownerId)).toEqual(['b']);
  });
});

test('while the consumer is stalled, the source buffers at most its limit plus one prefetch per partition', async () => {
  server = await startEventHubs({ hubs: [{ name: 'events', partitions: 2 }] });
  const source = sourceOn(server, folder, {}, { held_bytes: 1_000_000 });
  const stopping = new AbortController();
  const batches = source.batches(stopping.signal);
  const next = batches.next();
  await until('the links', async () => (await server.faults.state()).links.length, 2);
  // Without a limit, the credit of the links would grow here with each second and each event.
  for (const id of [0, 1]) for (const number of numbers(0, 20)) await append(server, partition(id), { first: number, count: 1 });
  await next;
  const links = (await server.faults.state()).links;
  for (const { credit } of links) expect(credit).toBeLessThanOrEqual(500);
  for (const id of [0, 1]) await append(server, partition(id), { first: 20, count: 20_000, padding: 1000 });
  await until(
    'more than the limit',
    () => source.heldBytes,
    (found) => found > 1_000_000,
  );
  const sent = async () => (await server.faults.state()).links.reduce((sum, { next: at }) => sum + (at ?? 0), 0);
  let before = -1;
  await until('the server to stop sending', async () => {
    const now = await sent();
    const same = now === before;
    before = now;
    return same;
  });
  // The source may buffer its limit plus one batch per partition. The client may buffer one prefetch per partition.
  expect(source.heldBytes).toBeLessThan(1_000_000 + 2 * 500 * 1200);
  expect(before).toBeLessThan(40 + 1000 + 2 * 500 + 2 * 500 + 500);
  stopping.abort();
  await source.close();
});
