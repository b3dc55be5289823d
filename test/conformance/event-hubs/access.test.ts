import { controlClient, type EventHubsControl, type EventHubsServer, startEventHubs } from '@aorta/event-hubs-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { attached, type Clients, clientsOf, failure, reader, receive } from './clients.ts';

/** Tests official clients while a key, a permission, a hub or a consumer group is removed and restored. */
let server: EventHubsServer;
let control: EventHubsControl;
let clients: Clients;
beforeEach(async () => {
  server = await startEventHubs({ hubs: [{ name: 'a', partitions: 1, groups: ['mine'] }] });
  control = controlClient(server.controlPort);
  clients = clientsOf(server, 'a');
  await clients.producer().sendBatch([{ body: 'kept' }], { partitionId: '0' });
});
afterEach(async () => {
  await clients[Symbol.asyncDispose]();
  await server.stop();
});

const refused = { code: 'UnauthorizedError' };
const missing = { code: 'MessagingEntityNotFoundError', retryable: false };

/** Reads one event, disconnects the reader with `act`, and returns the reader's error. */
async function cutOff(act: () => Promise<number>, group = '$Default') {
  const one = reader(clients.consumer('a', group), '0', { maxWaitTimeInSeconds: 1 });
  await attached(server, 1);
  await one.has(1);
  expect(await act()).toBeGreaterThanOrEqual(1);
  const error = await one.failed;
  await one.close();
  return error;
}

test('after a key rotation, the server refuses the old key everywhere until the key is rotated back', async () => {
  expect(await cutOff(() => control.rotateKey({ key: 'another' }))).toMatchObject(refused);
  for (const attempt of [
    () => receive(clients.consumer(), '0', 1),
    () => clients.producer().sendBatch([{ body: 'x' }]),
    () => clients.consumer().getPartitionIds(),
  ])
    expect(await failure(attempt())).toMatchObject(refused);
  await control.rotateKey();
  expect(await receive(clients.consumer(), '0', 1)).toHaveLength(1);
});

test('without the Listen permission, clients can send but cannot read or make management requests', async () => {
  expect(await cutOff(() => control.revokeListen())).toMatchObject(refused);
  expect(await failure(receive(clients.consumer(), '0', 1))).toMatchObject(refused);
  expect(await failure(clients.consumer().getPartitionIds())).toMatchObject(refused);
  await clients.producer().sendBatch([{ body: 'y' }], { partitionId: '0' });
  await control.grantListen();
  expect(await receive(clients.consumer(), '0', 2)).toHaveLength(2);
});

test('clients get an error for a deleted hub, and a restored hub still has its events', async () => {
  expect(await cutOff(() => control.deleteHub({ hub: 'A' }))).toMatchObject(missing);
  expect(await failure(receive(clients.consumer(), '0', 1))).toMatchObject(missing);
  expect(await failure(clients.consumer().getPartitionIds())).toMatchObject(missing);
  expect((await control.state()).hubs).toEqual([]);
  await control.restoreHub({ hub: 'a' });
  expect(await receive(clients.consumer(), '0', 1)).toHaveLength(1);
});

test('clients get an error for a deleted consumer group, and the group $Default cannot be deleted', async () => {
  expect(await cutOff(() => control.deleteGroup({ hub: 'a', group: 'Mine' }), 'mine')).toMatchObject(missing);
  expect(await failure(receive(clients.consumer('a', 'mine'), '0', 1))).toMatchObject(missing);
  expect(await receive(clients.consumer(), '0', 1)).toHaveLength(1);
  await control.createGroup({ hub: 'a', group: 'mine' });
  expect(await receive(clients.consumer('a', 'mine'), '0', 1)).toHaveLength(1);
  await expect(control.deleteGroup({ hub: 'a', group: '$Default' })).rejects.toThrow('$Default cannot be deleted');
});
