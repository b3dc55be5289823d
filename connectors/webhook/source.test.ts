import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { AortaError, type Logger, Progress, silentLogger } from '@aorta/runtime';
import { messageId } from '@aorta/service/message-id';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { freePorts } from '../../infra/machine/ports.ts';
import { clockChanges, moveClocks } from '../../infra/machine/system-clock.fixture.ts';
import { until } from '../../infra/machine/waiting.fixture.ts';
import {
  EVENT,
  ID,
  lines,
  NOW,
  type Running,
  raw,
  SECRET,
  type ServeOptions,
  serveEndpoint,
  signature,
} from './served.fixture.ts';

const NEW_SECRET = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
let folder: string;
let progress: Progress;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  vi.setSystemTime(NOW);
  folder = await mkdtemp(join(tmpdir(), 'hook-'));
  progress = new Progress();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(folder, { recursive: true });
  vi.useRealTimers();
});

/** Serves an endpoint until the end of the test. */
async function serve(
  settings: ServeOptions['settings'] = {},
  options: Omit<ServeOptions, 'folder' | 'settings'> = {},
): Promise<Running> {
  const running = await serveEndpoint({ folder, settings, progress, ...options });
  closing.push(running.close);
  return running;
}

async function post(
  url: string,
  body: string | Buffer,
  headers: Record<string, string>,
): Promise<{ status: number; message: unknown; retryAfter: string | null }> {
  const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
  const text = await answer.text();
  return {
    status: answer.status,
    message: text === '' ? undefined : JSON.parse(text).message,
    retryAfter: answer.headers.get('retry-after'),
  };
}

describe('the endpoint', () => {
  test('with a clock of the caller, arrivals have its time, and signatures are still compared with the system clock', async () => {
    // From the README of segmentio/ksuid, which gives its time, too.
    const id = 'msg_0ujtsYcgvSTl8PAuAdqWYSMnLOv';
    const created = Date.UTC(2017, 9, 10, 4, 0, 47);
    const { url, taken } = await serve({}, { now: () => created + 5_000 });
    expect(await post(url, EVENT, signature(EVENT, { id }))).toMatchObject({ status: 204 });
    expect(await post(url, EVENT, signature(EVENT, { id, at: created / 1000 }))).toMatchObject({ status: 401 });
    await until('one delivery', () => taken.length, 1);
    expect(taken[0]).toMatchObject({ receivedAt: created * 1000, arrivedAt: (created + 5_000) * 1000 });
  });

  test('a signed event is acknowledged and becomes a delivery with the headers of a hub', async () => {
    const { url, taken } = await serve();
    expect(await post(url, EVENT, signature(EVENT))).toMatchObject({ status: 204 });
    await until('one delivery', () => taken.length, 1);
    const [delivery] = taken;
    expect(delivery).toMatchObject({ source: 'webhook', offset: 0, key: Buffer.from('u-1'), inline: false });
    expect(delivery!.body.toString()).toBe(EVENT);
    expect(Object.fromEntries(delivery!.headers)).toMatchObject({
      'svix-id': ID,
      'event-type': 'daily.data.sleep.created',
      'user-id': 'u-1',
      'team-id': 't-1',
      'content-type': 'application/json',
    });
    expect([...delivery!.headers.keys()].filter((name) => /signature|authorization|cookie/.test(name))).toEqual([]);
    expect(delivery).toMatchObject({ arrivedAt: NOW * 1000, receivedAt: NOW * 1000 });
  });

  test('the receipt time is the creation time in the message id', async () => {
    const { url, taken } = await serve();
    const created = NOW / 1000 - 3600;
    const id = messageId(created * 1000, 'x');
    await post(url, EVENT, signature(EVENT, { id }));
    await until('one delivery', () => taken.length, 1);
    expect(taken[0]!.receivedAt).toBe(created * 1_000_000);
  });

  test('the header names of Standard Webhooks are accepted too', async () => {
    const { url } = await serve();
    expect(await post(url, EVENT, signature(EVENT, { prefix: 'webhook' }))).toMatchObject({ status: 204 });
  });

  test.each([
    [
      'without a signature',
      {},
      'The request is not signed. It needs the headers svix-id, svix-timestamp and svix-signature (or webhook-…).',
    ],
    ['with a wrong signature', signature('{}'), 'The signature fits none of the secrets of this endpoint.'],
    [
      'with a different secret',
      signature(EVENT, { secret: NEW_SECRET }),
      'The signature fits none of the secrets of this endpoint.',
    ],
    ['with an old timestamp', signature(EVENT, { at: NOW / 1000 - 400 }), 'The signed timestamp is too old.'],
    ['with a future timestamp', signature(EVENT, { at: NOW / 1000 + 400 }), 'The signed timestamp is in the future.'],
  ])('a request %s is answered with 401 and stored nowhere', async (_, headers, message) => {
    const { url, intake } = await serve();
    expect(await post(url, EVENT, headers)).toEqual({ status: 401, message, retryAfter: null });
    expect(intake.backlogBytes()).toBe(0);
  });

  test.each(clockChanges)(
    'after the system clock is %s, messages with the real time are accepted, and old ones are not',
    async (_, jump) => {
      const clock = moveClocks(NOW);
      const { url } = await serve();
      clock.set(jump);
      expect(await post(url, EVENT, signature(EVENT))).toMatchObject({ status: 204 });
      // The clock may have been wrong before, so messages with its new time are accepted, too.
      expect(await post(url, EVENT, signature(EVENT, { at: (NOW + jump) / 1000 }))).toMatchObject({ status: 204 });
      expect(await post(url, EVENT, signature(EVENT, { at: NOW / 1000 - 400 }))).toMatchObject({ status: 401 });
      expect(await post(url, EVENT, signature(EVENT, { at: (NOW + jump) / 1000 - 400 }))).toMatchObject({ status: 401 });
    },
  );

  test.each([
    ['invalid JSON', '{"event_type":'],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe])],
    ['an array', '[]'],
    ['nothing', ''],
  ])('%s with a valid signature is acknowledged, because a retry would not help', async (_, body) => {
    const { url, taken } = await serve();
    const { createHmac } = await import('node:crypto');
    const at = String(NOW / 1000);
    const mac = createHmac('sha256', Buffer.alloc(24, 7)).update(`${ID}.${at}.`).update(body).digest('base64');
    const headers = { 'svix-id': ID, 'svix-timestamp': at, 'svix-signature': `v1,${mac}` };
    expect(await post(url, body, headers)).toMatchObject({ status: 204 });
    await until('one delivery', () => taken.length, 1);
    expect(taken[0]!.body).toEqual(Buffer.from(body));
    expect(taken[0]!.headers.has('event-type')).toBe(false);
  });

  test('any content type is accepted, and a gzip body keeps its bytes and its facts', async () => {
    const { url, taken } = await serve();
    const zipped = gzipSync(EVENT);
    const { createHmac } = await import('node:crypto');
    const at = String(NOW / 1000);
    const mac = createHmac('sha256', Buffer.alloc(24, 7)).update(`${ID}.${at}.`).update(zipped).digest('base64');
    const headers = { 'svix-id': ID, 'svix-timestamp': at, 'svix-signature': `v1,${mac}`, 'content-encoding': 'gzip' };
    expect(await post(url, zipped, { ...headers, 'content-type': 'text/plain' })).toMatchObject({ status: 204 });
    await until('one delivery', () => taken.length, 1);
    expect(taken[0]!.body).toEqual(zipped);
    expect(taken[0]!.headers.get('user-id')).toBe('u-1');
  });

  test('a body larger than body_bytes is answered with 413, whether or not its length is declared', async () => {
    const { url, port, intake } = await serve({ body_bytes: 1024 });
    const body = 'x'.repeat(1025);
    expect(await post(url, body, signature(body))).toMatchObject({
      status: 413,
      message: 'The body is larger than this endpoint accepts.',
    });
    expect(await chunked(port, body, signature(body))).toBe(413);
    const fits = 'x'.repeat(1024);
    expect(await chunked(port, fits, signature(fits))).toBe(204);
    expect(intake.backlogBytes()).toBeGreaterThan(0);
  });

  test('a declared body of 100 MB is refused before it is sent', async () => {
    const { port } = await serve();
    const socket = await raw(
      port,
      `POST /webhook HTTP/1.1\r\nhost: x\r\ncontent-length: 100000000\r\n${lines(signature('x'))}\r\n`,
    );
    expect(await answerOf(socket)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('methods other than POST are answered with 405, and other paths with 404', async () => {
    const { url } = await serve();
    const got = await fetch(url);
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await fetch(new URL('/other', url), { method: 'POST', body: EVENT })).status).toBe(404);
  });

  test('/livez and /readyz answer on the same port, without details', async () => {
    const { url } = await serve();
    expect(await (await fetch(new URL('/livez', url))).text()).toBe('alive\n');
    expect((await fetch(new URL('/readyz', url))).status).toBe(200);
    const ended = progress.wait('run', 'a secret reason', { deadlineMs: 0 });
    const red = await fetch(new URL('/readyz', url));
    expect([red.status, await red.text()]).toEqual([503, 'not ready\n']);
    ended();
  });

  test('no request is refused while both secrets are listed, under load', async () => {
    const { url, taken } = await serve({ secrets: [NEW_SECRET, SECRET] });
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const secret = at % 2 === 0 ? SECRET : NEW_SECRET;
        return (await post(url, EVENT, signature(EVENT, { secret, id: `msg_${at}` }))).status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([204]));
    await until('all deliveries', () => taken.length, 200);
  });

  test('no request is refused while the secret is rotated', async () => {
    const old = await serve({ name: 'old', secrets: [SECRET] });
    const both = await serve({ name: 'both', secrets: [NEW_SECRET, SECRET] });
    const next = await serve({ name: 'next', secrets: [NEW_SECRET] });
    const status = async ({ url }: Running, secret: string) => (await post(url, EVENT, signature(EVENT, { secret }))).status;
    expect([await status(old, SECRET), await status(both, SECRET)]).toEqual([204, 204]);
    expect([await status(both, NEW_SECRET), await status(next, NEW_SECRET)]).toEqual([204, 204]);
    expect([await status(old, NEW_SECRET), await status(next, SECRET)]).toEqual([401, 401]);
  });

  test('two sources share an address if their paths differ', async () => {
    const [port] = await freePorts(1);
    const first = await serve({ name: 'first', listen: `127.0.0.1:${port}`, path: '/a' });
    const second = await serve({ name: 'second', listen: `127.0.0.1:${port}`, path: '/b' });
    for (const { url } of [first, second, first]) await post(url, EVENT, signature(EVENT));
    await until('the deliveries of both sources', () => [first.taken.length, second.taken.length], [2, 1]);
  });

  test('an address in use is an error with the address', async () => {
    const { port } = await serve();
    await expect(serve({ name: 'other', listen: `127.0.0.1:${port}` })).rejects.toMatchObject({
      code: 'AORTA-WEBHOOK-LISTEN',
      message: `The webhook endpoint cannot listen on 127.0.0.1:${port} (EADDRINUSE: another program uses this address).`,
    });
  });
});

describe('backpressure', () => {
  test('503 with Retry-After while too many bytes are not durable, and 204 afterwards', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { url, source } = await serve(
      { held_bytes: 1024 * 1024, body_bytes: 1024 * 1024 },
      {
        wrap: (intake) => {
          const append = intake.append.bind(intake);
          intake.append = (message) => held.then(() => append(message));
          return intake;
        },
      },
    );
    const body = 'x'.repeat(1024 * 1024);
    const first = post(url, body, signature(body));
    await until('the first body', () => source.heldBytes, body.length);
    expect(await post(url, EVENT, signature(EVENT))).toEqual({
      status: 503,
      message: 'Too many requests are being processed. Try again.',
      retryAfter: '1',
    });
    release();
    expect((await first).status).toBe(204);
    expect((await post(url, EVENT, signature(EVENT))).status).toBe(204);
  });

  test('429 with Retry-After while the backlog is too large', async () => {
    const { url } = await serve(
      { backlog_bytes: 1024 * 1024 },
      {
        wrap: (intake) => {
          intake.backlogBytes = () => 2 * 1024 * 1024;
          return intake;
        },
      },
    );
    expect(await post(url, EVENT, signature(EVENT))).toMatchObject({ status: 429, retryAfter: '30' });
  });

  test('503 and a red readiness while messages cannot be stored, and 204 as soon as they can', async () => {
    let full = true;
    const logged: string[] = [];
    const note = (msg: string): void => void logged.push(msg);
    const logger: Logger = { ...silentLogger, error: note, info: note };
    const { url } = await serve(
      {},
      {
        logger,
        wrap: (intake) => {
          const append = intake.append.bind(intake);
          intake.append = (message) =>
            full ? Promise.reject(new AortaError('AORTA-DATA-UNWRITABLE', { path: 'x', code: 'EIO' })) : append(message);
          return intake;
        },
      },
    );
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await post(url, EVENT, signature(EVENT))).toEqual({
        status: 503,
        message: 'The message could not be stored. Try again.',
        retryAfter: '30',
      });
    }
    expect(progress.stalls().map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^the intake log of source webhook has not been read for \d+ s: .*EIO/),
    ]);
    full = false;
    expect((await post(url, EVENT, signature(EVENT))).status).toBe(204);
    expect(progress.stalls()).toEqual([]);
    expect(logged.filter((msg) => msg.startsWith('messages'))).toEqual([
      'messages cannot be stored',
      'messages are stored again',
    ]);
  });

  test('after a full disk, the endpoint is ready as soon as there is space, and reports the first stored message', async () => {
    let full = true;
    const logged: string[] = [];
    const note = (msg: string): void => void logged.push(msg);
    const { url } = await serve(
      {},
      {
        logger: { ...silentLogger, error: note, info: note },
        wrap: (intake) => {
          const append = intake.append.bind(intake);
          const error = new AortaError('AORTA-DATA-UNWRITABLE', { path: join(folder, 'x'), code: 'ENOSPC' });
          intake.append = (message) => (full ? Promise.reject(error) : append(message));
          return intake;
        },
      },
    );
    expect((await post(url, EVENT, signature(EVENT))).status).toBe(503);
    // A load balancer sends no message to an endpoint that is not ready.
    await until('readiness without a message', () => progress.stalls().length, 0);
    expect(logged).not.toContain('messages are stored again');
    full = false;
    expect((await post(url, EVENT, signature(EVENT))).status).toBe(204);
    expect(logged.filter((msg) => msg.startsWith('messages'))).toEqual([
      'messages cannot be stored',
      'messages are stored again',
    ]);
  });

  test('a source that is closed before a message is stored does not report that messages are stored again', async () => {
    const logged: string[] = [];
    const { url, close } = await serve(
      {},
      {
        logger: { ...silentLogger, info: (msg) => void logged.push(msg) },
        wrap: (intake) => {
          intake.append = () => Promise.reject(new AortaError('AORTA-DATA-UNWRITABLE', { path: 'x', code: 'EIO' }));
          return intake;
        },
      },
    );
    expect((await post(url, EVENT, signature(EVENT))).status).toBe(503);
    await close();
    expect(progress.stalls()).toEqual([]);
    expect(logged).not.toContain('messages are stored again');
  });

  test('a stopping source answers new requests with 503, and stores what it has accepted', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { url, source } = await serve(
      {},
      {
        wrap: (intake) => {
          const append = intake.append.bind(intake);
          intake.append = (message) => held.then(() => append(message));
          return intake;
        },
      },
    );
    const accepted = post(url, EVENT, signature(EVENT));
    await until('the message in storage', () => source.storing, 1);
    const closed = source.close();
    expect(await post(url, EVENT, signature(EVENT))).toEqual({
      status: 503,
      message: 'The endpoint is stopping. Try again.',
      retryAfter: '5',
    });
    release();
    expect((await accepted).status).toBe(204);
    await closed;
    await expect(post(url, EVENT, signature(EVENT))).rejects.toThrow();
  });
});

describe('slow and broken senders', () => {
  test('a body that ends early is stored nowhere', async () => {
    const { port, intake, url } = await serve();
    const socket = await raw(
      port,
      `POST /webhook HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n${lines(signature('x'))}\r\nhalf`,
    );
    socket.destroy();
    expect((await post(url, EVENT, signature(EVENT))).status).toBe(204);
    await until('the backlog', () => intake.backlogBytes());
  });

  test('a body that does not arrive in time is answered with 408, and later requests are served', async () => {
    const { port, url, source } = await serve({}, { bodyMs: 200 });
    const head = `POST /webhook HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n${lines(signature('x'))}\r\nslow`;
    expect(await answerOf(await raw(port, head))).toMatch(/^HTTP\/1\.1 408 .*The request did not arrive in time/s);
    expect(source.heldBytes).toBe(0);
    expect((await post(url, EVENT, signature(EVENT))).status).toBe(204);
  });

  test('an endless body is cut off at body_bytes', async () => {
    const { port, source } = await serve({ body_bytes: 1024 * 1024 });
    const socket = await raw(
      port,
      `POST /webhook HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n${lines(signature('x'))}\r\n`,
    );
    const answer = once(socket, 'data');
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    for (let sent = 0; sent < 100 && !socket.destroyed; sent += 1) socket.write(chunk);
    expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
    await until('the end of the body', () => source.heldBytes, 0);
  });
});

async function answerOf(socket: Socket): Promise<string> {
  const [chunk] = await once(socket, 'data');
  socket.destroy();
  return String(chunk);
}

/** Sends a body in chunks, without declaring its length. Returns the status. */
function chunked(port: number, body: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = request({ port, host: '127.0.0.1', method: 'POST', path: '/webhook', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    });
    sending.on('error', reject);
    sending.write(body.slice(0, 500));
    setImmediate(() => sending.end(body.slice(500)));
  });
}
