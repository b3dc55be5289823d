import { EventHubProducerClient } from '@azure/event-hubs';
import type { SendToHubs } from './pipelines.ts';
import type { HubEvent } from './routing.ts';

/** A hub that does not answer within this time counts as away. */
const ANSWER_MS = 15_000;

/** The official client raises shorter timeouts of its own to 60 s, so a signal ends its calls. */
const inTime = () => ({ abortSignal: AbortSignal.timeout(ANSWER_MS) });

/** Sends events with the official client. Each hub of a namespace keeps its client until {@link HubClients.close}. */
export class HubClients {
  readonly #clients = new Map<string, EventHubProducerClient>();

  readonly send: SendToHubs = async (connectionString, events) => {
    const byHub = Map.groupBy(events, ({ hub }) => hub);
    const tooLarge = await Promise.all([...byHub].map(([hub, some]) => this.#sendToHub(connectionString, hub, some)));
    return tooLarge.flat();
  };

  async close(): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.all(clients.map((client) => client.close()));
  }

  async #sendToHub(connectionString: string, hub: string, events: readonly HubEvent[]): Promise<HubEvent[]> {
    const name = JSON.stringify([connectionString, hub]);
    let client = this.#clients.get(name);
    if (client === undefined) {
      // A pipeline repeats what fails, with a new client.
      client = new EventHubProducerClient(connectionString, hub, { retryOptions: { maxRetries: 0 } });
      this.#clients.set(name, client);
    }
    try {
      const byUser = Map.groupBy(events, ({ partitionKey }) => partitionKey);
      const tooLarge = await Promise.all([...byUser].map(([user, some]) => sendOfUser(client, user, some)));
      return tooLarge.flat();
    } catch (error) {
      // The next attempt opens a new connection, in case that this one is broken.
      this.#clients.delete(name);
      await client.close().catch(() => {});
      throw error;
    }
  }
}

/** Sends the events of a user in their order. Returns those that are larger than the hub accepts. */
async function sendOfUser(
  client: EventHubProducerClient,
  partitionKey: string,
  events: readonly HubEvent[],
): Promise<HubEvent[]> {
  const tooLarge: HubEvent[] = [];
  let batch = await client.createBatch({ partitionKey, ...inTime() });
  for (const event of events) {
    const message = { body: event.body, properties: event.properties };
    if (batch.tryAdd(message)) continue;
    if (batch.count > 0) {
      await client.sendBatch(batch, inTime());
      batch = await client.createBatch({ partitionKey, ...inTime() });
      if (batch.tryAdd(message)) continue;
    }
    tooLarge.push(event);
  }
  if (batch.count > 0) await client.sendBatch(batch, inTime());
  return tooLarge;
}
