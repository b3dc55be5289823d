import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApi } from '../api/server.ts';
import { Service } from '../service.ts';

const START = Date.UTC(2026, 0, 1, 12);
const DAY = 86_400_000;

let service: Service;
let app: ReturnType<typeof createApi>;
let key: string;
let team: string;
beforeEach(() => {
  service = new Service({ start: START, runs: false });
  app = createApi(service.operations, service.authentication);
  ({ api_key: key, team_id: team } = service.teams.create('first'));
});
afterEach(async () => {
  await app.close();
  await service.close();
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Sends a request with the key of the team. Returns status and body. */
async function ask(
  method: Method,
  url: string,
  payload?: object,
  headers: Record<string, string> = { 'x-service-api-key': key },
) {
  const answer = await app.inject({ method, url, headers, payload });
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() };
}

const create = async (client_user_id: string, more: object = {}) =>
  (await ask('POST', '/v2/user', { client_user_id, ...more })).body as { user_id: string };

describe('creating a user', () => {
  test('returns the user', async () => {
    const settings = {
      fallback_time_zone: 'Europe/Berlin',
      fallback_birth_date: '1980-02-03',
      ingestion_start: '2025-01-01',
      ingestion_end: null,
    };
    const { status, body } = await ask('POST', '/v2/user', { client_user_id: 'c-1', ...settings });
    expect([status, body]).toEqual([
      200,
      {
        user_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        team_id: team,
        client_user_id: 'c-1',
        created_on: '2026-01-01T12:00:00.000+00:00',
        connected_sources: [],
        fallback_time_zone: { id: 'Europe/Berlin', source_slug: 'manual', updated_at: '2026-01-01T12:00:00.000+00:00' },
        fallback_birth_date: { value: '1980-02-03', source_slug: 'manual', updated_at: '2026-01-01T12:00:00.000+00:00' },
        ingestion_start: '2025-01-01',
        ingestion_end: null,
      },
    ]);
    expect(await ask('GET', `/v2/user/${body.user_id}`)).toEqual({ status: 200, body });
    expect(await ask('GET', '/v2/user/resolve/c-1')).toEqual({ status: 200, body });
  });

  test('a taken client user id gives 400 with the existing user, at the top level and under `detail`', async () => {
    const { user_id } = await create('c-1');
    await service.jobs.advanceTo(START + DAY);
    const existing = { user_id, created_on: '2026-01-01T12:00:00.000+00:00' };
    expect(await ask('POST', '/v2/user/', { client_user_id: 'c-1' })).toEqual({
      status: 400,
      body: { ...existing, detail: { error_type: 'INVALID_REQUEST', error_message: expect.any(String), ...existing } },
    });
  });

  test('two teams may use the same client user id', async () => {
    await create('c-1');
    const other = service.teams.create('second').api_key;
    expect((await ask('POST', '/v2/user', { client_user_id: 'c-1' }, { 'x-vital-api-key': other })).status).toBe(200);
  });

  test('requests at the same time create one user', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('POST', '/v2/user', { client_user_id: 'c-1' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.user_id)).size).toBe(1);
    expect((await ask('GET', '/v2/user')).body.total).toBe(1);
  });

  test.each([
    [{}, 'client_user_id'],
    [{ client_user_id: 7 }, 'client_user_id'],
    [{ client_user_id: 'person@example.com' }, 'client_user_id'],
    [{ client_user_id: '+14155550171' }, 'client_user_id'],
    [{ client_user_id: 'c', fallback_time_zone: 'Mars/Olympus' }, 'fallback_time_zone'],
    [{ client_user_id: 'c', fallback_time_zone: '+01:00' }, 'fallback_time_zone'],
    [{ client_user_id: 'c', fallback_birth_date: '03.02.1980' }, 'fallback_birth_date'],
    [{ client_user_id: 'c', ingestion_start: '2026-02-30' }, 'ingestion_start'],
  ])('%j gives 422 and names the field, without its value', async (payload, field) => {
    const { status, body } = await ask('POST', '/v2/user', payload);
    expect([status, body.detail[0].loc]).toEqual([422, ['body', field]]);
    expect(JSON.stringify(body)).not.toMatch(/example\.com|4155550171|Olympus|1980/);
  });

  test('a body that is not JSON gives 422', async () => {
    const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
    const answer = await app.inject({ method: 'POST', url: '/v2/user', headers, payload: '{"client_user_id": ' });
    expect([answer.statusCode, answer.json().detail[0].type]).toEqual([422, 'json_invalid']);
  });
});

describe('listing users', () => {
  test('pages hold every user once, the oldest first', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 7; number++) {
      await service.jobs.advanceTo(START + number * 1000);
      ids.push((await create(`c-${number}`)).user_id);
    }
    const found: string[] = [];
    for (let offset = 0; offset < 9; offset += 3) {
      const { body } = await ask('GET', `/v2/user/?offset=${offset}&limit=3`);
      expect([body.total, body.offset, body.limit]).toEqual([7, offset, 3]);
      found.push(...body.users.map(({ user_id }: { user_id: string }) => user_id));
    }
    expect(found).toEqual(ids);
  });

  test('users of the same millisecond are listed in the order of their creation', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 20; number++) ids.push((await create(`c-${number}`)).user_id);
    const pages = await Promise.all([0, 7, 14].map((offset) => ask('GET', `/v2/user?offset=${offset}&limit=7`)));
    expect(pages.flatMap(({ body }) => body.users.map(({ user_id }: { user_id: string }) => user_id))).toEqual(ids);
  });

  test.each(['limit=501', 'limit=0', 'limit=many', 'offset=-1'])('%s gives 422', async (query) => {
    expect((await ask('GET', `/v2/user?${query}`)).status).toBe(422);
  });

  test('the path has the same answer with and without a slash, and the limit is 100 if none is given', async () => {
    await create('c-1');
    const [without, slash] = [await ask('GET', '/v2/user'), await ask('GET', '/v2/user/')];
    expect(without).toEqual(slash);
    expect([without.body.limit, (await ask('GET', '/v2/user?limit=500')).status]).toEqual([100, 200]);
  });
});

test('a patch changes what it names', async () => {
  const { user_id } = await create('c-1', { fallback_time_zone: 'Europe/Berlin', ingestion_start: '2025-01-01' });
  await create('c-2');
  const patch = { client_user_id: 'c-3', fallback_time_zone: null, ingestion_end: '2026-06-01' };
  expect(await ask('PATCH', `/v2/user/${user_id}`, patch)).toEqual({ status: 204, body: undefined });
  expect((await ask('GET', `/v2/user/${user_id}`)).body).toMatchObject({
    client_user_id: 'c-3',
    fallback_time_zone: { id: 'UTC', source_slug: 'service' },
    ingestion_start: '2025-01-01',
    ingestion_end: '2026-06-01',
  });
  expect((await ask('PATCH', `/v2/user/${user_id}`, { client_user_id: 'c-2' })).status).toBe(400);
  expect((await ask('PATCH', `/v2/user/${crypto.randomUUID()}`, patch)).status).toBe(404);
});

describe('deleting a user', () => {
  const undo = (query: string) => ask('POST', `/v2/user/undo_delete?${query}`);

  test('the deletion can be undone for 7 days', async () => {
    const { user_id } = await create('c-1');
    expect(await ask('DELETE', `/v2/user/${user_id}`)).toEqual({ status: 200, body: { success: true } });
    expect((await ask('GET', `/v2/user/${user_id}`)).status).toBe(404);
    expect((await ask('GET', '/v2/user/resolve/c-1')).status).toBe(404);
    expect((await ask('DELETE', `/v2/user/${user_id}`)).status).toBe(404);
    expect((await ask('GET', '/v2/user')).body.total).toBe(0);
    await service.jobs.advanceTo(START + 7 * DAY - 1);
    expect(await undo(`user_id=${user_id}`)).toEqual({ status: 200, body: { success: true } });
    await service.jobs.advanceTo(START + 30 * DAY);
    expect((await ask('GET', '/v2/user/resolve/c-1')).body.user_id).toBe(user_id);
  });

  test('after 7 days it cannot be undone', async () => {
    const { user_id } = await create('c-1');
    await ask('DELETE', `/v2/user/${user_id}`);
    await service.jobs.advanceTo(START + 7 * DAY);
    expect((await undo('client_user_id=c-1')).status).toBe(404);
  });

  test('the client user id is free at once, and taken ids prevent the undoing', async () => {
    const { user_id } = await create('c-1');
    await ask('DELETE', `/v2/user/${user_id}`);
    const second = await create('c-1');
    expect(second.user_id).not.toBe(user_id);
    expect((await undo(`user_id=${user_id}`)).status).toBe(400);
    await ask('DELETE', `/v2/user/${second.user_id}`);
    expect((await undo(`user_id=${user_id}`)).status).toBe(200);
  });

  test.each(['', 'user_id=5', `user_id=${crypto.randomUUID()}&client_user_id=c`])('undoing with %j gives 422', async (query) => {
    expect((await undo(query)).status).toBe(422);
  });
});

test.each([{}, { 'x-service-api-key': 'wrong' }, { 'x-vital-api-key': '' }])(
  'a request with the headers %j gives 401',
  async (headers) => {
    expect((await ask('GET', '/v2/user', undefined, headers as Record<string, string>)).status).toBe(401);
  },
);

test('a team does not see the users of another', async () => {
  const { user_id } = await create('c-1');
  key = service.teams.create('second').api_key;
  for (const path of [`/v2/user/${user_id}`, '/v2/user/resolve/c-1']) expect((await ask('GET', path)).status).toBe(404);
  expect((await ask('DELETE', `/v2/user/${user_id}`)).status).toBe(404);
  expect((await ask('GET', '/v2/user')).body.total).toBe(0);
});
