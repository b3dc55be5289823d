import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/server.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';
import { controlOperations } from './control-operations.ts';
import { createControl } from './control-server.ts';

const START = Date.UTC(2026, 0, 1);

let service: Service;
let control: ReturnType<typeof createControl>;
beforeEach(() => {
  service = new Service({ start: START, runs: false });
  control = createControl(controlOperations(service));
});
afterEach(async () => {
  await control.close();
  await service.close();
});

async function ask(method: 'GET' | 'POST', url: string, payload?: object, headers: Record<string, string> = {}) {
  const answer = await control.inject({ method, url, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
}

test('a team is made with a key that the API accepts', async () => {
  const { body } = await ask('POST', '/teams', { name: 'first' });
  const app = createApi(service.operations, service.authentication);
  const answer = await app.inject({ method: 'GET', url: '/v2/user', headers: { 'x-service-api-key': body.api_key } });
  expect(answer.statusCode).toBe(200);
  await app.close();
});

test('the teams are listed without their keys, the oldest first', async () => {
  expect((await ask('GET', '/teams')).body).toEqual({ teams: [] });
  const made = [];
  for (const name of ['second', 'first']) {
    const { api_key: _, ...team } = (await ask('POST', '/teams', { name })).body;
    made.push(team);
  }
  expect((await ask('GET', '/teams')).body).toEqual({ teams: made });
});

test('a team gets a further key, and all its keys are valid', async () => {
  const { team_id, api_key: first } = service.teams.create('first');
  const { status, body } = await ask('POST', `/teams/${team_id}/keys`);
  expect([status, body]).toEqual([200, { team_id, api_key: expect.stringMatching(/^sk_us_/) }]);
  expect(body.api_key).not.toBe(first);
  for (const key of [first, body.api_key]) expect(service.teams.ofKey(key)?.team_id).toBe(team_id);
  expect((await ask('POST', `/teams/${crypto.randomUUID()}/keys`)).body).toEqual({ detail: 'There is no such team.' });
  expect((await ask('POST', '/teams/first/keys')).status).toBe(422);
});

test('a connection without a resource that its provider does not have is refused, and not made', async () => {
  const { team_id } = service.teams.create('first');
  const user = service.users.create(team_id, 'c-1', {}) as User;
  const of = { user_id: user.user_id, provider: 'oura' };
  expect(await ask('POST', '/connections', { ...of, unavailable: ['sleep', 'sleeep'] })).toEqual({
    status: 409,
    body: { detail: 'The provider does not have all of the unavailable resources.' },
  });
  expect(service.connections.of(user.user_id)).toEqual([]);
  const { status, body } = await ask('POST', '/connections', { ...of, unavailable: ['sleep'] });
  expect([status, body.resource_availability.sleep.status]).toEqual([200, 'unavailable']);
});

test.each([
  ['GET', '/clock', 200],
  ['POST', '/teams', 422],
  ['GET', '/nothing', 404],
] as const)('the answer to %s %s has the header of a control port', async (method, url, status) => {
  const answer = await control.inject({ method, url });
  expect([answer.statusCode, answer.headers['aorta-control']]).toEqual([status, '1']);
});

test('the clock stands still until it is advanced', async () => {
  expect((await ask('GET', '/clock')).body).toEqual({ now: '2026-01-01T00:00:00.000+00:00', runs: false });
  expect((await ask('POST', '/clock/advance', { seconds: 90 })).body.now).toBe('2026-01-01T00:01:30.000+00:00');
  expect((await ask('GET', '/clock')).body.now).toBe('2026-01-01T00:01:30.000+00:00');
  expect((await ask('POST', '/clock/run', { runs: true })).body.runs).toBe(true);
});

const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

test.each(['{}', '{"seconds":-1}', '{"seconds":"5"}', '{"seconds":1e308}', '{"seconds":1e309}'])(
  'advancing by %s is refused',
  async (payload) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await control.inject({ method: 'POST', url: '/clock/advance', headers, payload });
    expect([answer.statusCode, answer.json().detail[0].loc]).toEqual([422, ['body', 'seconds']]);
    expect(service.clock.now()).toBe(START);
  },
);

test('the clock ends with the year 9999, and a time that would be later changes nothing', async () => {
  const seconds = (LAST - START) / 1000;
  expect((await ask('POST', '/clock/advance', { seconds: seconds + 0.001 })).body.detail).toMatchObject([
    { loc: ['body', 'seconds'], msg: 'the clock ends with the year 9999' },
  ]);
  expect(service.clock.now()).toBe(START);
  expect((await ask('POST', '/clock/advance', { seconds })).body.now).toBe('9999-12-31T23:59:59.999+00:00');
  expect((await ask('POST', '/clock/advance', { seconds: 0.001 })).status).toBe(422);
  expect((await ask('POST', '/clock/advance', { seconds: 0 })).status).toBe(200);
});

test('advancing by nothing does what is due', async () => {
  const done: string[] = [];
  service.jobs.change<string>('test', (payload) => void done.push(payload));
  service.jobs.add({ kind: 'test', dueAt: START, subject: 'a', payload: 'now' });
  service.jobs.add({ kind: 'test', dueAt: START + 1, subject: 'a', payload: 'later' });
  expect((await ask('POST', '/clock/advance', { seconds: 0 })).body.now).toBe('2026-01-01T00:00:00.000+00:00');
  expect(done).toEqual(['now']);
});

test('a request of a browser is refused', async () => {
  expect((await ask('POST', '/teams', { name: 'x' }, { origin: 'http://localhost:3000' })).status).toBe(403);
});
