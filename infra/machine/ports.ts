import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';

/**
 * Ports are chosen from this range, which is below the ephemeral ports of Linux and macOS. Otherwise, while a broker is
 * down, the system could give the broker's port to a client connection.
 */
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** Returns distinct loopback ports that were free when this function checked them. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}

/** Starts a server on 127.0.0.1 and returns its port. With port 0, the system chooses a free port. */
export async function listening(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

export async function closed(server: Server): Promise<void> {
  const ended = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await ended;
}
