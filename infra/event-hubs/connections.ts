import type { Socket } from 'node:net';
import type { Connection } from 'rhea';
import { type AmqpCondition, condition } from './conditions.ts';

/** The sockets of a listener and the AMQP connections on them, and what a network or a gateway does to them. */
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

  /** Closes every connection with an error; gives how many. */
  close(error: AmqpCondition = { condition: condition.connectionForced, description: 'The connection was closed.' }): number {
    const closed = [...this.#open];
    for (const connection of closed) connection.close({ ...error });
    return closed.length;
  }

  /** Resets every socket, as a machine that is gone does. */
  reset(): number {
    const sockets = [...this.#sockets];
    for (const socket of sockets) socket.resetAndDestroy();
    return sockets.length;
  }

  /** Lets nothing in or out any more, and keeps what would pass, as TCP does behind a network that drops everything. */
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

  /** Lets through what waited, and everything from now on. */
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

  /** Resolves when no socket is left; those that have not gone after so many milliseconds are reset. */
  async drained(withinMs: number): Promise<void> {
    const gone = Promise.all([...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    const deadline = setTimeout(() => this.reset(), withinMs);
    await gone;
    clearTimeout(deadline);
  }
}
