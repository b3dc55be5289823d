import type { EventHubProducerClient } from '@azure/event-hubs';
import type { SendToHub } from './hubs.ts';
import type { HubEvent } from './pipeline.ts';

/** A hub that does not answer within this time counts as away. */
const ANSWER_MS = 15_000;
/** A client that does not close within this time is left alone. */
const CLOSE_MS = 1_000;

/** Ends calls when the signal aborts or the hub does not answer. The client raises shorter timeouts of its own to 60 s. */
const inTime = (signal: AbortSignal) => ({ abortSignal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]) });

/** Sends events with the official client. Each hub of a namespace keeps its client until {@link HubClients.close}. */
export class HubClients {
  readonly #clients = new Map<string, EventHubProducerClient>();

  readonly send: SendToHub = async ({ connectionString, hub, events }, signal) => {
    const name = JSON.stringify([connectionString, hub]);
    const client = this.#clients.get(name) ?? (await newClient(connectionString, hub));
    this.#clients.set(name, client);
    try {
      const byUser = Map.groupBy(events, ({ partitionKey }) => partitionKey);
      const tooLarge = await Promise.all([...byUser].map(([user, some]) => sendOfUser(client, { user, events: some, signal })));
      return tooLarge.flat();
    } catch (error) {
      // The next attempt opens a new connection, in case that this one is broken.
      this.#clients.delete(name);
      void close(client);
      throw (error as Error).name === 'AbortError' ? new Error(`no answer within ${ANSWER_MS / 1000} s`) : error;
    }
  };

  async close(): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.all(clients.map(close));
  }
}

/** Few services have a pipeline, and the client takes much time and memory to load. */
async function newClient(connectionString: string, hub: string): Promise<EventHubProducerClient> {
  const { EventHubProducerClient: Client } = await import('@azure/event-hubs');
  // A hub's sequence repeats what fails, with a new client.
  return new Client(connectionString, hub, { retryOptions: { maxRetries: 0 } });
}

async function close(client: EventHubProducerClient): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
  await Promise.race([client.close().catch(() => {}), late]);
}

/** Sends the events of a user in their order. Returns those that are larger than the hub accepts. */
async function sendOfUser(
  client: EventHubProducerClient,
  {
    user: partitionKey,
    events,
    signal,
  }: { readonly user: string; readonly events: readonly HubEvent[]; readonly signal: AbortSignal },
): Promise<HubEvent[]> {
  const tooLarge: HubEvent[] = [];
  let batch = await client.createBatch({ partitionKey, ...inTime(signal) });
  for (const event of events) {
    const message = { body: event.body, properties: event.properties };
    if (batch.tryAdd(message)) continue;
    if (batch.count > 0) {
      await client.sendBatch(batch, inTime(signal));
      batch = await client.createBatch({ partitionKey, ...inTime(signal) });
      if (batch.tryAdd(message)) continue;
    }
    tooLarge.push(event);
  }
  if (batch.count > 0) await client.sendBatch(batch, inTime(signal));
  return tooLarge;
}
