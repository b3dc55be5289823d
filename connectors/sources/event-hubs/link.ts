import {
  type EventHubConsumerClient,
  type EventPosition,
  earliestEventPosition,
  type ReceivedEventData,
} from '@azure/event-hubs';
import { closeQuietly } from './namespace.ts';

/** Events of one receive cycle at most: with fewer, the client's pause of 20 ms between cycles bounds the throughput. */
const BATCH_EVENTS = 500;
/** Seconds after which the client calls with nothing: how soon it notices that its link is gone, and how often it is heard of. */
const HEARD_EVERY_S = 0.5;

/** What a link tells. Nothing is told after it was closed. */
export interface LinkListener {
  /** Events, ascending, or none where there were none for half a second. The link waits for the promise. Never throws. */
  onEvents(events: readonly ReceivedEventData[]): Promise<void> | undefined;
  /** The client says what it makes of its troubles; it may mend them. */
  onTrouble(error: unknown): void;
  /** The client has given the link up. */
  onClosed(): void;
}

/** A receiving link of one partition. */
export interface Link {
  /** Ends it; nobody waits for its peer. */
  close(): void;
}

/**
 * Opens a link that begins with the sequence number `next`. Of two readers of a partition the hub keeps the one with the
 * higher epoch, or the later one of the same.
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
      // A handler that throws would cost the partition its reader.
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

/** After the one before: the hub refuses a position that begins with an event which is not there yet. */
function positionBefore(next: number): EventPosition {
  return next === 0 ? earliestEventPosition : { sequenceNumber: next - 1, isInclusive: false };
}
