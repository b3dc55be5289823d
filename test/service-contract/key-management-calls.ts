import { expect } from 'vitest';
import type { ManagementCall } from './management-calls.ts';
import type { World } from './world.ts';

const unknown = crypto.randomUUID();
const created_at = '2026-01-01T12:00:00.000+00:00';
const TEAM_KEYS = '/team_api_keys/sandbox/us';

/** Creates a key of the team. */
const newTeamKey = ({ team, manage }: World, label: string) => manage('POST', TEAM_KEYS, { body: { label, team_id: team } });

/** Returns the status of a request with the key of a team. */
const statusWith = async ({ url, fetch }: World, key: string): Promise<number> =>
  (await fetch(`${url}/v2/user`, { headers: { 'x-service-api-key': key } })).status;

/** Creates a management key of the team. */
async function boundKey({ team, manage }: World): Promise<{ readonly id: string; readonly key: string }> {
  const body = { label: 'bound', role: 'team_admin', team_role_bindings: [{ team_id: team }] };
  return (await manage('POST', '/management_key', { body })).body;
}

/** How a program manages the keys of its teams and of its organization, by operation. */
export const keyManagementCalls: Readonly<Record<string, ManagementCall>> = {
  async list_team_api_keys(world) {
    const { team, key, manage } = world;
    const { body: made } = await newTeamKey(world, 'second');
    const hidden = (value: string): string => `sk_us_***${value.slice(-4)}`;
    const first = { team_id: team, created_at, value: hidden(key), id: expect.any(String), label: expect.any(String) };
    const second = { id: made.id, label: 'second', value: hidden(made.value), team_id: team, created_at };
    const whole = { api_keys: [first, second], next_cursor: null };
    expect(await manage('GET', TEAM_KEYS)).toEqual({ status: 200, body: whole });
    expect(await manage('GET', `${TEAM_KEYS}?team_id=${team}`)).toEqual({ status: 200, body: whole });
    expect((await manage('GET', '/team_api_keys/sandbox/eu')).body).toEqual({ api_keys: [], next_cursor: null });
  },
  async create_team_api_key(world) {
    const { status, body } = await newTeamKey(world, 'second');
    expect([status, body]).toEqual([
      200,
      {
        label: 'second',
        team_id: world.team,
        created_at,
        id: expect.any(String),
        value: expect.stringMatching(/^sk_us_/),
      },
    ]);
    expect(await statusWith(world, body.value)).toBe(200);
    const elsewhere = await world.manage('POST', '/team_api_keys/sandbox/eu', { body: { label: '', team_id: world.team } });
    expect(elsewhere).toMatchObject({ status: 404 });
  },
  async delete_team_api_keys(world) {
    const { id, value } = (await newTeamKey(world, 'second')).body;
    expect(await world.manage('DELETE', `${TEAM_KEYS}?api_key_id=${id}&api_key_id=${unknown}`)).toEqual({
      status: 200,
      body: { success: [id], failure: [], not_found: [unknown] },
    });
    expect([await statusWith(world, value), await statusWith(world, world.key)]).toEqual([401, 200]);
  },
  async list_management_keys(world) {
    const { team, manage } = world;
    const { id } = await boundKey(world);
    const own = { label: '', created_at, role: 'org_admin', team_role_bindings: null, id: expect.any(String) };
    const first = { ...own, creator: { type: 'vital_staff' } };
    const second = {
      id,
      label: 'bound',
      created_at,
      role: 'team_admin',
      creator: { type: 'management_key' },
      team_role_bindings: [{ team_id: team }],
    };
    const page = (data: readonly object[]) => ({ status: 200, body: { data, next_cursor: null } });
    expect(await manage('GET', '/management_key')).toEqual(page([first, second]));
    expect(await manage('GET', `/management_key?team_id=${team}`)).toEqual(page([second]));
    expect(await manage('GET', '/management_key?role=org_admin')).toEqual(page([first]));
  },
  async create_management_key(world) {
    const { team, manage } = world;
    const body = { label: 'bound', role: 'team_admin', team_role_bindings: [{ team_id: team }] };
    const { status, body: made } = await manage('POST', '/management_key', { body });
    expect([status, made]).toEqual([
      200,
      {
        ...body,
        created_at,
        creator: { type: 'management_key' },
        id: expect.any(String),
        key: expect.stringMatching(/^mg_/),
      },
    ]);
    expect(await manage('GET', `/team/${team}`, { key: made.key })).toMatchObject({ status: 200 });
    const foreign = { ...body, team_role_bindings: [{ team_id: unknown }] };
    expect(await manage('POST', '/management_key', { body: foreign })).toMatchObject({ status: 404 });
  },
  async update_management_key(world) {
    const { team, manage } = world;
    const { body: second } = await manage('POST', '/team', { body: { name: 'second', region: 'eu' } });
    const { id, key } = await boundKey(world);
    const body = { label: 'moved', team_role_bindings: [{ team_id: second.id }] };
    const changed = { ...body, created_at, id, role: 'team_admin', creator: { type: 'management_key' } };
    expect(await manage('PATCH', `/management_key/${id}`, { body })).toEqual({ status: 200, body: changed });
    expect((await manage('GET', `/team/${second.id}`, { key })).status).toBe(200);
    expect((await manage('GET', `/team/${team}`, { key })).status).toBe(403);
    const own = (await manage('GET', '/management_key?role=org_admin')).body.data[0].id;
    expect((await manage('PATCH', `/management_key/${own}`, { body })).status).toBe(400);
    expect((await manage('PATCH', `/management_key/${unknown}`, { body })).status).toBe(404);
  },
  async delete_management_key(world) {
    const { id, key } = await boundKey(world);
    const { status, body } = await world.manage('DELETE', `/management_key/${id}`);
    expect([status, body]).toMatchObject([200, { id, label: 'bound', team_role_bindings: [{ team_id: world.team }] }]);
    expect((await world.manage('GET', `/team/${world.team}`, { key })).status).toBe(401);
    expect((await world.manage('DELETE', `/management_key/${id}`)).status).toBe(404);
  },
};
