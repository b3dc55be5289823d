import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to a blob store, and its response. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answer = Pick<Exchange, 'status' | 'headers' | 'body'>;

/** A proxy between a client and a local blob store. A test sees every exchange and may change the response. */
export interface BlobProxy {
  /** Connection string for clients that connect through the proxy. */
  readonly connection: string;
  stop(): void;
}

export async function startBlobProxy(
  connection: string,
  passes: (exchange: Exchange) => Partial<Answer> | undefined,
): Promise<BlobProxy> {
  const target = new URL(/BlobEndpoint=([^;]+)/.exec(connection)![1]!);
  const server = createServer((incoming, outgoing) => {
    const { method = '', headers, url: path = '' } = incoming;
    const passed = request({ host: target.hostname, port: target.port, method, headers, path }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const answer = { status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks).toString() };
      const { status, headers: said, body } = { ...answer, ...passes({ method, path, ...answer }) };
      const { 'transfer-encoding': _, ...others } = said;
      // The response to a HEAD request has no body. Its original content-length header is kept.
      const length = method === 'HEAD' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      outgoing.writeHead(status, { ...others, ...length }).end(body);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    connection: connection.replace(target.host, `127.0.0.1:${port}`),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
