import { gunzipSync, gzipSync } from 'node:zlib';
import { type EventHubsServer, startEventHubs } from '@aorta/event-hubs-server';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { clientsOf, receive } from './clients.ts';

let server: EventHubsServer;
beforeAll(async () => {
  server = await startEventHubs({ hubs: [{ name: 'bodies', partitions: 4 }] });
});
afterAll(() => server.stop());
afterEach(() => {
  vi.useRealTimers();
});

test('application and message properties of all types arrive unchanged, except that dates become numbers', async () => {
  await using clients = clientsOf(server, 'bodies');
  const when = new Date('2024-05-06T07:08:09.123Z');
  const properties = { s: 'text', é: 'ünï', i: 42, f: 1.25, big: 5e9, negative: -7, t: true, no: false, nothing: null };
  await clients.producer().sendBatch(
    [
      {
        body: 'x',
        properties: { ...properties, when },
        contentType: 'application/json',
        correlationId: 'c-1',
        messageId: 'm-1',
      },
    ],
    { partitionId: '0' },
  );
  const [event] = await receive(clients.consumer(), '0', 1);
  // When reading, the client converts a date to a number.
  expect(event!.properties).toEqual({ ...properties, when: when.getTime() });
  expect(event).toMatchObject({ contentType: 'application/json', correlationId: 'c-1', messageId: 'm-1' });
});

test("the sender's AMQP properties and annotations arrive as system properties, except a forged offset", async () => {
  await using clients = clientsOf(server, 'bodies');
  const message = {
    body: Buffer.from('x'),
    bodyType: 'data' as const,
    properties: { contentEncoding: 'gzip', subject: 's', groupId: 'g' },
    applicationProperties: { 'event-type': 'a.b' },
    messageAnnotations: { 'x-opt-custom': 'kept', 'x-opt-offset': 'forged' },
  };
  await clients.producer().sendBatch([message], { partitionId: '1' });
  // The official producers do not send a user id, but other producers do.
  await server.faults.append({
    hub: 'bodies',
    partition: '1',
    events: [{ body: '', messageProperties: { user_id: 'someone', content_encoding: 'gzip' } }],
  });
  const [sent, raw] = await receive(clients.consumer(), '1', 2, { skipParsingBodyAsJson: true });
  expect(sent!.systemProperties).toEqual({ contentEncoding: 'gzip', subject: 's', groupId: 'g', 'x-opt-custom': 'kept' });
  expect(sent!.offset).toMatch(/^\d+$/);
  // The consumer converts binary properties to an object with one member per byte.
  expect(String(Buffer.from(Object.values(raw!.systemProperties!.userId as Record<string, number>)))).toBe('someone');
  expect(raw!.systemProperties!.contentEncoding).toBe('gzip');
});

test('bodies of all kinds arrive unchanged', async () => {
  await using clients = clientsOf(server, 'bodies');
  const gzip = gzipSync(JSON.stringify({ a: 1, t: 'x'.repeat(2000) }));
  const bodies = [{ hello: 'json' }, 'plain', 7, -1.5, true, [1, 'b'], null, '', Buffer.from('not json {'), gzip];
  const producer = clients.producer();
  await producer.sendBatch(
    bodies.map((body) => ({ body })),
    { partitionId: '2' },
  );
  await producer.sendBatch(
    [
      { body: { v: 1 }, bodyType: 'value' },
      { body: ['s', 1], bodyType: 'sequence' },
    ],
    { partitionId: '2' },
  );
  const events = await receive(clients.consumer(), '2', bodies.length + 2);
  expect(events.map(({ body }) => body)).toEqual([...bodies, { v: 1 }, ['s', 1]]);
  expect(gunzipSync(events[9]!.body as Buffer).length).toBeGreaterThan(2000);
  const raw = await receive(clients.consumer(), '2', bodies.length, { skipParsingBodyAsJson: true });
  const absent = bodies.indexOf(null);
  expect(raw.slice(0, bodies.length).map(({ body }) => Buffer.isBuffer(body))).toEqual(
    bodies.map((_, index) => index !== absent),
  );
  expect(String(raw[0]!.body)).toBe('{"hello":"json"}');
});

test("events get consecutive sequence numbers, increasing offsets as strings, and the server's time", async () => {
  await using clients = clientsOf(server, 'bodies');
  // The server runs in this process.
  const now = new Date('2026-03-04T05:06:07.890Z');
  vi.useFakeTimers({ toFake: ['Date'], now });
  const sent = Array.from({ length: 50 }, (_, index) => ({ body: index, properties: { pad: 'x'.repeat(index * 7) } }));
  await clients.producer().sendBatch(sent, { partitionId: '3' });
  const events = await receive(clients.consumer(), '3', 50);
  expect(events.map(({ sequenceNumber }) => sequenceNumber)).toEqual(sent.map((_, index) => index));
  expect(events.map(({ body }) => body)).toEqual(sent.map(({ body }) => body));
  const offsets = events.map(({ offset }) => Number(offset));
  expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
  expect(new Set(offsets).size).toBe(50);
  expect(Math.min(...offsets)).toBeGreaterThan(1e9);
  expect(events.map(({ enqueuedTimeUtc }) => enqueuedTimeUtc)).toEqual(sent.map(() => now));
});
