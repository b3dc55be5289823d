import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { User } from '../users/users.ts';
import { openManaged } from './management.fixture.ts';

const PREFERENCES = '/team_data_pull_preferences/sandbox/us';
const DAY = 86_400_000;

let managed: ReturnType<typeof openManaged>;
beforeEach(() => {
  managed = openManaged();
});
afterEach(() => managed[Symbol.asyncDispose]());

const days = (number: number) => ({ historical_days_to_pull: number });
const shown = (number: number, most = 365) => ({ ...days(number), historical_days_to_pull_limit: most });
const set = (providers: object, team_ids = [managed.team]) =>
  managed.manage('POST', PREFERENCES, { body: { team_ids, providers } });
const list = async (query = '') => (await managed.manage('GET', `${PREFERENCES}${query}`)).body;

/** Connects a new user, and returns how many days the pull of each resource covers. */
function pulledDays(provider: string, { isDemo = false, team = managed.team } = {}): Record<string, number> {
  const { service } = managed;
  const user = service.users.create(team, `c-${service.users.count(team)}`, {}) as User;
  service.connections.connect(user, { provider, isDemo });
  const pulls = service.pulls.store.of(user.user_id, provider);
  return Object.fromEntries(pulls.map((pull) => [pull.resource, (pull.range_end - pull.range_start) / DAY]));
}

/** The usual days that interface.md and service-facts.md name. */
const usual: Readonly<Record<string, number>> = {
  fitbit: 90,
  oura: 180,
  strava: 14,
  withings: 90,
  garmin: 90,
  dexcom_v3: 30,
  apple_health_kit: 30,
};
const fitbitSeries = ['heartrate', 'steps', 'distance', 'floors_climbed', 'calories_active', 'calories_basal'];
const resources = [...fitbitSeries, 'activity', 'sleep', 'workouts', 'body', 'glucose', 'blood_pressure'];

const limitOf = (provider: string, resource: string) => (provider === 'fitbit' && fitbitSeries.includes(resource) ? 14 : 365);

interface Change {
  readonly provider: string;
  /** Undefined: the preference is deleted. */
  readonly days: number | undefined;
  readonly overrides: Readonly<Record<string, number>>;
}

const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    provider: fc.constantFrom(...Object.keys(usual)),
    days: fc.option(fc.integer({ min: 1, max: 365 }), { nil: undefined, freq: 6 }),
    overrides: fc.dictionary(fc.constantFrom(...resources), fc.integer({ min: 1, max: 365 }), { maxKeys: 4 }),
  }),
  { maxLength: 5 },
);

test('a pull covers the override of its resource, or else the default of the team, or else the usual days', async () => {
  await fc.assert(
    fc.asyncProperty(changes, async (given) => {
      const { team_id: team } = managed.service.teams.create('random');
      const last = new Map<string, Change>();
      for (const { provider, days: number, overrides: random } of given) {
        const overrides = Object.fromEntries(
          Object.entries(random).map(([resource, own]) => [resource, Math.min(own, limitOf(provider, resource))]),
        );
        last.set(provider, { provider, days: number, overrides });
        if (number === undefined) {
          await managed.manage('DELETE', `${PREFERENCES}?team_id=${team}&provider=${provider}`);
          continue;
        }
        const resource_overrides = Object.fromEntries(Object.entries(overrides).map(([resource, own]) => [resource, days(own)]));
        expect((await set({ [provider]: { default: days(number), resource_overrides } }, [team])).status).toBe(200);
      }
      for (const [provider, usualDays] of Object.entries(usual)) {
        const pulled = pulledDays(provider, { team });
        expect(Object.keys(pulled).length).toBeGreaterThan(0);
        const change = last.get(provider);
        const own = change?.days === undefined ? undefined : change;
        for (const [resource, covered] of Object.entries(pulled)) {
          const expected = own?.overrides[resource] ?? own?.days ?? usualDays;
          expect([provider, resource, covered]).toEqual([provider, resource, Math.min(expected, limitOf(provider, resource))]);
        }
      }
    }),
    { numRuns: 30 },
  );
});

test('a preference applies to demo connections, to the bulk trigger, and not to pulls that were planned before', async () => {
  const { service, team } = managed;
  const before = service.users.create(team, 'before', {}) as User;
  service.connections.connect(before, { provider: 'oura', isDemo: false });
  const sleep = () => {
    const pull = service.pulls.store.of(before.user_id, 'oura').find(({ resource }) => resource === 'sleep')!;
    return (pull.range_end - pull.range_start) / DAY;
  };
  await set({ oura: { default: days(45) } });
  expect(sleep()).toBe(180);
  expect(pulledDays('oura', { isDemo: true }).sleep).toBe(45);
  service.pulls.trigger(team, [before.user_id], 'oura');
  expect(sleep()).toBe(45);
});

test('the answer has the default, the overrides and the limits of all providers that the team has set', async () => {
  await set({ peloton: { default: days(365) } });
  const { status, body } = await set({
    fitbit: { default: days(100), resource_overrides: { heartrate: days(14), sleep: days(200) } },
    oura: { default: days(1), resource_overrides: null },
  });
  expect(status).toBe(200);
  const providers = {
    fitbit: { default: shown(100), resource_overrides: { heartrate: shown(14, 14), sleep: shown(200) } },
    oura: { default: shown(1), resource_overrides: null },
    peloton: { default: shown(365), resource_overrides: null },
  };
  expect(body).toEqual({ data_pull_preferences: [{ team_id: managed.team, providers }], next_cursor: null });
  expect(await list()).toEqual(body);
  await set({ fitbit: { default: days(7) } });
  const [own] = (await list('?provider=fitbit')).data_pull_preferences;
  expect(own.providers).toEqual({ fitbit: { default: shown(7), resource_overrides: null } });
});

test.each([
  [{ oura: { default: days(366) } }, 400, 'A historical pull of oura covers at most 365 days'],
  [
    { fitbit: { default: days(90), resource_overrides: { heartrate: days(15) } } },
    400,
    'A historical pull of heartrate of fitbit covers at most 14 days',
  ],
  [{ oura: { default: days(0) } }, 422, expect.any(Array)],
  [{ oura: { default: days(1), resource_overrides: { sleep: days(0) } } }, 422, expect.any(Array)],
  [{ oura: { default: days(1), resource_overrides: { naps: days(1) } } }, 422, expect.any(Array)],
  [{ unknown: { default: days(1) } }, 422, expect.any(Array)],
])('the preferences %j are refused, and none of them is kept', async (wrong, status, detail) => {
  expect(await set({ withings: { default: days(5) }, ...wrong })).toMatchObject({ status, body: { detail } });
  expect((await list()).data_pull_preferences).toEqual([]);
});

test('the list has pages of five teams, and filters by team', async () => {
  const teams = Array.from({ length: 7 }, (_, index) => managed.service.teams.create(`more ${index}`).team_id);
  await set({ oura: { default: days(3) } }, teams);
  const idsOf = (page: { data_pull_preferences: { team_id: string }[] }) =>
    page.data_pull_preferences.map(({ team_id }) => team_id);
  const first = await list();
  expect(idsOf(first)).toEqual(teams.slice(0, 5));
  const second = await list(`?next_cursor=${first.next_cursor}`);
  expect([idsOf(second), second.next_cursor]).toEqual([teams.slice(5), null]);
  expect(idsOf(await list('?limit=7'))).toEqual(teams);
  expect(idsOf(await list(`?team_id=${teams[3]}&team_id=${teams[1]}&team_id=${managed.team}`))).toEqual([teams[1], teams[3]]);
  expect((await managed.manage('GET', `${PREFERENCES}?limit=0`)).status).toBe(422);
});

test('a deletion keeps the preferences of other teams and providers', async () => {
  const { team_id: other } = managed.service.teams.create('other');
  await set({ oura: { default: days(3) }, strava: { default: days(4) } }, [managed.team, other]);
  expect(await managed.manage('DELETE', `${PREFERENCES}?team_id=${other}&provider=oura`)).toMatchObject({
    status: 200,
    body: null,
  });
  const strava = { default: shown(4), resource_overrides: null };
  expect((await list()).data_pull_preferences).toEqual([
    { team_id: managed.team, providers: { oura: { default: shown(3), resource_overrides: null }, strava } },
    { team_id: other, providers: { strava } },
  ]);
  await managed.manage('DELETE', PREFERENCES, { key: managed.newKey([managed.team]) });
  expect((await list()).data_pull_preferences).toEqual([{ team_id: other, providers: { strava } }]);
});
