import { createApi } from '../api/server.ts';
import { Service, type ServiceOptions } from '../service.ts';

const START = Date.UTC(2026, 0, 1);

interface Asked {
  readonly body?: object;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A service with an organization, and its management API. */
export function openManagement(options: ServiceOptions = {}) {
  const service = new Service({ start: START, runs: false, ...options });
  const app = createApi(service.operations, service.authentication);
  const { org_id } = service.organizations.create('clinic');
  const newKey = (team_ids: readonly string[] | null, org = org_id): string =>
    service.managementKeys.create({ org_id: org, label: 'test', creator: 'vital_staff', team_ids }).key;
  const key = newKey(null);
  const ask = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    { body, query = '', headers = {} }: Asked = {},
  ) => {
    const answer = await app.inject({ method, url: `${url}${query}`, headers, ...(body === undefined ? {} : { payload: body }) });
    const isJson = answer.headers['content-type']?.toString().startsWith('application/json') === true;
    return { status: answer.statusCode, body: isJson ? answer.json() : undefined, headers: answer.headers };
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
