import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { unreadable, within } from '@aorta/runtime';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Admitted, answerTo, type Endpoint, type Refusal } from './endpoint.ts';
import { WebhookError } from './errors.ts';
import { addressOf, type WebhookSettings } from './options.ts';
import { readBody } from './read-body.ts';

/** A path that is served at an address. */
export interface ServedEndpoint {
  /** Port of the server, which the system picked if the settings have port 0. */
  readonly port: number;
  /** Stops serving the path. Closes the server after its last path. Never rejects, and has its own deadline. */
  close(): Promise<void>;
}

export interface Serving {
  /** Whether the program is ready, for `/readyz` at the address of the endpoint. */
  isReady(): boolean;
  /** Milliseconds within which a body must arrive. Default: 15,000. */
  readonly bodyMs?: number | undefined;
}

interface Server {
  readonly app: FastifyInstance;
  readonly endpoints: Map<string, Endpoint>;
  /** Settings that all endpoints of a server share, as text. */
  readonly shared: Readonly<Record<'tls' | 'trust_proxy', string>>;
  readonly port: number;
}

/** The service gives up an attempt after 15 s. */
const BODY_MS = 15_000;
const HEADERS_MS = 10_000;
/** Longer than the idle timeouts of common load balancers, so that they do not reuse a connection that is being closed. */
const KEEP_ALIVE_MS = 75_000;
const MOST_HEADER_BYTES = 16 * 1024;
const CLOSE_MS = 5_000;

/** The servers of this process, by address. Sources that share an address share a server. */
const servers = new Map<string, Promise<Server>>();

/**
 * Serves the endpoint at the address and path of its settings. Rejects with AORTA-WEBHOOK-LISTEN, AORTA-WEBHOOK-SHARED,
 * AORTA-WEBHOOK-TLS and AORTA-FILE-UNREADABLE.
 */
export async function serve(endpoint: Endpoint, settings: WebhookSettings, serving: Serving): Promise<ServedEndpoint> {
  const { listen, path } = settings;
  const isFixed = addressOf(listen)!.port !== 0;
  const running = isFixed ? servers.get(listen) : undefined;
  const opening = running ?? openServer(settings, serving);
  if (isFixed) servers.set(listen, opening);
  const server = await opening.catch((error: unknown) => {
    if (servers.get(listen) === opening) servers.delete(listen);
    throw error;
  });
  for (const [what, value] of Object.entries(sharedSettings(settings))) {
    if (server.shared[what as keyof Server['shared']] !== value) {
      throw new WebhookError('AORTA-WEBHOOK-SHARED', { address: listen, what: `\`${what}\`` });
    }
  }
  server.endpoints.set(path, endpoint);
  return {
    port: server.port,
    close: async () => {
      if (server.endpoints.get(path) === endpoint) server.endpoints.delete(path);
      if (server.endpoints.size > 0) return;
      if (servers.get(listen) === opening) servers.delete(listen);
      await within(CLOSE_MS, server.app.close()).catch(() => {});
    },
  };
}

function sharedSettings({ tls, trust_proxy }: WebhookSettings): Server['shared'] {
  return { tls: JSON.stringify(tls ?? null), trust_proxy: JSON.stringify(trust_proxy) };
}

async function openServer(settings: WebhookSettings, serving: Serving): Promise<Server> {
  const { listen: address, tls, trust_proxy: trustProxy } = settings;
  const { host, port } = addressOf(address)!;
  const endpoints = new Map<string, Endpoint>();
  const https = tls === undefined ? {} : { https: await certificates(tls) };
  let app: FastifyInstance;
  try {
    app = createApp({ ...https, trustProxy }, endpoints, serving);
  } catch (error) {
    throw new WebhookError('AORTA-WEBHOOK-TLS', { address, code: codeOf(error) });
  }
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw new WebhookError('AORTA-WEBHOOK-LISTEN', { address, code: codeOf(error) });
  }
  return { app, endpoints, shared: sharedSettings(settings), port: (app.server.address() as AddressInfo).port };
}

async function certificates({
  cert_file,
  key_file,
}: NonNullable<WebhookSettings['tls']>): Promise<{ cert: Buffer; key: Buffer }> {
  const read = (file: string): Promise<Buffer> =>
    readFile(file).catch((error: unknown) => {
      throw unreadable(file, error);
    });
  return { cert: await read(cert_file), key: await read(key_file) };
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}

/** The endpoint and the checked headers of a request. */
interface Checked {
  readonly endpoint: Endpoint;
  readonly admitted: Admitted;
}

function createApp(
  options: { readonly https?: { cert: Buffer; key: Buffer }; readonly trustProxy: boolean | string[] },
  endpoints: ReadonlyMap<string, Endpoint>,
  { isReady, bodyMs = BODY_MS }: Serving,
): FastifyInstance {
  const app = Fastify({
    ...options,
    logger: false,
    exposeHeadRoutes: false,
    // Only closed connections end a body that never ends; `readBody` has its own deadline.
    requestTimeout: 2 * BODY_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    http: { headersTimeout: HEADERS_MS, maxHeaderSize: MOST_HEADER_BYTES, connectionsCheckingInterval: 1_000 },
  } as Parameters<typeof Fastify>[0]) as unknown as FastifyInstance;
  const checked = new WeakMap<FastifyRequest, Checked>();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => {
    const found = checked.get(request);
    if (found === undefined) return done(null, undefined);
    readBody(payload, found.endpoint, bodyMs).then(
      (body) => done(null, body),
      (error: Error) => done(error),
    );
  });
  app.all('*', {
    onRequest: async (request, reply) => {
      const path = request.url.split('?', 1)[0]!;
      const endpoint = endpoints.get(path);
      if (endpoint === undefined) return other(path, request, reply, isReady);
      const length = request.headers['content-length'];
      const admitted =
        request.method === 'POST'
          ? endpoint.admit(request.headers, length === undefined ? undefined : Number(length))
          : ('method' as const);
      if (typeof admitted === 'string') return refuse(admitted, endpoint, request, reply);
      checked.set(request, { endpoint, admitted });
      return undefined;
    },
    handler: async (request, reply) => {
      const { endpoint, admitted } = checked.get(request)!;
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const refusal = await endpoint.store(admitted, body);
      endpoint.held.remove(body.length);
      if (refusal !== undefined) return refuse(refusal, endpoint, request, reply);
      endpoint.note('accepted', request.ip);
      return reply.code(204).send();
    },
  });
  app.setErrorHandler((error: Error & { statusCode?: number; refusal?: Refusal }, request, reply) => {
    const found = checked.get(request);
    if (error.refusal !== undefined && found !== undefined) return refuse(error.refusal, found.endpoint, request, reply);
    // Fastify's own errors are about the request, and quote none of its values.
    const status = error.statusCode ?? 500;
    return reply
      .code(status)
      .header('connection', 'close')
      .send({ message: status < 500 ? error.message : 'Internal error.' });
  });
  return app;
}

/** Answers requests for paths that are not endpoints: the probes of load balancers, and wrong paths. */
function other(path: string, request: FastifyRequest, reply: FastifyReply, isReady: () => boolean): FastifyReply {
  reply.header('connection', 'close');
  if (path === '/livez') return reply.send('alive\n');
  if (path === '/readyz') return isReady() ? reply.send('ready\n') : reply.code(503).send('not ready\n');
  return reply.code(404).send({ message: `There is no webhook endpoint at this path (${request.method}).` });
}

function refuse(refusal: Refusal, endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, message, retryAfter } = answerTo(refusal);
  endpoint.note(refusal, request.ip);
  if (refusal === 'method') reply.header('allow', 'POST');
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  // The rest of the body is not read.
  if (refusal !== 'wrong_signature' && refusal !== 'unwritable') reply.header('connection', 'close');
  return reply.code(status).send({ message });
}
