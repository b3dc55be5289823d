import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../machine/waiting.fixture.ts';
import { type ServedService, startService } from '../served-service.ts';

const AT = '2026-01-01T00:00:00.000+00:00';

let served: ServedService;
beforeEach(async () => {
  served = await startService({ start: Date.UTC(2026, 0, 1), runs: false });
});
afterEach(() => served[Symbol.asyncDispose]());

async function control(path: string, body?: object) {
  const sent = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(`${served.controlUrl}${path}`, sent);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

test('the log has every request with its team, the header of its key, and the status of its answer', async () => {
  const { team_id, api_key } = served.service.teams.create('first');
  const get = (path: string, headers: Record<string, string>) => fetch(`${served.url}${path}`, { headers });
  await control('/faults', { on: 'operation', match: { path_prefix: '/v3/' }, effect: { kind: 'answer', body: {} } });
  await control('/faults', { on: 'operation', match: { operation: 'get_user' }, effect: { kind: 'hang' } });
  await control('/faults', { on: 'operation', match: { query: { offset: '1' } }, effect: { kind: 'reset', after_bytes: 1 } });
  await get('/v2/user/?limit=2&x=%20', { 'x-service-api-key': api_key });
  await get('/v2/user', { 'x-vital-api-key': api_key });
  await get('/v2/user', { 'x-vital-api-key': 'wrong' });
  await get('/v2/user', {});
  await get('/v3/orders?page=1', { 'x-service-api-key': api_key });
  await get('/nothing', {});
  const broken = await get('/v2/user?offset=1', { 'x-service-api-key': api_key })
    .then((answer) => answer.text())
    .catch(() => '');
  expect(broken).toBe('');
  const left = new AbortController();
  const hanging = fetch(`${served.url}/v2/user/1`, { signal: left.signal }).catch(() => 'left');
  await until('the request without an answer', () => served.service.requests.after(7).length, 1);
  left.abort();
  expect(await hanging).toBe('left');

  const common = { at: AT, method: 'GET', team_id, key_header: 'x-service-api-key', status: 200 };
  const requests = [
    { ...common, number: 1, target: '/v2/user/?limit=2&x=%20' },
    { ...common, number: 2, target: '/v2/user', key_header: 'x-vital-api-key' },
    { ...common, number: 3, target: '/v2/user', key_header: 'x-vital-api-key', team_id: null, status: 401 },
    { ...common, number: 4, target: '/v2/user', key_header: null, team_id: null, status: 401 },
    { ...common, number: 5, target: '/v3/orders?page=1' },
    { ...common, number: 6, target: '/nothing', key_header: null, team_id: null, status: 404 },
    { ...common, number: 7, target: '/v2/user?offset=1' },
    { ...common, number: 8, target: '/v2/user/1', key_header: null, team_id: null, status: null },
  ];
  expect((await control('/requests')).body).toEqual({ requests });
  expect((await control('/requests?after=3&limit=2')).body).toEqual({ requests: requests.slice(3, 5) });
  expect(JSON.stringify((await control('/requests')).body)).not.toContain(api_key);
});

test.each(['after=-1', 'after=x', 'limit=0', 'limit=10001'])('GET /requests?%s is refused', async (query) => {
  expect((await control(`/requests?${query}`)).status).toBe(422);
});

test('the control port accepts scripted data of more than ten megabytes', async () => {
  const { team_id } = served.service.teams.create('first');
  const user = served.service.users.create(team_id, 'c-1', {}) as { user_id: string };
  await control('/connections', { user_id: user.user_id, provider: 'oura', is_generated: false });
  const workout_id = '00000000-0000-4000-8000-000000000001';
  const stream = { power: [100] };
  const message = 'x'.repeat(11_000_000);
  const data = { workout_id, provider_id: 'p', message, source: { provider: 'oura' } };
  const pushed = { user_id: user.user_id, provider: 'oura', resource: 'workout_stream', data, stream };
  expect(await control('/data', pushed)).toEqual({ status: 200, body: { dates: [] } });
  expect(served.service.ingestion.workoutStreams.find(team_id, workout_id)).toEqual(stream);
});
