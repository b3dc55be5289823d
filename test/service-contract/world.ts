import { Service } from '@aorta/service';
import { JunctionClient } from '@junction-api/sdk';
import { type Exchange, recording } from './exchange.ts';

/** Virtual time of the service, which stands still. */
export const START = Date.UTC(2026, 0, 1, 12);

/** A running service with one team, and the vendor's SDK, which calls it. */
export interface World extends AsyncDisposable {
  readonly service: Service;
  readonly url: string;
  readonly team: string;
  readonly key: string;
  readonly sdk: JunctionClient;
  /** The organization of the team. */
  readonly org: string;
  /** A management key of the organization. */
  readonly managementKey: string;
  /** Calls the management API. `path` begins after the organization, such as `/team`. Default: with `managementKey`. */
  readonly manage: (method: string, path: string, more?: ManagementRequest) => Promise<ManagementAnswer>;
  /** All requests through `sdk`, `fetch` and `manage`, and their answers. */
  readonly exchanges: readonly Exchange[];
  /** Calls the service without the SDK, for requests that the SDK cannot send. */
  readonly fetch: typeof fetch;
}

interface ManagementRequest {
  /** Value that is sent as JSON. */
  readonly body?: object;
  readonly key?: string;
}

interface ManagementAnswer {
  readonly status: number;
  /** Undefined if the answer has no body. */
  readonly body: ReturnType<typeof JSON.parse>;
}

/** `around` wraps the function that sends all requests of the world. */
export async function startWorld(
  around: (send: typeof fetch, service: Service) => typeof fetch = (send) => send,
): Promise<World> {
  const service = new Service({ start: START, runs: false });
  const { team_id: team, api_key: key } = service.teams.create('first');
  service.teams.betas.set(team, 'import_order', true);
  const served = await service.serve();
  const exchanges: Exchange[] = [];
  const recorded = around(recording(service.operations, exchanges), service);
  const { org_id: org } = service.organizations.default();
  const { key: managementKey } = service.managementKeys.create({
    org_id: org,
    label: '',
    creator: 'vital_staff',
    team_ids: null,
  });
  const manage: World['manage'] = async (method, path, { body, key: own = managementKey } = {}) => {
    const answer = await recorded(`${served.url}/v1/org/${org}${path}`, {
      method,
      headers: { 'x-management-key': own, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const sdk = new JunctionClient({ baseUrl: served.url, apiKey: key, maxRetries: 0, fetch: recorded });
  return {
    service,
    url: served.url,
    team,
    key,
    org,
    managementKey,
    manage,
    sdk,
    exchanges,
    fetch: recorded,
    async [Symbol.asyncDispose]() {
      await served.close();
      await service.close();
    },
  };
}

/** Creates a user with the SDK, and returns the id. */
export async function newUser({ sdk }: World, clientUserId = 'c-1'): Promise<string> {
  return (await sdk.user.create({ clientUserId })).userId;
}
