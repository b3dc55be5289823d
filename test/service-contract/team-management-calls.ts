import { expect } from 'vitest';
import type { ManagementCall } from './management-calls.ts';
import type { World } from './world.ts';

const unknown = crypto.randomUUID();
const START = '2026-01-01T12:00:00.000+00:00';

/** The settings of a team that was created without any. */
const usual = {
  lab_tests_patient_sms_communication_enabled: true,
  lab_tests_patient_email_communication_enabled: true,
  critical_result_notification_email: null,
  brand_information: null,
  logo_url: null,
  reject_duplicate_connection: false,
  sdk_per_device_activity_timeseries: false,
  partial_webhooks_enabled: false,
  minor_ordering_enabled: false,
};

/** Creates a team, and returns its id. */
async function newTeam({ manage }: World, more: object = {}): Promise<string> {
  return (await manage('POST', '/team', { body: { name: 'second', region: 'us', ...more } })).body.id;
}

/** How a program manages the teams of its organization, by operation. */
export const teamManagementCalls: Readonly<Record<string, ManagementCall>> = {
  async list_teams(world) {
    const { team, manage } = world;
    const second = await newTeam(world, { region: 'eu', integration_team_id: 'i-2' });
    const { status, body } = await manage('GET', '/team');
    expect([status, body]).toEqual([
      200,
      {
        teams: [
          { id: team, name: 'first', created_on: START, region: 'us', integration_team_id: null },
          { id: second, name: 'second', created_on: START, region: 'eu', integration_team_id: 'i-2' },
        ],
        next_cursor: null,
      },
    ]);
    const ids = async (query: string): Promise<string[]> =>
      (await manage('GET', `/team?${query}`)).body.teams.map(({ id }: { id: string }) => id);
    expect(await ids('region=eu')).toEqual([second]);
    expect(await ids('search_query=FIR')).toEqual([team]);
    expect(await ids(`team_id=${second}`)).toEqual([second]);
    for (let number = 3; number <= 51; number++) await newTeam(world, { name: String(number) });
    const first = (await manage('GET', '/team')).body;
    expect(first.teams).toHaveLength(50);
    const rest = (await manage('GET', `/team?next_cursor=${first.next_cursor}`)).body;
    expect(rest).toMatchObject({ teams: [{ name: '51' }], next_cursor: null });
  },
  async create_team({ manage }) {
    const brand_information = { company_name: 'Clinic' };
    const body = {
      name: 'Clinic',
      region: 'eu',
      integration_team_id: 'i-1',
      brand_information,
      logo_url: 'https://a.example/l',
    };
    const brand = { company_website: '', support_email: 'help@example.com', support_contact: '', company_address: '' };
    const made = await manage('POST', '/team', { body });
    const { id } = made.body;
    expect(made).toEqual({
      status: 200,
      body: {
        id: expect.any(String),
        name: 'Clinic',
        region: 'eu',
        integration_team_id: 'i-1',
        created_on: START,
        environments: ['sandbox'],
        sandbox: {
          ...usual,
          logo_url: 'https://a.example/l',
          brand_information: { ...brand, company_name: 'Clinic', brand_color: '' },
        },
        production: null,
      },
    });
    const other = { name: 'other', region: 'us', integration_team_id: 'i-1' };
    expect(await manage('POST', '/team', { body: other })).toEqual({ status: 409, body: { team_id: id } });
    // The service assigns the ids of teams, so that no answer tells of an id of another organization.
    const chosen = { body: { ...other, integration_team_id: 'i-2', id: unknown } };
    expect(await manage('POST', '/team', chosen)).toMatchObject({ status: 422 });
    const unbranded = { ...other, integration_team_id: 'i-2', brand_information };
    expect(await manage('POST', '/team', { body: unbranded })).toMatchObject({ status: 400 });
  },
  async get_team({ team, manage }) {
    const body = {
      id: team,
      name: 'first',
      created_on: START,
      region: 'us',
      integration_team_id: null,
      environments: ['sandbox'],
      sandbox: null,
      production: null,
    };
    expect(await manage('GET', `/team/${team}`)).toEqual({ status: 200, body });
    const shown = await manage('GET', `/team/${team}?include_environment=sandbox`);
    expect(shown).toEqual({ status: 200, body: { ...body, sandbox: usual } });
    expect(await manage('GET', `/team/${unknown}`)).toMatchObject({ status: 404 });
  },
  async update_team(world) {
    const { team, manage } = world;
    const second = await newTeam(world, { integration_team_id: 'i-2' });
    const body = { name: 'renamed', integration_team_id: 'i-1', sandbox: { partial_webhooks_enabled: true } };
    expect(await manage('PATCH', `/team/${team}`, { body })).toMatchObject({
      status: 200,
      body: { id: team, name: 'renamed', sandbox: { ...usual, partial_webhooks_enabled: true } },
    });
    const taken = await manage('PATCH', `/team/${team}`, { body: { integration_team_id: 'i-2' } });
    expect(taken).toEqual({ status: 409, body: { team_id: second } });
    const sandbox = { brand_information: { company_name: 'Clinic' } };
    expect(await manage('PATCH', `/team/${team}`, { body: { sandbox } })).toMatchObject({ status: 400 });
  },
  async delete_team({ team, sdk, manage }) {
    expect(await manage('DELETE', `/team/${team}`)).toEqual({ status: 200, body: null });
    expect(await manage('DELETE', `/team/${team}`)).toMatchObject({ status: 404 });
    expect((await manage('GET', '/team')).body.teams).toEqual([]);
    await expect(sdk.user.getAll()).rejects.toMatchObject({ statusCode: 401 });
  },
  async resolve_team(world) {
    const id = await newTeam(world, { integration_team_id: 'i-2' });
    const body = { integration_team_id: 'i-2' };
    expect(await world.manage('POST', '/resolve_team', { body })).toMatchObject({ status: 200, body: { id, sandbox: usual } });
    const missing = await world.manage('POST', '/resolve_team', { body: { integration_team_id: 'i-3' } });
    expect(missing).toMatchObject({ status: 404 });
  },
  async create_access_token({ team, url, sdk, manage, fetch }) {
    const { userId } = await sdk.user.create({ clientUserId: 'c-1' });
    const path = `/team/${team}/create_api_access_token`;
    const { status, body } = await manage('POST', path, { body: { env: 'sandbox' } });
    expect([status, body]).toEqual([200, { access_token: expect.any(String), expires_in: 600 }]);
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect(await (await fetch(`${url}/v2/user`, { headers })).json()).toMatchObject({ users: [{ user_id: userId }] });
    expect(await manage('POST', path, { body: { env: 'production' } })).toMatchObject({ status: 404 });
  },
};
