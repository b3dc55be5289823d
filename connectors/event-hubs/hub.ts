import { within } from '@aorta/runtime';
import { type EventHubConsumerClient, latestEventPosition } from '@azure/event-hubs';
import type { LogBounds } from '../sources/reading-plan.ts';
import { failureOf, setupError } from './hub-error.ts';
import { closedAfterwards, closeQuietly, type Namespace } from './namespace.ts';

/** Maximum duration of each step of a probe, in milliseconds. */
const PROBE_MS = 10_000;

export interface HubConnection {
  readonly client: EventHubConsumerClient;
}

/** Maximum time for the hub to answer, in milliseconds. */
const ANSWER_MS = 3000;

/**
 * The connections to one hub, and its partitions.
 *
 * Requests use a separate connection, since a receiving connection may be broken. After a failed request, the next
 * request uses a new connection.
 *
 * All partitions share one receiving connection until a reader reports it as broken. Links that open later share a new
 * connection. The old connection stays open until its last reader has left it, because the problem may affect only a
 * single link.
 */
export class Hub {
  readonly name: string;
  /** Bounds of each partition's log at the time the process started, by partition id. */
  readonly partitions: Map<string, LogBounds>;
  readonly #namespace: Namespace;
  #asker: EventHubConsumerClient | undefined;
  readonly #readers = new Map<HubConnection, number>();
  #receiver: HubConnection | undefined;

  constructor(namespace: Namespace, name: string, partitions: ReadonlyMap<string, LogBounds> = new Map()) {
    this.name = name;
    this.partitions = new Map(partitions);
    this.#namespace = namespace;
  }

  /** Returns the ids of the hub's partitions. Rejects with the client's error, or with DeadlinePassed. */
  partitionIds(): Promise<readonly string[]> {
    return this.#ask((client) => client.getPartitionIds());
  }

  /** Returns the current log bounds of a partition. Rejects with the same errors as {@link partitionIds}. */
  async bounds(partitionId: string): Promise<LogBounds> {
    const { isEmpty, beginningSequenceNumber, lastEnqueuedSequenceNumber, lastEnqueuedOnUtc } = await this.#ask((client) =>
      client.getPartitionProperties(partitionId),
    );
    const end = lastEnqueuedSequenceNumber + 1;
    return isEmpty
      ? { begin: end, end }
      : { begin: Math.max(0, beginningSequenceNumber), end, lastAt: lastEnqueuedOnUtc.getTime() };
  }

  /** Adds partitions that were created after this process started. They were empty when it started. Rejects like {@link partitionIds}. */
  async addNewPartitions(): Promise<void> {
    for (const id of await this.partitionIds()) if (!this.partitions.has(id)) this.partitions.set(id, { begin: 0, end: 0 });
  }

  /** Adds a reader to a receiving connection other than `broken`, and returns the connection. */
  enter(broken?: HubConnection): HubConnection {
    if (this.#receiver === undefined || this.#receiver === broken) {
      const old = this.#receiver;
      this.#receiver = { client: this.#namespace.receiver(this.name) };
      if (old !== undefined) this.#closeIfLeft(old);
    }
    this.#readers.set(this.#receiver, (this.#readers.get(this.#receiver) ?? 0) + 1);
    return this.#receiver;
  }

  leave(connection: HubConnection): void {
    this.#readers.set(connection, (this.#readers.get(connection) ?? 1) - 1);
    this.#closeIfLeft(connection);
  }

  /** Closes all connections. Never rejects, and waits at most as long as {@link closeQuietly}. */
  async close(): Promise<void> {
    const receivers = new Set([...this.#readers.keys(), ...(this.#receiver === undefined ? [] : [this.#receiver])]);
    const clients = [...receivers].map(({ client }) => client);
    if (this.#asker !== undefined) clients.push(this.#asker);
    this.#asker = undefined;
    this.#receiver = undefined;
    this.#readers.clear();
    await Promise.all(clients.map(closeQuietly));
  }

  async #ask<T>(question: (client: EventHubConsumerClient) => Promise<T>): Promise<T> {
    this.#asker ??= this.#namespace.asker(this.name);
    const client = this.#asker;
    try {
      return await within(ANSWER_MS, question(client));
    } catch (error) {
      // The next request opens a new client. Replace the client only if no other request has done so already.
      if (this.#asker === client) this.#asker = undefined;
      closeQuietly(client);
      throw error;
    }
  }

  #closeIfLeft(connection: HubConnection): void {
    if (connection === this.#receiver || (this.#readers.get(connection) ?? 0) > 0) return;
    this.#readers.delete(connection);
    closeQuietly(connection.client);
  }
}

/**
 * Asks a hub for its partitions on new connections, and briefly opens its consumer group. Returns the bounds of each
 * partition, by its id. Rejects within seconds with AORTA-HUB-REFUSED, AORTA-HUB-MISSING, AORTA-HUB-GROUP-MISSING,
 * AORTA-HUB-UNREACHABLE or AORTA-HUB-FAILED. It does not use the receiving client, which would retry for minutes.
 */
export async function probeHub(namespace: Namespace, name: string): Promise<ReadonlyMap<string, LogBounds>> {
  const hub = new Hub(namespace, name);
  using _hub = closedAfterwards(hub);
  let asking: 'hub' | 'group' = 'hub';
  try {
    const ids = await within(PROBE_MS, hub.partitionIds());
    const bounds = await within(PROBE_MS, Promise.all(ids.map((id) => hub.bounds(id))));
    asking = 'group';
    await within(PROBE_MS, openGroup(namespace, name, ids[0]!));
    return new Map(ids.map((id, index) => [id, bounds[index]!]));
  } catch (error) {
    throw setupError(error, { namespace: namespace.host, hub: name, group: namespace.group }, asking);
  }
}

/** Resolves once the group has accepted a reader. A refusal because another reader is active also proves that the group exists. */
async function openGroup(namespace: Namespace, hub: string, partitionId: string): Promise<void> {
  const client = namespace.asker(hub);
  using _client = closedAfterwards(client);
  await new Promise<void>((resolve, reject) => {
    client.subscribe(
      partitionId,
      {
        processEvents: async () => resolve(),
        processError: async (error) => (failureOf(error) === 'stolen' ? resolve() : reject(error)),
      },
      { startPosition: latestEventPosition, maxBatchSize: 1, maxWaitTimeInSeconds: 0.1, skipParsingBodyAsJson: true },
    );
  });
}
