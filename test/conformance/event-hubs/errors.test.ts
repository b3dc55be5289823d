import { type EventHubsServer, startEventHubs } from '@aorta/event-hubs-server';
import { EventHubConsumerClient, EventHubProducerClient } from '@azure/event-hubs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientsOf, failure, oneAttempt, receive } from './clients.ts';

let server: EventHubsServer;
beforeAll(async () => {
  server = await startEventHubs({ hubs: [{ name: 'here', partitions: 2 }], key: { name: 'reader', key: 's3cret+/=' } });
});
afterAll(() => server.stop());

test('a missing hub or group causes a MessagingEntityNotFoundError, and a missing partition causes an ArgumentOutOfRangeError', async () => {
  await using clients = clientsOf(server, 'here');
  for (const missing of [
    () => clients.producer('missing').getEventHubProperties(),
    () => clients.producer('missing').sendBatch([{ body: 1 }]),
    () => receive(clients.consumer('missing'), '0', 1),
    () => receive(clients.consumer('here', 'nogroup'), '0', 1),
  ])
    expect(await failure(missing())).toMatchObject({ code: 'MessagingEntityNotFoundError', retryable: false });
  for (const missing of [
    () => clients.producer().getPartitionProperties('2'),
    () => clients.producer().sendBatch([{ body: 1 }], { partitionId: '2' }),
    () => receive(clients.consumer(), '2', 1),
  ])
    expect(await failure(missing())).toMatchObject({ code: 'ArgumentOutOfRangeError', retryable: false });
});

test('names of hubs and consumer groups are case-insensitive', async () => {
  await using clients = clientsOf(server, 'HERE');
  await clients.producer().sendBatch([{ body: 'x' }], { partitionId: '0' });
  expect(await receive(clients.consumer('Here', '$DEFAULT'), '0', 1)).toHaveLength(1);
});

test('a wrong key or key name fails with UnauthorizedError', async () => {
  const wrong = [
    server.connectionString.replace('s3cret+/=', 'other'),
    server.connectionString.replace('SharedAccessKeyName=reader', 'SharedAccessKeyName=writer'),
  ];
  for (const connectionString of wrong) {
    const producer = new EventHubProducerClient(connectionString, 'here', { retryOptions: oneAttempt });
    expect(await failure(producer.getEventHubProperties())).toMatchObject({ code: 'UnauthorizedError' });
    expect(await failure(producer.sendBatch([{ body: 1 }]))).toMatchObject({ code: 'UnauthorizedError' });
    await producer.close();
    const consumer = new EventHubConsumerClient('$Default', connectionString, 'here', { retryOptions: oneAttempt });
    expect(await failure(receive(consumer, '0', 1))).toMatchObject({ code: 'UnauthorizedError' });
    await consumer.close();
  }
});

test('after the rejected requests of the other tests, the hub contains only the one accepted event', async () => {
  expect((await server.faults.state()).hubs[0]!.partitions.map(({ last }) => last)).toEqual([0, -1]);
});
