import { within } from '@aorta/runtime';
import type { EventHubConsumerClient } from '@azure/event-hubs';
import type { LogBounds } from '../reading-plan.ts';
import type { PartitionOfHub } from './claims.ts';
import { partitionName } from './delivery-of-event.ts';
import { closeQuietly, type Namespace } from './namespace.ts';

/** The partitions of all hubs of a source, by name, with the bounds of their logs at the time the process started. */
export class HubPartitions {
  readonly #partitions = new Map<string, PartitionOfHub & { readonly atStart: LogBounds }>();

  get size(): number {
    return this.#partitions.size;
  }

  all(): readonly PartitionOfHub[] {
    return [...this.#partitions.values()];
  }

  add(hub: string, partitionId: string, atStart: LogBounds): void {
    this.#partitions.set(partitionName(hub, partitionId), { hub, partitionId, atStart });
  }

  /** Adds the partitions that are not in the list yet. They were created after this process started, so they were empty then. */
  addNew(hub: string, partitionIds: readonly string[]): void {
    for (const partitionId of partitionIds) {
      if (!this.#partitions.has(partitionName(hub, partitionId))) this.add(hub, partitionId, { begin: 0, end: 0 });
    }
  }

  atStart(name: string): LogBounds {
    return this.#partitions.get(name)!.atStart;
  }

  /**
   * Whether all events that were in the partitions when the process started have been read. `next` returns the next
   * sequence number to be read.
   */
  isComplete(next: (name: string) => number): boolean {
    for (const [name, { atStart }] of this.#partitions) {
      if (atStart.end > atStart.begin && next(name) < atStart.end) return false;
    }
    return true;
  }
}

/** Maximum time for the hub to answer, in milliseconds. */
const ANSWER_MS = 3000;

/**
 * Asks the hub for the log bounds of its partitions. The requests use a separate connection, since the receiving
 * connection may be broken. After a failed request, the next request uses a new connection.
 */
export class LogEnds {
  readonly #namespace: Namespace;
  readonly #hub: string;
  #client: EventHubConsumerClient | undefined;

  constructor(namespace: Namespace, hub: string) {
    this.#namespace = namespace;
    this.#hub = hub;
  }

  /** Returns the ids of the hub's partitions. Rejects with the client's error, or with DeadlinePassed. */
  partitions(): Promise<readonly string[]> {
    return this.#ask((client) => client.getPartitionIds());
  }

  /** Returns the current log bounds of a partition. Rejects with the same errors as {@link partitions}. */
  async bounds(partitionId: string): Promise<LogBounds> {
    const { isEmpty, beginningSequenceNumber, lastEnqueuedSequenceNumber, lastEnqueuedOnUtc } = await this.#ask((client) =>
      client.getPartitionProperties(partitionId),
    );
    const end = lastEnqueuedSequenceNumber + 1;
    return isEmpty
      ? { begin: end, end }
      : { begin: Math.max(0, beginningSequenceNumber), end, lastAt: lastEnqueuedOnUtc.getTime() };
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) await closeQuietly(client);
  }

  async #ask<T>(question: (client: EventHubConsumerClient) => Promise<T>): Promise<T> {
    this.#client ??= this.#namespace.asker(this.#hub);
    const client = this.#client;
    try {
      return await within(ANSWER_MS, question(client));
    } catch (error) {
      // The next request opens a new client. Replace the client only if no other request has done so already.
      if (this.#client === client) this.#client = undefined;
      closeQuietly(client);
      throw error;
    }
  }
}
