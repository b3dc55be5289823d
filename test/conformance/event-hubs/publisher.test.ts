import { gunzipSync } from 'node:zlib';
import { type HubRouting, publishDeliveries, startEventHubs } from '@aorta/event-hubs-server';
import { type Delivery, deliveries } from '@aorta/people';
import { expect, test } from 'vitest';
import { clientsOf, receive } from './clients.ts';

const routing: HubRouting = {
  default_event_hub: 'rest',
  event_hub_matchers: [
    { event_type_prefix: 'historical.', blob_storage: {} },
    { event_type_regex: '\\.updated$', event_hub: 'updated' },
    { event_type_prefix: 'daily.', event_hub: 'daily' },
  ],
};

/** Returns the hub that {@link routing} selects, or undefined for blob storage. Does not use the code under test. */
function hubOf(eventType: string): string | undefined {
  if (eventType.startsWith('historical.')) return undefined;
  if (eventType.endsWith('.updated')) return 'updated';
  return eventType.startsWith('daily.') ? 'daily' : 'rest';
}

test("publishDeliveries uses the same hubs as the service, and keeps each user's deliveries in order", async () => {
  const hubs = ['rest', 'updated', 'daily'];
  const server = await startEventHubs({ hubs: hubs.map((name) => ({ name, partitions: 3 })) });
  const all = [...deliveries({ seed: 5, people: 6, days: 4 })];
  const published = await publishDeliveries({ connectionString: server.connectionString, routing, deliveries: all });
  const routed = Map.groupBy(all, ({ headers }) => hubOf(headers['event-type']!));
  expect(published).toEqual({
    events: all.length - routed.get(undefined)!.length,
    hubs: Object.fromEntries(hubs.map((hub) => [hub, routed.get(hub)!.length])),
    blobs: routed.get(undefined)!.length,
  });
  const seen = { gzip: 0, plain: 0 };
  for (const { name, partitions } of (await server.faults.state()).hubs) {
    await using clients = clientsOf(server, name);
    const users = new Map<string, unknown[]>();
    const partitionOf = new Map<string, string>();
    for (const { id, last } of partitions) {
      if (last < 0) continue;
      for (const event of await receive(clients.consumer(), id, last + 1, { skipParsingBodyAsJson: true })) {
        const { 'content-encoding': encoding, ...headers } = event.properties as Delivery['headers'];
        const body = event.body as Buffer;
        const plain = encoding === undefined ? body : gunzipSync(body);
        expect(encoding).toBe(plain.length > 1024 ? 'gzip' : undefined);
        seen[encoding === undefined ? 'plain' : 'gzip']++;
        const user = headers['user-id']!;
        expect(event.partitionKey).toBe(user);
        expect(partitionOf.get(user) ?? id).toBe(id);
        partitionOf.set(user, id);
        users.set(user, [...(users.get(user) ?? []), { headers, body: JSON.parse(String(plain)) }]);
      }
    }
    const expected = Map.groupBy(routed.get(name)!, ({ headers }) => headers['user-id']!);
    expect(users.size).toBe(expected.size);
    for (const [user, ofUser] of expected)
      expect(users.get(user)).toEqual(ofUser.map(({ headers, body }) => ({ headers, body: JSON.parse(JSON.stringify(body)) })));
  }
  expect(seen.gzip).toBeGreaterThan(20);
  expect(seen.plain).toBeGreaterThan(20);
  await server.stop();
});
