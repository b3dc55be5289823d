import { createApi } from '../api/server.ts';
import { Service, type ServiceOptions } from '../service.ts';

const START = Date.UTC(2026, 0, 1);
const NOON = Date.UTC(2026, 0, 10, 12);

interface Asked {
  readonly body?: object;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A service with an organization, and its management API. */
export function openManagement(options: ServiceOptions = {}) {
  const service = new Service({ start: START, runs: false, ...options });
  const app = createApi(service.operations, service.authentication);
  const { org_id } = service.organizations.default();
  const newKey = (team_ids: readonly string[] | null, org = org_id): string =>
    service.managementKeys.create({ org_id: org, label: 'test', creator: 'vital_staff', team_ids }).key;
  const key = newKey(null);
  const ask = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    { body, query = '', headers = {} }: Asked = {},
  ) => {
    const answer = await app.inject({ method, url: `${url}${query}`, headers, payload: body });
    const isJson = answer.headers['content-type']?.toString().startsWith('application/json') === true;
    return { status: answer.statusCode, body: isJson ? answer.json() : undefined, text: answer.body, headers: answer.headers };
  };
  return {
    service,
    org_id,
    key,
    newKey,
    ask,
    /** Calls an operation below the organization with a management key. */
    manage: (
      method: Parameters<typeof ask>[0],
      path: string,
      { management = key, ...asked }: Asked & { readonly management?: string } = {},
    ) => ask(method, `/v1/org/${org_id}${path}`, { headers: { 'x-management-key': management }, ...asked }),
    async close() {
      await app.close();
      await service.close();
    },
  };
}

export type Management = ReturnType<typeof openManagement>;

interface Keyed {
  readonly body?: object;
  readonly key?: string;
}

/** A service with a team in the region us, whose management API is called without a port. */
export function openManaged(options: ServiceOptions = {}) {
  const open = openManagement({ start: NOON, seed: 1, past: () => [], ...options });
  const { service, org_id: org, newKey, close } = open;
  const { team_id: team, api_key } = service.teams.create('first');
  type Method = Parameters<typeof open.ask>[0];
  return {
    service,
    team,
    org,
    newKey,
    [Symbol.asyncDispose]: close,
    /** Calls the management API. `path` begins after the organization. */
    manage: (method: Method, path: string, { key = open.key, ...asked }: Keyed = {}) =>
      open.manage(method, path, { management: key, ...asked }),
    /** Calls the API of a team. */
    ask: (method: Method, url: string, { key = api_key, ...asked }: Keyed = {}) =>
      open.ask(method, url, { headers: { 'x-service-api-key': key }, ...asked }),
  };
}
