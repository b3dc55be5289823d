import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { type Logger, type Metrics, Progress, silentLogger, silentMetrics } from '@aorta/runtime';
import { Webhook } from 'standardwebhooks';
import { until } from '../../infra/machine/waiting.fixture.ts';
import type { Delivery } from '../source.ts';
import { LocalIntake } from './intake/local-intake.ts';
import type { WebhookMetrics } from './metrics.ts';
import { WebhookSource } from './module.ts';
import { type WebhookSettings, webhookSourceOptions } from './options.ts';

export const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
export const EVENT = JSON.stringify({
  event_type: 'daily.data.sleep.created',
  user_id: 'u-1',
  team_id: 't-1',
  data: { id: 's-1' },
});
export const ID = 'msg_2abc';
/** The time of the system clock in tests of the endpoint, in milliseconds since 1970. */
export const NOW = Date.UTC(2026, 2, 28);

export interface Running {
  readonly url: string;
  readonly port: number;
  readonly taken: readonly Delivery[];
  readonly source: WebhookSource<unknown>;
  readonly intake: LocalIntake;
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly folder: string;
  readonly settings?: Partial<Record<keyof WebhookSettings, unknown>>;
  readonly logger?: Logger;
  readonly metrics?: Metrics<WebhookMetrics>;
  readonly progress?: Progress;
  readonly wrap?: (intake: LocalIntake) => LocalIntake;
  readonly headersMs?: number;
  readonly bodyMs?: number;
  readonly now?: () => number;
}

/** Serves an endpoint, and collects the deliveries of the source. */
export async function serveEndpoint(options: ServeOptions): Promise<Running> {
  const { folder, logger = silentLogger, metrics = silentMetrics, progress = new Progress(), now = () => NOW } = options;
  const settings = webhookSourceOptions.parse({
    type: 'webhook',
    listen: '127.0.0.1:0',
    secrets: [SECRET],
    ...options.settings,
  });
  const opened = await LocalIntake.open({
    source: settings.name,
    folder: join(folder, settings.name),
    window: 0,
    keepMs: 0,
    once: false,
    logger,
    progress,
    onProblem: (error) => {
      throw error;
    },
  });
  const intake = options.wrap?.(opened) ?? opened;
  const { headersMs = 10_000, bodyMs = 15_000 } = options;
  const source = new WebhookSource({ settings, intake, once: false, logger, metrics, progress, headersMs, bodyMs, now });
  const stop = new AbortController();
  const taken: Delivery[] = [];
  const reading = (async () => {
    for await (const { deliveries } of source.batches(stop.signal)) taken.push(...deliveries);
  })();
  const close = async (): Promise<void> => {
    stop.abort();
    await reading.catch(() => {});
    await source.close();
  };
  const port = await Promise.race([until('the port of the endpoint', () => source.port), reading]);
  return { url: `http://127.0.0.1:${port}${settings.path}`, port: port!, taken, source, intake, close };
}

export interface Signing {
  readonly id?: string;
  readonly secret?: string;
  /** Seconds since 1970. */
  readonly at?: number;
  readonly prefix?: 'svix' | 'webhook';
}

export function signature(
  body: string,
  { id = ID, secret = SECRET, at = NOW / 1000, prefix = 'svix' }: Signing = {},
): Record<string, string> {
  const time = new Date(Math.floor(at) * 1000);
  return {
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(time.getTime() / 1000),
    [`${prefix}-signature`]: new Webhook(secret).sign(id, time, body),
  };
}

/** Returns the lines of these headers, as a request contains them. */
export const lines = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

/** Opens a connection and writes the bytes. Never rejects after the connection is open. */
export async function raw(port: number, bytes: string | Buffer, { isTls = false } = {}): Promise<Socket> {
  const socket = isTls ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }) : connect(port, '127.0.0.1');
  await once(socket, isTls ? 'secureConnect' : 'connect');
  socket.on('error', () => {});
  socket.write(bytes);
  return socket;
}
