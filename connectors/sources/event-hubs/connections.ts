import type { EventHubConsumerClient } from '@azure/event-hubs';
import { closeQuietly, type Namespace } from './namespace.ts';

/** A connection to a hub, and how many readers are on it. */
export interface Connection {
  readonly client: EventHubConsumerClient;
}

/**
 * The receiving connections of one hub: all its partitions share one, until a reader finds it broken. Then those who open
 * after that share a new one, and the old one is closed when its last reader has left: it may be the fault of one link.
 */
export class Connections {
  readonly #namespace: Namespace;
  readonly #hub: string;
  readonly #readers = new Map<Connection, number>();
  #current: Connection | undefined;

  constructor(namespace: Namespace, hub: string) {
    this.#namespace = namespace;
    this.#hub = hub;
  }

  /** A connection for one reader, another one than `broken`. */
  enter(broken?: Connection): Connection {
    if (this.#current === undefined || this.#current === broken) {
      const old = this.#current;
      this.#current = { client: this.#namespace.receiver(this.#hub) };
      if (old !== undefined) this.#closeIfLeft(old);
    }
    this.#readers.set(this.#current, (this.#readers.get(this.#current) ?? 0) + 1);
    return this.#current;
  }

  /** A reader has left the connection. */
  leave(connection: Connection): void {
    this.#readers.set(connection, (this.#readers.get(connection) ?? 1) - 1);
    this.#closeIfLeft(connection);
  }

  /** Closes what is open. */
  async close(): Promise<void> {
    const open = new Set([...this.#readers.keys(), ...(this.#current === undefined ? [] : [this.#current])]);
    this.#current = undefined;
    this.#readers.clear();
    await Promise.all([...open].map(({ client }) => closeQuietly(client)));
  }

  #closeIfLeft(connection: Connection): void {
    if (connection === this.#current || (this.#readers.get(connection) ?? 0) > 0) return;
    this.#readers.delete(connection);
    closeQuietly(connection.client);
  }
}
