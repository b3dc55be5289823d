import { afterEach, beforeEach, expect, test } from 'vitest';
import { labTests } from '../labs/catalogue.ts';
import { patient, testOf } from '../orders/orders.fixture.ts';
import type { User } from '../users/users.ts';
import { openManaged } from './management.fixture.ts';

const ACCOUNTS = '/lab_account/sandbox/us';
/** The accounts of the catalogue. */
const QUEST = '5b0c8c1e-6d0f-4c55-9a53-0f6f3a7d1001';
const USSL = '5b0c8c1e-6d0f-4c55-9a53-0f6f3a7d1002';
const LIMITED = '5b0c8c1e-6d0f-4c55-9a53-0f6f3a7d1003';
const UNKNOWN = '6f1e2b3c-0000-4000-8000-000000000001';

let managed: ReturnType<typeof openManaged>;
let second: { readonly team_id: string; readonly api_key: string };
beforeEach(() => {
  managed = openManaged();
  second = managed.service.teams.create('second');
});
afterEach(() => managed[Symbol.asyncDispose]());

const allow = (account: string, team_id_allowlist: readonly string[], more: { readonly key?: string } = {}) =>
  managed.manage('PATCH', `${ACCOUNTS}/${account}`, { body: { team_id_allowlist }, ...more });

/** Returns the teams that each account lists. */
async function listed(query = ''): Promise<Record<string, string[]>> {
  const { body } = await managed.manage('GET', `${ACCOUNTS}${query}`);
  const entries = body.data.map((one: { id: string; team_id_allowlist: string[] }) => [one.id, one.team_id_allowlist]);
  return Object.fromEntries(entries);
}

test('every team can use an account, even a later one, until the organization sets a list', async () => {
  const both = [managed.team, second.team_id];
  expect(await listed()).toEqual({ [QUEST]: both, [USSL]: both, [LIMITED]: both });
  const { status, body } = await allow(QUEST, [second.team_id]);
  expect([status, body.lab_account.id, body.lab_account.team_id_allowlist]).toEqual([200, QUEST, [second.team_id]]);
  const { team_id: third } = managed.service.teams.create('third');
  const all = [...both, third];
  expect(await listed()).toEqual({ [QUEST]: [second.team_id], [USSL]: all, [LIMITED]: all });
  await allow(QUEST, [third, managed.team, third]);
  expect((await listed())[QUEST]).toEqual([managed.team, third]);
  managed.service.teams.delete(third);
  expect((await listed())[QUEST]).toEqual([managed.team]);
  await allow(QUEST, []);
  expect((await listed())[QUEST]).toEqual([]);
});

test('the list filters by account, team and status', async () => {
  await allow(QUEST, [second.team_id]);
  expect(Object.keys(await listed(`?team_id=${managed.team}`))).toEqual([USSL, LIMITED]);
  expect(Object.keys(await listed(`?lab_account_id=${USSL}`))).toEqual([USSL]);
  expect(Object.keys(await listed('?status=active'))).toEqual([QUEST, USSL, LIMITED]);
  expect(Object.keys(await listed('?status=pending'))).toEqual([]);
});

test('an unknown account or team is refused, and the key of a team cannot read accounts', async () => {
  const { org_id } = managed.service.organizations.create('other');
  const foreign = managed.service.teams.create('foreign', { org_id }).team_id;
  const european = managed.service.teams.create('european', { region: 'eu' }).team_id;
  expect((await allow(UNKNOWN, [])).status).toBe(404);
  for (const team of [UNKNOWN, foreign, european]) expect((await allow(QUEST, [managed.team, team])).status).toBe(404);
  for (const query of [`lab_account_id=${UNKNOWN}`, `team_id=${UNKNOWN}`])
    expect((await managed.manage('GET', `${ACCOUNTS}?${query}`)).status).toBe(404);
  const key = managed.newKey([managed.team]);
  expect((await allow(QUEST, [], { key })).status).toBe(403);
  expect((await listed())[QUEST]).toEqual([managed.team, second.team_id]);
});

test('a list does not concern other organizations and regions', async () => {
  const { org_id } = managed.service.organizations.create('other');
  const others = [
    managed.service.teams.create('foreign', { org_id }),
    managed.service.teams.create('european', { region: 'eu' }),
  ];
  await allow(QUEST, []);
  for (const { team_id, api_key } of others) {
    const { body } = await managed.ask('GET', `/v3/lab_test/lab_account?lab_account_id=${QUEST}`, { key: api_key });
    expect(body.data).toMatchObject([{ id: QUEST, team_id_allowlist: [team_id] }]);
  }
});

/** Asks for everything that names the account, and returns the status of each answer. */
async function statuses(key: string, team: string): Promise<number[]> {
  const { service, ask } = managed;
  const found = service.users.resolve(team, 'c-1') ?? (service.users.create(team, 'c-1', {}) as User);
  const kit = labTests.find(({ id }) => id === testOf('testkit'))!;
  const set = { order_set: { lab_test_ids: [kit.id] } };
  const order = { user_id: found.user_id, ...set, ...patient };
  const shipping = { receiver_name: 'Jo', ...patient.patient_address, phone_number: '+16025550123' };
  const named = `lab_account_id=${USSL}`;
  const marker = kit.markers[0]!;
  const answers = await Promise.all([
    ask('GET', `/v3/lab_test/lab_account?${named}`, { key }),
    ask('GET', `/v3/lab_test?lab_account_id=1002`, { key }),
    ask('GET', `/v3/lab_tests/markers?${named}`, { key }),
    ask('GET', `/v3/lab_tests/${marker.lab_id}/markers/${marker.provider_id}?${named}`, { key }),
    ask('GET', `/v3/lab_tests/${kit.id}?${named}`, { key }),
    ask('GET', `/v3/lab_tests/${kit.id}/markers?${named}`, { key }),
    ask('POST', '/v3/lab_tests/list_order_set_markers', { key, body: { ...set.order_set, lab_account_id: USSL } }),
    ask('POST', '/v3/order', { key, body: { ...order, lab_account_id: 1002 } }),
    ask('POST', '/v3/order', { key, body: { ...order, order_set: { ...set.order_set, lab_account_id: USSL } } }),
    ask('POST', '/v3/order/testkit', {
      key,
      body: { user_id: found.user_id, lab_test_id: kit.id, shipping_details: shipping, lab_account_id: USSL },
    }),
  ]);
  for (const { status, body } of answers) if (status !== 200) expect(body).toEqual({ detail: 'Lab account not found' });
  return answers.map(({ status }) => status);
}

test('a team that is not on the list does not see the account, and cannot filter or order with it', async () => {
  await allow(USSL, [second.team_id]);
  const own = managed.service.teams.addKey(managed.team);
  expect(await statuses(own, managed.team)).toEqual(Array.from({ length: 10 }, () => 404));
  expect(await statuses(second.api_key, second.team_id)).toEqual(Array.from({ length: 10 }, () => 200));
  const { data } = (await managed.ask('GET', '/v3/lab_test/lab_account')).body;
  expect(data.map(({ id }: { id: string }) => id)).toEqual([QUEST, LIMITED]);
  for (const { org_id, team_id_allowlist } of data) expect([org_id, team_id_allowlist]).toEqual([managed.org, [managed.team]]);
});
