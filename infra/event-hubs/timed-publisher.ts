import { type EventDataBatch, EventHubProducerClient } from '@azure/event-hubs';
import { sendInOrder } from './publisher.ts';
import { chosenTimeName } from './stored-message.ts';

/** An event whose sender chooses the enqueued time. */
export interface TimedEvent {
  readonly hub: string;
  readonly partitionKey: string;
  readonly body: Buffer;
  readonly properties: Readonly<Record<string, string>>;
  /** milliseconds since 1970 */
  readonly enqueuedTime: number;
}

/** Publishes events with chosen times to a server with `sendersSetTimes`. Disposal waits for all acknowledgements. */
export interface TimedPublisher extends AsyncDisposable {
  /**
   * Sends events. The events of a user and hub stay in order. Resolves before the hubs acknowledge the events. Rejects with
   * the client's error if these events or earlier ones could not be sent.
   */
  publish(events: readonly TimedEvent[]): Promise<void>;
  /** Resolves when the hubs have acknowledged all events. Rejects if an event could not be sent. */
  flush(): Promise<void>;
}

/** Number of batches that wait for their acknowledgement at the same time. */
const MOST_IN_FLIGHT = 32;

/**
 * Opens a publisher. The batches of each hub are sent in the order of the calls, so the same calls give each event the same
 * offset.
 */
export function openTimedPublisher(connectionString: string): TimedPublisher {
  const producers = new Map<string, EventHubProducerClient>();
  const inFlight = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  const producerOf = (hub: string): EventHubProducerClient => {
    const producer = producers.get(hub) ?? new EventHubProducerClient(connectionString, hub);
    producers.set(hub, producer);
    return producer;
  };
  const send = (producer: EventHubProducerClient, partitionKey: string, events: readonly TimedEvent[]): Promise<void> =>
    sendInOrder(producer, partitionKey, events.values().map(messageOf), async (batch) => {
      const sending: Promise<void> = producer
        .sendBatch(batch)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => inFlight.delete(sending));
      inFlight.add(sending);
      while (inFlight.size >= MOST_IN_FLIGHT) await Promise.race(inFlight);
    });
  const flush = async (): Promise<void> => {
    await Promise.all(inFlight);
    if (failure !== undefined) throw failure.error;
  };
  return {
    async publish(events) {
      for (const [hub, ofHub] of Map.groupBy(events, (event) => event.hub))
        for (const [user, ofUser] of Map.groupBy(ofHub, (event) => event.partitionKey)) await send(producerOf(hub), user, ofUser);
      if (failure !== undefined) throw failure.error;
    },
    flush,
    async [Symbol.asyncDispose]() {
      await Promise.all(inFlight);
      await Promise.all(producers.values().map((producer) => producer.close()));
    },
  };
}

/** The client sets the partition key only in events without annotations of their own. */
function messageOf({ partitionKey, body, properties, enqueuedTime }: TimedEvent): Parameters<EventDataBatch['tryAdd']>[0] {
  const annotations = { 'x-opt-partition-key': partitionKey, [chosenTimeName]: new Date(enqueuedTime).toISOString() };
  return { body, bodyType: 'data', applicationProperties: { ...properties }, messageAnnotations: annotations };
}
