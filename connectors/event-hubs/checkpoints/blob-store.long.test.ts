import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEventHubs } from '@aorta/event-hubs-server';
import { silentLogger } from '@aorta/runtime';
import { BlobCheckpointStore } from '@azure/eventhubs-checkpointstore-blob';
import { BlobServiceClient, type ContainerClient } from '@azure/storage-blob';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { numbers, offsetsOf } from '../../delivery.fixture.ts';
import { collect } from '../../sources/collected.fixture.ts';
import { Claims } from '../claims.ts';
import { append, settingsFor, sourceOn } from '../event-hubs.fixture.ts';
import { type BlobServer, startBlobServer } from './blob-server.fixture.ts';
import { BlobCheckpoints } from './blob-store.ts';
import { NotTheOwner, releaseClaims } from './checkpoints.ts';
import { openCheckpoints } from './open.ts';

let blobs: BlobServer;
let container: ContainerClient;

beforeAll(async () => {
  blobs = await startBlobServer();
});
afterAll(() => blobs.stop());
beforeEach(async () => {
  container = BlobServiceClient.fromConnectionString(blobs.connection).getContainerClient(`c-${randomUUID()}`);
  await container.create();
});

const group = { fullyQualifiedNamespace: 'ns', eventHubName: 'health', consumerGroup: '$Default' };
const place = ['ns', 'health', '$Default'] as const;
const at = (sequenceNumber: number) => ({ ...group, partitionId: '0', sequenceNumber, offset: '-1' });

async function claim(store: BlobCheckpoints, ownerId: string): Promise<void> {
  const record = (await store.listOwnership(...place))[0];
  expect(await store.claimOwnership([{ ...group, partitionId: '0', ...record, ownerId }])).toHaveLength(1);
}

describe('checkpoints in blobs', () => {
  test('are compatible with the client’s own store, and include the group’s first sequence number', async () => {
    const store = new BlobCheckpoints(container, 'a');
    await claim(store, 'a');
    await store.updateCheckpoint({ ...at(7), first: 3 });
    expect(await store.listCheckpoints(...place)).toEqual([{ ...at(7), first: 3 }]);
    const theirs = new BlobCheckpointStore(container);
    expect(await theirs.listCheckpoints(...place)).toEqual([at(7)]);
    await theirs.updateCheckpoint(at(8));
    expect(await store.listCheckpoints(...place)).toEqual([{ ...at(8), first: 0 }]);
  });

  test('preserve the offsets of a geo-replicated hub, which are not numbers', async () => {
    const store = new BlobCheckpoints(container, 'a');
    await claim(store, 'a');
    const geo = { ...at(7), offset: '1:4294967296' };
    await store.updateCheckpoint(geo);
    expect(await store.listCheckpoints(...place)).toEqual([{ ...geo, first: 0 }]);
    await store.updateCheckpoint({ ...geo, sequenceNumber: 8, offset: 'AAAB:zz' });
    expect((await store.listCheckpoints(...place))[0]).toMatchObject({ sequenceNumber: 8, offset: 'AAAB:zz' });
  });

  test('are written only by the partition’s owner, and are never lowered, even by concurrent writes', async () => {
    const [a, b] = [new BlobCheckpoints(container, 'a'), new BlobCheckpoints(container, 'b')];
    await expect(a.updateCheckpoint(at(1))).rejects.toBeInstanceOf(NotTheOwner);
    await claim(a, 'a');
    // After a restart, one worker may have two writers. The highest checkpoint remains, whatever the order of the writes.
    await Promise.all([7, 3, 9, 1, 8, 2].map((number) => new BlobCheckpoints(container, 'a').updateCheckpoint(at(number))));
    expect((await a.listCheckpoints(...place))[0]?.sequenceNumber).toBe(9);
    await claim(b, 'b');
    await expect(a.updateCheckpoint(at(12))).rejects.toBeInstanceOf(NotTheOwner);
    await b.updateCheckpoint(at(10));
    expect((await a.listCheckpoints(...place))[0]?.sequenceNumber).toBe(10);
    expect(await releaseClaims(a, group, 'b')).toBe(1);
    expect((await a.listOwnership(...place)).map(({ ownerId }) => ownerId)).toEqual(['']);
  });

  test('claims of one partition have increasing epochs, even within the same millisecond', async () => {
    const now = Date.parse('2026-03-28');
    vi.setSystemTime(now);
    onTestFinished(() => void vi.useRealTimers());
    const epochs: number[] = [];
    const claimsOf = (worker: string) =>
      new Claims({
        store: new BlobCheckpoints(container, worker),
        host: 'ns',
        group: '$Default',
        worker,
        intervalMs: 1000,
        expiryMs: 30_000,
        partitions: () => [{ hub: 'health', partitionId: '0' }],
        onClaimed: (_, epoch) => epochs.push(epoch),
        onLost: () => {},
        logger: silentLogger,
      });
    for (const worker of ['a', 'b', 'a', 'c', 'b']) {
      const claims = claimsOf(worker);
      await claims.look();
      await claims.release();
    }
    expect(epochs).toHaveLength(5);
    expect(epochs).toEqual([...new Set(epochs)].toSorted((one, other) => one - other));
    expect(epochs[0]).toBe(now);
  });

  test('a claim has a higher epoch than the claim it replaces, even if the client’s own store wrote that claim', async () => {
    const theirs = new BlobCheckpointStore(container);
    const [claimed] = await theirs.claimOwnership([{ ...group, partitionId: '0', ownerId: 'theirs' }]);
    const [record] = await new BlobCheckpoints(container, 'a').listOwnership(...place);
    expect([record!.ownerId, record!.epoch]).toEqual(['theirs', undefined]);
    const [ours] = await new BlobCheckpoints(container, 'a').claimOwnership([{ ...record!, ownerId: 'a' }]);
    // The client's own store uses the modification time of a claim, in whole seconds, as its epoch.
    expect(ours!.epoch).toBeGreaterThan(claimed!.lastModifiedTimeInMs!);
    // A claim with an outdated ETag fails at once.
    expect(await new BlobCheckpoints(container, 'b').claimOwnership([{ ...record!, ownerId: 'b' }])).toEqual([]);
    const first = { ...group, partitionId: '1', ownerId: 'b' };
    const both = await Promise.all(['b', 'c'].map((name) => new BlobCheckpoints(container, name).claimOwnership([first])));
    expect(both.flat()).toHaveLength(1);
  });

  test('cannot be opened without an existing container and a valid key', async () => {
    const settings = (connection: string, name: string) => ({
      checkpoints: { type: 'blob' as const, container: name, connection },
      identity: {},
    });
    const wrong = blobs.connection.replace(/AccountKey=[^;]+/, 'AccountKey=d3Jvbmcta2V5');
    const outcomes = await Promise.allSettled([
      openCheckpoints(settings(blobs.connection, container.containerName), '', 'a'),
      openCheckpoints(settings(blobs.connection, 'not-there'), '', 'a'),
      openCheckpoints(settings(wrong, container.containerName), '', 'a'),
      openCheckpoints(settings('nonsense', container.containerName), '', 'a'),
    ]);
    expect(outcomes.map((one) => (one.status === 'fulfilled' ? 'open' : one.reason.code))).toEqual([
      'open',
      ...Array(3).fill('AORTA-CHECKPOINTS-UNREACHABLE'),
    ]);
    expect(JSON.stringify(outcomes)).not.toContain('d3Jvbmcta2V5');
  });
});

test('two workers share a hub through blobs, and one takes over all partitions when the other stops', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'event-hubs-'));
  const server = await startEventHubs({ hubs: [{ name: 'events', partitions: 2 }] });
  const settings = settingsFor(server, {
    checkpoints: { type: 'blob', container: container.containerName, connection: blobs.connection },
  });
  const a = collect(sourceOn(server, folder, { worker: 'a' }, settings));
  const owners = async () =>
    (await new BlobCheckpoints(container, 'test').listOwnership(`127.0.0.1:${server.port}`, 'events', '$Default'))
      .map(({ ownerId }) => ownerId)
      .sort()
      .join();
  try {
    await until('all claims of the only worker', owners, 'a,a');
    const b = collect(sourceOn(server, folder, { worker: 'b' }, settings));
    try {
      await until('one claim of each worker', owners, 'a,b');
      for (const partition of ['0', '1']) await append(server, { hub: 'events', partition }, { first: 0, count: 300 });
      const seen = () =>
        new Set([...a.deliveries, ...b.deliveries].map(({ partition, offset }) => `${partition}:${offset}`)).size;
      await until('all events', seen, 600);
    } finally {
      await b.stop();
    }
    await until('all claims of the remaining worker', owners, 'a,a');
    for (const partition of ['0', '1']) await append(server, { hub: 'events', partition }, { first: 300, count: 10 });
    await until('the later events of both partitions', () => a.deliveries.filter(({ offset }) => offset >= 300).length, 20);
    for (const name of ['events/0', 'events/1'])
      expect(offsetsOf(a.deliveries, name).slice(-10)).toEqual(numbers(0, 310).slice(300));
  } finally {
    await a.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
