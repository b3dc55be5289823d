import { afterEach, beforeEach, expect, test } from 'vitest';
import { controlOperations } from '../control/control-operations.ts';
import { createControl } from '../control/control-server.ts';
import { type Management, openManagement } from './management.fixture.ts';

let open: Management;
let first: string;
let second: string;
beforeEach(() => {
  open = openManagement();
  [first, second] = ['first', 'second'].map((name) => open.service.teams.add(name, { org_id: open.org_id }).team_id) as [
    string,
    string,
  ];
});
afterEach(() => open.close());

const bindings = (...ids: string[]) => ids.map((team_id) => ({ team_id }));
const create = async (body: object) => (await open.manage('POST', '/management_key', { body })).body;

test('a management key is shown once, and works until it is deleted', async () => {
  const { key, ...shown } = await create({ label: 'deploy', role: 'org_admin' });
  expect(key).toMatch(/^mg_[\w-]{32}$/);
  expect(shown).toEqual({
    id: expect.any(String),
    label: 'deploy',
    created_at: '2026-01-01T00:00:00.000+00:00',
    role: 'org_admin',
    creator: { type: 'management_key' },
    team_role_bindings: null,
  });
  const listed = await open.manage('GET', '/management_key', { management: key });
  expect(listed.body.data.at(-1)).toEqual(shown);
  expect(JSON.stringify(listed.body)).not.toContain(key);
  expect((await open.manage('DELETE', `/management_key/${shown.id}`)).body).toEqual(shown);
  expect((await open.manage('GET', '/management_key', { management: key })).status).toBe(401);
  expect((await open.manage('DELETE', `/management_key/${shown.id}`)).status).toBe(404);
});

test('keys are listed by role and by team', async () => {
  const of = (...ids: string[]) => create({ label: '', role: 'team_admin', team_role_bindings: bindings(...ids) });
  const [one, both] = [await of(first), await of(second, first)];
  expect(both.team_role_bindings).toEqual(bindings(first, second));
  const list = async (query: string) =>
    (await open.manage('GET', '/management_key', { query })).body.data.map(({ id }: { id: string }) => id);
  expect(await list('?role=team_admin')).toEqual([one.id, both.id]);
  expect(await list(`?team_id=${second}`)).toEqual([both.id]);
  expect(await list('?role=org_admin')).toHaveLength(1);
});

test('a key of teams controls its teams and nothing of the organization', async () => {
  const { key: management } = await create({ label: '', role: 'team_admin', team_role_bindings: bindings(first) });
  const status = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    (await open.manage(method, path, { management, body })).status;
  expect(await status('PATCH', `/team/${first}`, { name: 'mine' })).toBe(200);
  expect(await status('PATCH', `/team/${second}`, { name: 'mine' })).toBe(403);
  expect(await status('GET', '/team/2a7e51c4-0000-4000-8000-000000000001')).toBe(403);
  expect(await status('POST', '/team_api_keys/sandbox/us', { label: '', team_id: first })).toBe(200);
  expect(await status('POST', '/team_api_keys/sandbox/us', { label: '', team_id: second })).toBe(403);
  expect(await status('DELETE', `/team/${first}`)).toBe(403);
  expect(await status('POST', '/team', { name: 'x', region: 'us' })).toBe(403);
  expect(await status('GET', '')).toBe(403);
  expect(await status('GET', '/management_key')).toBe(403);
  open.service.teams.change(second, { ...open.service.teams.record(open.org_id, second)!, integration_team_id: 'two' });
  expect(await status('POST', '/resolve_team', { integration_team_id: 'two' })).toBe(404);
});

test.each([
  ['a team key without teams', { role: 'team_admin' }, 422],
  ['an organization key with teams', { role: 'org_admin', team_role_bindings: 'own' }, 422],
  ['a team key of an unknown team', { role: 'team_admin', team_role_bindings: 'unknown' }, 404],
])('%s is refused', async (_, { role, team_role_bindings }: { role: string; team_role_bindings?: string }, status) => {
  const ids = team_role_bindings === 'own' ? [first] : ['2a7e51c4-0000-4000-8000-000000000001'];
  const body = { label: '', role, team_role_bindings: team_role_bindings === undefined ? undefined : bindings(...ids) };
  expect((await open.manage('POST', '/management_key', { body })).status).toBe(status);
});

test('only a key that Create Management Key made can control two or more teams', async () => {
  const control = createControl(controlOperations(open.service));
  const made = (await control.inject({ method: 'POST', url: `/teams/${first}/management_keys` })).json();
  await control.close();
  expect(made.team_ids).toEqual([first]);
  const change = async (id: string, body: object) => open.manage('PATCH', `/management_key/${id}`, { body });
  expect((await change(made.key_id, { team_role_bindings: bindings(first, second) })).status).toBe(400);
  expect((await change(made.key_id, { team_role_bindings: bindings(second) })).body.team_role_bindings).toEqual(bindings(second));
  const { id } = await create({ label: 'a', role: 'team_admin', team_role_bindings: bindings(first) });
  expect((await change(id, { label: 'b', team_role_bindings: bindings(first, second) })).body).toMatchObject({
    label: 'b',
    team_role_bindings: bindings(first, second),
  });
  const { id: whole } = await create({ label: 'a', role: 'org_admin' });
  expect((await change(whole, { team_role_bindings: bindings(first) })).status).toBe(400);
  expect((await change(whole, { label: null })).body.label).toBe('a');
});

test('both kinds of key work in every header of management keys, and older headers are deprecated', async () => {
  const names = ['x-management-key', 'x-service-org-key', 'x-vital-org-key'];
  for (const value of [open.key, open.newKey([first])])
    for (const name of names) {
      const { status, headers } = await open.ask('GET', `/v1/org/${open.org_id}/team`, { headers: { [name]: value } });
      // 1 April 2025, in seconds since 1970.
      expect([status, headers.deprecation]).toEqual([200, name === 'x-management-key' ? undefined : '@1743465600']);
    }
});

test('a key of a team is shown once, recognizable later, and works until it is deleted', async () => {
  const path = '/team_api_keys/sandbox/us';
  const make = async (team_id: string) => (await open.manage('POST', path, { body: { label: 'loader', team_id } })).body;
  const [made, other] = [await make(first), await make(second)];
  expect(made).toMatchObject({ label: 'loader', team_id: first, value: expect.stringMatching(/^sk_us_[\w-]{32}$/) });
  const ask = async (value: string) => (await open.ask('GET', '/v2/user', { headers: { 'x-service-api-key': value } })).status;
  expect(await ask(made.value)).toBe(200);
  const list = async (query: string) => (await open.manage('GET', path, { query })).body;
  expect(await list(`?team_id=${first}`)).toEqual({
    api_keys: [{ ...made, value: `sk_us_***${made.value.slice(-4)}` }],
    next_cursor: null,
  });
  expect((await list('')).api_keys).toHaveLength(2);
  const unknown = '2a7e51c4-0000-4000-8000-000000000001';
  const remove = (management: string) =>
    open.manage('DELETE', path, { management, query: `?api_key_id=${made.id}&api_key_id=${other.id}&api_key_id=${unknown}` });
  expect((await remove(open.newKey([second]))).body).toEqual({ success: [other.id], failure: [], not_found: [made.id, unknown] });
  expect([await ask(made.value), await ask(other.value)]).toEqual([200, 401]);
  expect((await remove(open.key)).body).toEqual({ success: [made.id], failure: [], not_found: [other.id, unknown] });
  expect(await ask(made.value)).toBe(401);
});

test('a team belongs to its region, and has no production environment', async () => {
  const { team_id } = open.service.teams.add('eu', { org_id: open.org_id, region: 'eu' });
  const make = (place: string) => open.manage('POST', `/team_api_keys/${place}`, { body: { label: '', team_id } });
  expect((await make('sandbox/us')).status).toBe(404);
  expect((await make('production/eu')).status).toBe(404);
  expect((await make('sandbox/eu')).body.value).toMatch(/^sk_eu_/);
  expect((await open.manage('GET', '/team_api_keys/sandbox/us')).body.api_keys).toEqual([]);
});

test('without the Scale plan, the management API refuses everything and says why', async () => {
  const { org_id } = open.service.organizations.create('small', 'grow');
  const key = open.newKey(null, org_id);
  const ask = () => open.ask('GET', `/v1/org/${org_id}`, { headers: { 'x-management-key': key } });
  expect(await ask()).toMatchObject({ status: 403, body: { detail: expect.stringContaining('Scale plan') } });
  open.service.organizations.setPlan(org_id, 'scale');
  expect((await ask()).body).toEqual({ id: org_id, name: 'small', expires_at: null });
  const renamed = await open.ask('PATCH', `/v1/org/${org_id}`, { headers: { 'x-management-key': key }, body: { name: 'big' } });
  expect(renamed.body).toEqual({ id: org_id, name: 'big', expires_at: null });
  expect((await open.ask('GET', `/v1/org/${org_id}`, { headers: { 'x-management-key': open.key } })).status).toBe(403);
});
