import type { Socket } from 'node:net';
import type { Connection } from 'rhea';
import { type AmqpCondition, condition } from './conditions.ts';

/** The sockets of a listener and their AMQP connections, with the faults that a network or a gateway causes. */
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

  /** Closes every connection with an error. Returns how many. */
  close(error: AmqpCondition = { condition: condition.connectionForced, description: 'The connection was closed.' }): number {
    const closed = [...this.#open];
    for (const connection of closed) connection.close({ ...error });
    return closed.length;
  }

  /** Resets every socket, as if the machine had crashed. */
  reset(): number {
    const sockets = [...this.#sockets];
    for (const socket of sockets) socket.resetAndDestroy();
    return sockets.length;
  }

  /** Blocks all traffic in both directions and holds it back, as TCP does when the network drops everything. */
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

  /** Lets the blocked traffic and all later traffic through. */
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

  /** Resolves when no socket is left. Resets the sockets that are still open after `withinMs` milliseconds. */
  async drained(withinMs: number): Promise<void> {
    const gone = Promise.all([...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    const deadline = setTimeout(() => this.reset(), withinMs);
    await gone;
    clearTimeout(deadline);
  }
}
