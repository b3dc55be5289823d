import { type EventHubsServer, startEventHubs } from '@aorta/event-hubs-server';
import { type EventPosition, latestEventPosition, type ReceivedEventData } from '@azure/event-hubs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attached, type Clients, clientsOf, failure, reader, receive } from './clients.ts';

const firstTime = Date.UTC(2026, 0, 1);
let server: EventHubsServer;
let clients: Clients;
let all: ReceivedEventData[];

/** Creates ten events, one minute apart, and trims the first three. */
beforeAll(async () => {
  server = await startEventHubs({ hubs: [{ name: 'positions', partitions: 2 }] });
  clients = clientsOf(server, 'positions');
  for (let index = 0; index < 10; index++) {
    const body = Buffer.from(String(index)).toString('base64');
    const enqueuedTime = firstTime + index * 60_000;
    await server.faults.append({ hub: 'positions', partition: '0', events: [{ body }], enqueuedTime });
  }
  all = await receive(clients.consumer(), '0', 10);
  expect(await server.faults.trim({ hub: 'positions', partition: '0', before: 3 })).toBe(3);
});
afterAll(async () => {
  await clients[Symbol.asyncDispose]();
  await server.stop();
});

const from = async (startPosition: EventPosition): Promise<number[]> => {
  const expected = expectedFirst(startPosition);
  const events = await receive(clients.consumer(), '0', 10 - expected, { startPosition });
  return events.map(({ sequenceNumber }) => sequenceNumber);
};
const numbers = (first: number) => Array.from({ length: 10 - first }, (_, index) => first + index);

/** Returns the sequence number of the first untrimmed event that a reader receives from this position. */
function expectedFirst({ offset, sequenceNumber, enqueuedOn, isInclusive = false }: EventPosition): number {
  if (offset === '-1') return 3;
  const at = (event: ReceivedEventData) =>
    offset !== undefined
      ? Number(event.offset) - Number(offset)
      : sequenceNumber !== undefined
        ? event.sequenceNumber - sequenceNumber
        : event.enqueuedTimeUtc.getTime() - Number(enqueuedOn);
  const found = all.findIndex((event) => (isInclusive ? at(event) >= 0 : at(event) > 0));
  return Math.max(3, found);
}

test('reading starts at an inclusive position, after an exclusive position, or at the first event left after trimming', async () => {
  const positions: EventPosition[] = all
    .filter((_, index) => [0, 2, 3, 4, 8].includes(index))
    .flatMap(({ sequenceNumber, offset }) =>
      [true, false].flatMap((isInclusive) => [
        { sequenceNumber, isInclusive },
        { offset, isInclusive },
      ]),
    );
  for (const position of [{ offset: '-1' }, { sequenceNumber: -1 }, ...positions])
    expect([position, await from(position)]).toEqual([position, numbers(expectedFirst(position))]);
});

test('a reader that starts at an enqueued time receives only events after that time', async () => {
  for (const minutes of [-1, 4, 4.5, 8]) {
    const enqueuedOn = firstTime + minutes * 60_000;
    expect([minutes, await from({ enqueuedOn })]).toEqual([minutes, numbers(expectedFirst({ enqueuedOn }))]);
    expect(await from({ enqueuedOn: new Date(enqueuedOn) })).toEqual(numbers(expectedFirst({ enqueuedOn })));
  }
});

test('a reader that starts at `latest` or at the last event receives only newer events', async () => {
  const { sequenceNumber, offset } = all.at(-1)!;
  const readers = [latestEventPosition, { sequenceNumber }, { offset }, { enqueuedOn: firstTime + 9 * 60_000 }].map(
    (startPosition) => reader(clients.consumer(), '0', { startPosition }),
  );
  await attached(server, readers.length);
  const body = Buffer.from('late').toString('base64');
  expect(await server.faults.append({ hub: 'positions', partition: '0', events: [{ body }] })).toBe(10);
  for (const one of readers) {
    await one.has(1);
    expect(one.received.map((event) => event.sequenceNumber)).toEqual([10]);
    await one.close();
  }
});

test('the server refuses a position beyond the end and an offset that no event has', async () => {
  const beyond: EventPosition[] = [
    { sequenceNumber: 1000 },
    { offset: String(Number(all.at(-1)!.offset) + 100_000) },
    // A sequence number given as an offset, and an offset given as a sequence number.
    { offset: String(all[4]!.sequenceNumber) },
    { sequenceNumber: Number(all[4]!.offset) },
    { offset: 'nonsense' },
  ];
  for (const startPosition of beyond) {
    const error = await failure(receive(clients.consumer(), '0', 1, { startPosition }));
    expect([startPosition, error.code, error.retryable]).toEqual([startPosition, 'ArgumentError', false]);
  }
});

test('a recreated hub refuses positions that were read from the deleted hub', async () => {
  const body = Buffer.from('old').toString('base64');
  const where = { hub: 'positions', partition: '1' };
  await server.faults.append({ ...where, events: [{ body }, { body }, { body }] });
  const [, second] = await receive(clients.consumer(), '1', 3);
  await server.faults.recreate({ hub: 'positions' });
  await server.faults.append({ ...where, events: [{ body }] });
  const { sequenceNumber, offset } = second!;
  for (const startPosition of [{ sequenceNumber }, { offset }])
    expect((await failure(receive(clients.consumer(), '1', 1, { startPosition }))).code).toBe('ArgumentError');
  expect((await receive(clients.consumer(), '1', 1)).map((event) => event.sequenceNumber)).toEqual([0]);
});
