import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import type { ISocketFactory } from 'kafkajs';

const require = createRequire(import.meta.url);

/**
 * The sockets of one instance of the library. A request that is running while the library disconnects may open a new connection.
 * Nothing would close this connection, and it would keep a thread alive. `end` closes all sockets and makes new ones fail.
 */
export class Sockets {
  readonly #open = new Set<Socket>();
  #ended = false;

  readonly factory: ISocketFactory = (options) => {
    if (this.#ended) return refused();
    const createFactory = require('kafkajs/src/network/socketFactory') as () => ISocketFactory;
    const socket = createFactory()(options);
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return socket;
  };

  end(): void {
    this.#ended = true;
    for (const socket of this.#open) socket.destroy();
  }
}

/** Returns a socket that fails as soon as the caller has attached its listeners. */
function refused(): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(Object.assign(new Error('this client was closed'), { code: 'ECONNABORTED' })));
  return socket;
}
