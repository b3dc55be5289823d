import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EventHubsOptions, type EventHubsProcess, spawnEventHubs, startEventHubs } from '@aorta/event-hubs-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clientsOf, receive } from './clients.ts';

let folder: string;
let options: EventHubsOptions;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-event-hubs-'));
  options = { hubs: [{ name: 'kept', partitions: 2 }], folder };
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns a partition's properties and the events that an official client reads. A restart must not change the result. */
async function seen(server: Pick<EventHubsProcess, 'connectionString'>, partition: string, count: number) {
  await using clients = clientsOf(server, 'kept');
  const consumer = clients.consumer();
  const events = await receive(consumer, partition, count, { skipParsingBodyAsJson: true });
  return {
    hub: await consumer.getEventHubProperties(),
    ends: await consumer.getPartitionProperties(partition),
    events: events.map((event) => ({ ...event, body: String(event.body), getRawAmqpMessage: undefined })),
  };
}

test('a killed server restarts on the same port with the same events at the same positions', async () => {
  const first = await spawnEventHubs(options);
  {
    await using clients = clientsOf(first, 'kept');
    const producer = clients.producer();
    for (let batch = 0; batch < 5; batch++) {
      const events = Array.from({ length: 100 }, (_, index) => ({ body: { batch, index }, properties: { index } }));
      await producer.sendBatch(events, { partitionId: '0' });
    }
  }
  const before = await seen(first, '0', 500);
  await first.kill();
  const second = await spawnEventHubs({ ...options, port: first.port, controlPort: first.controlPort });
  expect(second.connectionString).toBe(first.connectionString);
  expect(await seen(second, '0', 500)).toEqual(before);
  await second.faults.trim({ hub: 'kept', partition: '0', before: 490 });
  const trimmed = await seen(second, '0', 10);
  expect(trimmed.events).toEqual(before.events.slice(490));
  await second.kill();
  const third = await spawnEventHubs(options);
  expect(await seen(third, '0', 10)).toEqual(trimmed);
  await third.stop();
});

test('a server discards a torn or altered end of its log, and numbers new events after the last intact event', async () => {
  const body = Buffer.from('event').toString('base64');
  const where = { hub: 'kept', partition: '1' };
  const file = join(folder, 'kept', '1.log');
  const last = async () => {
    const server = await startEventHubs(options);
    const state = await server.faults.state();
    await server.stop();
    return state.hubs[0]!.partitions[1]!.last;
  };
  const server = await startEventHubs(options);
  await server.faults.append({ ...where, events: [{ body }, { body }, { body }] });
  await server.stop();
  const whole = readFileSync(file);
  expect(await last()).toBe(2);
  appendFileSync(file, whole.subarray(40, 90));
  expect(await last()).toBe(2);
  expect(statSync(file).size).toBe(whole.length);
  writeFileSync(file, whole.subarray(0, whole.length - 1));
  expect(await last()).toBe(1);
  const altered = Buffer.from(whole);
  altered[whole.length - 3]! ^= 1;
  writeFileSync(file, altered);
  expect(await last()).toBe(1);
  const again = await startEventHubs(options);
  expect(await again.faults.append({ ...where, events: [{ body }] })).toBe(2);
  await again.stop();
  expect(readFileSync(file).length).toBe(whole.length);
});

test('startup fails if the folder has more partitions than requested, and only the owner can read its files', async () => {
  await (await startEventHubs(options)).stop();
  await expect(startEventHubs({ ...options, hubs: [{ name: 'kept', partitions: 1 }] })).rejects.toThrow('has 2 partitions');
  expect(statSync(join(folder, 'kept', '0.log')).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'kept')).mode & 0o777).toBe(0o700);
});
