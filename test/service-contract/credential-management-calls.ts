import { expect } from 'vitest';
import type { ManagementCall } from './management-calls.ts';
import type { World } from './world.ts';

const CREDENTIALS = '/team_custom_credentials/sandbox/us';

const setCredential = async ({ manage, team }: World, more: object) => {
  const answer = await manage('POST', CREDENTIALS, { body: { team_id: team, ...more } });
  expect(answer.status).toBe(200);
  return answer.body;
};

const quest = { provider: 'quest', client_id: 'lab', details: { quest: { facility: 'F', token: 'planted' } } };

/** How a program calls the operations on the credentials of teams. */
export const credentialManagementCalls: Readonly<Record<string, ManagementCall>> = {
  async set_team_credential(world) {
    const made = await setCredential(world, { provider: 'oura', client_id: 'id', client_secret: 'planted' });
    expect(made).toMatchObject({ team_id: world.team, source: 'oura', client_id: 'id', details: null });
    expect(made.client_secret_hash).toMatch(/^[0-9a-f]{64}$/);
    const { details } = await setCredential(world, quest);
    expect(details).toEqual({ quest: { facility: 'F', token: '***' } });
    expect(await setCredential(world, { provider: 'oura' })).toEqual(made);
  },
  async list_team_credentials(world) {
    const made = await setCredential(world, quest);
    const { body } = await world.manage('GET', `${CREDENTIALS}?team_id=${world.team}&provider=quest`);
    expect(body).toEqual({ credentials: [made], next_cursor: null });
  },
  async delete_team_credentials(world) {
    const { id } = await setCredential(world, quest);
    const { body } = await world.manage('DELETE', `${CREDENTIALS}?credential_id=${id}`);
    expect(body).toEqual({ success: [id], failure: [], not_found: [] });
  },
  async prepare_team_credential({ manage, team, url }) {
    const prepare = async (provider: string) =>
      (await manage('POST', '/prepare_team_custom_credentials/sandbox/us', { body: { team_id: team, provider } })).body;
    const { status, preparation_steps } = await prepare('polar');
    expect(status).toBe('preparations_required');
    for (const { value } of preparation_steps) expect(value.startsWith(url)).toBe(true);
    expect(await prepare('quest')).toEqual({ status: 'no_action_needed', preparation_steps: [] });
  },
};
