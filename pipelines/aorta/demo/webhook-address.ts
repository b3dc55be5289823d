import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { pause } from '@aorta/runtime';

const LOOK_MS = 25;

/** Returns a free address on this machine, as `host:port`. */
export async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `127.0.0.1:${port}`;
}

/** Resolves when an endpoint listens at the address, or when the signal aborts. */
export async function whenListening(address: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isThere = await fetch(`http://${address}/livez`, { signal }).then(
      async (answer) => {
        await answer.body?.cancel();
        return answer.ok;
      },
      () => false,
    );
    if (isThere) return;
    await pause(LOOK_MS, signal);
  }
}
