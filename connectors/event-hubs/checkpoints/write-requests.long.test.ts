import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEventHubs } from '@aorta/event-hubs-server';
import { BlobServiceClient } from '@azure/storage-blob';
import { expect, test } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { collect } from '../../sources/collected.fixture.ts';
import { append } from '../event-hubs.fixture.ts';
import { eventHubsSourceOptions } from '../options.ts';
import { EventHubsSource } from '../source.ts';
import { startBlobProxy } from './blob-proxy.fixture.ts';
import { startBlobServer } from './blob-server.fixture.ts';
import { BlobCheckpoints } from './blob-store.ts';

const PARTITIONS = 32;
const WRITES_A_DAY = 150_000;
const MEASURED_S = 60;
const DAY_S = 86_400;

test('with the default settings, two workers that read 32 busy partitions make at most 150,000 write requests a day', async () => {
  const blobs = await startBlobServer();
  let writes = 0;
  const counted = await startBlobProxy(blobs.connection, ({ method }) => {
    if (method === 'PUT') writes += 1;
    return undefined;
  });
  const server = await startEventHubs({ hubs: [{ name: 'events', partitions: PARTITIONS }] });
  const container = BlobServiceClient.fromConnectionString(blobs.connection).getContainerClient(`c-${randomUUID()}`);
  await container.create();
  const settings = eventHubsSourceOptions.parse({
    type: 'event-hubs',
    connection: server.connectionString,
    hubs: ['events'],
    checkpoints: { type: 'blob', container: container.containerName, connection: counted.connection },
  });
  const workers = ['a', 'b'].map((worker) => collect(new EventHubsSource({ settings, folder: '', window: 0, worker })));
  const partitions = Array.from({ length: PARTITIONS }, (_, id) => String(id));
  let next = 0;
  const busy = setInterval(() => {
    for (const partition of partitions) append(server, { hub: 'events', partition }, { first: next, count: 1 });
    next += 1;
  }, 500);
  try {
    const store = new BlobCheckpoints(container, 'test');
    const shares = async () => {
      const claims = await store.listOwnership(`127.0.0.1:${server.port}`, 'events', '$Default');
      return ['a', 'b'].map((worker) => claims.filter(({ ownerId }) => ownerId === worker).length);
    };
    await until('sixteen partitions for each worker', shares, [16, 16]);
    await sleep(2000);
    const [before, began] = [writes, performance.now()];
    await sleep(MEASURED_S * 1000);
    const writesADay = ((writes - before) / ((performance.now() - began) / 1000)) * DAY_S;
    const taken = new Set(workers.flatMap(({ deliveries }) => deliveries.map(({ partition }) => partition)));
    expect(taken.size).toBe(PARTITIONS);
    // Fewer writes than one per partition every ten minutes would mean that the source was idle.
    expect(writesADay).toBeGreaterThan((PARTITIONS * DAY_S) / 600);
    expect(writesADay).toBeLessThanOrEqual(WRITES_A_DAY);
    process.stdout.write(`write requests a day of 32 busy partitions and two workers: ${Math.round(writesADay)}\n`);
    expect(await shares()).toEqual([16, 16]);
  } finally {
    clearInterval(busy);
    await Promise.all(workers.map((worker) => worker.stop()));
    await server.stop();
    counted.stop();
    await blobs.stop();
  }
});
