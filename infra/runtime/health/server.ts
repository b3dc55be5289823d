import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { AortaError } from '../errors/aorta-error.ts';
import type { PrometheusMetrics } from '../metrics/prometheus.ts';
import { hostNameSchema, refusalOf } from '../request-source.ts';
import { systemTime } from '../steady-clock.ts';
import { visibleLines } from '../visible.ts';
import { type Progress, STALLED_AFTER_MS } from './progress.ts';

export interface HealthServerOptions {
  readonly host: string;
  readonly port: number;
  /** Names that requests may have in `Host` and `Origin`, besides those of this machine. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly progress: Progress;
  readonly metrics: PrometheusMetrics;
}

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Maximum time, in milliseconds, for a request. All three pages are small, so a client normally needs far less. */
const REQUEST_MS = 5_000;
const MOST_CONNECTIONS = 32;
const MOST_HEADER_BYTES = 8 * 1024;

/**
 * Serves `/livez` (200 as long as the process responds), `/readyz` (the current stalls) and `/metrics`. Rejects with
 * AORTA-HEALTH-PORT if it cannot listen.
 */
export async function openHealthServer({
  host,
  port,
  allowedHosts,
  progress,
  metrics,
}: HealthServerOptions): Promise<HealthServer> {
  // Imported here because node:http also loads an HTTP client, which would slow down the start of every command.
  const { createServer } = await import('node:http');
  const server = createServer(
    {
      requestTimeout: REQUEST_MS,
      headersTimeout: REQUEST_MS,
      keepAliveTimeout: REQUEST_MS,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: MOST_HEADER_BYTES,
    },
    (request, response) => {
      answer(request, response, { progress, metrics, allowedHosts }).catch(() => response.destroy());
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new AortaError('AORTA-HEALTH-PORT', { host, port, code: error.code ?? 'unknown' }));
    });
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { progress, metrics, allowedHosts }: Pick<HealthServerOptions, 'progress' | 'metrics' | 'allowedHosts'>,
): Promise<void> {
  const say = (status: number, type: string, body: string): void => {
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store' });
    response.end(body);
  };
  const refusal = refusalOf(request, allowedHosts);
  // Do not wait for the body of a request that is not answered.
  if (refusal !== undefined || request.method !== 'GET') response.setHeader('connection', 'close');
  if (refusal !== undefined) return say(403, 'text/plain', `${refusal}\n`);
  if (request.method !== 'GET') {
    response.setHeader('allow', 'GET');
    return say(405, 'text/plain', 'Only GET is supported.\n');
  }
  const path = request.url?.split('?', 1)[0];
  if (path === '/livez') return say(200, 'text/plain', 'alive\n');
  if (path === '/readyz') {
    const stalls = progress.stalls();
    const reasons = stalls.map(({ reason, since }) => ({ reason, since: new Date(systemTime(since)).toISOString() }));
    return say(
      stalls.length === 0 ? 200 : 503,
      'application/json',
      visibleLines(`${JSON.stringify({ ready: stalls.length === 0, reasons }, undefined, 2)}\n`),
    );
  }
  if (path === '/metrics') return say(200, metrics.contentType, await metrics.text());
  return say(404, 'text/plain', 'Not found. This server has /livez, /readyz and /metrics.\n');
}

export const healthOptions = z
  .strictObject({
    host: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .describe(
        'Address to listen on. The server has no authentication, so use an address other than loopback only in a private network.',
      ),
    port: z.int().min(0).max(65_535).describe('Port to listen on. 0 picks a free port, which is logged.'),
    allowed_hosts: z
      .array(hostNameSchema)
      .default([])
      .describe(
        'Names that requests may have in the headers `Host` and `Origin`, such as the name of a Compose or Kubernetes service. `localhost` and `127.0.0.1` are always allowed, and requests from other machines may name any IP address. The server answers other requests with 403, so that no page in a browser can read its answers.',
      ),
    stalled_after_s: z
      .number()
      .positive()
      .max(86_400)
      .default(STALLED_AFTER_MS / 1000)
      .describe('If data is waiting and nothing has made progress for this many seconds, `/readyz` reports a stall.'),
  })
  .describe(
    '`aorta run` serves `/livez`, `/readyz` and `/metrics` at this address. Without this section it serves none of them.',
  );
