import { createApi } from '../api/server.ts';
import { keepEvents } from '../events/kept-events.fixture.ts';
import { labTests } from '../labs/catalogue.ts';
import { Service } from '../service.ts';
import type { User } from '../users/user.ts';

/** A Thursday. In Phoenix, it is five in the morning. */
const START = Date.UTC(2026, 0, 1, 12);
const HOUR_MS = 3_600_000;

/** The beginnings of booking keys. */
export const HOME = 'phlebotomy|America/Phoenix|';
export const SITE = 'patient_service_center|AZ1|';
/** Friday, 9 to 10 in the morning in Phoenix. */
export const FRIDAY = '2026-01-02T16:00:00.000+00:00';
export const FRIDAY_END = '2026-01-02T17:00:00.000+00:00';
export const MONDAY = '2026-01-05T16:00:00.000+00:00';
export const MONDAY_END = '2026-01-05T17:00:00.000+00:00';

type Json = Record<string, unknown>;
type Method = 'GET' | 'POST' | 'PATCH';

interface Told {
  readonly event_type: string;
  readonly data: Json & { readonly id: string; readonly status: string };
}

export const at = (order: string, kind: string, rest = ''): string => `/v3/order/${order}/${kind}/appointment${rest}`;
/** Returns the statuses of the events of an appointment. */
export const eventsOf = (appointment: object): string[] =>
  (appointment as { readonly events: { readonly status: string }[] }).events.map(({ status }) => status);

/** A service with a team and a user, which are called over HTTP. */
export function startLabService() {
  const service = new Service({ start: START, runs: false, seed: 1 });
  const app = createApi(service.operations, service.teams);
  const { team_id: team, api_key: key } = service.teams.create('first');
  keepEvents(service, team);
  const { user_id } = service.users.create(team, 'c-1', {}) as User;

  async function ask(method: Method, url: string, payload?: object, headers: Record<string, string> = {}) {
    const answer = await app.inject({
      ...{ method, url, headers: { 'x-service-api-key': key, ...headers } },
      ...(payload === undefined ? {} : { payload }),
    });
    return { status: answer.statusCode, body: answer.json() as Json & { readonly id: string; readonly detail: unknown } };
  }

  /** Orders a lab test of a method. Returns the id of the order. */
  async function order(method: string): Promise<string> {
    const test = labTests.find((one) => one.method === method && one.status === 'active')!;
    const { body } = await ask('POST', '/v3/order', newOrder(user_id, test.id));
    return (body.order as Json).id as string;
  }

  const pass = (hours: number): Promise<void> => service.jobs.advanceTo(service.clock.now() + Math.round(hours * HOUR_MS));

  return {
    ...{ service, team, user_id, ask, order, pass },
    /** Orders a lab test of a method, and waits for the requisition. */
    async ready(method: string): Promise<string> {
      const id = await order(method);
      await pass(0.1);
      return id;
    },
    /** Returns the last appointment of an order. */
    last: async (id: string, kind: string) => (await ask('GET', at(id, kind))).body,
    async statusOf(order: string): Promise<string> {
      const { body } = await ask('GET', `/v3/order/${order}`);
      return (body.last_event as { readonly status: string }).status.split('.').at(-1)!;
    },
    /** Returns the events about orders and appointments. */
    told: (): Told[] =>
      service.outbox
        .after(team, 0, 10_000)
        .map(({ body }) => JSON.parse(body) as Told)
        .filter(({ event_type }) => /^labtest\.(order|appointment)\./.test(event_type)),
    async close(): Promise<void> {
      await app.close();
      await service.close();
    },
  };
}

const newOrder = (user_id: string, lab_test_id: string): object => ({
  user_id,
  order_set: { lab_test_ids: [lab_test_id] },
  patient_details: {
    ...{ first_name: 'Jo', last_name: 'Doe', dob: '1980-02-03', gender: 'female' },
    ...{ phone_number: '+16025550123', email: 'jo@example.com' },
  },
  patient_address: { first_line: '1 Main Street', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' },
});
