import { afterAll, expect, test } from 'vitest';
import { Service } from '../service.ts';
import type { Operation } from './operation.ts';
import { createApi } from './server.ts';

const service = new Service({ start: Date.UTC(2026, 0, 1), runs: false });
const app = createApi(service.operations, service.authentication);
const { api_key: key } = service.teams.create('first');
afterAll(async () => {
  await app.close();
  await service.close();
});

/** Sends a request to an operation, with a UUID for each parameter of its path. */
function ask({ method, path }: Operation, headers: Record<string, string>, payload?: string) {
  const url = path.replaceAll(/\{\w+\}/g, '2a7e51c4-0000-4000-8000-000000000001');
  return app.inject({ method, url, headers, payload });
}

const { org_id } = service.organizations.default();
const managementKey = service.managementKeys.create({ org_id, label: '', creator: 'vital_staff', team_ids: null }).key;

test.each(service.operations)('$id needs a key of its kind, in a header of that kind', async (operation) => {
  const kinds = [
    { own: key, headers: ['x-service-api-key', 'x-vital-api-key'] },
    { own: managementKey, headers: ['x-management-key', 'x-service-org-key', 'x-vital-org-key'] },
  ];
  const [right, other] = operation.managed === undefined ? kinds : kinds.toReversed();
  const wrong: Record<string, string>[] = [
    {},
    { authorization: `Bearer ${key}` },
    ...right!.headers.flatMap((name) => ['', `${right!.own}x`, 'sk_us_unknown', other!.own].map((value) => ({ [name]: value }))),
    ...other!.headers.flatMap((name) => [right!.own, other!.own].map((value) => ({ [name]: value }))),
  ];
  for (const headers of wrong) {
    const answer = await ask(operation, headers);
    expect([headers, answer.statusCode, answer.json()]).toEqual([headers, 401, { detail: expect.any(String) }]);
  }
  for (const name of right!.headers) expect((await ask(operation, { [name]: right!.own })).statusCode).not.toBe(401);
});

test('the path of every operation has its version, except for the documented path without one', () => {
  expect(service.operations.map(({ path }) => path).filter((path) => !/^\/(v[123]|lab_report\/v1)\/[a-z]/.test(path))).toEqual([
    '/orders',
  ]);
});

const takesJson = service.operations.filter(({ body, multipart }) => body !== undefined && multipart === undefined);

test.each(takesJson)('$id refuses a body of more than 1 MiB with 413', async (operation) => {
  const headers = { 'x-service-api-key': key, 'x-management-key': managementKey, 'content-type': 'application/json' };
  const answer = await ask(operation, headers, JSON.stringify('x'.repeat(2 ** 20)));
  expect([answer.statusCode, answer.json()]).toEqual([413, { detail: expect.any(String) }]);
});

test.each(service.operations)('$id answers with JSON, or without a body', async (operation) => {
  const keys = { 'x-service-api-key': key, 'x-management-key': managementKey };
  for (const payload of [undefined, '{"client_user_id": "c-1"}', '{']) {
    const headers = { ...keys, ...(payload === undefined ? {} : { 'content-type': 'application/json' }) };
    const answer = await ask(operation, headers, payload);
    if (answer.body === '') continue;
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
    expect(() => JSON.parse(answer.body)).not.toThrow();
    if (answer.statusCode >= 400) expect(JSON.parse(answer.body)).toHaveProperty('detail');
  }
});
