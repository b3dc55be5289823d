import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/server.ts';
import { Service } from '../service.ts';
import type { User } from './users.ts';

const START = Date.UTC(2026, 0, 10, 12);
const DAY = 86_400_000;
const ID = '6f1e2b3c-0000-4000-8000-000000000001';

let service: Service;
let app: ReturnType<typeof createApi>;
let team: string;
let headers: Record<string, string>;
let user: User;
beforeEach(() => {
  service = new Service({ start: START, runs: false, past: () => [] });
  app = createApi(service.operations, service.authentication);
  const made = service.teams.create('first');
  team = made.team_id;
  headers = { 'x-service-api-key': made.api_key };
  user = service.users.create(team, 'c-1', {}) as User;
});
afterEach(async () => {
  await app.close();
  await service.close();
});

async function ask(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
  const answer = await app.inject({ method, url, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
}

const takeBody = () =>
  service.ingestion.take(user, 'oura', [
    { resource: 'body', data: { id: ID, calendar_date: '2026-01-09', weight: 70, source: { type: 'scale' } } },
  ]);
const bodies = () => ask('GET', `/v2/summary/body/${user.user_id}?start_date=2026-01-01`);

test('the data of a deleted user is hidden, and comes back if the deletion is undone within 7 days', async () => {
  takeBody();
  await ask('DELETE', `/v2/user/${user.user_id}`);
  expect((await bodies()).status).toBe(404);
  await service.jobs.advanceTo(START + 7 * DAY - 1);
  expect((await ask('POST', `/v2/user/undo_delete?user_id=${user.user_id}`)).status).toBe(200);
  expect((await bodies()).body.body).toMatchObject([{ id: ID, weight: 70 }]);
  await service.jobs.advanceTo(START + 20 * DAY);
  expect((await bodies()).body.body).toHaveLength(1);
});

test('7 days after the deletion nothing is left of the data', async () => {
  takeBody();
  await ask('DELETE', `/v2/user/${user.user_id}`);
  expect(service.ingestion.summaries.find(user.user_id, 'body', ID)).toBeDefined();
  await service.jobs.advanceTo(START + 7 * DAY);
  expect(service.ingestion.summaries.find(user.user_id, 'body', ID)).toBeUndefined();
  expect((await ask('POST', '/v2/user/undo_delete?client_user_id=c-1')).status).toBe(404);
});

test('a deleted user has no new events: connections end at once, and with them pulls and visits', async () => {
  service.connections.connect(user, { provider: 'oura', isDemo: true });
  await ask('DELETE', `/v2/user/${user.user_id}`);
  const before = service.outbox.after(team, 0, 1000).length;
  await service.jobs.advanceTo(START + 6 * DAY);
  await ask('POST', `/v2/user/undo_delete?user_id=${user.user_id}`);
  await service.jobs.advanceTo(START + 20 * DAY);
  expect(service.outbox.after(team, 0, 1000)).toHaveLength(before);
  expect((await ask('GET', `/v2/user/providers/${user.user_id}`)).body).toEqual({ providers: [] });
});

test('a second deletion has 7 days of its own', async () => {
  await ask('DELETE', `/v2/user/${user.user_id}`);
  await service.jobs.advanceTo(START + 6 * DAY);
  await ask('POST', `/v2/user/undo_delete?user_id=${user.user_id}`);
  await ask('DELETE', `/v2/user/${user.user_id}`);
  await service.jobs.advanceTo(START + 12 * DAY);
  expect((await ask('POST', '/v2/user/undo_delete?client_user_id=c-1')).status).toBe(200);
  expect((await ask('GET', '/v2/user/resolve/c-1')).body.user_id).toBe(user.user_id);
});

test('the last of several deleted users with one client user id comes back', async () => {
  await ask('DELETE', `/v2/user/${user.user_id}`);
  await service.jobs.advanceTo(START + DAY);
  const second = service.users.create(team, 'c-1', {}) as User;
  await ask('DELETE', `/v2/user/${second.user_id}`);
  expect((await ask('POST', '/v2/user/undo_delete?client_user_id=c-1')).status).toBe(200);
  expect((await ask('GET', '/v2/user/resolve/c-1')).body.user_id).toBe(second.user_id);
});

test('if users were deleted in the same millisecond, the one who was created last comes back', async () => {
  const ids = [user.user_id];
  for (let number = 0; number < 10; number++) {
    await ask('DELETE', `/v2/user/${ids.at(-1)}`);
    ids.push((service.users.create(team, 'c-1', {}) as User).user_id);
  }
  await ask('DELETE', `/v2/user/${ids.at(-1)}`);
  expect((await ask('POST', '/v2/user/undo_delete?client_user_id=c-1')).status).toBe(200);
  expect((await ask('GET', '/v2/user/resolve/c-1')).body.user_id).toBe(ids.at(-1));
});

test('the undoing takes the user from the query or from the body, and exactly one', async () => {
  const undo = (query: string, body?: object) => ask('POST', `/v2/user/undo_delete${query}`, body);
  const { user_id } = user;
  for (const [query, body] of [
    ['', { user_id }],
    ['', { client_user_id: 'c-1' }],
    [`?user_id=${user_id}`, {}],
    [`?user_id=${user_id}`, { user_id }],
    ['?client_user_id=c-1', undefined],
  ] as const) {
    await ask('DELETE', `/v2/user/${user_id}`);
    expect([query, body, (await undo(query, body)).status]).toEqual([query, body, 200]);
  }
  await ask('DELETE', `/v2/user/${user_id}`);
  for (const [query, body] of [
    ['', {}],
    ['', undefined],
    ['', { user_id, client_user_id: 'c-1' }],
    ['?client_user_id=c-1', { user_id }],
    ['', { user_id: 'c-1' }],
  ] as const)
    expect([query, body, (await undo(query, body)).status]).toEqual([query, body, 422]);
  expect((await ask('GET', '/v2/user/resolve/c-1')).status).toBe(404);
});
