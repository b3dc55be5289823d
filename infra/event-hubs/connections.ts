import type { Socket } from 'node:net';
import type { Connection } from 'rhea';
import { type AmqpCondition, condition } from './conditions.ts';

/** The sockets and AMQP connections of a listener. Some methods simulate faults of the network or of a gateway. */
export class Connections {
  readonly #sockets = new Set<Socket>();
  readonly #frozen = new Set<Socket>();
  readonly #open = new Set<Connection>();
  #freezesNew = false;

  get size(): number {
    return this.#open.size;
  }

  addSocket(socket: Socket): void {
    this.#sockets.add(socket);
    if (this.#freezesNew) this.#freeze(socket);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#frozen.delete(socket);
    });
  }

  add(connection: Connection): void {
    this.#open.add(connection);
  }

  delete(connection: Connection): void {
    this.#open.delete(connection);
  }

  /** Closes all connections with an error. Returns the number of closed connections. */
  close(error: AmqpCondition = { condition: condition.connectionForced, description: 'The connection was closed.' }): number {
    const closed = [...this.#open];
    for (const connection of closed) connection.close({ ...error });
    return closed.length;
  }

  /** Resets all sockets, as if the machine had crashed. Returns the number of sockets. */
  reset(): number {
    const sockets = [...this.#sockets];
    for (const socket of sockets) socket.resetAndDestroy();
    return sockets.length;
  }

  /**
   * Blocks all traffic in both directions, as if the network dropped all packets. If `newOnes` is true, also blocks sockets
   * that are opened later. Returns the number of blocked sockets.
   */
  freeze(newOnes: boolean): number {
    this.#freezesNew = newOnes;
    for (const socket of this.#sockets) this.#freeze(socket);
    return this.#frozen.size;
  }

  #freeze(socket: Socket): void {
    if (this.#frozen.has(socket)) return;
    this.#frozen.add(socket);
    socket.pause();
    socket.cork();
  }

  /** Ends {@link freeze} and sends the traffic that was held back. Returns the number of sockets that were blocked. */
  thaw(): number {
    this.#freezesNew = false;
    const thawed = [...this.#frozen];
    this.#frozen.clear();
    for (const socket of thawed) {
      socket.uncork();
      socket.resume();
    }
    return thawed.length;
  }

  /** Resolves when all sockets are closed. Resets the sockets that are still open after `withinMs` milliseconds. */
  async drained(withinMs: number): Promise<void> {
    const gone = Promise.all([...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    const deadline = setTimeout(() => this.reset(), withinMs);
    await gone;
    clearTimeout(deadline);
  }
}
