import type { EventHubsServer } from '@aorta/event-hubs-server';
import {
  EventHubConsumerClient,
  EventHubProducerClient,
  earliestEventPosition,
  type MessagingError,
  type ReceivedEventData,
  type SubscribeOptions,
} from '@azure/event-hubs';
import { inTime, until } from '../../../infra/machine/waiting.fixture.ts';

/** Retry options with a single attempt, so that a client reports a server error at once. */
export const oneAttempt = { maxRetries: 0, retryDelayInMs: 10, timeoutInMs: 30_000 } as const;

export interface Clients extends AsyncDisposable {
  producer(hub?: string): EventHubProducerClient;
  consumer(hub?: string, group?: string): EventHubConsumerClient;
}

/** Creates official clients of a server. Disposing of the returned object closes them. */
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

/** Receives `count` events from a partition. Rejects with the first error that the client reports. */
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
    await inTime(`${count} events of partition ${partition}`, promise, () => `${received.length} events`);
  } finally {
    await subscription.close();
  }
  return received;
}

/** Starts a reader that runs until `close`. Returns its events and a promise of its first error. */
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
    /** Resolves with the first error. */
    failed: failed.promise,
    /** Resolves when `count` events have arrived. */
    has: (count: number): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (received.length >= count) resolve();
      else waiting.add({ count, resolve });
      return inTime(`${count} events of partition ${partition}`, promise, () => `${received.length} events`);
    },
    close: () => subscription.close(),
  };
}

/** Resolves once at least `links` receiving links are attached. */
export async function attached(server: Pick<EventHubsServer, 'faults'>, links: number): Promise<void> {
  const open = async () => (await server.faults.state()).links.filter(({ kind }) => kind === 'receive').length;
  await until(`${links} receiving links`, open, (found) => found >= links);
}

/** Returns the error that a promise rejects with. Throws an `Error` if it resolves. */
export async function failure(promise: Promise<unknown>): Promise<MessagingError> {
  try {
    await promise;
  } catch (error) {
    return error as MessagingError;
  }
  throw new Error('the promise did not reject');
}
