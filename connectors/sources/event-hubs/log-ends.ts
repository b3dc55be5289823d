import { within } from '@aorta/runtime';
import type { EventHubConsumerClient } from '@azure/event-hubs';
import type { LogBounds } from '../reading-plan.ts';
import { closeQuietly, type Namespace } from './namespace.ts';

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
