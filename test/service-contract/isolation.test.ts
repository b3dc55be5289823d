import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type IsolationWorld, isolationWorld, type OwnedThings, somePlans } from './isolation-world.ts';

const RUNS = { numRuns: 8 };

const idsIn = (list: readonly Record<string, string>[], member: string): string[] => list.map((one) => one[member]!).sort();
const sorted = (ids: readonly string[]): string[] => [...ids].sort();

/** Returns what the lists of the API show of a team to its own keys, and to the key of its organization. */
async function shownOf({ ask }: IsolationWorld, { team, keys, organization }: OwnedThings) {
  const own = { team: keys[0]!.value };
  const base = `/v1/org/${organization.id}`;
  const management = organization.key;
  return {
    users: (await ask('GET', '/v2/user?limit=500', own)).body.users,
    orders: (await ask('GET', '/v3/orders?size=100', own)).body.orders,
    metrics: (await ask('GET', '/v2/user/metrics', own)).body,
    team: (await ask('GET', `${base}/team/${team}?include_environment=sandbox`, { management })).body,
    keys: (await ask('GET', `${base}/team_api_keys/sandbox/us?team_id=${team}`, { management })).body.api_keys,
    webhooks: (await ask('GET', `${base}/team/${team}/sandbox/webhook`, { management })).body.data,
  };
}

const shownOfAll = async (world: IsolationWorld) => {
  const shown: object[] = [];
  for (const things of world.teams) shown.push(await shownOf(world, things));
  return shown;
};

/** Returns requests with the key of a team that read, change or delete something of a team. */
function dataRequests({ users, orders }: OwnedThings) {
  return [
    ...users.flatMap((id) => [
      ['GET', `/v2/user/${id}`, undefined] as const,
      ['GET', `/v2/user/providers/${id}`, undefined] as const,
      ['PATCH', `/v2/user/${id}`, { client_user_id: 'taken over' }] as const,
      ['DELETE', `/v2/user/${id}`, undefined] as const,
    ]),
    ...orders.flatMap((id) => [
      ['GET', `/v3/order/${id}`, undefined] as const,
      ['PATCH', `/v3/order/${id}`, { activate_by: '2026-02-01' }] as const,
      ['POST', `/v3/order/${id}/cancel`, undefined] as const,
    ]),
  ];
}

/** Returns requests of the management API about a team and its webhooks. */
function managementRequests(org: string, { team, webhooks }: OwnedThings) {
  const base = `/v1/org/${org}`;
  return [
    ['GET', `${base}/team/${team}`, undefined] as const,
    ['PATCH', `${base}/team/${team}`, { name: 'taken over' }] as const,
    ['GET', `${base}/team_api_keys/sandbox/us?team_id=${team}`, undefined] as const,
    ['POST', `${base}/team_api_keys/sandbox/us`, { label: '', team_id: team }] as const,
    ['POST', `${base}/team/${team}/create_api_access_token`, { env: 'sandbox' }] as const,
    ...webhooks.flatMap((id) => [
      ['GET', `${base}/team/${team}/sandbox/webhook/${id}`, undefined] as const,
      ['PATCH', `${base}/team/${team}/sandbox/webhook/${id}`, { disabled: true }] as const,
      ['DELETE', `${base}/team/${team}/sandbox/webhook/${id}`, undefined] as const,
    ]),
    ['DELETE', `${base}/team/${team}`, undefined] as const,
  ];
}

test("the lists show exactly a team's own things to each of its keys", async () => {
  await fc.assert(
    fc.asyncProperty(somePlans, async (plans) => {
      await using world = await isolationWorld(plans);
      for (const things of world.teams) {
        for (const { value } of things.keys) {
          const list = async (path: string) => (await world.ask('GET', path, { team: value })).body;
          expect(idsIn((await list('/v2/user?limit=500')).users, 'user_id')).toEqual(sorted(things.users));
          for (const path of ['/v3/orders?size=100', '/orders?size=100'])
            expect(idsIn((await list(path)).orders, 'id')).toEqual(sorted(things.orders));
          expect(await list('/v2/user/resolve/client%200')).toMatchObject({ user_id: things.users[0] });
          expect(await list('/v2/user/metrics')).toMatchObject({
            team_id: things.team,
            number_of_users: things.users.length,
            number_of_ordered_tests: things.orders.length,
          });
        }
        const { team, keys, webhooks } = await shownOf(world, things);
        expect(team).toMatchObject({ id: things.team });
        expect(idsIn(keys, 'id')).toEqual(sorted(things.keys.map(({ id }) => id)));
        expect(idsIn(webhooks, 'id')).toEqual(sorted(things.webhooks));
      }
    }),
    RUNS,
  );
});

test('the key of a team cannot read, change or delete a user or an order of another team', async () => {
  await fc.assert(
    fc.asyncProperty(somePlans, async (plans) => {
      await using world = await isolationWorld(plans);
      const before = await shownOfAll(world);
      for (const { team, keys } of world.teams) {
        for (const other of world.teams.filter((one) => one.team !== team)) {
          for (const [method, path, body] of dataRequests(other))
            expect([method, path, (await world.ask(method, path, { team: keys[0]!.value, body })).status]).toEqual([
              method,
              path,
              404,
            ]);
          const user_ids = other.users;
          const pull = { user_ids, provider: 'oura', wait_for_completion: false };
          await world.ask('POST', '/v2/link/bulk_trigger_historical_pull', { team: keys[0]!.value, body: pull });
          const asked = { team: keys[0]!.value, body: { order_ids: other.orders } };
          if (other.orders.length > 0)
            expect(await world.ask('POST', '/v3/order/resend_events', asked)).toMatchObject({ body: { order_ids: [] } });
        }
      }
      expect(await shownOfAll(world)).toEqual(before);
    }),
    RUNS,
  );
});

test('the management key of an organization controls exactly its teams', async () => {
  await fc.assert(
    fc.asyncProperty(somePlans, async (plans) => {
      await using world = await isolationWorld(plans);
      const before = await shownOfAll(world);
      for (const { organization } of world.teams) {
        const { id, key: management } = organization;
        const inside = world.teams.filter((one) => one.organization.id === id);
        const listed = (await world.ask('GET', `/v1/org/${id}/team`, { management })).body;
        expect(idsIn(listed.teams, 'id')).toEqual(sorted(inside.map(({ team }) => team)));
        const keys = (await world.ask('GET', `/v1/org/${id}/team_api_keys/sandbox/us`, { management })).body;
        expect(idsIn(keys.api_keys, 'id')).toEqual(sorted(inside.flatMap((one) => one.keys.map((key) => key.id))));
        for (const other of world.teams.filter((one) => one.organization.id !== id)) {
          for (const [method, path, body] of managementRequests(id, other))
            expect([method, path, (await world.ask(method, path, { management, body })).status]).toEqual([method, path, 404]);
          for (const [method, path, body] of managementRequests(other.organization.id, other))
            expect([method, path, (await world.ask(method, path, { management, body })).status]).toEqual([method, path, 403]);
          await expectKeysNotFound(world, { management, org: id }, other);
        }
      }
      expect(await shownOfAll(world)).toEqual(before);
    }),
    RUNS,
  );
});

test('a management key of teams controls exactly these teams', async () => {
  const someBound = fc.array(fc.boolean(), { minLength: 4, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(somePlans, someBound, async (plans, isBound) => {
      await using world = await isolationWorld(plans);
      const { organization } = world.teams[0]!;
      const org = organization.id;
      const inside = world.teams.filter((one) => one.organization.id === org);
      // A key needs at least one team.
      const bound = inside.filter((_, index) => index === 0 || isBound[index]);
      const body = { label: '', role: 'team_admin', team_role_bindings: bound.map(({ team }) => ({ team_id: team })) };
      const made = await world.ask('POST', `/v1/org/${org}/management_key`, { management: organization.key, body });
      const management: string = made.body.key;
      const before = await shownOfAll(world);

      const listed = (await world.ask('GET', `/v1/org/${org}/team`, { management })).body;
      expect(idsIn(listed.teams, 'id')).toEqual(sorted(bound.map(({ team }) => team)));
      const keys = (await world.ask('GET', `/v1/org/${org}/team_api_keys/sandbox/us`, { management })).body;
      expect(idsIn(keys.api_keys, 'id')).toEqual(sorted(bound.flatMap((one) => one.keys.map((key) => key.id))));
      for (const things of world.teams.filter((one) => !bound.includes(one))) {
        for (const [method, path, asked] of managementRequests(org, things))
          expect([method, path, (await world.ask(method, path, { management, body: asked })).status]).toEqual([
            method,
            path,
            403,
          ]);
        await expectKeysNotFound(world, { management, org }, things);
      }
      for (const { team } of bound)
        expect(await world.ask('DELETE', `/v1/org/${org}/team/${team}`, { management })).toMatchObject({ status: 403 });
      expect(await shownOfAll(world)).toEqual(before);

      for (const { team } of bound) {
        const changed = await world.ask('PATCH', `/v1/org/${org}/team/${team}`, { management, body: { name: 'renamed' } });
        expect(changed).toMatchObject({ status: 200, body: { id: team, name: 'renamed' } });
      }
    }),
    RUNS,
  );
});

interface Managing {
  readonly org: string;
  readonly management: string;
}

/** Tries to delete the keys of a team that the management key does not control. */
async function expectKeysNotFound({ ask }: IsolationWorld, { org, management }: Managing, { keys }: OwnedThings): Promise<void> {
  const ids = keys.map(({ id }) => id);
  const path = `/v1/org/${org}/team_api_keys/sandbox/us?${ids.map((id) => `api_key_id=${id}`).join('&')}`;
  expect(await ask('DELETE', path, { management })).toEqual({
    status: 200,
    body: { success: [], failure: [], not_found: ids },
  });
}
