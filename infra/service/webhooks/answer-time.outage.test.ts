import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** An endpoint that answers after some seconds. Returns its address. */
async function answeringAfter(seconds: number): Promise<string> {
  const server = createServer((_, response) => {
    const timer = setTimeout(() => response.writeHead(204).end(), seconds * 1000);
    response.on('close', () => clearTimeout(timer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('an endpoint that answers within 15 seconds has got the message, and a slower one has not', async () => {
  const service = new Service({ start: Date.UTC(2026, 0, 1), runs: false });
  closing.push(() => service.close());
  const { team_id } = service.teams.create('first');
  const user = service.users.create(team_id, 'c-1', {}) as User;
  const [inTime, late] = await Promise.all([12, 18].map(answeringAfter));
  const endpoints = [inTime, late].map((url) => service.endpoints.create(team_id, { url: url! }));
  service.outbox.add(user, 'a', {});
  await service.jobs.settle();
  expect(endpoints.flatMap(({ endpoint_id }) => service.deliveries.to(endpoint_id))).toMatchObject([
    { state: 'succeeded', attempts: 1, last_status: 204 },
    { state: 'pending', attempts: 1, last_status: 0 },
  ]);
});
