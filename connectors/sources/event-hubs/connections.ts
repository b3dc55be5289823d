import type { EventHubConsumerClient } from '@azure/event-hubs';
import { closeQuietly, type Namespace } from './namespace.ts';

export interface HubConnection {
  readonly client: EventHubConsumerClient;
}

/**
 * The receiving connections of one hub. All partitions share one connection until a reader reports it as broken. Links
 * that open later share a new connection. The old connection stays open until its last reader has left it, because the
 * problem may affect only a single link.
 */
export class Connections {
  readonly #namespace: Namespace;
  readonly #hub: string;
  readonly #readers = new Map<HubConnection, number>();
  #current: HubConnection | undefined;

  constructor(namespace: Namespace, hub: string) {
    this.#namespace = namespace;
    this.#hub = hub;
  }

  /** Adds a reader to a connection other than `broken`, and returns the connection. */
  enter(broken?: HubConnection): HubConnection {
    if (this.#current === undefined || this.#current === broken) {
      const old = this.#current;
      this.#current = { client: this.#namespace.receiver(this.#hub) };
      if (old !== undefined) this.#closeIfLeft(old);
    }
    this.#readers.set(this.#current, (this.#readers.get(this.#current) ?? 0) + 1);
    return this.#current;
  }

  leave(connection: HubConnection): void {
    this.#readers.set(connection, (this.#readers.get(connection) ?? 1) - 1);
    this.#closeIfLeft(connection);
  }

  async close(): Promise<void> {
    const open = new Set([...this.#readers.keys(), ...(this.#current === undefined ? [] : [this.#current])]);
    this.#current = undefined;
    this.#readers.clear();
    await Promise.all([...open].map(({ client }) => closeQuietly(client)));
  }

  #closeIfLeft(connection: HubConnection): void {
    if (connection === this.#current || (this.#readers.get(connection) ?? 0) > 0) return;
    this.#readers.delete(connection);
    closeQuietly(connection.client);
  }
}
