import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import type { ISocketFactory } from 'kafkajs';

const require = createRequire(import.meta.url);

/**
 * The sockets of one instance of the library. A request that is under way while the library disconnects may connect it
 * again, to any broker, and nothing ends that connection any more: it would keep a thread from ending. After `end` there
 * is no socket, and none is made.
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

/** A connection that fails as soon as somebody listens. */
function refused(): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(Object.assign(new Error('this client was closed'), { code: 'ECONNABORTED' })));
  return socket;
}
