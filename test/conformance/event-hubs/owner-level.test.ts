import { type EventHubsServer, startEventHubs } from '@aorta/event-hubs-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { attached, type Clients, clientsOf, failure, reader, receive } from './clients.ts';

let server: EventHubsServer;
let clients: Clients;
beforeEach(async () => {
  server = await startEventHubs({ hubs: [{ name: 'owners', partitions: 1, groups: ['other'] }] });
  clients = clientsOf(server, 'owners');
});
afterEach(async () => {
  await clients[Symbol.asyncDispose]();
  await server.stop();
});

test('a reader with the same or a higher owner level takes over the partition', async () => {
  for (const [first, second] of [
    [1, 2],
    [3, 3],
  ]) {
    const older = reader(clients.consumer(), '0', { ownerLevel: first! });
    await attached(server, 1);
    const newer = reader(clients.consumer(), '0', { ownerLevel: second! });
    expect(await older.failed).toMatchObject({ code: 'ReceiverDisconnectedError' });
    await older.close();
    await attached(server, 1);
    expect((await server.faults.state()).links).toMatchObject([{ ownerLevel: second }]);
    await newer.close();
  }
});

test('a reader with a lower owner level or no level is refused, and other consumer groups are not affected', async () => {
  const owner = reader(clients.consumer(), '0', { ownerLevel: 5 });
  await attached(server, 1);
  for (const options of [{ ownerLevel: 4 }, {}])
    expect(await failure(receive(clients.consumer(), '0', 1, options))).toMatchObject({ code: 'ReceiverDisconnectedError' });
  const other = reader(clients.consumer('owners', 'OTHER'), '0', { ownerLevel: 1 });
  await attached(server, 2);
  expect((await server.faults.state()).links.map(({ ownerLevel, group }) => [group, ownerLevel])).toEqual([
    ['$default', 5],
    ['other', 1],
  ]);
  await Promise.all([owner.close(), other.close()]);
});

test('at most five readers without an owner level can read a partition, and a reader with a level disconnects all of them', async () => {
  const five = Array.from({ length: 5 }, () => reader(clients.consumer(), '0'));
  await attached(server, 5);
  expect(await failure(receive(clients.consumer(), '0', 1))).toMatchObject({ code: 'QuotaExceededError' });
  await clients.producer().sendBatch([{ body: 'all' }]);
  await Promise.all(five.map((one) => one.has(1)));
  const owner = reader(clients.consumer(), '0', { ownerLevel: 1 });
  const errors = await Promise.all(five.map((one) => one.failed));
  expect(errors.map(({ code }) => code)).toEqual(Array(5).fill('ReceiverDisconnectedError'));
  await owner.has(1);
  await Promise.all([owner, ...five].map((one) => one.close()));
});
