import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Management, openManagement } from './management.fixture.ts';

let open: Management;
beforeEach(() => {
  open = openManagement();
});
afterEach(() => open.close());

const NOW = '2026-01-01T00:00:00.000+00:00';
const UUID = /^[0-9a-f-]{36}$/;

const create = async (name: string, more: object = {}) =>
  (await open.manage('POST', '/team', { body: { name, region: 'us', ...more } })).body;

test('a team is created with its settings, read with them on request, and listed without', async () => {
  const made = await create('Clinic (east)', {
    integration_team_id: 'east',
    region: 'eu',
    reject_duplicate_connection: true,
    minor_ordering_enabled: null,
    brand_information: { company_name: 'East' },
    logo_url: 'https://example.com/east.png',
  });
  const listed = { id: made.id, name: 'Clinic (east)', created_on: NOW, region: 'eu', integration_team_id: 'east' };
  const sandbox = {
    lab_tests_patient_sms_communication_enabled: true,
    lab_tests_patient_email_communication_enabled: true,
    critical_result_notification_email: null,
    logo_url: 'https://example.com/east.png',
    brand_information: {
      company_name: 'East',
      company_website: '',
      support_email: 'help@example.com',
      support_contact: '',
      company_address: '',
      brand_color: '',
    },
    reject_duplicate_connection: true,
    sdk_per_device_activity_timeseries: false,
    partial_webhooks_enabled: false,
    minor_ordering_enabled: null,
  };
  expect(made).toEqual({ ...listed, id: expect.stringMatching(UUID), environments: ['sandbox'], sandbox, production: null });
  const path = `/team/${made.id}`;
  expect((await open.manage('GET', path, { query: '?include_environment=sandbox' })).body).toEqual(made);
  expect((await open.manage('GET', path)).body).toEqual({ ...made, sandbox: null });
  expect((await open.manage('GET', '/team')).body).toEqual({ teams: [listed], next_cursor: null });
});

test('a change keeps what it leaves out, null removes what may be missing, and switches stay with null', async () => {
  const { id } = await create('first', { critical_result_notification_email: 'a@example.com', integration_team_id: 'one' });
  const change = async (body: object) => (await open.manage('PATCH', `/team/${id}`, { body })).body;
  const branded = await change({
    sandbox: {
      partial_webhooks_enabled: true,
      logo_url: 'https://example.com/a.png',
      patient_experience: true,
      brand_information: { company_name: 'A', brand_color: 'red' },
    },
  });
  expect(branded).toMatchObject({
    name: 'first',
    integration_team_id: 'one',
    sandbox: {
      partial_webhooks_enabled: true,
      critical_result_notification_email: 'a@example.com',
      brand_information: { company_name: 'A', brand_color: 'red' },
    },
  });
  expect(open.service.teams.find(id)!.partial_webhooks_enabled).toBe(true);
  const removed = await change({
    name: 'second',
    integration_team_id: null,
    sandbox: {
      partial_webhooks_enabled: null,
      critical_result_notification_email: null,
      brand_information: { brand_color: null, company_website: 'https://example.com' },
    },
  });
  expect(removed).toMatchObject({
    name: 'second',
    integration_team_id: null,
    sandbox: {
      partial_webhooks_enabled: true,
      critical_result_notification_email: null,
      logo_url: 'https://example.com/a.png',
      brand_information: { company_name: 'A', brand_color: 'red', company_website: 'https://example.com' },
    },
  });
  expect((await change({ sandbox: { brand_information: null, logo_url: null } })).sandbox).toMatchObject({
    brand_information: null,
    logo_url: null,
  });
});

test.each([
  ['a brand without the name of the company', { sandbox: { brand_information: { brand_color: 'red' } } }, 400],
  ['the name of a company without a logo', { sandbox: { brand_information: { company_name: 'A' } } }, 400],
  ['settings of the production environment', { production: {} }, 404],
  ['a member that a team does not have', { region: 'eu' }, 422],
  ['a name with an unknown sign', { name: 'a;b' }, 422],
])('%s is refused, and the team stays as it is', async (_, body, status) => {
  const { id } = await create('first');
  const before = await open.manage('GET', `/team/${id}`, { query: '?include_environment=sandbox' });
  const answer = await open.manage('PATCH', `/team/${id}`, { body });
  expect([answer.status, answer.body]).toEqual([status, { detail: expect.anything() }]);
  expect((await open.manage('GET', `/team/${id}`, { query: '?include_environment=sandbox' })).body).toEqual(before.body);
});

test('an id of the organization is unique in it', async () => {
  const { id } = await create('first', { integration_team_id: 'one' });
  const other = open.service.organizations.create('other').org_id;
  open.service.teams.add('theirs', { org_id: other, integration_team_id: 'two' });
  const taken = async (more: object) => open.manage('POST', '/team', { body: { name: 'x', region: 'us', ...more } });
  expect(await taken({ integration_team_id: 'one' })).toMatchObject({ status: 409, body: { team_id: id } });
  expect(await taken({ integration_team_id: 'two' })).toMatchObject({ status: 200 });
  const third = await create('third');
  const change = (integration_team_id: string, of = third.id) =>
    open.manage('PATCH', `/team/${of}`, { body: { integration_team_id } });
  expect(await change('one')).toMatchObject({ status: 409, body: { team_id: id } });
  expect(await change('one', id)).toMatchObject({ status: 200 });
});

test('a key of teams is not told which other team has an id of the organization', async () => {
  const { id } = await create('first', { integration_team_id: 'one' });
  const { id: own } = await create('second');
  const management = open.newKey([own]);
  const answer = await open.manage('PATCH', `/team/${own}`, { management, body: { integration_team_id: 'one' } });
  expect([answer.status, answer.body]).toEqual([403, { detail: expect.any(String) }]);
  expect(answer.text).not.toContain(id);
});

const brand = { company_name: 'A' };
const logo_url = 'https://example.com/a.png';

test.each<[string, object, number]>([
  ['a brand without a logo', { brand_information: brand }, 400],
  ['a brand and null in place of a logo', { brand_information: brand, logo_url: null }, 400],
  ['a brand with a logo', { brand_information: brand, logo_url }, 200],
  ['a logo only', { logo_url }, 200],
  ['neither', {}, 200],
])('a new team and a team that exists can have %s, or both cannot', async (_, environment, status) => {
  const created = await open.manage('POST', '/team', { body: { name: 'new', region: 'us', ...environment } });
  const { id } = await create('first');
  const changed = await open.manage('PATCH', `/team/${id}`, { body: { sandbox: environment } });
  expect([created.status, changed.status]).toEqual([status, status]);
  if (status === 400) expect(changed.body).toEqual(created.body);
});

test('the logo of a brand cannot be removed', async () => {
  const { id } = await create('first', { brand_information: brand, logo_url });
  expect((await open.manage('PATCH', `/team/${id}`, { body: { sandbox: { logo_url: null } } })).status).toBe(400);
});

test('teams are listed by page, name and region, and found by the id of the organization', async () => {
  const ids: string[] = [];
  for (let number = 0; number < 120; number++) {
    const region = number % 3 === 0 ? 'eu' : 'us';
    ids.push((await create(`Team ${number}`, { region, integration_team_id: `i-${number}` })).id);
  }
  const list = async (query: string) => {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { teams: { id: string }[]; next_cursor: string | null } = (
        await open.manage('GET', '/team', { query: `${query}${cursor === '' ? '' : `&next_cursor=${cursor}`}` })
      ).body;
      expect(page.teams.length).toBeLessThanOrEqual(50);
      found.push(...page.teams.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    return found;
  };
  expect(await list('?')).toEqual(ids);
  expect(await list('?region=eu')).toEqual(ids.filter((_, number) => number % 3 === 0));
  expect(await list('?region=eu&region=us')).toEqual(ids);
  expect(await list('?search_query=team%2011')).toEqual([ids[11], ...ids.slice(110, 120)]);
  expect(await list(`?team_id=${ids[7]}`)).toEqual([ids[7]]);
  const resolve = (id: string) => open.manage('POST', '/resolve_team', { body: { integration_team_id: id } });
  expect((await resolve('i-7')).body.id).toBe(ids[7]);
  expect((await resolve('i-x')).status).toBe(404);
});

test('a deleted team is gone with its users, and its keys open nothing', async () => {
  const { id } = await create('first');
  const { id: rest } = await create('second');
  const { value } = (await open.manage('POST', '/team_api_keys/sandbox/us', { body: { label: 'a', team_id: id } })).body;
  const headers = { 'x-service-api-key': value };
  expect((await open.ask('POST', '/v2/user', { headers, body: { client_user_id: 'c-1' } })).status).toBe(200);
  const [only, both] = [open.newKey([id]), open.newKey([id, rest])];
  expect(await open.manage('DELETE', `/team/${id}`)).toMatchObject({ status: 200, body: null });
  expect((await open.ask('GET', '/v2/user', { headers })).status).toBe(401);
  expect((await open.manage('GET', `/team/${id}`)).status).toBe(404);
  expect((await open.manage('GET', '/team', { management: only })).status).toBe(401);
  expect((await open.manage('GET', '/team', { management: both })).body.teams).toMatchObject([{ id: rest }]);
  expect((await open.manage('DELETE', `/team/${id}`)).status).toBe(404);
});

test('an access token stands for a key of its team', async () => {
  const { id } = await create('first');
  const { body } = await open.manage('POST', `/team/${id}/create_api_access_token`, { body: { env: 'sandbox' } });
  expect(body).toEqual({ access_token: expect.any(String), expires_in: 600 });
  const headers = { authorization: `Bearer ${body.access_token}` };
  expect((await open.ask('POST', '/v2/user', { headers, body: { client_user_id: 'c-1' } })).body.team_id).toBe(id);
  const production = await open.manage('POST', `/team/${id}/create_api_access_token`, { body: { env: 'production' } });
  expect(production.status).toBe(404);
});
