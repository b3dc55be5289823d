import { gunzipSync } from 'node:zlib';
import { EventHubConsumerClient, earliestEventPosition, type ReceivedEventData } from '@azure/event-hubs';
import { inTime } from '../../../infra/machine/waiting.fixture.ts';
import type { TestDelivery } from '../../model/delivery.ts';
import type { Poison } from '../stage/stage.ts';
import { HUB, type Hubs } from './hubs.ts';

/** Reads everything in the hub with the official client, without our code. */
export async function logOfHub(hubs: Hubs): Promise<{ readonly deliveries: TestDelivery[]; readonly poison: Poison[] }> {
  const client = new EventHubConsumerClient('$Default', hubs.connectionString, HUB);
  const deliveries: TestDelivery[] = [];
  const poison: Poison[] = [];
  try {
    for (const [name, end] of await hubs.ends()) {
      for (const event of await eventsOf(client, name.slice(HUB.length + 1), end)) {
        const delivery = deliveryOf(name, event);
        if (delivery === undefined) poison.push({ partition: name, offset: event.sequenceNumber });
        else deliveries.push(delivery);
      }
    }
  } finally {
    await client.close();
  }
  return { deliveries, poison };
}

async function eventsOf(client: EventHubConsumerClient, partitionId: string, end: number): Promise<ReceivedEventData[]> {
  const events: ReceivedEventData[] = [];
  if (end === 0) return events;
  const read = new Promise<void>((resolve, reject) => {
    const subscription = client.subscribe(
      partitionId,
      {
        processEvents: async (received) => {
          events.push(...received);
          if (events.length >= end) void subscription.close().then(resolve);
        },
        processError: async (error) => reject(error),
      },
      // This owner level is higher than the level of any worker whose link might still be open.
      {
        startPosition: earliestEventPosition,
        ownerLevel: Number.MAX_SAFE_INTEGER,
        maxBatchSize: 500,
        maxWaitTimeInSeconds: 1,
        skipParsingBodyAsJson: true,
      },
    );
  });
  await inTime(`the ${end} events of partition ${partitionId}`, read, () => `${events.length} events`);
  return events;
}

function deliveryOf(partition: string, event: ReceivedEventData): TestDelivery | undefined {
  const { 'content-encoding': encoding, ...headers } = (event.properties ?? {}) as Record<string, string>;
  try {
    const bytes = encoding === 'gzip' ? gunzipSync(event.body as Buffer) : (event.body as Buffer);
    const body: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const receivedAt = event.enqueuedTimeUtc.getTime();
    return { source: 'event-hubs', partition, offset: event.sequenceNumber, receivedAt, headers, body };
  } catch {
    return undefined;
  }
}
