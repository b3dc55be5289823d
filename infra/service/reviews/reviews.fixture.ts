import { onTestFinished } from 'vitest';
import { labTests } from '../labs/catalogue.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';
import { inventedPatient } from './cases.ts';

export const START = Date.UTC(2026, 0, 10, 12);
export const DAY = 86_400_000;
/** A run of the sandbox takes 80 virtual seconds. */
const RUN_MS = 80_000;

/** A running service with two teams, whose events an endpoint of the first team notes. */
export async function startSandbox(path = ':memory:', known?: Keys) {
  const events: SentEvent[] = [];
  const service = new Service({
    path,
    start: START,
    runs: false,
    seed: 1,
    send: async (_, { body }) => {
      events.push(JSON.parse(body) as SentEvent);
      return 204;
    },
  });
  const keys = known ?? newKeys(service);
  const served = await service.serve();
  let asked = 0;

  /** Calls an operation, and returns its status and body. */
  async function ask(method: string, url: string, body?: object, headers: object = { 'x-service-api-key': keys.key }) {
    const answer = await fetch(`${served.url}${url}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the tests compare members of answers.
    return { status: answer.status, body: (await answer.json()) as any };
  }

  const begin = (body: object, key = `key ${asked++}`) =>
    ask('POST', '/v3/unmatched_result_test', body, { 'x-service-api-key': keys.key, 'x-idempotency-key': key });

  return {
    service,
    keys,
    events,
    ask,
    begin,
    advance: (ms: number) => service.jobs.advanceTo(service.clock.now() + ms),
    newUser: (id: string) => service.users.create(keys.team, id, {}) as User,
    /** Begins a run and lets it end. Returns the answer about it. */
    async run(body: object) {
      const { run_id } = (await begin(body)).body;
      await service.jobs.advanceTo(service.clock.now() + RUN_MS);
      return (await ask('GET', `/v3/unmatched_result_test/${run_id}`)).body;
    },
    async [Symbol.asyncDispose]() {
      await served.close();
      await service.close();
    },
  };
}

/** Starts a service as {@link startSandbox} does, and ends it with the test. */
export async function begin(...given: Parameters<typeof startSandbox>): Promise<Sandbox> {
  const sandbox = await startSandbox(...given);
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  return sandbox;
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

interface Keys {
  readonly team: string;
  readonly key: string;
  readonly otherKey: string;
}

interface SentEvent {
  readonly event_type: string;
  readonly user_id?: string;
  readonly client_user_id?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function newKeys(service: Service): Keys {
  const { team_id: team, api_key: key } = service.teams.create('first');
  const { api_key: otherKey } = service.teams.create('second');
  service.endpoints.create(team, { url: 'http://x' });
  return { team, key, otherKey };
}

interface Unmatched {
  readonly id: string;
  /** The order that the case is about. */
  readonly order: string;
  readonly user: string;
}

/** Lets the sandbox make an unmatched result. */
export async function newResult({ run }: Sandbox, name: string, more: object = {}): Promise<Unmatched> {
  const { raw_result_id: id, orders } = await run({ case: name, order_source: 'managed', ...more });
  const [made] = Object.values(orders) as { order_id: string; user_id: string }[];
  return { id, order: made?.order_id ?? '', user: made?.user_id ?? '' };
}

export const accept = ({ ask }: Sandbox, id: string, body: object) => ask('POST', `/v3/unmatched_result/${id}/accept`, body);
export const resolve = ({ ask }: Sandbox, id: string, body: object) => ask('POST', `/v3/unmatched_result/${id}/resolve`, body);
export const show = async ({ ask }: Sandbox, id: string) => (await ask('GET', `/v3/unmatched_result/${id}`)).body;

/** Makes an order of the sandbox's first team that has a status and stays there. */
export function newOrder(
  { service }: Sandbox,
  user: User,
  { status = 'requisition_created', slug = 'metabolic-baseline', patient = inventedPatient('a') } = {},
): string {
  const { orders } = service.labs;
  const { id: lab_test_id, method } = labTests.find((labTest) => labTest.slug === slug)!;
  const request = { ...patient, priority: false, billing_type: 'client_bill' } as const;
  const { order_id } = orders.create(user, { lab_test_id, method, request });
  orders.follow(order_id, []);
  orders.move(order_id, 'requisition_created');
  if (status !== 'requisition_created') orders.move(order_id, status);
  return order_id;
}
