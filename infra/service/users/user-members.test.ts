import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApi } from '../api/server.ts';
import { Service } from '../service.ts';

const START = Date.UTC(2026, 0, 1, 12);
const DAY = 86_400_000;
const NOW = '2026-01-01T12:00:00.000+00:00';
const NEXT_DAY = '2026-01-02T12:00:00.000+00:00';
const UTC = { id: 'UTC', source_slug: 'service', updated_at: NOW };

let service: Service;
let app: ReturnType<typeof createApi>;
let headers: Record<string, string>;
beforeEach(() => {
  service = new Service({ start: START, runs: false });
  app = createApi(service.operations, service.authentication);
  headers = { 'x-service-api-key': service.teams.create('first').api_key };
});
afterEach(async () => {
  await app.close();
  await service.close();
});

async function ask(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) {
  const answer = await app.inject({ method, url, headers, payload });
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() };
}

const create = async (client_user_id: string, more: object = {}) =>
  (await ask('POST', '/v2/user', { client_user_id, ...more })).body;

test('the user id that a creation returns is valid in all operations on a user, and the client user id is not', async () => {
  const { user_id } = await create('c-1');
  const calls = (id: string) =>
    [
      ['POST', '/v2/link/connect/demo', { user_id: id, provider: 'oura' }, 200],
      ['PATCH', `/v2/user/${id}`, {}, 204],
      ['GET', `/v2/user/${id}`, undefined, 200],
      ['GET', `/v2/user/providers/${id}`, undefined, 200],
      ['GET', `/v2/user/${id}/device`, undefined, 200],
      ['GET', `/v2/summary/sleep/${id}?start_date=2026-01-01`, undefined, 200],
      ['GET', `/v2/timeseries/${id}/heartrate/grouped?start_date=2026-01-01`, undefined, 200],
      ['GET', `/v2/introspect/historical_pull?user_id=${id}`, undefined, 200],
      ['POST', `/v2/user/refresh/${id}`, undefined, 202],
      ['DELETE', `/v2/user/${id}/oura`, undefined, 200],
      ['DELETE', `/v2/user/${id}`, undefined, 200],
      ['POST', `/v2/user/undo_delete?user_id=${id}`, undefined, 200],
    ] as const;
  // A UUID is the same in any letter case.
  for (const id of [user_id, user_id.toUpperCase()])
    for (const [method, url, payload, expected] of calls(id))
      expect([url, (await ask(method, url, payload)).status]).toEqual([url, expected]);
  for (const [method, url, payload] of calls('c-1')) expect([url, (await ask(method, url, payload)).status]).toEqual([url, 422]);
});

test('a fallback shows when the team set it, and a patch of other members does not change that', async () => {
  const { user_id } = await create('c-1', { fallback_time_zone: 'Europe/Berlin', fallback_birth_date: '1980-02-03' });
  await service.jobs.advanceTo(START + DAY);
  await ask('PATCH', `/v2/user/${user_id}`, { fallback_time_zone: 'Asia/Tokyo', ingestion_start: '2025-01-01' });
  expect((await ask('GET', `/v2/user/${user_id}`)).body).toMatchObject({
    fallback_time_zone: { id: 'Asia/Tokyo', source_slug: 'manual', updated_at: NEXT_DAY },
    fallback_birth_date: { value: '1980-02-03', source_slug: 'manual', updated_at: NOW },
    created_on: NOW,
  });
});

test('a user without settings has all members: UTC from the service as time zone, and null for the others', async () => {
  expect(await create('c-1')).toEqual({
    user_id: expect.any(String),
    team_id: expect.any(String),
    client_user_id: 'c-1',
    created_on: NOW,
    connected_sources: [],
    fallback_time_zone: UTC,
    fallback_birth_date: null,
    ingestion_start: null,
    ingestion_end: null,
  });
});

test('null removes the time zone of the team, and the user has UTC from the service since the creation again', async () => {
  const { user_id } = await create('c-1', { fallback_time_zone: 'Europe/Berlin' });
  await service.jobs.advanceTo(START + DAY);
  expect((await ask('PATCH', `/v2/user/${user_id}`, { fallback_time_zone: null })).status).toBe(204);
  expect((await ask('GET', `/v2/user/${user_id}`)).body.fallback_time_zone).toEqual(UTC);
  expect(service.users.any(user_id)).toMatchObject({ fallback_time_zone: null, fallback_time_zone_at: null });
});

test.each([
  'Europe/Berlin',
  'Asia/Kolkata',
  'Asia/Calcutta',
  'Etc/GMT-5',
  'US/Pacific',
  'EST',
  'Europe/Kiev',
  'Zulu',
  'Etc/UTC',
  'GMT',
])('the time zone %s is accepted, and comes back as it was set', async (id) => {
  const { user_id, fallback_time_zone } = await create('c-1', { fallback_time_zone: id });
  expect(fallback_time_zone.id).toBe(id);
  await ask('PATCH', `/v2/user/${user_id}`, { fallback_time_zone: 'UTC' });
  await ask('PATCH', `/v2/user/${user_id}`, { fallback_time_zone: id });
  expect((await ask('GET', `/v2/user/${user_id}`)).body.fallback_time_zone.id).toBe(id);
  expect((await ask('GET', '/v2/user/resolve/c-1')).body.fallback_time_zone.id).toBe(id);
  expect((await ask('GET', '/v2/user')).body.users[0].fallback_time_zone.id).toBe(id);
});

test.each(['europe/berlin', 'EUROPE/BERLIN', 'Europe/berlin', 'Berlin', '+01:00', 'CEST', ''])(
  'the time zone %j is refused, because the database has no such identifier',
  async (id) => {
    expect((await ask('POST', '/v2/user', { client_user_id: 'c-1', fallback_time_zone: id })).status).toBe(422);
  },
);

test.each(['1980-2-3', '19800203', '1980-02-30', '1980-02-03T00:00:00Z', 315_532_800])(
  'the birth date %j is refused, because it is no date of the form YYYY-mm-dd',
  async (date) => {
    expect((await ask('POST', '/v2/user', { client_user_id: 'c-1', fallback_birth_date: date })).status).toBe(422);
  },
);

describe('the bounds of ingestion', () => {
  const [first, last] = ['2025-01-01', '2026-01-31'];
  const refused = { status: 422, body: { detail: [{ loc: ['body'], type: 'value_error' }] } };

  test('a creation with an end before the start is refused', async () => {
    const create = (more: object) => ask('POST', '/v2/user', { client_user_id: 'c-1', ...more });
    expect(await create({ ingestion_start: last, ingestion_end: first })).toMatchObject(refused);
    expect((await create({ ingestion_start: first, ingestion_end: first })).body).toMatchObject({
      ingestion_start: first,
      ingestion_end: first,
    });
  });

  test.each<[object, object]>([
    [{ ingestion_end: first }, { ingestion_start: last }],
    [{ ingestion_start: last }, { ingestion_end: first }],
    [{}, { ingestion_start: last, ingestion_end: first }],
  ])('a user with %j refuses the patch %j, which changes nothing', async (stored, patch) => {
    const { user_id } = await create('c-1', stored);
    const before = (await ask('GET', `/v2/user/${user_id}`)).body;
    expect(await ask('PATCH', `/v2/user/${user_id}`, { client_user_id: 'c-2', ...patch })).toMatchObject(refused);
    expect((await ask('GET', `/v2/user/${user_id}`)).body).toEqual(before);
  });

  test('a patch may move both bounds, and may remove one', async () => {
    const { user_id } = await create('c-1', { ingestion_start: '2020-01-01', ingestion_end: '2020-12-31' });
    for (const patch of [
      { ingestion_start: first, ingestion_end: last },
      { ingestion_start: null },
      { ingestion_end: '1999-01-01' },
    ])
      expect((await ask('PATCH', `/v2/user/${user_id}`, patch)).status).toBe(204);
  });

  test.each(['2026-1-31', '20260131', '2026-02-30', '2026-01-31T00:00:00Z', '', 'today', 20_260_131])(
    'the bound %j is refused, because it is no date of the form YYYY-mm-dd',
    async (bound) => {
      const { user_id } = await create('c-1');
      for (const name of ['ingestion_start', 'ingestion_end'])
        expect((await ask('PATCH', `/v2/user/${user_id}`, { [name]: bound })).body.detail[0].loc).toEqual(['body', name]);
    },
  );
});

test('a patch refuses client user ids that identify a person', async () => {
  const { user_id } = await create('c-1');
  for (const client_user_id of ['person@example.com', '+14155550171', ''])
    expect((await ask('PATCH', `/v2/user/${user_id}`, { client_user_id })).status).toBe(422);
  expect((await ask('GET', `/v2/user/${user_id}`)).body.client_user_id).toBe('c-1');
});

test.each(['a/b', 'Zoë', 'a b+c', '100%', 'aGVsbG8=', 'metrics', 'C-1'])(
  'the client user id %j can be resolved',
  async (client_user_id) => {
    await create('c-1');
    const made = await create(client_user_id);
    expect(made.client_user_id).toBe(client_user_id);
    expect((await ask('GET', `/v2/user/resolve/${encodeURIComponent(client_user_id)}`)).body).toEqual(made);
  },
);

test('a connected source has the address of an icon, and the slug that other operations take, in the order of connection', async () => {
  const { user_id } = await create('c-1');
  for (const provider of ['oura', 'fitbit']) await ask('POST', '/v2/link/connect/demo', { user_id, provider });
  const { connected_sources } = (await ask('GET', `/v2/user/${user_id}`)).body;
  expect(connected_sources.map(({ source }: { source: object }) => source)).toMatchObject([
    { name: 'Oura', slug: 'oura' },
    { name: 'Fitbit', slug: 'fitbit' },
  ]);
  for (const { source } of connected_sources) {
    expect(new URL(source.logo).protocol).toBe('https:');
    expect((await ask('DELETE', `/v2/user/${user_id}/${source.slug}`)).status).toBe(200);
  }
  expect((await ask('GET', `/v2/user/${user_id}`)).body.connected_sources).toEqual([]);
});
