import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AortaError, type Logger, Progress, silentLogger, silentMetrics } from '@aorta/runtime';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freePorts } from '../../infra/machine/ports.ts';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { standIn } from './module.ts';
import { webhookSourceOptions } from './options.ts';
import { EVENT, NOW, type Running, SECRET, serveEndpoint, signature } from './served.fixture.ts';

const error = new AortaError('AORTA-DATA-UNWRITABLE', { path: '/data/x', code: 'ENOSPC' });
let folder: string;
let progress: Progress;
let listen: string;
let logged: string[];
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  vi.setSystemTime(NOW);
  folder = await mkdtemp(join(tmpdir(), 'hook-'));
  progress = new Progress();
  listen = `127.0.0.1:${(await freePorts(1))[0]}`;
  logged = [];
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(folder, { recursive: true });
  vi.useRealTimers();
});

const note = (event: string): void => void logged.push(event);
const logger: Logger = { ...silentLogger, error: note, info: note, warn: note };

/** Opens a stand-in, which is closed at the end of the test. Aborting the result ends its attempts to listen. */
async function stand(): Promise<AbortController> {
  const reopening = new AbortController();
  const settings = webhookSourceOptions.parse({ type: 'webhook', listen, secrets: [SECRET] });
  const opened = await standIn(settings, { error, signal: reopening.signal, logger, metrics: silentMetrics, progress });
  closing.push(opened.close);
  return reopening;
}

async function serve(): Promise<Running> {
  const running = await serveEndpoint({ folder, settings: { listen }, progress, logger });
  closing.push(running.close);
  return running;
}

/** Posts a message. Returns the status and `Retry-After`, or undefined if nothing answered. */
async function post(secret = SECRET): Promise<readonly [number, string | null] | undefined> {
  const headers = signature(EVENT, { secret });
  const answer = await fetch(`http://${listen}/webhook`, { method: 'POST', body: EVENT, headers }).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer === undefined ? undefined : [answer.status, answer.headers.get('retry-after')];
}
const ready = async (): Promise<number> => (await fetch(`http://${listen}/readyz`)).status;
const about = (): string[] => logged.filter((event) => event.startsWith('messages'));

test('a stand-in takes the place of a source, and the source takes it back, without a gap', async () => {
  const first = await serve();
  expect(await post()).toEqual([204, null]);
  await stand();
  await until('the stand-in', post, (answer) => answer?.[0] === 503);
  expect([await post(), await post(`whsec_${Buffer.alloc(24).toString('base64')}`)]).toEqual([
    [503, '30'],
    [401, null],
  ]);
  await first.close();
  expect([await post(), await ready()]).toEqual([[503, '30'], 503]);
  expect(about()).toEqual(['messages cannot be stored']);

  await serve();
  expect(await ready()).toBe(200);
  expect(about()).toEqual(['messages cannot be stored']);
  expect(await post()).toEqual([204, null]);
  expect(about()).toEqual(['messages cannot be stored', 'messages are stored again']);
});

test('a stand-in that is closed without its source stops listening, and says nothing about stored messages', async () => {
  await stand();
  await until('the stand-in', post, (answer) => answer?.[0] === 503);
  await closing.pop()!();
  expect(await post()).toBe(undefined);
  expect(progress.stalls()).toEqual([]);
  expect(about()).toEqual(['messages cannot be stored']);
});

test('while another program uses the address, the stand-in tries again until the source may be opened', async () => {
  const [host, port] = listen.split(':');
  const taken = createServer().listen(Number(port), host);
  await once(taken, 'listening');
  const reopening = await stand();
  await until('the warning', () => logged.includes('webhook endpoint does not answer yet'));
  taken.close();
  await once(taken, 'close');
  await until('the stand-in', post, (answer) => answer?.[0] === 503);
  reopening.abort();
  expect(await post()).toEqual([503, '30']);
});

test('a stand-in that could not listen does not replace the reopened source', async () => {
  const [host, port] = listen.split(':');
  const taken = createServer().listen(Number(port), host);
  await once(taken, 'listening');
  const reopening = await stand();
  await until('the warning', () => logged.includes('webhook endpoint does not answer yet'));
  reopening.abort();
  taken.close();
  await once(taken, 'close');
  await serve();
  await closing.shift()!();
  expect(await post()).toEqual([204, null]);
});
