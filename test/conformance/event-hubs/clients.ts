import type { EventHubsServer } from '@aorta/event-hubs-server';
import {
  EventHubConsumerClient,
  EventHubProducerClient,
  earliestEventPosition,
  type MessagingError,
  type ReceivedEventData,
  type SubscribeOptions,
} from '@azure/event-hubs';

/** One attempt: what the server says comes out at once. */
export const oneAttempt = { maxRetries: 0, retryDelayInMs: 10, timeoutInMs: 30_000 } as const;

export interface Clients extends AsyncDisposable {
  producer(hub?: string): EventHubProducerClient;
  consumer(hub?: string, group?: string): EventHubConsumerClient;
}

/** Official clients of a server; all of them are closed at the end. */
export function clientsOf(server: Pick<EventHubsServer, 'connectionString'>, hub: string): Clients {
  const opened: { close(): Promise<void> }[] = [];
  const keep = <Client extends { close(): Promise<void> }>(client: Client): Client => {
    opened.push(client);
    return client;
  };
  return {
    producer: (name = hub) => keep(new EventHubProducerClient(server.connectionString, name, { retryOptions: oneAttempt })),
    consumer: (name = hub, group = '$Default') =>
      keep(new EventHubConsumerClient(group, server.connectionString, name, { retryOptions: oneAttempt })),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map((client) => client.close()));
    },
  };
}

/** The next events of a partition, as many as wanted; rejects with the first error that the client hands over. */
export async function receive(
  client: EventHubConsumerClient,
  partition: string,
  count: number,
  options: SubscribeOptions = {},
): Promise<ReceivedEventData[]> {
  const received: ReceivedEventData[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const subscription = client.subscribe(
    partition,
    {
      processEvents: async (events) => {
        received.push(...events);
        if (received.length >= count) resolve();
      },
      processError: async (error) => reject(error),
    },
    { startPosition: earliestEventPosition, maxBatchSize: 500, maxWaitTimeInSeconds: 60, ...options },
  );
  try {
    await promise;
  } finally {
    await subscription.close();
  }
  return received;
}

/** A reader that stays: what came, and a wait for the first error. */
export function reader(client: EventHubConsumerClient, partition: string, options: SubscribeOptions = {}) {
  const received: ReceivedEventData[] = [];
  const failed = Promise.withResolvers<MessagingError>();
  const waiting = new Set<{ count: number; resolve: () => void }>();
  const subscription = client.subscribe(
    partition,
    {
      processEvents: async (events) => {
        received.push(...events);
        for (const one of waiting) if (received.length >= one.count) one.resolve();
      },
      processError: async (error) => failed.resolve(error as MessagingError),
    },
    { startPosition: earliestEventPosition, maxBatchSize: 500, maxWaitTimeInSeconds: 60, ...options },
  );
  return {
    received,
    /** resolves with the first error */
    failed: failed.promise,
    /** resolves when so many events have come */
    has: (count: number): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (received.length >= count) resolve();
      else waiting.add({ count, resolve });
      return promise;
    },
    close: () => subscription.close(),
  };
}

/** Resolves when so many receiving links are attached. */
export async function attached(server: Pick<EventHubsServer, 'faults'>, links: number): Promise<void> {
  for (;;) {
    const state = await server.faults.state();
    if (state.links.filter(({ kind }) => kind === 'receive').length >= links) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** What a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<MessagingError> {
  try {
    await promise;
  } catch (error) {
    return error as MessagingError;
  }
  throw new Error('it did not fail');
}
