import { afterEach, beforeEach, expect, test } from 'vitest';
import { openManaged } from './management.fixture.ts';

let managed: ReturnType<typeof openManaged>;
beforeEach(() => {
  managed = openManaged();
});
afterEach(() => managed[Symbol.asyncDispose]());

const pathOf = (team = managed.team) => `/team/${team}/scope_requirements`;
const set = async (body: object, team = managed.team) => (await managed.manage('POST', pathOf(team), { body })).status;
const list = async (query = '', team = managed.team) =>
  (await managed.manage('GET', `${pathOf(team)}${query}`)).body.requirements;

test('a requirement replaces the earlier one of its provider, and null or no member keeps it', async () => {
  expect(await list()).toEqual([]);
  expect(await set({ oura: { user_must_grant: ['daily', 'daily'], user_may_grant: ['email'] } })).toBe(200);
  const fitbit = { user_must_grant: ['sleep'], user_may_grant: [] };
  expect(await set({ oura: null, fitbit })).toBe(200);
  const kept = { team_id: managed.team, provider: 'fitbit', ...fitbit };
  const oura = { team_id: managed.team, provider: 'oura', user_must_grant: ['daily'], user_may_grant: ['email'] };
  expect(await list()).toEqual([kept, oura]);
  expect(await list('?provider=oura')).toEqual([oura]);
  expect(await list('?provider=polar')).toEqual([]);
  await set({ oura: { user_must_grant: [], user_may_grant: [] } });
  expect(await list()).toEqual([kept, { ...oura, user_must_grant: [], user_may_grant: [] }]);
});

test('each team has requirements of its own', async () => {
  const { team_id: other } = managed.service.teams.create('second');
  await set({ strava: { user_must_grant: ['activity:write'], user_may_grant: [] } }, other);
  expect(await list()).toEqual([]);
  expect(await list('', other)).toHaveLength(1);
  const key = managed.newKey([managed.team]);
  expect((await managed.manage('GET', pathOf(other), { key })).status).toBe(403);
});

test.each([
  { oura: { user_must_grant: ['sleep'], user_may_grant: [] } },
  { fitbit: { user_must_grant: [], user_may_grant: ['daily'] } },
  { fitbit: { user_must_grant: ['sleep'] } },
  { google_fit: { user_must_grant: ['https://www.googleapis.com/auth/fitness.activity.write'], user_may_grant: [] } },
])('the requirements %j are refused', async (body) => {
  expect(await set({ withings: { user_must_grant: [], user_may_grant: [] }, ...body })).toBe(422);
  expect(await list()).toEqual([]);
});

test.each([
  ['google_fit', 'https://www.googleapis.com/auth/fitness.heart_rate.read'],
  ['google_health', 'https://www.googleapis.com/auth/googlehealth.ecg.readonly'],
  ['withings', 'user.sleepevents'],
  ['wahoo', 'offline_data'],
  ['whoop_v2', 'offline'],
  ['my_fitness_pal_v2', 'private-exercises'],
])('%s has the scope %s', async (provider, scope) => {
  expect(await set({ [provider]: { user_must_grant: [scope], user_may_grant: [scope] } })).toBe(200);
});
