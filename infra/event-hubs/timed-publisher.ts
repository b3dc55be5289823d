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

/** Publishes events with chosen times to a server with `sendersSetTimes`. Disposal closes the connections. */
export interface TimedPublisher extends AsyncDisposable {
  /**
   * Sends events. The events of a user and hub stay in order. Resolves when the hubs have acknowledged all of them. Rejects
   * with the client's error if an event could not be sent.
   */
  publish(events: readonly TimedEvent[]): Promise<void>;
}

/**
 * Opens a publisher. The batches of each hub are sent in the order of the calls, so the same calls give each event the same
 * offset.
 */
export function openTimedPublisher(connectionString: string): TimedPublisher {
  const producers = new Map<string, EventHubProducerClient>();
  const producerOf = (hub: string): EventHubProducerClient => {
    const producer = producers.get(hub) ?? new EventHubProducerClient(connectionString, hub);
    producers.set(hub, producer);
    return producer;
  };
  return {
    async publish(events) {
      const sending: Promise<void>[] = [];
      for (const [hub, ofHub] of Map.groupBy(events, (event) => event.hub)) {
        const producer = producerOf(hub);
        for (const [user, ofUser] of Map.groupBy(ofHub, (event) => event.partitionKey)) {
          // A batch is sent while the ones before it wait for their acknowledgement. The link keeps their order.
          await sendInOrder(producer, user, ofUser.values().map(messageOf), async (batch) => {
            const sent = producer.sendBatch(batch);
            // Awaited only after the last batch.
            sent.catch(() => {});
            sending.push(sent);
          });
        }
      }
      await Promise.all(sending);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(producers.values().map((producer) => producer.close()));
    },
  };
}

/** The client sets the partition key only in events without annotations of their own. */
function messageOf({ partitionKey, body, properties, enqueuedTime }: TimedEvent): Parameters<EventDataBatch['tryAdd']>[0] {
  const annotations = { 'x-opt-partition-key': partitionKey, [chosenTimeName]: new Date(enqueuedTime).toISOString() };
  return { body, bodyType: 'data', applicationProperties: { ...properties }, messageAnnotations: annotations };
}
