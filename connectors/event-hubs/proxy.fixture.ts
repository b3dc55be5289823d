import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** An HTTP proxy for tests. It requires a user name and a password. */
export interface Proxy {
  /** Address of the proxy, including the user name and password. */
  readonly address: string;
  /** Number of connections that were tunnelled. */
  readonly tunnels: () => number;
  stop(): Promise<void>;
}

export async function startProxy(login: string): Promise<Proxy> {
  const expected = `Basic ${Buffer.from(login).toString('base64')}`;
  const sockets = new Set<Socket>();
  let tunnels = 0;
  const server = createServer();
  server.on('connect', (request, near: Socket, head) => {
    sockets.add(near);
    if (request.headers['proxy-authorization'] !== expected) {
      near.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const { hostname, port } = new URL(`http://${request.url}`);
    const far = connect(Number(port), hostname, () => {
      tunnels += 1;
      near.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      far.write(head);
      near.pipe(far).pipe(near);
    });
    sockets.add(far);
    for (const [one, other] of [[near, far] as const, [far, near] as const]) {
      one.on('error', () => {});
      one.on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://${login}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnels: () => tunnels,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
