import { type EventHubsServer, startEventHubs } from '@aorta/event-hubs-server';
import { EventHubBufferedProducerClient } from '@azure/event-hubs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientsOf, failure, oneAttempt, receive } from './clients.ts';

let server: EventHubsServer;
beforeAll(async () => {
  server = await startEventHubs({
    hubs: [
      { name: 'keys', partitions: 7 },
      { name: 'sizes', partitions: 1 },
      { name: 'turns', partitions: 3 },
    ],
  });
});
afterAll(() => server.stop());

const counts = async (hub: string) =>
  (await server.faults.state()).hubs.find(({ name }) => name === hub)!.partitions.map(({ last }) => last + 1);

test('the server assigns a key to the same partition as the official buffered producer does', async () => {
  await using clients = clientsOf(server, 'keys');
  const keys = Array.from({ length: 120 }, (_, index) => `${'kµ'.repeat(index % 30)}${index}`);
  const buffered = new EventHubBufferedProducerClient(server.connectionString, 'keys', {
    retryOptions: oneAttempt,
    maxWaitTimeInMs: 20,
    onSendEventsErrorHandler: async ({ error }) => {
      throw error;
    },
  });
  for (const key of keys) await buffered.enqueueEvent({ body: key }, { partitionKey: key });
  await buffered.close({ flush: true });
  const producer = clients.producer();
  await Promise.all(keys.map((key) => producer.sendBatch([{ body: key }], { partitionKey: key })));
  const seen = new Map<string, Set<number>>();
  let unnamed = 0;
  for (const [partition, count] of (await counts('keys')).entries()) {
    if (count === 0) continue;
    for (const { body, partitionKey } of await receive(clients.consumer(), String(partition), count)) {
      // The buffered producer selects the partition itself and does not send the key.
      if (partitionKey === undefined) unnamed++;
      else expect(partitionKey).toBe(body);
      seen.set(body as string, (seen.get(body as string) ?? new Set()).add(partition));
    }
  }
  expect(unnamed).toBe(keys.length);
  expect([...seen.keys()].toSorted()).toEqual(keys.toSorted());
  expect([...seen.values()].filter((partitions) => partitions.size !== 1)).toEqual([]);
  expect((await counts('keys')).reduce((sum, count) => sum + count)).toBe(2 * keys.length);
});

test('batches without a partition or key are distributed across the partitions in turn', async () => {
  await using clients = clientsOf(server, 'turns');
  const producer = clients.producer();
  for (let index = 0; index < 6; index++) await producer.sendBatch([{ body: index }]);
  expect(await counts('turns')).toEqual([2, 2, 2]);
});

test('the server accepts a batch of up to one mebibyte and refuses a larger one', async () => {
  await using clients = clientsOf(server, 'sizes');
  const producer = clients.producer();
  const batch = await producer.createBatch();
  expect(batch.maxSizeInBytes).toBe(1024 * 1024);
  while (batch.tryAdd({ body: 'x'.repeat(1000) })) {}
  expect(batch.sizeInBytes).toBeGreaterThan(batch.maxSizeInBytes - 1100);
  await producer.sendBatch(batch);
  expect(await counts('sizes')).toEqual([batch.count]);
  const large = { body: Buffer.alloc(1024 * 1024 - 200, 1) };
  await producer.sendBatch([large]);
  const received = await receive(clients.consumer(), '0', batch.count + 1, { skipParsingBodyAsJson: true });
  expect(large.body.equals(received.at(-1)!.body as Buffer)).toBe(true);
  const error = await failure(producer.sendBatch([{ body: Buffer.alloc(1024 * 1024) }]));
  expect(error).toMatchObject({ code: 'MessageTooLargeError', retryable: false });
  expect(await counts('sizes')).toEqual([batch.count + 1]);
});
