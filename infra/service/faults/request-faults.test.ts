import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { until } from '../../machine/waiting.fixture.ts';
import { operation } from '../api/operation.ts';
import { createApi, type ServedApi, serveApi } from '../api/server.ts';
import { Service } from '../service.ts';
import { faultRuleSchema } from './fault-rule.ts';
import { actOnRequests } from './request-faults.ts';

/** A list of three pages. The cursor is the number of the page. */
const paged = operation({
  id: 'paged',
  method: 'GET',
  path: '/paged',
  tag: 'test',
  summary: 'Lists.',
  query: z.object({ next_cursor: z.enum(['1', '2']).default('1') }),
  answers: {
    200: { description: 'A page.', schema: z.object({ page: z.int(), next_cursor: z.string().nullable() }) },
  },
  handle: ({ query: { next_cursor } }) => {
    const page = Number(next_cursor);
    return { status: 200, body: { page, next_cursor: page === 2 ? null : String(page + 1) } };
  },
});

const START = Date.UTC(2025, 9, 31);

let service: Service;
let api: ServedApi;
let headers: Record<string, string>;
let user: string;
/** The delays that have begun. Each lasts until the test calls `end` or the client leaves. */
let delays: { readonly ms: number; readonly signal: AbortSignal; readonly end: () => void }[];
beforeEach(async () => {
  delays = [];
  const wait = (ms: number, signal: AbortSignal) =>
    new Promise<void>((end, reject) => {
      delays.push({ ms, signal, end });
      signal.addEventListener('abort', reject);
    });
  service = new Service({ start: START, runs: false });
  const app = createApi([...service.operations, paged], service.authentication, (made) => actOnRequests(made, service, wait));
  api = await serveApi(app);
  const { team_id, api_key } = service.teams.create('first');
  headers = { 'x-service-api-key': api_key };
  user = (service.users.create(team_id, 'c-1', {}) as { user_id: string }).user_id;
});
afterEach(async () => {
  await api.close();
  await service.close();
});

const add = (rule: object) => service.faults.add(faultRuleSchema.parse({ on: 'operation', ...rule }));
const ask = (path: string, options: RequestInit = {}) => fetch(`${api.url}${path}`, { headers, ...options });

test('a status replaces the answer so often, and the operation is not done', async () => {
  add({ match: { operation: 'delete_user' }, times: 2, effect: { kind: 'status', status: 503 } });
  for (const expected of [503, 503, 200]) {
    const answer = await ask(`/v2/user/${user}`, { method: 'DELETE' });
    expect(answer.status).toBe(expected);
    if (expected === 503) expect(await answer.json()).toEqual({ detail: 'Service Unavailable' });
  }
  expect((await ask('/v2/user')).status).toBe(200);
});

test('Retry-After is a number of seconds, or a date by the virtual clock', async () => {
  const effect = { kind: 'status', status: 429 };
  add({ times: 1, effect: { ...effect, retry_after: { seconds: 7 } } });
  add({ times: 1, effect: { ...effect, retry_after: { seconds: 7, form: 'date' } } });
  expect((await ask('/v2/user')).headers.get('retry-after')).toBe('7');
  expect((await ask('/v2/user')).headers.get('retry-after')).toBe('Fri, 31 Oct 2025 00:00:07 GMT');
});

test('a status may have any body, such as an HTML page with status 200', async () => {
  add({ effect: { kind: 'status', status: 200, body: '<title>Sign in</title>', content_type: 'text/html' } });
  const answer = await ask('/v2/user');
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
    200,
    'text/html',
    '<title>Sign in</title>',
  ]);
});

test('a closed beta is told as text before November 2025, as JSON since, and only to the selected team', async () => {
  const { team_id, api_key } = service.teams.create('second');
  add({ match: { team_id }, effect: { kind: 'closed_beta' } });
  const refused = () => ask('/v2/user', { headers: { 'x-vital-api-key': api_key } });
  const text = await refused();
  expect([text.status, text.headers.get('content-type')]).toEqual([403, 'text/plain; charset=utf-8']);
  expect(await text.text()).toMatch(/^This endpoint is in closed beta/);
  await service.jobs.advanceTo(START + 86_400_000);
  const json = await refused();
  expect(json.status).toBe(403);
  expect(await json.json()).toEqual({ detail: expect.stringMatching(/^This endpoint is in closed beta/) });
  expect((await ask('/v2/user')).status).toBe(200);
});

test('a fixed answer serves a path that no operation has, to requests with a key', async () => {
  const match = { method: 'GET', path: '/v3/order/{order_id}/nothing' };
  add({ match: { ...match, query: { page: '2' } }, effect: { kind: 'answer', body: [] } });
  add({ match, effect: { kind: 'answer', body: { results: [{ slug: 'glucose' }] } } });
  expect(await (await ask('/v3/order/1/nothing')).json()).toEqual({ results: [{ slug: 'glucose' }] });
  expect(await (await ask('/v3/order/1/nothing?page=2')).json()).toEqual([]);
  expect((await ask('/v3/order/1/nothing', { headers: {} })).status).toBe(401);
  expect((await ask('/v3/order/1/nothing', { method: 'POST' })).status).toBe(404);
  expect((await ask('/v3/other/1')).status).toBe(404);
});

/** Sends a request over a socket of its own. Returns the bytes that arrive, and the error that ends the connection. */
async function bytesOf(method: string, path: string, body = ''): Promise<{ text: string; error: string | undefined }> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  let [text, error]: [string, string | undefined] = ['', undefined];
  socket.on('data', (part) => {
    text += part.toString();
  });
  socket.on('error', (found: NodeJS.ErrnoException) => {
    error = found.code;
  });
  const lines = [`${method} ${path} HTTP/1.1`, 'host: service', `x-service-api-key: ${headers['x-service-api-key']}`];
  if (body !== '') lines.push('content-type: application/json', `content-length: ${body.length}`);
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  await new Promise((resolve) => void socket.on('close', resolve));
  return { text, error };
}

test('a reset before the answer breaks the connection, and the operation is not done', async () => {
  add({ times: 1, effect: { kind: 'reset' } });
  const body = JSON.stringify({ client_user_id: 'c-2' });
  expect(await bytesOf('POST', '/v2/user', body)).toEqual({ text: '', error: 'ECONNRESET' });
  expect((await ask('/v2/user/resolve/c-2')).status).toBe(404);
});

test.each([0, 40])('a reset after %i bytes sends the head and so much of the body, and the operation is done', async (count) => {
  add({ times: 1, effect: { kind: 'reset', after_bytes: count } });
  const { text, error } = await bytesOf('POST', '/v2/user', JSON.stringify({ client_user_id: 'c-2' }));
  expect(error).toBe('ECONNRESET');
  const [head, half] = text.split('\r\n\r\n') as [string, string];
  const whole = await (await ask('/v2/user/resolve/c-2')).text();
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(head.toLowerCase()).toContain(`\r\ncontent-length: ${whole.length}`);
  expect(half).toBe(whole.slice(0, count));
});

test('a hanging request gets no answer, others do, and the server can still be closed', async () => {
  add({ times: 1, match: { operation: 'list_users' }, effect: { kind: 'hang' } });
  const hanging = ask('/v2/user').then(
    () => 'answered',
    () => 'broken',
  );
  await until('the hanging request', () => service.faults.list()[0]!.used, 1);
  expect((await ask('/v2/user')).status).toBe(200);
  await api.close();
  expect(await hanging).toBe('broken');
});

test('an operation is done only after its delay', async () => {
  add({ times: 1, match: { operation: 'delete_user' }, delay_ms: 150 });
  const deletion = ask(`/v2/user/${user}`, { method: 'DELETE' });
  await until('the delay of the deletion', () => delays.map(({ ms }) => ms), [150]);
  expect((await ask(`/v2/user/${user}`)).status).toBe(200);
  delays[0]!.end();
  expect((await deletion).status).toBe(200);
  expect((await ask(`/v2/user/${user}`)).status).toBe(404);
});

test('if the client leaves during a delay, the operation is not done', async () => {
  add({ times: 1, match: { operation: 'delete_user' }, delay_ms: 100 });
  const left = new AbortController();
  const request = ask(`/v2/user/${user}`, { method: 'DELETE', signal: left.signal });
  await until('the delay of the deletion', () => delays.length, 1);
  left.abort();
  await expect(request).rejects.toThrow();
  await until('the end of the delay', () => delays[0]!.signal.aborted);
  expect((await ask(`/v2/user/${user}`)).status).toBe(200);
});

test('a delay goes before an effect', async () => {
  add({ times: 1, delay_ms: 100, effect: { kind: 'status', status: 500 } });
  let status: number | undefined;
  const answered = ask('/v2/user').then((answer) => {
    status = answer.status;
  });
  await until('the delay', () => delays.map(({ ms }) => ms), [100]);
  // The service answers a later request first.
  expect((await ask('/v2/user')).status).toBe(200);
  expect(status).toBeUndefined();
  delays[0]!.end();
  await answered;
  expect(status).toBe(500);
});

test('a looping cursor leads to the same page until the rule is used up', async () => {
  const page = async (cursor: string | null) => {
    const answer = await ask(cursor === null ? '/paged' : `/paged?next_cursor=${cursor}`);
    return (await answer.json()) as { page: number; next_cursor: string };
  };
  add({ match: { operation: 'paged' }, times: 2, effect: { kind: 'loop' } });
  const first = await page(null);
  const again = await page(first.next_cursor);
  const after = await page(again.next_cursor);
  expect([first.page, again.page, after.page]).toEqual([1, 1, 1]);
  expect(again.next_cursor).toBe(first.next_cursor);
  expect(after.next_cursor).toBe('2');
  // The last page has no cursor. It loops, too.
  add({ match: { operation: 'paged' }, times: 1, effect: { kind: 'loop' } });
  const last = await page('2');
  expect([last.page, (await page(last.next_cursor)).page]).toEqual([2, 2]);
});

test('a rule belongs to snapshots, with its uses', async () => {
  add({ times: 2, effect: { kind: 'status', status: 500 } });
  await ask('/v2/user');
  await service.snapshots.save('now');
  service.faults.clear();
  await service.snapshots.restore('now');
  expect([(await ask('/v2/user')).status, (await ask('/v2/user')).status]).toEqual([500, 200]);
});
