import { afterAll, expect, test } from 'vitest';
import { Service } from '../service.ts';
import type { Operation } from './operation.ts';
import { createApi } from './server.ts';

const service = new Service({ start: Date.UTC(2026, 0, 1), runs: false });
const app = createApi(service.operations, service.teams);
const { api_key: key } = service.teams.create('first');
afterAll(async () => {
  await app.close();
  await service.close();
});

/** Sends a request to an operation, with a UUID for each parameter of its path. */
function ask({ method, path }: Operation, headers: Record<string, string>, payload?: string) {
  const url = path.replaceAll(/\{\w+\}/g, '2a7e51c4-0000-4000-8000-000000000001');
  return app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
}

test.each(service.operations)('$id needs the key of a team', async (operation) => {
  const wrong: Record<string, string>[] = [
    {},
    { 'x-service-api-key': '' },
    { 'x-service-api-key': `${key}x` },
    { 'x-vital-api-key': 'sk_us_unknown' },
    { authorization: `Bearer ${key}` },
    { 'x-management-key': key },
  ];
  for (const headers of wrong) {
    const answer = await ask(operation, headers);
    expect([answer.statusCode, answer.json()]).toEqual([401, { detail: expect.any(String) }]);
  }
  for (const name of ['x-service-api-key', 'x-vital-api-key'])
    expect((await ask(operation, { [name]: key })).statusCode).not.toBe(401);
});

test('the path of every operation has its version, except for the documented path without one', () => {
  expect(service.operations.map(({ path }) => path).filter((path) => !/^\/(v[23]|lab_report\/v1)\/[a-z]/.test(path))).toEqual([
    '/orders',
  ]);
});

test.each(service.operations)('$id answers with JSON, or without a body', async (operation) => {
  for (const payload of [undefined, '{"client_user_id": "c-1"}', '{']) {
    const headers = { 'x-service-api-key': key, ...(payload === undefined ? {} : { 'content-type': 'application/json' }) };
    const answer = await ask(operation, headers, payload);
    if (answer.body === '') continue;
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
    expect(() => JSON.parse(answer.body)).not.toThrow();
    if (answer.statusCode >= 400) expect(JSON.parse(answer.body)).toHaveProperty('detail');
  }
});
