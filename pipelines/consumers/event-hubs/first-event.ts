import type { EventHubConsumerClient, EventPosition } from '@azure/event-hubs';
import { within } from './deadline.ts';
import { closeQuietly } from './namespace.ts';

/** Milliseconds that the hub may take to send the first event from a time on. */
const FIRST_EVENT_MS = 10_000;

/**
 * The sequence number of the first event that was enqueued at a time (milliseconds since 1970) or later; undefined where
 * there is none yet. Rejects with the client's error, or DeadlinePassed. The client is closed afterwards.
 */
export async function firstEventSince(
  client: EventHubConsumerClient,
  partitionId: string,
  epoch: number,
  time: number,
): Promise<number | undefined> {
  const startPosition: EventPosition = { enqueuedOn: time, isInclusive: true };
  try {
    return await within(
      FIRST_EVENT_MS,
      new Promise<number | undefined>((resolve, reject) => {
        client.subscribe(
          partitionId,
          { processEvents: async ([first]) => resolve(first?.sequenceNumber), processError: async (error) => reject(error) },
          { ownerLevel: epoch, startPosition, maxBatchSize: 1, maxWaitTimeInSeconds: 1, skipParsingBodyAsJson: true },
        );
      }),
    );
  } finally {
    closeQuietly(client);
  }
}
