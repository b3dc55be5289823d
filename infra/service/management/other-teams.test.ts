import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { labAccounts } from '../labs/lab-accounts.ts';
import type { User } from '../users/users.ts';
import { connectionWith } from './managed-service.fixture.ts';
import { openManagement } from './management.fixture.ts';

const open = openManagement({ seed: 1 });
afterAll(() => open.close());
const { service, org_id } = open;
const own = service.teams.create('own').team_id;
const sibling = service.teams.create('sibling').team_id;
const foreign = service.teams.create('foreign', { org_id: service.organizations.create('other').org_id }).team_id;
/** The number of ids of the service is large, so nobody has this one. */
const UNKNOWN = '7a1e2b3c-0000-4000-8000-00000000dead';
const keyId = service.managementKeys.create({ org_id, label: '', creator: 'management_key', team_ids: [own] }).key_id;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Requests with the id of a team in each place that an operation has for one. */
const requests: Readonly<Record<string, (team: string) => readonly [method: Method, path: string, body?: object]>> = {
  list_teams: (team) => ['GET', `/team?team_id=${team}`],
  create_team: (id) => ['POST', '/team', { name: 'x', region: 'us', id }],
  get_team: (team) => ['GET', `/team/${team}`],
  update_team: (team) => ['PATCH', `/team/${team}`, { name: 'x' }],
  delete_team: (team) => ['DELETE', `/team/${team}`],
  create_access_token: (team) => ['POST', `/team/${team}/create_api_access_token`, { env: 'sandbox' }],
  list_team_api_keys: (team) => ['GET', `/team_api_keys/sandbox/us?team_id=${team}`],
  create_team_api_key: (team_id) => ['POST', '/team_api_keys/sandbox/us', { label: '', team_id }],
  list_management_keys: (team) => ['GET', `/management_key?team_id=${team}`],
  create_management_key: (team_id) => [
    'POST',
    '/management_key',
    { label: '', role: 'team_admin', team_role_bindings: [{ team_id }] },
  ],
  update_management_key: (team_id) => ['PATCH', `/management_key/${keyId}`, { team_role_bindings: [{ team_id }] }],
  list_webhooks: (team) => ['GET', `/team/${team}/sandbox/webhook`],
  create_webhook: (team) => ['POST', `/team/${team}/sandbox/webhook`, { url: 'https://example.com/' }],
  get_webhook: (team) => ['GET', `/team/${team}/sandbox/webhook/ep_x`],
  update_webhook: (team) => ['PATCH', `/team/${team}/sandbox/webhook/ep_x`, {}],
  delete_webhook: (team) => ['DELETE', `/team/${team}/sandbox/webhook/ep_x`],
  get_webhook_headers: (team) => ['GET', `/team/${team}/sandbox/webhook/ep_x/headers`],
  update_webhook_headers: (team) => ['PUT', `/team/${team}/sandbox/webhook/ep_x/headers`, { headers: {} }],
  get_webhook_secret: (team) => ['GET', `/team/${team}/sandbox/webhook/ep_x/secret`],
  rotate_webhook_secret: (team) => ['POST', `/team/${team}/sandbox/webhook/ep_x/secret/rotate`, {}],
  list_team_etl_pipelines: (team) => ['GET', `/team_etl_pipelines/sandbox/us?team_id=${team}`],
  upsert_team_etl_pipelines: (team) => [
    ...(['POST', '/team_etl_pipelines/sandbox/us'] as const),
    { team_ids: [own, team], azure_amqp: { connection_string: connectionWith('a2V5'), default_event_hub: 'hub' } },
  ],
  delete_team_etl_pipelines: (team) => ['DELETE', `/team_etl_pipelines/sandbox/us?team_id=${team}`],
  list_team_credentials: (team) => ['GET', `/team_custom_credentials/sandbox/us?team_id=${team}`],
  set_team_credential: (team_id) => ['POST', '/team_custom_credentials/sandbox/us', { team_id, provider: 'quest' }],
  prepare_team_credential: (team_id) => ['POST', '/prepare_team_custom_credentials/sandbox/us', { team_id, provider: 'oura' }],
  list_data_pull_preferences: (team) => ['GET', `/team_data_pull_preferences/sandbox/us?team_id=${team}`],
  set_data_pull_preferences: (team) => [
    'POST',
    '/team_data_pull_preferences/sandbox/us',
    { team_ids: [own, team], providers: {} },
  ],
  delete_data_pull_preferences: (team) => ['DELETE', `/team_data_pull_preferences/sandbox/us?team_id=${team}`],
  list_organization_lab_accounts: (team) => ['GET', `/lab_account/sandbox/us?team_id=${team}`],
  update_lab_account: (team) => ['PATCH', `/lab_account/sandbox/us/${labAccounts[0]!.id}`, { team_id_allowlist: [own, team] }],
  list_scope_requirements: (team) => ['GET', `/team/${team}/scope_requirements`],
  set_scope_requirements: (team) => ['POST', `/team/${team}/scope_requirements`, {}],
  get_event_delivery_metric: (team) => ['GET', `/team/${team}/sandbox/event_delivery_metric`],
};

test('there is a request for every operation that takes the id of a team', () => {
  const takesTeam = ({ path, query, body }: (typeof service.operations)[number]): boolean =>
    path.includes('{team_id}') ||
    Object.keys(query?.shape ?? {}).some((name) => name.startsWith('team_id')) ||
    (body !== undefined && /"team_id/.test(JSON.stringify(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }))));
  const taking = service.operations.filter((operation) => operation.managed !== undefined && takesTeam(operation));
  expect([...taking.map(({ id }) => id), 'create_team'].sort()).toEqual(Object.keys(requests).sort());
});

const keys = [
  { name: 'an organization', management: open.key, others: [foreign] },
  // It must not tell of a team of its organization either.
  { name: 'a team', management: open.newKey([own]), others: [foreign, sibling] },
];
const cases = keys.flatMap((key) => Object.entries(requests).map(([id, request]) => ({ id, request, ...key })));

test.each(cases)('$id answers the key of $name the same about a team of others and an unknown one', async (one) => {
  const ask = async (team: string) => {
    const [method, path, body] = one.request(team);
    const answer = await open.manage(method, path, { management: one.management, body });
    return { status: answer.status, text: answer.text.replaceAll(team, 'ID') };
  };
  const unknown = await ask(UNKNOWN);
  for (const other of one.others) expect(await ask(other)).toEqual(unknown);
  expect(service.teams.list().map(({ team_id }) => team_id)).toEqual([own, sibling, foreign]);
});

test('the requests are well formed, except that no request chooses the id of a team', async () => {
  for (const [id, request] of Object.entries(requests)) {
    if (id === 'delete_team') continue;
    const [method, path, body] = request(own);
    const { status } = await open.manage(method, path, body === undefined ? {} : { body });
    expect([id, status === 422]).toEqual([id, id === 'create_team']);
  }
});

test('a team does not see the ids of other teams', async () => {
  const user = service.users.create(own, 'c-1', {}) as User;
  const headers = { 'x-service-api-key': service.teams.addKey(own) };
  for (const path of [
    '/v3/lab_test/lab_account',
    '/v3/lab_test/lab_account?lab_account_id=1001',
    `/v2/user/${user.user_id}`,
    '/v2/user',
    '/v2/user/metrics',
  ]) {
    const { status, text } = await open.ask('GET', path, { headers });
    expect([path, status]).toEqual([path, 200]);
    for (const id of [sibling, foreign]) expect(text).not.toContain(id);
    expect(text).toContain(own);
  }
});
