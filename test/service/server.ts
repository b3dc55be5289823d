import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { find } from './answers.ts';
import type { Fault, World } from './world.ts';

export interface ScriptedService {
  readonly url: string;
  /** The data and faults of the service. A test may replace them at any time. */
  world: World;
  /** Requests so far, as `path?query`. */
  readonly asked: readonly string[];
  /** Called before each answer. If it throws, the server breaks the connection. */
  onRequest: ((path: string) => void) | undefined;
  close(): Promise<void>;
}

/** Starts an HTTP server that answers like the service's REST API. `world` contains its data and its faults. */
export async function startService(world: World | (() => World), port = 0): Promise<ScriptedService> {
  const asked: string[] = [];
  const spent = new Map<string, number>();
  const server = createServer((request, response) => {
    const now = typeof world === 'function' ? world() : service.world;
    asked.push(request.url!);
    try {
      service.onRequest?.(request.url!);
    } catch {
      request.socket.destroy();
      return;
    }
    serve(now, request, response, spent);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const service: ScriptedService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    world: typeof world === 'function' ? {} : world,
    asked,
    onRequest: undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
  return service;
}

function serve(world: World, request: IncomingMessage, response: ServerResponse, spent: Map<string, number>): void {
  const { pathname, searchParams } = new URL(request.url!, 'http://service');
  const fault = due(world.faults ?? [], request.url!, spent);
  if (fault?.kind === 'hang') return;
  const known = world.key === undefined || request.headers[world.key.header.toLowerCase()] === world.key.value;
  const reply = known ? replyOf(world, fault, pathname, searchParams) : json(401, { detail: 'Invalid token' });
  response.setHeader('date', new Date(world.date ?? Date.now()).toUTCString());
  if (fault?.kind === 'busy' && fault.retryAfter !== undefined) response.setHeader('retry-after', fault.retryAfter);
  response.writeHead(reply.status, { 'content-type': reply.type, 'content-length': Buffer.byteLength(reply.text) });
  if (fault?.kind === 'reset') response.write(reply.text.slice(0, fault.after ?? 0), () => request.socket.destroy());
  else response.end(reply.text);
}

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const json = (status: number, content: unknown): Reply => ({ status, type: 'application/json', text: JSON.stringify(content) });

function replyOf(world: World, fault: Fault | undefined, path: string, query: URLSearchParams): Reply {
  switch (fault?.kind) {
    case 'busy':
      return json(fault.status, { detail: 'Too many requests' });
    case 'html':
      return { status: 200, type: 'text/html', text: '<!doctype html><title>Welcome</title>' };
    case 'closed-beta': {
      const words = 'This endpoint is in closed beta';
      return fault.form === 'json' ? json(403, { detail: words }) : { status: 403, type: 'text/plain', text: words };
    }
    case 'gone':
      return json(404, { detail: 'It does not exist' });
    case 'status':
      return json(fault.status, { detail: 'It does not work' });
  }
  const found = find(world, path, query);
  if (found === undefined) return json(404, { detail: 'Not Found' });
  if (found === 'gone') return json(404, { detail: 'It does not exist' });
  return json(200, fault?.kind === 'loop' ? { ...found, next_cursor: '0', next: '0' } : found);
}

/** Returns the first fault that applies to the path and is not used up. If the fault has a limit, counts this use. */
function due(faults: readonly Fault[], path: string, spent: Map<string, number>): Fault | undefined {
  return faults.find((fault, index) => {
    if (!path.startsWith(fault.path)) return false;
    if (fault.times === undefined) return true;
    const key = `${index} ${fault.path} ${fault.kind}`;
    const used = spent.get(key) ?? 0;
    if (used >= fault.times) return false;
    spent.set(key, used + 1);
    return true;
  });
}
