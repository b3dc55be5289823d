import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that Linux and macOS give to clients: while a broker is down, somebody's connection must not get its
 * port, not even the one that tries to reach it.
 */
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** Ports of loopback, all different, that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

/** Whether a port of loopback is free at this moment. */
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
