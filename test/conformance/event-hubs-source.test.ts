import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEventHubs } from '@aorta/event-hubs-server';
import { eventHubsSourceOptions } from '../../connectors/event-hubs/options.ts';
import { EventHubsSource } from '../../connectors/event-hubs/source.ts';
import { sourceConformance } from './source.ts';

sourceConformance('event hubs', async (partitions) => {
  const folder = await mkdtemp(join(tmpdir(), 'hubs-'));
  const server = await startEventHubs({ hubs: [{ name: 'events', partitions }] });
  const settings = eventHubsSourceOptions.parse({
    type: 'event-hubs',
    connection: server.connectionString,
    hubs: ['events'],
    checkpoint_s: 0.1,
    claim_s: 0.3,
    claim_expiry_s: 3,
  });
  return {
    partitions: Array.from({ length: partitions }, (_, partition) => `events/${partition}`),
    put: async (partition, deliveries) => {
      const events = deliveries.map(({ body, headers, key }) => ({
        body: body.toString('base64'),
        properties: headers,
        partitionKey: key ?? undefined,
      }));
      await server.faults.append({ hub: 'events', partition: String(partition), events });
    },
    open: async ({ window, once, heldBytes = settings.held_bytes }) =>
      new EventHubsSource({ settings: { ...settings, held_bytes: heldBytes }, folder, window, once }),
    remove: async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
});
