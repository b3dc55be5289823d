import { expect } from 'vitest';
import type { ManagementCall } from './management-calls.ts';
import type { World } from './world.ts';

const PULLS = '/team_data_pull_preferences/sandbox/us';

const fitbit = { user_must_grant: ['activity', 'sleep'], user_may_grant: ['heartrate'] };

const daysOf = (days: number) => ({ historical_days_to_pull: days });

async function setDays({ manage, team }: World) {
  const fitbit = { default: daysOf(100), resource_overrides: { heartrate: daysOf(7) } };
  const body = { team_ids: [team], providers: { fitbit, oura: { default: daysOf(365) } } };
  const answer = await manage('POST', PULLS, { body });
  expect(answer.status).toBe(200);
  return answer.body;
}

/** How a program calls the operations on the preferences of teams. */
export const preferenceManagementCalls: Readonly<Record<string, ManagementCall>> = {
  async set_data_pull_preferences(world) {
    const shown = (days: number, most: number) => ({ ...daysOf(days), historical_days_to_pull_limit: most });
    const fitbit = { default: shown(100, 365), resource_overrides: { heartrate: shown(7, 14) } };
    const providers = { fitbit, oura: { default: shown(365, 365), resource_overrides: null } };
    expect(await setDays(world)).toEqual({ data_pull_preferences: [{ team_id: world.team, providers }], next_cursor: null });
  },
  async list_data_pull_preferences(world) {
    const set = await setDays(world);
    const { body } = await world.manage('GET', `${PULLS}?team_id=${world.team}&provider=fitbit&provider=oura&limit=1`);
    expect(body).toEqual(set);
  },
  async delete_data_pull_preferences(world) {
    await setDays(world);
    expect(await world.manage('DELETE', `${PULLS}?team_id=${world.team}`)).toEqual({ status: 200, body: null });
    const { body } = await world.manage('GET', PULLS);
    expect(body).toEqual({ data_pull_preferences: [], next_cursor: null });
  },
  async set_scope_requirements({ manage, team }) {
    const path = `/team/${team}/scope_requirements`;
    expect(await manage('POST', path, { body: { fitbit, oura: null } })).toEqual({ status: 200, body: null });
    expect((await manage('GET', path)).body).toEqual({ requirements: [{ team_id: team, provider: 'fitbit', ...fitbit }] });
  },
  async list_scope_requirements({ manage, team }) {
    const path = `/team/${team}/scope_requirements`;
    const strava = { user_must_grant: [], user_may_grant: ['activity:read_all'] };
    await manage('POST', path, { body: { fitbit, strava } });
    const { body } = await manage('GET', `${path}?provider=strava`);
    expect(body).toEqual({ requirements: [{ team_id: team, provider: 'strava', ...strava }] });
  },
};
