import { Service } from '@aorta/service';
import fc from 'fast-check';
import { createApi } from '../../infra/service/api/server.ts';
import { patient, START, testOf } from '../../infra/service/orders/orders.fixture.ts';

/** How many things a team gets, and which of the two organizations owns it. */
interface Plan {
  readonly organization: number;
  readonly users: number;
  readonly orders: number;
  readonly keys: number;
  readonly webhooks: number;
}

/** Things of two or more teams. A team with orders has a user. */
export const somePlans: fc.Arbitrary<readonly Plan[]> = fc.array(
  fc.record({
    organization: fc.nat({ max: 1 }),
    users: fc.integer({ min: 1, max: 3 }),
    orders: fc.nat({ max: 2 }),
    keys: fc.integer({ min: 1, max: 3 }),
    webhooks: fc.nat({ max: 2 }),
  }),
  { minLength: 2, maxLength: 4 },
);

/** A team, and the ids of everything that was created for it. */
export interface OwnedThings {
  readonly team: string;
  readonly organization: OwningOrganization;
  readonly users: readonly string[];
  readonly orders: readonly string[];
  readonly keys: readonly { readonly id: string; readonly value: string }[];
  readonly webhooks: readonly string[];
}

interface OwningOrganization {
  readonly id: string;
  readonly key: string;
}

interface Asked {
  /** Keys of their kinds. */
  readonly team?: string;
  readonly management?: string;
  readonly body?: object | undefined;
}

export interface IsolationWorld extends AsyncDisposable {
  readonly teams: readonly OwnedThings[];
  readonly service: Service;
  ask(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    asked: Asked,
  ): Promise<{ readonly status: number; readonly body: ReturnType<typeof JSON.parse> }>;
}

/** Starts a service, and creates everything of the plans through its API. */
export async function isolationWorld(plans: readonly Plan[]): Promise<IsolationWorld> {
  const service = new Service({ start: START, runs: false });
  const app = createApi(service.operations, service.authentication);
  const ask: IsolationWorld['ask'] = async (method, url, { team, management, body }) => {
    const headers = {
      ...(team === undefined ? {} : { 'x-service-api-key': team }),
      ...(management === undefined ? {} : { 'x-management-key': management }),
    };
    const { statusCode, body: text } = await app.inject({
      method,
      url,
      headers,
      payload: body,
    });
    return { status: statusCode, body: text === '' ? undefined : JSON.parse(text) };
  };
  const made = async (path: string, asked: Asked) => {
    const { status, body } = await ask('POST', path, asked);
    if (status !== 200) throw new Error(`POST ${path} gave ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const organizations = ['first', 'second'].map((name): OwningOrganization => {
    const { org_id } = service.organizations.create(name);
    const { key } = service.managementKeys.create({ org_id, label: '', creator: 'vital_staff', team_ids: null });
    return { id: org_id, key };
  });
  const teams: OwnedThings[] = [];
  for (const [number, plan] of plans.entries()) {
    const organization = organizations[plan.organization]!;
    const [base, management] = [`/v1/org/${organization.id}`, organization.key];
    const { id: team } = await made(`${base}/team`, { management, body: { name: `team ${number}`, region: 'us' } });
    const several = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
      Promise.all(Array.from({ length: count }, (_, index) => make(index)));
    const keys = await several<{ id: string; value: string }>(plan.keys, (index) =>
      made(`${base}/team_api_keys/sandbox/us`, { management, body: { label: `key ${index}`, team_id: team } }),
    );
    const own = { team: keys[0]!.value };
    const users = await several(plan.users, async (index): Promise<string> => {
      const body = { client_user_id: `client ${index}` };
      return (await made('/v2/user', { ...own, body })).user_id;
    });
    const order = { user_id: users[0], order_set: { lab_test_ids: [testOf('on_site_collection')] }, ...patient };
    const orders = await several(
      plan.orders,
      async (): Promise<string> => (await made('/v3/order', { ...own, body: order })).order.id,
    );
    const webhooks = await several(plan.webhooks, async (index): Promise<string> => {
      const body = { url: `https://team-${number}.example.com/${index}` };
      return (await made(`${base}/team/${team}/sandbox/webhook`, { management, body })).id;
    });
    teams.push({ team, organization, users, orders, webhooks, keys: keys.map(({ id, value }) => ({ id, value })) });
  }
  return {
    teams,
    service,
    ask,
    async [Symbol.asyncDispose]() {
      await app.close();
      await service.close();
    },
  };
}
