import { createApi } from '../api/server.ts';
import { keepEvents } from '../events/kept-events.fixture.ts';
import { labTests } from '../labs/catalogue.ts';
import type { CollectionMethod } from '../labs/laboratories.ts';
import { Service, type ServiceOptions } from '../service.ts';

export const START = Date.UTC(2026, 0, 1, 12);
export const MINUTE = 60_000;
export const DAY = 86_400_000;

export const patient = {
  patient_details: {
    ...({ first_name: 'Jo', last_name: 'Planted', dob: '1980-02-03', gender: 'female' } as const),
    phone_number: '+16025550123',
    email: 'jo@example.com',
  },
  patient_address: { first_line: '1 Main Street', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' },
} as const;

/** The same as the service keeps it, for tests that make orders without a request. */
export const keptRequest = {
  patient_details: patient.patient_details,
  patient_address: { ...patient.patient_address, receiver_name: '' },
  ...({ priority: false, billing_type: 'client_bill' } as const),
};

/** Returns the id of an active lab test of a method that asks no questions. */
export function testOf(method: CollectionMethod): string {
  const isAsking = (test: (typeof labTests)[number]) => test.markers.some(({ questions }) => questions.length > 0);
  return labTests.find((test) => test.method === method && test.status === 'active' && !isAsking(test))!.id;
}

interface Told {
  readonly event_type: string;
  readonly created_at: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look at a few members of many forms.
  readonly data: any;
}

/** A service with a team and a user, called without a port. */
export function openLab(options: ServiceOptions = {}) {
  const service = new Service({ start: START, runs: false, seed: 7, ...options });
  const app = createApi(service.operations, service.authentication);
  const { team_id: team, api_key: key } = service.teams.create('first');
  keepEvents(service, team);
  const user = newUser(service, team, 'c-1');
  const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: unknown, headers: object = {}) => {
    const answer = await app.inject({
      method,
      url,
      headers: { 'x-service-api-key': key, ...headers },
      payload: payload === undefined ? undefined : (payload as object),
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  const order = async (method: CollectionMethod, more: object = {}): Promise<string> => {
    const body = { user_id: user, order_set: { lab_test_ids: [testOf(method)] }, ...patient, ...more };
    const { status, body: made } = await ask('POST', '/v3/order', body);
    if (status !== 200) throw new Error(JSON.stringify(made));
    return made.order.id;
  };
  const seen: Told[] = [];
  let last = 0;
  const look = (): void => {
    for (const { event_id, event_type, created_at, body } of service.outbox.after(team, last, 100_000)) {
      seen.push({ event_type, created_at, data: JSON.parse(body).data });
      last = event_id;
    }
  };
  /** Lets time pass. The service forgets events after a week, so this looks at them on the way. */
  const pass = async (ms: number): Promise<void> => {
    const end = service.clock.now() + ms;
    do {
      await service.jobs.advanceTo(Math.min(end, service.clock.now() + 3 * DAY));
      look();
    } while (service.clock.now() < end);
  };
  /** Returns the events so far, or those whose type begins with a text. */
  const told = (type = ''): readonly Told[] => {
    look();
    return seen.filter(({ event_type }) => event_type.startsWith(type));
  };
  return {
    service,
    app,
    team,
    key,
    user,
    ask,
    order,
    told,
    pass,
    async [Symbol.asyncDispose]() {
      await app.close();
      await service.close();
    },
  };
}

export function newUser(service: Service, team: string, clientUserId: string): string {
  const made = service.users.create(team, clientUserId, {});
  if ('taken' in made) throw new Error('the client user id is taken');
  return made.user_id;
}

/** Returns the low levels of an order or event, in the order of time. */
export const lowsOf = ({ events }: { readonly events: readonly { readonly status: string }[] }): string[] =>
  events.map(({ status }) => status.split('.')[2]!);
