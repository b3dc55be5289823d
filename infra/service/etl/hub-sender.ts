import { EventHubProducerClient } from '@azure/event-hubs';
import type { SendToHubs } from './pipelines.ts';
import type { HubEvent } from './routing.ts';

/** A hub that does not answer within this time counts as away. */
const ANSWER_MS = 30_000;

/** Sends events with the official client. Each call opens its connections and closes them. */
export const sendOverAmqp: SendToHubs = async (connectionString, events) => {
  const byHub = Map.groupBy(events, ({ hub }) => hub);
  await Promise.all([...byHub].map(([hub, some]) => sendToHub(connectionString, hub, some)));
};

async function sendToHub(connectionString: string, hub: string, events: readonly HubEvent[]): Promise<void> {
  const client = new EventHubProducerClient(connectionString, hub, { retryOptions: { maxRetries: 1, timeoutInMs: ANSWER_MS } });
  try {
    const byUser = Map.groupBy(events, ({ partitionKey }) => partitionKey);
    await Promise.all([...byUser].map(([user, some]) => sendOfUser(client, user, some)));
  } finally {
    await client.close();
  }
}

/** Sends the events of a user in their order. */
async function sendOfUser(client: EventHubProducerClient, partitionKey: string, events: readonly HubEvent[]): Promise<void> {
  let batch = await client.createBatch({ partitionKey });
  for (const { body, properties } of events) {
    const event = { body, properties };
    if (batch.tryAdd(event)) continue;
    if (batch.count > 0) await client.sendBatch(batch);
    batch = await client.createBatch({ partitionKey });
    if (!batch.tryAdd(event)) throw new RangeError('an event is larger than the hub accepts');
  }
  if (batch.count > 0) await client.sendBatch(batch);
}
