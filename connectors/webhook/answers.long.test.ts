import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AortaError, Progress } from '@aorta/runtime';
import { createMetrics } from '@aorta/runtime/prometheus';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newAuthority } from '../../infra/machine/certificate.ts';
import { freePorts } from '../../infra/machine/ports.ts';
import { inTime, until } from '../../infra/machine/waiting.fixture.ts';
import { sourceMetrics } from '../sources/metrics.ts';
import { webhookMetrics } from './metrics.ts';
import { EVENT, lines, NOW, type Running, raw, type ServeOptions, serveEndpoint, signature } from './served.fixture.ts';

let folder: string;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  vi.setSystemTime(NOW);
  folder = await mkdtemp(join(tmpdir(), 'hook-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(folder, { recursive: true });
  vi.useRealTimers();
});

const newMetrics = () => createMetrics({ catalogue: { ...sourceMetrics, ...webhookMetrics } });

interface Counted extends Running {
  /** Returns the number of requests by result. */
  counts(): Promise<Record<string, number>>;
}

/** Serves an endpoint until the end of the test. */
async function serve(
  settings: ServeOptions['settings'] = {},
  options: Omit<ServeOptions, 'folder' | 'settings' | 'metrics'> = {},
): Promise<Counted> {
  const metrics = newMetrics();
  const running = await serveEndpoint({ folder, settings, metrics, ...options });
  closing.push(running.close);
  return { ...running, counts: () => countsOf(metrics, running.source.name) };
}

async function countsOf(metrics: { text(): Promise<string> }, source: string): Promise<Record<string, number>> {
  const pattern = new RegExp(`^aorta_webhook_requests_total\\{source="${source}",result="(\\w+)"\\} (\\d+)$`, 'gm');
  return Object.fromEntries([...(await metrics.text()).matchAll(pattern)].map(([, result, count]) => [result, Number(count)]));
}

/** Returns everything that the server sends until it closes the connection. */
async function received(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await inTime('the end of the connection', once(socket, 'close'), () => text);
  return text;
}

/** Bytes that a sender writes. After `early`, it ends its side of the connection. */
type Sent = string | Buffer | { readonly early: string };

async function send(port: number, sent: Sent, connection?: { readonly isTls: boolean }): Promise<Socket> {
  if (typeof sent === 'string' || Buffer.isBuffer(sent)) return raw(port, sent, connection);
  const socket = await raw(port, sent.early, connection);
  return socket.end();
}

/** Sends a request, and returns the statuses of all answers except `100 Continue`. */
async function statuses(port: number, sent: Sent, connection?: { readonly isTls: boolean }): Promise<number[]> {
  const text = await received(await send(port, sent, connection));
  return [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status)).filter((status) => status !== 100);
}

interface Shape {
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
  readonly signed?: Record<string, string>;
  readonly head?: string;
  readonly length?: string;
}

/** Returns the bytes of a signed request. `head`: more lines of the head, as Latin-1. */
function request({
  method = 'POST',
  path = '/webhook',
  body = EVENT,
  signed = signature(body),
  head = '',
  length,
}: Shape = {}): Buffer {
  const size = length ?? `content-length: ${Buffer.byteLength(body)}\r\n`;
  const text = `${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${lines(signed)}${head}${size}\r\n`;
  return Buffer.concat([Buffer.from(text, 'latin1'), Buffer.from(body, 'utf8')]);
}

const chunks = (...parts: string[]): string =>
  parts.map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`).join('');

describe('a signed request is accepted', () => {
  const long = `application/json; ${'x'.repeat(12_000)}`;
  test.each<[string, string, string | undefined]>([
    ['without a content type', '', undefined],
    ['with an empty content type', 'content-type:\r\n', ''],
    ['with a blank content type', 'content-type:  \t \r\n', ''],
    ['with JSON', 'content-type: application/json\r\n', 'application/json'],
    ['with a content type in capitals', 'CONTENT-TYPE: APPLICATION/JSON\r\n', 'APPLICATION/JSON'],
    ['with a charset', 'content-type: application/json; charset=UTF-8\r\n', 'application/json; charset=UTF-8'],
    ['with an unknown charset', 'content-type: application/json;charset=ebcdic\r\n', 'application/json;charset=ebcdic'],
    ['with the type of CloudEvents', 'content-type: application/cloudevents+json\r\n', 'application/cloudevents+json'],
    [
      'with two types that a proxy has joined',
      'content-type: application/json, application/json\r\n',
      'application/json, application/json',
    ],
    ['with two content types', 'content-type: text/plain\r\ncontent-type: application/json\r\n', 'text/plain'],
    ['with plain text', 'content-type: text/plain\r\n', 'text/plain'],
    ['with the type of a form', 'content-type: application/x-www-form-urlencoded\r\n', 'application/x-www-form-urlencoded'],
    ['with a multipart type without a boundary', 'content-type: multipart/form-data\r\n', 'multipart/form-data'],
    ['with one word', 'content-type: json\r\n', 'json'],
    ['with only a slash', 'content-type: /\r\n', '/'],
    ['with only a parameter', 'content-type: ; charset=utf-8\r\n', '; charset=utf-8'],
    ['with an unclosed quote', 'content-type: application/json; charset="utf-8\r\n', 'application/json; charset="utf-8'],
    ['with signs outside ASCII', 'content-type: application/jsön\r\n', 'application/jsön'],
    ['with a content type of 12 KB', `content-type: ${long}\r\n`, long],
    ['with the name of a member of every object', 'content-type: __proto__\r\n', '__proto__'],
  ])('%s', async (_, head, kept) => {
    const { port, taken, counts } = await serve();
    expect(await statuses(port, request({ head }))).toEqual([204]);
    await until('the delivery', () => taken.length, 1);
    expect(taken[0]!.body.toString()).toBe(EVENT);
    expect(taken[0]!.headers.get('content-type')).toBe(kept);
    expect(taken[0]!.headers.get('event-type')).toBe('daily.data.sleep.created');
    expect(await counts()).toEqual({ accepted: 1 });
  });

  test('with any content type and any body, which is stored unchanged', async () => {
    const { port, taken } = await serve();
    let sent = 0;
    const value = fc.stringMatching(/^[!-~\u00a0-\u00ff]([\t -~\u00a0-\u00ff]{0,40}[!-~\u00a0-\u00ff])?$/);
    await fc.assert(
      fc.asyncProperty(value, fc.string({ unit: 'grapheme', maxLength: 50 }), async (type, body) => {
        const signed = signature(body, { id: `msg_${sent}` });
        expect(await statuses(port, request({ body, signed, head: `content-type: ${type}\r\n` }))).toEqual([204]);
        sent += 1;
        await until('the delivery', () => taken.length, sent);
        const delivery = taken.find(({ headers }) => headers.get('svix-id') === signed['svix-id'])!;
        expect([delivery.headers.get('content-type'), delivery.body.toString()]).toEqual([type, body]);
      }),
      { numRuns: 40 },
    );
  });

  test.each<[string, Shape]>([
    ['with a content encoding that the body does not have', { head: 'content-encoding: br\r\n' }],
    [
      'in chunks',
      {
        length: 'transfer-encoding: chunked\r\n',
        body: chunks(EVENT.slice(0, 20), EVENT.slice(20), ''),
        signed: signature(EVENT),
      },
    ],
    ['with an expectation that the endpoint does not know', { head: 'expect: 200-ok\r\n' }],
    ['that waits for `100 Continue`', { head: 'expect: 100-continue\r\n' }],
    ['that offers a different protocol', { head: 'upgrade: h2c\r\n' }],
    ['with a version of the API', { head: 'accept-version: 7\r\n' }],
    ['with a query', { path: '/webhook?a=%zz' }],
  ])('%s', async (_, shape) => {
    const { port, taken, counts } = await serve();
    expect(await statuses(port, request(shape))).toEqual([204]);
    await until('the delivery', () => taken.map(({ body }) => body.toString()), [EVENT]);
    expect(await counts()).toEqual({ accepted: 1 });
  });
});

/** A request, and the status and the result in the metric with which it is refused. */
type Provocation = readonly [what: string, status: number, result: string, sent: Sent];
const post = 'POST /webhook HTTP/1.1\r\nhost: x\r\n';
const started = `${post}connection: close\r\n${lines(signature(EVENT))}`;
const refused: readonly Provocation[] = [
  ['text that is not HTTP', 400, 'malformed', 'hello\r\n\r\n'],
  ['HTTP/2 without an agreement', 400, 'malformed', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['an unknown method', 400, 'malformed', 'FROB /webhook HTTP/1.1\r\nhost: x\r\n\r\n'],
  [
    'a request without a host',
    400,
    'malformed',
    `POST /webhook HTTP/1.1\r\ncontent-length: 2\r\n${lines(signature('{}'))}\r\n{}`,
  ],
  ['a header without a colon', 400, 'malformed', `${post}header\r\n\r\n`],
  ['a control character in a header', 400, 'malformed', `${post}content-type: a\u0001b\r\n\r\n`],
  ['a length that is not a number', 400, 'malformed', `${post}content-length: ten\r\n\r\n`],
  ['two lengths', 400, 'malformed', `${post}content-length: 1\r\ncontent-length: 2\r\n\r\n`],
  ['a length and chunks', 400, 'malformed', `${post}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`],
  ['a head that ends early', 400, 'malformed', { early: 'POST /webhook HT' }],
  ['a body that ends early', 400, 'broken_off', { early: `${started}content-length: 100\r\n\r\nhalf` }],
  ['a transfer encoding without chunks', 400, 'broken_off', `${post}transfer-encoding: gzip\r\n\r\n`],
  ['a signed request with such an encoding', 400, 'broken_off', `${started}transfer-encoding: gzip\r\n\r\n${EVENT}`],
  ['a chunk without a size', 400, 'broken_off', `${started}transfer-encoding: chunked\r\n\r\nzz\r\n`],
  ['a chunk with a long extension', 400, 'broken_off', `${started}transfer-encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\n`],
  ['no signature', 401, 'unsigned', request({ signed: {} })],
  ['no signature and a malformed content type', 401, 'unsigned', request({ signed: {}, head: 'content-type: a, b\r\n' })],
  ['a signature of a different body', 401, 'wrong_signature', request({ signed: signature('{}') })],
  ['an old timestamp', 401, 'old', request({ signed: signature(EVENT, { at: NOW / 1000 - 400 }) })],
  ['a timestamp in the future', 401, 'future', request({ signed: signature(EVENT, { at: NOW / 1000 + 400 }) })],
  ['an unknown path', 404, 'path', request({ path: '/other' })],
  ['a malformed path', 404, 'path', request({ path: '/%zz' })],
  ['a long path', 404, 'path', request({ path: `/${'a'.repeat(8_000)}` })],
  ['an unknown path with a method of WebDAV', 404, 'path', request({ path: '/other', method: 'PROPFIND' })],
  ...['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY'].map(
    (method): Provocation => [`the method ${method}`, 405, 'method', request({ method })],
  ),
  ['headers that do not arrive in time', 408, 'too_slow', `${post}svix-id: `],
  ['a connection without a request', 408, 'too_slow', ''],
  ['a body that does not arrive in time', 408, 'too_slow', `${started}content-length: 100\r\n\r\nslow`],
  ['a body with a large declared length', 413, 'too_large', `${started}content-length: 100000000\r\n\r\n`],
  ['a body that grows too large', 413, 'too_large', `${started}transfer-encoding: chunked\r\n\r\n${chunks('x'.repeat(2000))}`],
  ['headers above 16 KB', 431, 'headers_too_large', request({ head: `x: ${'x'.repeat(17_000)}\r\n` })],
  ['a path above 16 KB', 431, 'headers_too_large', request({ path: `/${'a'.repeat(17_000)}` })],
];

const limits = { headersMs: 300, bodyMs: 300 };

/** Answers that depend on the state of the endpoint. */
const states: Readonly<Record<string, () => Promise<Counted>>> = {
  'backlog 429': () => serve({}, { wrap: (intake) => Object.assign(intake, { backlogBytes: () => Number.MAX_SAFE_INTEGER }) }),
  'failed 500': () =>
    serve(
      {},
      {
        wrap: (intake) => {
          let calls = 0;
          // The first call is by the check of the request. The metrics call it, too.
          return Object.assign(intake, {
            backlogBytes: () => {
              calls += 1;
              if (calls === 1) throw new TypeError('a bug');
              return 0;
            },
          });
        },
      },
    ),
  'unwritable 503': () =>
    serve(
      {},
      {
        wrap: (intake) =>
          Object.assign(intake, {
            append: () => Promise.reject(new AortaError('AORTA-DATA-UNWRITABLE', { path: 'x', code: 'ENOSPC' })),
          }),
      },
    ),
  'held 503': async () => {
    const { running } = await storing({ held_bytes: 1024 * 1024 }, 'x'.repeat(1024 * 1024));
    return running;
  },
  'stopping 503': async () => {
    const { running, release } = await storing({}, EVENT);
    const closed = running.close();
    closing.push(async () => {
      release();
      await closed;
    });
    return running;
  },
};

/** Serves an endpoint that has a request with this body, and stores it only at the end of the test. */
async function storing(
  settings: ServeOptions['settings'],
  body: string,
): Promise<{ readonly running: Counted; release(): void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const wrap: ServeOptions['wrap'] = (intake) => Object.assign(intake, { append: () => promise });
  const running = await serve(settings, { wrap });
  const sending = await raw(running.port, request({ body }));
  closing.push(async () => {
    sending.destroy();
    resolve();
  });
  await until('the stored message', () => running.source.storing, 1);
  return { running, release: resolve };
}

describe('every answer is counted once', () => {
  test.each(refused)('%s: %i %s', async (_, status, result, sent) => {
    const { port, taken, counts } = await serve({ body_bytes: 1024 }, limits);
    const answers = await statuses(port, sent);
    expect(answers).toEqual([status]);
    await until('the count', counts, { [result]: 1 });
    expect(taken).toEqual([]);
  });

  test.each(Object.keys(states))('%s', async (name) => {
    const [result, status] = name.split(' ');
    const { port, counts } = await states[name]!();
    expect(await statuses(port, request())).toEqual([Number(status)]);
    await until('the count', counts, { [result!]: 1 });
  });

  test('over TLS, the answers are the same', async () => {
    const { chain, key } = newAuthority('localhost');
    const tls = { cert_file: join(folder, 'cert.pem'), key_file: join(folder, 'key.pem') };
    await Promise.all([writeFile(tls.cert_file, chain), writeFile(tls.key_file, key)]);
    const { port, counts } = await serve({ tls, body_bytes: 1024 }, limits);
    expect(await statuses(port, request({ head: 'content-type: a, b\r\n' }), { isTls: true })).toEqual([204]);
    for (const [what, status, , sent] of refused) {
      expect([what, ...(await statuses(port, sent, { isTls: true }))]).toEqual([what, status]);
    }
    const expected = Map.groupBy(refused, ([, , result]) => result);
    await until('the counts', counts, {
      accepted: 1,
      ...Object.fromEntries([...expected].map(([result, all]) => [result, all.length])),
    });
  });

  test('a refusal says why in JSON, and closes the connection', async () => {
    const { port } = await serve({ body_bytes: 1024 }, limits);
    for (const [, , , sent] of refused.filter(([what]) => what !== 'the method HEAD')) {
      const text = await received(await send(port, sent));
      expect(text).toMatch(/^connection: close\r$/im);
      expect(JSON.parse(text.split('\r\n\r\n')[1]!)).toEqual({ message: expect.stringMatching(/^[A-Z].*\.$/) });
    }
  });

  test('requests without a path of an endpoint count for the first source at the address', async () => {
    const [port] = await freePorts(1);
    const first = await serve({ name: 'first', listen: `127.0.0.1:${port}`, path: '/a' });
    const second = await serve({ name: 'second', listen: `127.0.0.1:${port}`, path: '/b' });
    for (const path of ['/a', '/b', '/b', '/c', '/%zz']) await statuses(port!, request({ path }));
    await statuses(port!, 'hello\r\n\r\n');
    expect([await first.counts(), await second.counts()]).toEqual([{ accepted: 1, path: 2, malformed: 1 }, { accepted: 2 }]);
  });

  test('probes count, but connections that break and requests that end without an answer do not', async () => {
    const progress = new Progress();
    const { port, source, counts } = await serve({}, { progress });
    const probe = (path: string) => statuses(port, request({ path, method: 'GET' }));
    for (const path of ['/livez', '/readyz', '/livez?x']) expect(await probe(path)).toEqual([200]);
    progress.wait('run', 'a reason', { deadlineMs: 0 });
    expect(await probe('/readyz')).toEqual([503]);
    (await raw(port, '')).destroy();
    (await raw(port, 'POST /web')).resetAndDestroy();
    expect(await statuses(port, { early: '' })).toEqual([]);
    expect(await statuses(port, request({ method: 'CONNECT', path: 'x:1' }))).toEqual([]);
    expect(await counts()).toEqual({ probe: 4 });
    expect(source.heldBytes).toBe(0);
  });

  test('a malformed request does not change the answer to an earlier one on the same connection', async () => {
    const { port, counts } = await serve();
    const first = String(request()).replace('connection: close\r\n', '');
    const socket = await raw(port, first);
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 204 /);
    socket.write('hello\r\n\r\n');
    expect(await received(socket)).toMatch(/^HTTP\/1\.1 400 /);
    expect(await counts()).toEqual({ accepted: 1, malformed: 1 });
  });
});

test('the guide and the reference list the answers and results that the tests above provoke, and no others', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/webhooks.md'), 'utf8');
  const rows = [...guide.matchAll(/^\| (\d{3}) +\| (.+?) +\|/gm)].flatMap(([, status, results]) =>
    results!.split(', ').map((result) => `${result.replaceAll('`', '')} ${status}`),
  );
  const provoked = [
    ...refused.map(([, status, result]) => `${result} ${status}`),
    ...Object.keys(states),
    'accepted 204',
    'probe 200',
    'probe 503',
  ];
  expect(rows.toSorted()).toEqual([...new Set(provoked)].toSorted());
  const label = webhookMetrics.aorta_webhook_requests_total.labels.result;
  expect([...label.matchAll(/`(\w+)`/g)].map(([, result]) => result).toSorted()).toEqual(
    [...new Set(provoked.map((pair) => pair.split(' ')[0]))].toSorted(),
  );
});
