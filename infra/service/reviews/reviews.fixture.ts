import { Service } from '../service.ts';
import type { User } from '../users/user.ts';

export const START = Date.UTC(2026, 0, 10, 12);
export const DAY = 86_400_000;
/** A run of the sandbox takes 80 virtual seconds. */
const RUN_MS = 80_000;

/** A running service with two teams, whose events an endpoint of the first team notes. */
export async function startSandbox(path = ':memory:', known?: Keys) {
  const events: SentEvent[] = [];
  const service = new Service({
    ...{ path, start: START, runs: false, seed: 1 },
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
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the tests compare members of answers.
    return { status: answer.status, body: (await answer.json()) as any };
  }

  const begin = (body: object, key = `key ${asked++}`) =>
    ask('POST', '/v3/unmatched_result_test', body, { 'x-service-api-key': keys.key, 'x-idempotency-key': key });

  return {
    ...{ service, keys, events, ask, begin },
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
