import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { takesAtMost } from '../../../infra/machine/goal.fixture.ts';
import { end, Receiver } from './receiver.ts';
import { attempt, messages } from './service.ts';

const CONNECTIONS = 10_000;
const AT_ONCE = 500;

/** Opens connections that send nothing. */
async function openIdle(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, () => connect({ port, host: '127.0.0.1' }));
    await Promise.all(some.map((socket) => once(socket, 'connect')));
    sockets.push(...some);
  }
  return sockets;
}

test('the endpoint answers beside 10,000 idle connections, and closes them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-webhook-'));
  try {
    const receiver = await Receiver.create(folder);
    const child = await receiver.start();
    const sockets = await openIdle(Number(new URL(receiver.service.url).port), CONNECTIONS);
    const closed = sockets.map((socket) => once(socket.on('error', () => {}).resume(), 'close'));
    const open = (): number => sockets.filter(({ destroyed }) => !destroyed).length;
    expect(open()).toBeGreaterThan(CONNECTIONS / 2);
    for (const message of messages(1, 20)) {
      expect(await takesAtMost(2_000, 'an answer', () => attempt(message, receiver.service))).toBe(204);
    }
    await Promise.all(closed);
    expect(child.exitCode).toBe(null);
    await end(child, 'SIGTERM');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
