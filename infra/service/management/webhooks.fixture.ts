import { createApi } from '../api/server.ts';
import { Service, type ServiceOptions } from '../service.ts';
import type { User } from '../users/users.ts';

export const START = Date.UTC(2026, 0, 1);

/** A service with one team and its user. `manage` calls the management API; its path begins after the environment. */
export function managedTeam(options: ServiceOptions = {}) {
  const service = new Service({ start: START, runs: false, send: async () => 204, ...options });
  const app = createApi(service.operations, service.authentication);
  const { team_id, org_id } = service.teams.create('first');
  const user = service.users.create(team_id, 'c-1', {}) as User;
  const { key } = service.managementKeys.create({ org_id, label: '', creator: 'vital_staff', team_ids: null });
  const manage = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    payload?: object | string,
    team = team_id,
  ) => {
    const url = `/v1/org/${org_id}/team/${team}/sandbox/webhook${path}`;
    const headers = { 'x-management-key': key, ...(payload === undefined ? {} : { 'content-type': 'application/json' }) };
    const answer = await app.inject({ method, url, headers, payload });
    return { status: answer.statusCode, text: answer.body, body: answer.body === '' ? undefined : answer.json() };
  };
  const close = async () => {
    await app.close();
    await service.close();
  };
  return { service, team_id, user, manage, close };
}
