import { type EventHubsServer, startEventHubs } from '@aorta/event-hubs-server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { clientsOf, receive } from './clients.ts';

const created = new Date('2026-03-04T05:06:07.890Z');
let server: EventHubsServer;
beforeAll(async () => {
  // The server runs in this process.
  vi.useFakeTimers({ toFake: ['Date'], now: created });
  server = await startEventHubs({
    hubs: [
      { name: 'facts', partitions: 3 },
      { name: 'far', partitions: 1, geoReplicated: true },
    ],
  });
  vi.useRealTimers();
});
afterAll(() => server.stop());

test('a hub reports its name, its partitions, its creation time and whether it is geo-replicated', async () => {
  await using clients = clientsOf(server, 'facts');
  const consumer = clients.consumer();
  const facts = await consumer.getEventHubProperties();
  expect(facts).toMatchObject({ name: 'facts', partitionIds: ['0', '1', '2'], createdOn: created, isGeoDrEnabled: false });
  expect(await clients.consumer('far').getEventHubProperties()).toMatchObject({ partitionIds: ['0'], isGeoDrEnabled: true });
  expect(await clients.producer().getPartitionIds()).toEqual(['0', '1', '2']);
});

test('an empty, filled, trimmed or fully trimmed partition reports its first and last positions', async () => {
  await using clients = clientsOf(server, 'facts');
  const consumer = clients.consumer();
  const facts = () => consumer.getPartitionProperties('1');
  expect(await facts()).toMatchObject({
    partitionId: '1',
    eventHubName: 'facts',
    isEmpty: true,
    beginningSequenceNumber: 0,
    lastEnqueuedSequenceNumber: -1,
    lastEnqueuedOffset: '-1',
  });
  await clients.producer().sendBatch([{ body: 1 }, { body: 2 }, { body: 3 }], { partitionId: '1' });
  const events = await receive(consumer, '1', 3);
  const last = events.at(-1)!;
  const end = {
    isEmpty: false,
    lastEnqueuedSequenceNumber: 2,
    lastEnqueuedOffset: last.offset,
    lastEnqueuedOnUtc: last.enqueuedTimeUtc,
  };
  expect(await facts()).toMatchObject({ ...end, beginningSequenceNumber: 0 });
  await server.faults.trim({ hub: 'facts', partition: '1', before: 2 });
  expect(await facts()).toMatchObject({ ...end, beginningSequenceNumber: 2 });
  await server.faults.trim({ hub: 'facts', partition: '1', before: 99 });
  expect(await facts()).toMatchObject({ ...end, isEmpty: true, beginningSequenceNumber: 3 });
});

test('each event includes the last position in its partition if the reader requests it', async () => {
  await using clients = clientsOf(server, 'facts');
  await clients.producer().sendBatch([{ body: 'a' }, { body: 'b' }], { partitionId: '2' });
  const { promise, resolve } = Promise.withResolvers<object | undefined>();
  const subscription = clients.consumer().subscribe(
    '2',
    {
      processEvents: async (_, { lastEnqueuedEventProperties }) => resolve(lastEnqueuedEventProperties),
      processError: async () => {},
    },
    { startPosition: { sequenceNumber: 0, isInclusive: true }, maxBatchSize: 1, trackLastEnqueuedEventProperties: true },
  );
  const end = await promise;
  await subscription.close();
  const { lastEnqueuedOffset, lastEnqueuedOnUtc } = await clients.producer().getPartitionProperties('2');
  expect(end).toMatchObject({ sequenceNumber: 1, offset: lastEnqueuedOffset, enqueuedOn: lastEnqueuedOnUtc });
});
