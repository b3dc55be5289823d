import { describe, expect, test } from 'vitest';
import { controlOperations } from '../control/control-operations.ts';
import { createControl } from '../control/control-server.ts';
import { keepEvents } from '../events/kept-events.fixture.ts';
import { openManagement } from '../management/management.fixture.ts';
import { DAY, patient, testOf } from '../orders/orders.fixture.ts';

/** A service with an organization and a team that use the interface of a date. */
type Opened = Awaited<ReturnType<typeof open>>;

const PRESENT = Date.UTC(2026, 5, 1);

/** Opens a service whose clock starts at the date, or a service of the present with an organization pinned to the date. */
async function open(way: 'start' | 'organization', date: string) {
  const opened = openManagement({ start: way === 'start' ? Date.parse(date) : PRESENT, seed: 3, past: () => [] });
  const { service } = opened;
  const control = createControl(controlOperations(service));
  const steer = async (url: string, payload: object) => (await control.inject({ method: 'POST', url, payload })).json();
  const as_of = way === 'start' ? {} : { as_of: date };
  const { org_id: org, management_key } = await steer('/organizations', { name: 'clinic', ...as_of });
  const { team_id: team, api_key } = await steer('/teams', { name: 'first', org_id: org });
  keepEvents(service, team);
  type Method = Parameters<typeof opened.ask>[0];
  return {
    service,
    org,
    team,
    steer,
    managementKey: String(management_key),
    /** Calls the API of the team. */
    ask: (method: Method, url: string, body?: object) =>
      opened.ask(method, url, { headers: { 'x-service-api-key': api_key }, body }),
    /** Calls the management API. Default: with the key in the older header, which the interface of every date accepts. */
    manage: (method: Method, path: string, body?: object, headers: object = { 'x-service-org-key': management_key }) =>
      opened.ask(method, `/v1/org/${org}${path}`, { headers: { ...headers }, body }),
    events: () => service.outbox.after(team, 0, 1000).map(({ body }) => JSON.parse(body)),
    async close() {
      await control.close();
      await opened.close();
    },
  };
}

const newUser = async ({ ask }: Opened): Promise<string> =>
  (await ask('POST', '/v2/user', { client_user_id: 'c-1' })).body.user_id;
const hubs = {
  connection_string: 'Endpoint=sb://a.example.com/;SharedAccessKeyName=n;SharedAccessKey=a2V5',
  default_event_hub: 'all',
};
const matchers = [{ event_type_prefix: 'labtest.', event_hub: 'labs' }];

/** Checks a service: before a change (`isThere` is false), or after it. */
type Check = (opened: Opened, isThere: boolean) => Promise<void>;

/** The rows of the specification's table. The dates are the first days of its months, except for the one that it names. */
const rows: readonly [what: string, since: string, check: Check][] = [
  [
    'the deletion of a user can be undone',
    '2024-02-01',
    async (opened, isThere) => {
      const user = await newUser(opened);
      await opened.ask('DELETE', `/v2/user/${user}`);
      const { status, body } = await opened.ask('POST', `/v2/user/undo_delete?user_id=${user}`);
      expect([status, body]).toEqual(isThere ? [200, { success: true }] : [404, { detail: 'Not Found' }]);
      expect((await opened.ask('GET', `/v2/user/${user}`)).status).toBe(isThere ? 200 : 404);
    },
  ],
  [
    'envelopes of events have the ids of team and user',
    '2024-03-01',
    async (opened, isThere) => {
      const user = await newUser(opened);
      await opened.steer('/connections', { user_id: user, provider: 'oura' });
      const ids = { team_id: opened.team, user_id: user, client_user_id: 'c-1' };
      const [event] = opened.events();
      expect(event).toEqual({ event_type: 'provider.connection.created', data: expect.any(Object), ...(isThere ? ids : {}) });
    },
  ],
  [
    'the conflict of a creation names the existing user',
    '2024-03-01',
    async (opened, isThere) => {
      const user_id = await newUser(opened);
      const { status, body } = await opened.ask('POST', '/v2/user', { client_user_id: 'c-1' });
      const named = isThere ? { user_id, created_on: expect.any(String) } : {};
      const detail = { error_type: 'INVALID_REQUEST', error_message: 'Client user id already exists.' };
      expect([status, body]).toEqual([400, { ...named, detail: { ...detail, ...named } }]);
    },
  ],
  [
    'organizations have a management API, with the brand of teams',
    '2024-04-01',
    async ({ manage, service }, isThere) => {
      const made = await manage('POST', '/team', { name: 'second', region: 'us' });
      expect(made.status).toBe(isThere ? 200 : 404);
      const paths = service.operations.filter(({ managed }) => managed !== undefined);
      for (const { method, path } of paths) {
        const url = path.replace('/v1/org/{org_id}', '').replaceAll(/\{\w+\}/g, crypto.randomUUID());
        const { status, body } = await manage(method, url);
        if (!isThere) expect([path, status, body]).toEqual([path, 404, { detail: 'Not Found' }]);
      }
    },
  ],
  [
    'ETL pipelines deliver to Event Hubs',
    '2024-06-01',
    async ({ manage, steer, team }, isThere) => {
      const { status, body } = await manage('POST', '/team_etl_pipelines/sandbox/us', { team_ids: [team], azure_amqp: hubs });
      expect(status).toBe(200);
      expect(body[0].preferences.preferred).toBe(isThere ? 'azure_amqp' : 'svix');
      expect(body[0].azure_amqp?.default_event_hub).toBe(isThere ? 'all' : undefined);
      expect(Object.hasOwn(body[0], 'azure_amqp')).toBe(isThere);
      const { detail } = await steer(`/pipelines/${team}`, { azure_amqp: hubs });
      if (isThere) expect(detail).toBeUndefined();
      else expect(detail).toBe('The interface of the team has no pipelines to Event Hubs: it came on 2024-06-01.');
    },
  ],
  [
    'the event type selects the hub',
    '2024-08-01',
    async ({ manage, steer, team }, isThere) => {
      const azure_amqp = { ...hubs, event_hub_matchers: matchers };
      const { status, body } = await manage('POST', '/team_etl_pipelines/sandbox/us', { team_ids: [team], azure_amqp });
      expect([status, body[0].azure_amqp.default_event_hub]).toEqual([200, 'all']);
      expect(body[0].azure_amqp.event_hub_matchers).toEqual(isThere ? matchers : undefined);
      const { detail } = await steer(`/pipelines/${team}`, { azure_amqp });
      if (isThere) expect(detail).toBeUndefined();
      else expect(detail).toBe('The interface of the team has no hubs by event type: it came on 2024-08-01.');
    },
  ],
  [
    'custom credentials can be prepared',
    '2024-08-01',
    async ({ manage }, isThere) => {
      const { status } = await manage('POST', '/prepare_team_custom_credentials/sandbox/us', {});
      expect(status).toBe(isThere ? 422 : 404);
    },
  ],
  [
    'management keys are accepted in X-Management-Key, and the older header is deprecated',
    '2025-04-01',
    async ({ manage, managementKey }, isThere) => {
      expect((await manage('GET', '/team', undefined, { 'x-management-key': managementKey })).status).toBe(isThere ? 200 : 401);
      const older = await manage('GET', '/team');
      expect([older.status, older.headers.deprecation]).toEqual([200, isThere ? '@1743465600' : undefined]);
      // Before, the newer header counts as absent.
      const both = { 'x-management-key': managementKey, 'x-service-org-key': 'mg_unknown' };
      expect((await manage('GET', '/team', undefined, both)).status).toBe(isThere ? 200 : 401);
    },
  ],
  [
    'teams have management keys',
    '2025-05-01',
    async ({ manage, steer, team, org, service }, isThere) => {
      const { management_key } = await steer(`/teams/${team}/management_keys`, {});
      const { status } = await manage('GET', '/team', undefined, { 'x-service-org-key': management_key });
      expect(status).toBe(isThere ? 200 : 401);
      expect((await manage('POST', '/management_key', { label: '', role: 'org_admin' })).status).toBe(isThere ? 200 : 404);
      expect(service.managementKeys.list(org).length).toBe(isThere ? 3 : 2);
    },
  ],
  [
    'webhooks can be managed',
    '2025-05-01',
    async ({ manage, team }, isThere) => {
      const path = `/team/${team}/sandbox/webhook`;
      expect((await manage('GET', path)).status).toBe(isThere ? 200 : 404);
      expect((await manage('POST', path, { url: 'https://example.com/' })).status).toBe(isThere ? 200 : 404);
    },
  ],
  [
    'historical pulls retry after a temporary error',
    '2025-05-10',
    async (opened, isThere) => {
      const user = await newUser(opened);
      await opened.steer('/pulls/script', { provider: 'strava', resource: 'workouts', outcomes: [{ kind: 'rate_limit' }] });
      await opened.steer('/connections', { user_id: user, provider: 'strava' });
      await opened.steer('/clock/advance', { seconds: 60 });
      const { body } = await opened.ask('GET', `/v2/introspect/historical_pull?user_id=${user}`);
      const { status, error_details } = body.data[0].provider.strava.pulled.workouts;
      expect([status, error_details]).toEqual(isThere ? ['retrying', 'provider_rate_limit_exceeded'] : ['failure', null]);
    },
  ],
  [
    'orders have an interpretation, which selects them',
    '2025-06-01',
    async (opened, isThere) => {
      const user = await newUser(opened);
      const asked = { user_id: user, order_set: { lab_test_ids: [testOf('walk_in_test')] }, ...patient };
      const { order } = (await opened.ask('POST', '/v3/order', asked)).body;
      const list = async (query = '') => (await opened.ask('GET', `/v3/orders${query}`)).body.orders;
      const seen = [order, (await opened.ask('GET', `/v3/order/${order.id}`)).body, ...(await list()), opened.events()[0].data];
      expect(seen).toHaveLength(4);
      for (const one of seen) {
        expect(one).toMatchObject({ id: order.id, lab_test: { method: 'walk_in_test' } });
        expect(Object.hasOwn(one, 'interpretation')).toBe(isThere);
      }
      expect(await list('?interpretation=critical')).toHaveLength(isThere ? 0 : 1);
    },
  ],
  [
    'the error of a closed beta is JSON',
    '2025-11-01',
    async (opened, isThere) => {
      const refused = await opened.ask('POST', '/v3/order/import', {});
      const detail = 'This endpoint is in closed beta, and your team is not enabled for it';
      expect([refused.status, refused.headers['content-type'], refused.text]).toEqual([
        403,
        isThere ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8',
        isThere ? JSON.stringify({ detail }) : detail,
      ]);
    },
  ],
];

test('the table of the specification has thirteen changes', () => {
  expect(rows).toHaveLength(13);
});

describe.each([
  ['a service whose clock starts then', 'start'],
  ['an organization as of then', 'organization'],
] as const)('%s', (_, way) => {
  test.each(rows)('since its date, but not on the day before: %s (%s)', async (_what, since, check) => {
    for (const [date, isThere] of [
      [new Date(Date.parse(since) - DAY).toISOString().slice(0, 10), false],
      [since, true],
    ] as const) {
      const opened = await open(way, date);
      try {
        await check(opened, isThere);
      } finally {
        await opened.close();
      }
    }
  });
});

test('a team can have a date of its own, beside teams of the present', async () => {
  const opened = await open('start', '2026-01-01');
  try {
    const { service, steer } = opened;
    const { api_key, as_of } = await steer('/teams', { name: 'old', as_of: '2024-02-29' });
    expect(as_of).toBe('2024-02-29');
    const pinned = service.teams.ofKey(api_key)!;
    expect(pinned.as_of).toBe('2024-02-29');
    expect(service.versions.has('ids in envelopes', pinned.team_id)).toBe(false);
    expect(service.versions.has('ids in envelopes', opened.team)).toBe(true);
    expect((await steer('/teams', { name: 'old', as_of: 'yesterday' })).detail[0].loc).toEqual(['body', 'as_of']);
  } finally {
    await opened.close();
  }
});
