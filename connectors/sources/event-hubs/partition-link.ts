import {
  type EventHubConsumerClient,
  type EventPosition,
  earliestEventPosition,
  type ReceivedEventData,
} from '@azure/event-hubs';
import type { HubAccess } from './hub-access.ts';
import { type Connections, closeQuietly, type HubConnection } from './namespace.ts';

/** Maximum number of events per receive cycle. The client pauses 20 ms between cycles, so smaller batches would limit the throughput. */
const BATCH_EVENTS = 500;
/** If no event arrives for this many seconds, the client calls the handler anyway, so that a lost link is noticed soon. */
const HEARD_EVERY_S = 0.5;

/** Callbacks of a link. None of them is called after the link has been closed. */
interface LinkListener {
  /** Receives events in ascending order, or an empty array if none arrive for half a second. The link waits for the promise. Must not throw. */
  onEvents(events: readonly ReceivedEventData[]): Promise<void> | undefined;
  /** Receives an error that the client may still recover from. */
  onTrouble(error: unknown): void;
  /** Called when the client has given up on the link. */
  onClosed(): void;
}

interface Link {
  /** Closes the link without waiting for the hub. */
  close(): void;
}

/**
 * Opens a link that starts at sequence number `next`. If a partition has two readers, the hub disconnects the reader
 * with the lower epoch. If the epochs are equal, it disconnects the reader that opened first.
 */
function openLink(
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

/** Callbacks and dependencies of a {@link PartitionLink}. */
export interface PartitionLinkOptions extends Omit<LinkListener, 'onClosed'> {
  readonly partitionId: string;
  readonly epoch: number;
  readonly connections: Connections;
  readonly access: HubAccess;
  /** Returns the sequence number at which a link must start. */
  readonly next: () => number;
  /** Called when the link has been closed and will be reopened after a pause. */
  readonly onReopening: () => void;
  /** Called when the link is being reopened. */
  readonly onOpening: () => void;
  /** Called if the hub refuses this source. The link stays closed until the hub grants access. */
  readonly onRefused: () => void;
}

/** Milliseconds to wait before opening a link, by the number of failed attempts. */
const PAUSES = [0, 100, 250, 500, 1000] as const;

/** The link of one claimed partition. It is reopened whenever it closes, fails or goes silent. */
export class PartitionLink {
  readonly #options: PartitionLinkOptions;
  #link: Link | undefined;
  #connection: HubConnection | undefined;
  /** Number of failed attempts since the link last worked. */
  #attempts = 0;
  #pausing: NodeJS.Timeout | undefined;
  #suspended = false;
  #ended = false;

  constructor(options: PartitionLinkOptions) {
    this.#options = options;
  }

  get current(): Link | undefined {
    return this.#link;
  }

  /** Opens a link on a connection other than `broken`. */
  open(broken?: HubConnection): void {
    if (this.#ended) return;
    const { connections, partitionId, epoch, next, onEvents, onTrouble } = this.#options;
    this.#connection = connections.enter(broken);
    const from = { next: next(), epoch };
    this.#link = openLink(this.#connection.client, partitionId, from, {
      onEvents,
      onTrouble,
      onClosed: () => this.reopen('same connection'),
    });
  }

  /** Closes the link and reopens it after a pause, or once the hub grants access again. */
  reopen(on: 'same connection' | 'another connection'): void {
    if (this.#ended) return;
    const broken = on === 'another connection' ? this.#connection : undefined;
    this.#close();
    if (this.#options.access.refused) {
      this.#suspended = true;
      this.#options.onRefused();
      return;
    }
    this.#options.onReopening();
    this.#later(() => {
      this.#options.onOpening();
      this.open(broken);
    });
  }

  /** Closes the link and calls `begin` after a pause. */
  giveUp(begin: () => void): void {
    this.#close();
    this.#later(begin);
  }

  /** Returns whether the link still waits for access. If the hub has granted access again, reopens the link. */
  isSuspended(): boolean {
    if (!this.#suspended) return false;
    if (this.#options.access.refused) return true;
    this.#suspended = false;
    this.#attempts = 0;
    this.#options.onOpening();
    this.open();
    return false;
  }

  /** Records that the link works, so that the next attempt starts without delay. */
  heard(): void {
    this.#attempts = 0;
  }

  /** Delays the next attempt by the longest pause. */
  rest(): void {
    this.#attempts = PAUSES.length - 1;
  }

  /** Counts a failed attempt and returns the milliseconds to wait before the next one. */
  failed(): number {
    this.#attempts += 1;
    return this.#pauseMs();
  }

  /** Closes the link permanently. */
  end(): void {
    this.#ended = true;
    this.#close();
  }

  #close(): void {
    clearTimeout(this.#pausing);
    this.#link?.close();
    this.#link = undefined;
    if (this.#connection !== undefined) this.#options.connections.leave(this.#connection);
    this.#connection = undefined;
  }

  #later(work: () => void): void {
    this.#pausing = setTimeout(work, this.#pauseMs());
    this.#attempts += 1;
  }

  #pauseMs(): number {
    return PAUSES[Math.min(this.#attempts, PAUSES.length - 1)]!;
  }
}
