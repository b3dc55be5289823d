import { readFile } from 'node:fs/promises';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { secretText, unreadable, within } from '@aorta/runtime';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { answerTo, type Endpoint, type Refusal } from './endpoint.ts';
import { WebhookError } from './errors.ts';
import { addressOf, type WebhookSettings } from './options.ts';

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
  /** Milliseconds within which the headers must arrive. Default: 10,000. */
  readonly headersMs?: number | undefined;
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
 * Serves the endpoint at the address and path of its settings, in place of an earlier endpoint there. Rejects with AORTA-WEBHOOK-LISTEN, AORTA-WEBHOOK-SHARED,
 * AORTA-WEBHOOK-TLS and AORTA-FILE-UNREADABLE.
 */
export async function serve(endpoint: Endpoint, settings: WebhookSettings, serving: Serving): Promise<ServedEndpoint> {
  const { listen, path } = settings;
  const isFixed = addressOf(listen)!.port !== 0;
  const running = isFixed ? servers.get(listen) : undefined;
  const opening = running ?? openServer(endpoint, settings, serving);
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
  const earlier = server.endpoints.get(path);
  server.endpoints.set(path, endpoint);
  if (earlier !== undefined && earlier !== endpoint) endpoint.replace(earlier);
  return {
    port: server.port,
    close: async () => {
      if (server.endpoints.get(path) !== endpoint) return;
      // The last endpoint stays until the server is closed, and answers that it is stopping.
      if (server.endpoints.size > 1) {
        server.endpoints.delete(path);
        return;
      }
      if (servers.get(listen) === opening) servers.delete(listen);
      await within(CLOSE_MS, server.app.close()).catch(() => {});
    },
  };
}

function sharedSettings({ tls, trust_proxy }: WebhookSettings): Server['shared'] {
  return { tls: JSON.stringify(tls ?? null), trust_proxy: JSON.stringify(trust_proxy) };
}

async function openServer(endpoint: Endpoint, settings: WebhookSettings, serving: Serving): Promise<Server> {
  const { listen: address, tls, trust_proxy: trustProxy } = settings;
  const { host, port } = addressOf(address)!;
  // The endpoint is there before the first request can arrive.
  const endpoints = new Map([[settings.path, endpoint]]);
  const certificate = tls === undefined ? undefined : await certificateOf(tls, address);
  let app: FastifyInstance;
  try {
    app = createApp({ certificate, trustProxy }, endpoints, serving);
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

interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

async function certificateOf(
  { cert_file, key_file }: NonNullable<WebhookSettings['tls']>,
  address: string,
): Promise<ServerCertificate> {
  const read = async (file: string): Promise<string> => {
    const content = await readFile(file, 'utf8').catch((error: unknown) => {
      throw unreadable(file, error);
    });
    return secretText(content, (problem) => new WebhookError('AORTA-WEBHOOK-TLS', { address, code: `${file}: ${problem}` }));
  };
  return { cert: await read(cert_file), key: await read(key_file) };
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}

/** Answers bytes that are not a valid request. Node's HTTP server reports them as an error of the connection. */
class Connections {
  readonly #endpoints: ReadonlyMap<string, Endpoint>;
  /** The answer to the latest request of a connection. */
  readonly #answers = new WeakMap<Socket, ServerResponse>();
  /** Answers that were not sent, because the connection was refused instead. */
  readonly #replaced = new WeakSet<ServerResponse>();

  constructor(endpoints: ReadonlyMap<string, Endpoint>) {
    this.#endpoints = endpoints;
  }

  /** Remembers the answer to a request whose headers have arrived. */
  began(answer: ServerResponse): void {
    if (answer.socket !== null) this.#answers.set(answer.socket, answer);
  }

  /** Returns whether the connection was refused in place of this answer, because the body is not valid HTTP. */
  hasReplaced(answer: ServerResponse): boolean {
    return this.#replaced.has(answer);
  }

  /**
   * Answers and closes the connection. Counts the answer, unless it replaces the answer to a request: that request then
   * counts it.
   */
  refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === 'ECONNRESET') socket.destroy();
    // Node reports a further error for bytes that arrive after the answer.
    if (!socket.writable) return;
    const answer = this.#answers.get(socket);
    const isInBody = answer !== undefined && !answer.req.complete;
    if (isInBody && answer.headersSent) {
      socket.destroy();
      return;
    }
    if (isInBody) this.#replaced.add(answer);
    const refusal = isInBody ? 'broken_off' : refusalOf(error.code);
    if (!isInBody) firstOf(this.#endpoints)?.note(refusal, socket.remoteAddress ?? 'unknown');
    socket.end(textOf(refusal), () => socket.destroy());
  }
}

/** Returns the endpoint that counts the requests that belong to no endpoint. */
function firstOf(endpoints: ReadonlyMap<string, Endpoint>): Endpoint | undefined {
  return endpoints.values().next().value;
}

function refusalOf(code: string | undefined): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'too_slow';
  return code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'malformed';
}

function textOf(refusal: Refusal): string {
  const { status, message } = answerTo(refusal);
  const body = JSON.stringify({ message });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/**
 * Creates the server. It uses none of Fastify's own routes, parsers and error answers. They would refuse requests by their
 * content type, method or path before an endpoint can count them.
 */
function createApp(
  { certificate, trustProxy }: { readonly certificate: ServerCertificate | undefined; readonly trustProxy: boolean | string[] },
  endpoints: ReadonlyMap<string, Endpoint>,
  { isReady, headersMs = HEADERS_MS, bodyMs = BODY_MS }: Serving,
): FastifyInstance {
  const connections = new Connections(endpoints);
  const limits = {
    headersTimeout: headersMs,
    maxHeaderSize: MOST_HEADER_BYTES,
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false,
  };
  const app = Fastify({
    // With `https`, Fastify ignores `http`.
    ...(certificate === undefined ? { http: limits } : { https: { ...certificate, ...limits } }),
    trustProxy,
    logger: false,
    // Closes connections whose body never ends. Before that, `readBody` refuses the request at its own deadline.
    requestTimeout: 2 * BODY_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    rewriteUrl: () => '/',
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => connections.refuse(error, socket),
  } as Parameters<typeof Fastify>[0]) as unknown as FastifyInstance;
  // Node would answer 417 to an expectation other than `100-continue`. HTTP allows a server to ignore it.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', async (request, reply) => {
    connections.began(reply.raw);
    const path = request.originalUrl.split('?', 1)[0]!;
    if (path === '/livez' || path === '/readyz') {
      firstOf(endpoints)?.note('probe', request.ip);
      return probed(path, reply, isReady);
    }
    const endpoint = endpoints.get(path);
    const result = await resultOf(request, endpoint, bodyMs);
    const isReplaced = connections.hasReplaced(reply.raw);
    const refusal = isReplaced ? 'broken_off' : result;
    const counting = endpoint ?? firstOf(endpoints);
    counting?.note(refusal ?? 'accepted', request.ip);
    if (isReplaced) return reply.hijack();
    return refusal === undefined ? reply.code(204).send() : refuse(refusal, reply);
  });
  return app;
}

/**
 * Reads the body of a request. Its bytes count as held from their arrival on; the caller removes them after it has answered.
 * Returns a refusal if the body is too large, too slow or broken off, or if too many bytes are held. Never rejects.
 */
function readBody(payload: Readable, { bodyBytes, held }: Endpoint, deadlineMs: number): Promise<Buffer | Refusal> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = (result: Buffer | Refusal): void => {
      clearTimeout(timer);
      payload.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      resolve(result);
    };
    const refuse = (refusal: Refusal): void => {
      held.remove(bytes);
      payload.pause();
      end(refusal);
    };
    const onData = (chunk: Buffer): void => {
      if (bytes + chunk.length > bodyBytes) refuse('too_large');
      else if (held.add(chunk.length, bytes)) {
        bytes += chunk.length;
        chunks.push(chunk);
      } else refuse('held');
    };
    const onEnd = (): void => end(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes));
    const onBroken = (): void => refuse('broken_off');
    const timer = setTimeout(() => refuse('too_slow'), deadlineMs);
    payload.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

/** Checks, reads and stores the message of a request. Returns why the request is refused. Never rejects. */
async function resultOf(
  { raw, headers, method }: FastifyRequest,
  endpoint: Endpoint | undefined,
  bodyMs: number,
): Promise<Refusal | undefined> {
  try {
    if (headers.host === undefined && raw.httpVersion === '1.1') return 'malformed';
    if (endpoint === undefined) return 'path';
    if (method !== 'POST') return 'method';
    const length = headers['content-length'];
    const admitted = endpoint.admit(headers, length === undefined ? undefined : Number(length));
    if (typeof admitted === 'string') return admitted;
    const body = await readBody(raw, endpoint, bodyMs);
    if (typeof body === 'string') return body;
    try {
      return await endpoint.store(admitted, body);
    } finally {
      endpoint.held.remove(body.length);
    }
  } catch {
    return 'failed';
  }
}

/** Answers the probes of load balancers. */
function probed(path: '/livez' | '/readyz', reply: FastifyReply, isReady: () => boolean): FastifyReply {
  reply.header('connection', 'close');
  if (path === '/livez') return reply.send('alive\n');
  return isReady() ? reply.send('ready\n') : reply.code(503).send('not ready\n');
}

function refuse(refusal: Refusal, reply: FastifyReply): FastifyReply {
  const { status, message, retryAfter } = answerTo(refusal);
  if (refusal === 'method') reply.header('allow', 'POST');
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  // The rest of the body is not read.
  if (refusal !== 'wrong_signature' && refusal !== 'unwritable') reply.header('connection', 'close');
  return reply.code(status).send({ message });
}
