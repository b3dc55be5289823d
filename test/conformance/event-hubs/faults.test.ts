import { controlClient, type EventHubsControl, type EventHubsServer, startEventHubs } from '@aorta/event-hubs-server';
import { EventHubConsumerClient, EventHubProducerClient } from '@azure/event-hubs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { attached, type Clients, clientsOf, failure, oneAttempt, reader, receive } from './clients.ts';

/** Tests the effect of each fault on the official clients. The tests request the faults through the control port. */
let server: EventHubsServer;
let faults: EventHubsControl;
let clients: Clients;
beforeEach(async () => {
  server = await startEventHubs({
    hubs: [
      { name: 'a', partitions: 2 },
      { name: 'b', partitions: 1 },
    ],
  });
  faults = controlClient(server.controlPort);
  clients = clientsOf(server, 'a');
});
afterEach(async () => {
  await clients[Symbol.asyncDispose]();
  await server.stop();
});

const events = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ body: Buffer.from(String(index)).toString('base64') }));

/** Returns a consumer that retries immediately after a failure. */
function persistent(): EventHubConsumerClient {
  const retryOptions = { maxRetries: 100, retryDelayInMs: 10, maxRetryDelayInMs: 50, timeoutInMs: 10_000 };
  return new EventHubConsumerClient('$Default', server.connectionString, 'a', { retryOptions });
}

test('detach() closes only the selected links, and reports the given error condition', async () => {
  const readers = [reader(clients.consumer(), '0'), reader(clients.consumer(), '1'), reader(clients.consumer('b'), '0')];
  await attached(server, 3);
  expect(await faults.detach({ hub: 'A', partition: '1', condition: 'com.microsoft:operation-cancelled' })).toBe(1);
  expect(await readers[1]!.failed).toMatchObject({ code: 'OperationCancelledError' });
  await faults.append({ hub: 'a', partition: '0', events: events(1) });
  await faults.append({ hub: 'b', partition: '0', events: events(1) });
  await Promise.all([readers[0]!.has(1), readers[2]!.has(1)]);
  await Promise.all(readers.map((one) => one.close()));
});

test('the consumer reconnects after close() and after reset(), and misses no event', async () => {
  const consumer = persistent();
  const one = reader(consumer, '0', { maxWaitTimeInSeconds: 1 });
  await faults.append({ hub: 'a', partition: '0', events: events(1) });
  await one.has(1);
  expect(await faults.close({ condition: 'amqp:connection:forced' })).toBe(1);
  await faults.append({ hub: 'a', partition: '0', events: events(1) });
  await one.has(2);
  expect(await faults.reset()).toBe(1);
  await faults.append({ hub: 'a', partition: '0', events: events(1) });
  await one.has(3);
  expect(one.received.map(({ sequenceNumber }) => sequenceNumber)).toEqual([0, 1, 2]);
  await one.close();
  await consumer.close();
});

test('freeze() holds all traffic of the open connections until thaw() is called', async () => {
  const one = reader(clients.consumer(), '0');
  const producer = clients.producer();
  await producer.sendBatch([{ body: 0 }], { partitionId: '0' });
  await one.has(1);
  expect(await faults.freeze()).toBe(2);
  const sent = producer.sendBatch([{ body: 1 }], { partitionId: '0' });
  await faults.append({ hub: 'a', partition: '0', events: events(1) });
  // A new connection works, and shows that the server has the event that the frozen connections do not deliver.
  const other = clients.consumer();
  expect((await other.getPartitionProperties('0')).lastEnqueuedSequenceNumber).toBe(1);
  expect(one.received).toHaveLength(1);
  expect(await faults.thaw()).toBe(2);
  await sent;
  await one.has(3);
  expect(one.received.map(({ body }) => body)).toEqual([0, 0, 1]);
  await one.close();
});

test('mute() leaves requests to a node unanswered until unmute() is called', async () => {
  const impatient = { retryOptions: { maxRetries: 0, timeoutInMs: 1000 } };
  const consumer = new EventHubConsumerClient('$Default', server.connectionString, 'a', impatient);
  await consumer.getPartitionIds();
  await faults.mute({ node: '$management' });
  expect((await failure(consumer.getPartitionIds())).code).toBe('OperationTimeoutError');
  await faults.unmute({ node: '$management' });
  expect(await consumer.getPartitionIds()).toHaveLength(2);
  await faults.mute({ node: '$cbs' });
  expect((await failure(receive(consumer, '0', 1))).code).toBe('OperationTimeoutError');
  expect(await consumer.getPartitionIds()).toHaveLength(2);
  await consumer.close();
});

test('refuse() rejects the selected links until admit() is called', async () => {
  await faults.refuse({ partition: '0', condition: 'amqp:internal-error' });
  expect(await failure(receive(clients.consumer(), '0', 1))).toMatchObject({ code: 'InternalServerError' });
  await faults.append({ hub: 'a', partition: '1', events: events(1) });
  expect(await receive(clients.consumer(), '1', 1)).toHaveLength(1);
  await faults.admit();
  await faults.append({ hub: 'a', partition: '0', events: events(1) });
  expect(await receive(clients.consumer(), '0', 1)).toHaveLength(1);
});

test('a stalled link stays open but delivers no events, and a link that is opened later delivers them', async () => {
  const one = reader(clients.consumer(), '0');
  await faults.append({ hub: 'a', partition: '0', events: events(1) });
  await one.has(1);
  expect(await faults.stall({ partition: '0' })).toBe(1);
  await faults.append({ hub: 'a', partition: '0', events: events(1) });
  expect(await receive(clients.consumer(), '0', 2)).toHaveLength(2);
  expect(one.received).toHaveLength(1);
  expect((await faults.state()).links).toMatchObject([{ stalled: true, next: 1 }]);
  await one.close();
});

test('delay() makes the server deliver events later', async () => {
  // The timer fires only when the test calls its function.
  const hour = 3_600_000;
  const timers = vi.spyOn(globalThis, 'setTimeout');
  await faults.delay({ hub: 'a', ms: hour });
  await faults.append({ hub: 'a', partition: '0', events: events(3) });
  const one = reader(clients.consumer(), '0');
  const timer = await until('the delayed delivery', () => timers.mock.calls.find(([, ms]) => ms === hour));
  timers.mockRestore();
  expect((await faults.state()).links).toMatchObject([{ kind: 'receive', next: 0 }]);
  expect(one.received).toEqual([]);
  await faults.undelay();
  timer![0]();
  await one.has(3);
  await one.close();
});

test('repeatDeliveries() delivers events twice, and repeatStores() stores a batch twice', async () => {
  await faults.repeatDeliveries({ partition: '0', times: 2 });
  await faults.append({ hub: 'a', partition: '0', events: events(3) });
  const repeated = await receive(clients.consumer(), '0', 5);
  expect(repeated.map(({ sequenceNumber }) => sequenceNumber)).toEqual([0, 0, 1, 1, 2]);
  await faults.repeatStores({ hub: 'a' });
  const producer = new EventHubProducerClient(server.connectionString, 'a', { retryOptions: oneAttempt });
  await producer.sendBatch([{ body: 'x' }, { body: 'y' }], { partitionId: '1' });
  await producer.sendBatch([{ body: 'z' }], { partitionId: '1' });
  await producer.close();
  const stored = await receive(clients.consumer(), '1', 5);
  expect(stored.map(({ sequenceNumber, body }) => [sequenceNumber, body])).toEqual([
    [0, 'x'],
    [1, 'y'],
    [2, 'x'],
    [3, 'y'],
    [4, 'z'],
  ]);
});

test('recreating a hub disconnects its readers, and the new hub numbers its events from 0', async () => {
  await faults.append({ hub: 'b', partition: '0', events: events(4) });
  const one = reader(clients.consumer('b'), '0');
  await one.has(4);
  await faults.recreate({ hub: 'b' });
  expect(await one.failed).toMatchObject({ retryable: false });
  await one.close();
  expect(await faults.append({ hub: 'b', partition: '0', events: events(1) })).toBe(0);
});

test('the control port explains why it refuses an impossible request', async () => {
  await expect(faults.trim({ hub: 'c', partition: '0', before: 1 })).rejects.toThrow('there is no hub c');
  await expect(faults.append({ hub: 'a', partition: '9', events: [] })).rejects.toThrow('a has no partition 9');
  const response = await fetch(`http://127.0.0.1:${server.controlPort}/nonsense`, { method: 'POST' });
  expect(response.status).toBe(404);
});
