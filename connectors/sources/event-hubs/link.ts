import {
  type EventHubConsumerClient,
  type EventPosition,
  earliestEventPosition,
  type ReceivedEventData,
} from '@azure/event-hubs';
import { closeQuietly } from './namespace.ts';

/** Maximum number of events per receive cycle. The client pauses 20 ms between cycles, so smaller batches would limit the throughput. */
const BATCH_EVENTS = 500;
/** If no event arrives for this many seconds, the client calls the handler anyway, so that a lost link is noticed soon. */
const HEARD_EVERY_S = 0.5;

/** Callbacks of a link. None of them is called after the link has been closed. */
export interface LinkListener {
  /** Receives events in ascending order, or an empty array if none arrive for half a second. The link waits for the promise. Must not throw. */
  onEvents(events: readonly ReceivedEventData[]): Promise<void> | undefined;
  /** Receives an error that the client may still recover from. */
  onTrouble(error: unknown): void;
  /** Called when the client has given up on the link. */
  onClosed(): void;
}

export interface Link {
  /** Closes the link without waiting for the hub. */
  close(): void;
}

/**
 * Opens a link that starts at sequence number `next`. If a partition has two readers, the hub disconnects the reader
 * with the lower epoch. If the epochs are equal, it disconnects the reader that opened first.
 */
export function openLink(
  client: EventHubConsumerClient,
  partitionId: string,
  { next, epoch }: { readonly next: number; readonly epoch: number },
  listener: LinkListener,
): Link {
  let open = true;
  const subscription = client.subscribe(
    partitionId,
    {
      // The client would stop reading the partition if the handler threw.
      processEvents: async (events) => {
        if (open) await listener.onEvents(events);
      },
      processError: async (error) => {
        if (open) listener.onTrouble(error);
      },
      processClose: async () => {
        if (!open) return;
        open = false;
        closeQuietly(subscription);
        listener.onClosed();
      },
    },
    {
      ownerLevel: epoch,
      startPosition: positionBefore(next),
      maxBatchSize: BATCH_EVENTS,
      prefetchCount: BATCH_EVENTS,
      maxWaitTimeInSeconds: HEARD_EVERY_S,
      skipParsingBodyAsJson: true,
    },
  );
  return {
    close: () => {
      open = false;
      closeQuietly(subscription);
    },
  };
}

/** Returns the position directly after event `next - 1`. The hub rejects the position of an event that does not exist yet. */
function positionBefore(next: number): EventPosition {
  return next === 0 ? earliestEventPosition : { sequenceNumber: next - 1, isInclusive: false };
}
