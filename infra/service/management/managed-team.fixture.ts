import { createApi } from '../api/server.ts';
import { Service, type ServiceOptions } from '../service.ts';

const START = Date.UTC(2026, 0, 10, 12);

interface Asked {
  readonly body?: object;
  readonly key?: string;
}

/** A service with a team in the region us, whose management API is called without a port. */
export function openManaged(options: ServiceOptions = {}) {
  const service = new Service({ start: START, runs: false, seed: 1, past: () => [], ...options });
  const app = createApi(service.operations, service.authentication);
  const { team_id: team, api_key, org_id: org } = service.teams.create('first');
  const newKey = (team_ids: readonly string[] | null): string =>
    service.managementKeys.create({ org_id: org, label: '', creator: 'vital_staff', team_ids }).key;
  const own = newKey(null);
  const request = async (method: string, url: string, headers: Record<string, string>, body?: object) => {
    const payload = body === undefined ? {} : { payload: body };
    const answer = await app.inject({ method: method as 'GET', url, headers, ...payload });
    return { status: answer.statusCode, body: answer.json(), text: answer.body };
  };
  return {
    ...{ service, team, org, newKey },
    /** Calls the management API. `path` begins after the organization. */
    manage: (method: string, path: string, { body, key = own }: Asked = {}) =>
      request(method, `/v1/org/${org}${path}`, { 'x-management-key': key }, body),
    /** Calls the API of a team. */
    ask: (method: string, url: string, { body, key = api_key }: Asked = {}) =>
      request(method, url, { 'x-service-api-key': key }, body),
    async [Symbol.asyncDispose]() {
      await app.close();
      await service.close();
    },
  };
}
