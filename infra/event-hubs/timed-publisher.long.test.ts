import { EventHubConsumerClient, type ReceivedEventData } from '@azure/event-hubs';
import { afterEach, expect, test, vi } from 'vitest';
import { inTime } from '../machine/waiting.fixture.ts';
import { startEventHubs } from './event-hubs-server.ts';
import { openTimedPublisher } from './timed-publisher.ts';

afterEach(() => void vi.useRealTimers());

async function received(connection: string, hub: string, count: number): Promise<ReceivedEventData[]> {
  const client = new EventHubConsumerClient('$Default', connection, hub);
  const all: ReceivedEventData[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const subscription = client.subscribe(
    {
      processEvents: async (events) => {
        all.push(...events);
        if (all.length >= count) resolve();
      },
      processError: async (error) => reject(error),
    },
    { startPosition: { offset: '-1' } as never },
  );
  await inTime(`${count} events`, promise, () => `${all.length} events`);
  await subscription.close();
  await client.close();
  return all;
}

const eventOf = (user: string, text: string, enqueuedTime: number) => ({
  hub: 'health',
  partitionKey: user,
  body: Buffer.from(text),
  properties: { 'user-id': user },
  enqueuedTime,
});

test('events have the times that their sender chose, and stay in the order in which they were published', async () => {
  await using server = await startEventHubs({ hubs: [{ name: 'health', partitions: 1 }], sendersSetTimes: true });
  const start = Date.UTC(2026, 0, 5, 8);
  const texts = Array.from({ length: 300 }, (_, number) => String(number));
  {
    await using publisher = openTimedPublisher(server.connectionString);
    for (const [number, text] of texts.entries())
      await publisher.publish([eventOf(`u-${number % 7}`, text, start + number * 1000)]);
  }
  const events = await received(server.connectionString, 'health', texts.length);
  expect(events.map(({ body }) => String(body))).toEqual(texts);
  expect(events.map(({ enqueuedTimeUtc }) => enqueuedTimeUtc.getTime())).toEqual(texts.map((_, number) => start + number * 1000));
  expect(events[0]).toMatchObject({ partitionKey: 'u-0', properties: { 'user-id': 'u-0' } });
  expect(Object.keys(events[0]!.systemProperties ?? {})).not.toContain('x-aorta-enqueued-time');
});

test('the times of a partition do not run backward', async () => {
  await using server = await startEventHubs({ hubs: [{ name: 'health', partitions: 1 }], sendersSetTimes: true });
  await using publisher = openTimedPublisher(server.connectionString);
  await publisher.publish([eventOf('u-1', 'a', 2_000_000), eventOf('u-1', 'b', 1_000_000)]);
  const events = await received(server.connectionString, 'health', 2);
  expect(events.map(({ enqueuedTimeUtc }) => enqueuedTimeUtc.getTime())).toEqual([2_000_000, 2_000_000]);
});

test('a server without the option stamps events with its own time', async () => {
  const now = Date.UTC(2031, 4, 6);
  vi.useFakeTimers({ toFake: ['Date'], now });
  await using server = await startEventHubs({ hubs: [{ name: 'health', partitions: 1 }] });
  await using publisher = openTimedPublisher(server.connectionString);
  await publisher.publish([eventOf('u-1', 'a', 1_000_000)]);
  const [event] = await received(server.connectionString, 'health', 1);
  expect(event!.enqueuedTimeUtc.getTime()).toBe(now);
});

test('publish rejects if the hub does not exist', async () => {
  await using server = await startEventHubs({ hubs: [{ name: 'health', partitions: 1 }] });
  await using publisher = openTimedPublisher(server.connectionString);
  const event = { ...eventOf('u-1', 'a', 1_000_000), hub: 'absent' };
  await expect(publisher.publish([event])).rejects.toMatchObject({ code: 'MessagingEntityNotFoundError' });
});
