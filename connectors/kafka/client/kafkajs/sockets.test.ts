import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { until } from '../../../../infra/machine/waiting.fixture.ts';
import { Sockets } from './connection.ts';

test('`end` closes every socket and makes new sockets fail', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connections = (): Promise<number> =>
    new Promise((resolve, reject) => {
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });
  const options = { host: '127.0.0.1', port: (server.address() as AddressInfo).port, ssl: undefined as never };
  const sockets = new Sockets();
  await new Promise<void>((onConnect) => {
    sockets.factory({ ...options, onConnect });
  });
  await until('the connection', connections, 1);
  sockets.end();
  await until('the end of the connection', connections, 0);
  const late = sockets.factory({ ...options, onConnect: () => expect.unreachable() });
  const [error] = (await once(late, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNABORTED');
  expect(await connections()).toBe(0);
  server.close();
});
