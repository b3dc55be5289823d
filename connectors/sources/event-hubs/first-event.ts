import { within } from '@aorta/runtime';
import type { EventHubConsumerClient, EventPosition } from '@azure/event-hubs';
import { closedAfterwards } from './namespace.ts';

/** Milliseconds that the hub may take to send the first event from a time on. */
const FIRST_EVENT_MS = 10_000;

/**
 * The sequence number of the first event that was enqueued at a time (milliseconds since 1970) or later, of which there
 * has to be one. Rejects with the client's error, or DeadlinePassed. The client is closed afterwards.
 */
export async function firstEventSince(
  client: EventHubConsumerClient,
  partitionId: string,
  epoch: number,
  time: number,
): Promise<number> {
  const startPosition: EventPosition = { enqueuedOn: time, isInclusive: true };
  using _client = closedAfterwards(client);
  return await within(
    FIRST_EVENT_MS,
    new Promise<number>((resolve, reject) => {
      client.subscribe(
        partitionId,
        {
          // With nothing, where the hub takes longer than a second.
          processEvents: async ([first]) => {
            if (first !== undefined) resolve(first.sequenceNumber);
          },
          processError: async (error) => reject(error),
        },
        { ownerLevel: epoch, startPosition, maxBatchSize: 1, maxWaitTimeInSeconds: 1, skipParsingBodyAsJson: true },
      );
    }),
  );
}
