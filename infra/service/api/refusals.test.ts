import { afterEach, beforeEach, expect, test } from 'vitest';
import { Service } from '../service.ts';
import { createApi } from './server.ts';

let service: Service;
let app: ReturnType<typeof createApi>;
let key: string;
beforeEach(() => {
  service = new Service({ runs: false });
  app = createApi(service.operations, service.authentication);
  key = service.teams.create('first').api_key;
});
afterEach(async () => {
  await app.close();
  await service.close();
});

async function ask(method: string, url: string, { type, body }: { readonly type?: string; readonly body?: string } = {}) {
  const headers = { 'x-service-api-key': key, ...(type === undefined ? {} : { 'content-type': type }) };
  const request = { method: method as 'GET', url, headers, payload: body };
  const answer = await app.inject(request);
  return { status: answer.statusCode, allow: answer.headers.allow, body: answer.body === '' ? undefined : answer.json() };
}

test.each(['PUT', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'])('%s of a path without this method gives 405', async (method) => {
  for (const url of ['/v2/user', '/v2/user/?offset=1']) {
    expect(await ask(method, url)).toMatchObject({ status: 405, allow: 'GET, POST', body: { detail: 'Method Not Allowed' } });
  }
});

test('HEAD gives 405, because no operation has it', async () => {
  expect(await ask('HEAD', '/v2/user')).toMatchObject({ status: 405, allow: 'GET, POST' });
});

test('an unknown path gives 404', async () => {
  expect(await ask('GET', '/v2/users')).toMatchObject({ status: 404, body: { detail: 'Not Found' } });
});

test('a path that cannot be decoded gives 422, and the answer does not repeat it', async () => {
  const { status, body } = await ask('GET', '/v2/user/resolve/person%E0%A4%A');
  expect([status, body.detail[0].loc]).toEqual([422, ['path']]);
  expect(JSON.stringify(body)).not.toContain('person');
});

test('the longest client user id can be resolved', async () => {
  const client_user_id = '😀'.repeat(512);
  const { body } = await ask('POST', '/v2/user', { type: 'application/json', body: JSON.stringify({ client_user_id }) });
  expect((await ask('GET', `/v2/user/resolve/${encodeURIComponent(client_user_id)}`)).body).toEqual(body);
});

test.each([
  ['application/json', undefined],
  ['application/json', '{'],
  ['text/xml', '<a/>'],
])('an operation without input ignores a body of type %s: %s', async (type, body) => {
  expect(await ask('DELETE', `/v2/user/${crypto.randomUUID()}`, { type, body })).toMatchObject({
    status: 404,
    body: { detail: 'User not found' },
  });
});

test.each([
  ['application/json', '{', 'json_invalid'],
  ['application/json', '"x"', 'invalid_type'],
  ['application/json', '', 'missing'],
  ['text/xml', '<a/>', 'invalid_type'],
  ['text/plain', '{"client_user_id": "c-1"}', 'invalid_type'],
])('a user cannot be created from a body of type %s: %s', async (type, body, problem) => {
  const answer = await ask('POST', '/v2/user', { type, body });
  expect([answer.status, answer.body.detail[0].loc, answer.body.detail[0].type]).toEqual([422, ['body'], problem]);
});

test.each(['application/json; charset=utf-8', 'application/vnd.api+json'])('a body of type %s is JSON', async (type) => {
  expect((await ask('POST', '/v2/user', { type, body: '{"client_user_id": "c-1"}' })).status).toBe(200);
});

test('a body of more than 1 MiB gives 413', async () => {
  const body = JSON.stringify({ client_user_id: 'x'.repeat(2 ** 20) });
  expect(await ask('POST', '/v2/user', { type: 'application/json', body })).toMatchObject({
    status: 413,
    body: { detail: expect.any(String) },
  });
});

test.each(['constructor', 'toString', '__proto__'])('an unknown parameter named %s is ignored, as any other', async (name) => {
  expect((await ask('GET', `/v2/user?${name}=1`)).status).toBe(200);
});
