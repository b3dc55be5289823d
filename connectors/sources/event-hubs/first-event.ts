import { within } from '@aorta/runtime';
import type { EventHubConsumerClient, EventPosition } from '@azure/event-hubs';
import { closedAfterwards } from './namespace.ts';

/** Maximum duration of {@link firstEventSince}, in milliseconds. */
const FIRST_EVENT_MS = 10_000;

/**
 * Returns the sequence number of the first event that was enqueued at or after `time`, in milliseconds since 1970. The
 * caller must know that such an event exists. Rejects with the client's error, or with DeadlinePassed. Closes the client.
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
          // The client calls this with an empty list if the hub does not send an event within a second.
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
