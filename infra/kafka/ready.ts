import { connect } from 'node:net';

/** Metadata request, version 4, of no topic: what the broker knows of the cluster. */
const REQUEST = Buffer.from(['0000000f', '0003', '0004', '00000001', 'ffff', '00000000', '00'].join(''), 'hex');
/** Where the answer has the number of brokers. */
const BROKERS_AT = 12;
const ANSWER_MS = 1000;

/**
 * Whether the broker of this cluster serves clients at the port. A port that listens is not enough: until the broker is
 * registered, it refuses them; and two that chose the same port must not take one for the other.
 */
export function isReady(port: number, cluster: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let answer = Buffer.alloc(0);
    const end = (ready: boolean): void => {
      socket.destroy();
      resolve(ready);
    };
    socket.setTimeout(ANSWER_MS, () => end(false));
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
    socket.on('connect', () => socket.write(REQUEST));
    socket.on('data', (bytes) => {
      answer = Buffer.concat([answer, bytes]);
      if (answer.length < 4 || answer.length < 4 + answer.readInt32BE(0)) return;
      end(answer.length >= BROKERS_AT + 4 && answer.readInt32BE(BROKERS_AT) > 0 && answer.includes(cluster));
    });
  });
}
