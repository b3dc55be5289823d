import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { connectionWith, type ManagedService, managedService, PIPELINES } from './managed-service.fixture.ts';

const hubs = (more: object = {}) => ({ connection_string: connectionWith('a2V5'), default_event_hub: 'rest', ...more });
/** Hubs as answers show them. */
const shown = (more: object = {}) => ({
  connection_string: connectionWith('***'),
  default_event_hub: 'rest',
  compression: 'auto',
  event_hub_matchers: [],
  ...more,
});
const none = {
  push_historical_data: false,
  provider_raw_data: false,
  event_type_prefixes: null,
  cloud_pubsub: null,
  rabbitmq: null,
  svix: null,
  azure_amqp: null,
};
const svixOnly = { preferred: 'svix', enabled: ['svix'] };
const both = { preferred: 'azure_amqp', enabled: ['azure_amqp', 'svix'] };

let managed: ManagedService;
afterEach(() => managed.close());

const upsert = (body: object) => managed.manage('POST', PIPELINES, body);

test('a pipeline begins with usual preferences, and is listed without its key', async () => {
  managed = managedService();
  const [first, second, third] = [1, 2, 3].map(() => managed.newTeam().team) as [string, string, string];
  const made = await upsert({ team_ids: [second, first.toUpperCase(), second], azure_amqp: hubs() });
  const expected = [first, second].map((team_id) => ({ ...none, team_id, preferences: both, azure_amqp: shown() }));
  expect(made).toEqual({ status: 200, body: expected });
  const other = { ...none, team_id: third, preferences: svixOnly, svix: { regional: true } };
  expect((await upsert({ team_ids: [third], svix: {} })).body).toEqual([other]);
  expect((await managed.manage('GET', PIPELINES)).body).toEqual({ pipelines: [...expected, other], next_cursor: null });
  expect((await managed.manage('GET', `${PIPELINES}?team_id=${second}`)).body.pipelines).toEqual([expected[1]]);
  expect((await managed.manage('GET', '/team_etl_pipelines/sandbox/eu')).body.pipelines).toEqual([]);
});

/** The members of a request, each missing, null, or one of some values. */
const requestArbitrary = fc.record(
  {
    push_historical_data: fc.option(fc.boolean()),
    provider_raw_data: fc.option(fc.boolean()),
    event_type_prefixes: fc.subarray(['daily.', 'labtest.']),
    svix: fc.option(fc.constant({ regional: true })),
    azure_amqp: fc.option(fc.constantFrom(hubs(), hubs({ default_event_hub: 'other', compression: 'always' }))),
    preferences: fc.option(fc.record({ preferred: fc.constantFrom('svix', 'azure_amqp'), enabled: fc.subarray(both.enabled) })),
  },
  { requiredKeys: [] },
);
type Values = Record<string, unknown> & { azure_amqp?: object | null; preferences?: typeof both | null };

test('a missing member keeps its value, null removes it, and preferences must fit the destinations', async () => {
  managed = managedService();
  await fc.assert(
    fc.asyncProperty(fc.array(requestArbitrary, { maxLength: 6 }), async (requests: readonly Values[]) => {
      const { team } = managed.newTeam();
      let stored: Values | undefined;
      for (const request of requests) {
        const next: Values = { ...none, ...stored };
        for (const [name, value] of Object.entries(request)) next[name] = value ?? none[name as keyof typeof none];
        if (next.azure_amqp != null)
          next.azure_amqp = { ...shown(), ...next.azure_amqp, connection_string: connectionWith('***') };
        next.preferences ??= next.azure_amqp == null ? svixOnly : both;
        const { preferred, enabled } = next.preferences;
        const fits = enabled.includes(preferred) && (next.azure_amqp != null || !enabled.includes('azure_amqp'));
        const answer = await upsert({ ...request, team_ids: [team] });
        expect(answer.status).toBe(fits ? 200 : 400);
        if (fits) stored = next;
        if (fits) expect(answer.body).toEqual([{ ...next, team_id: team }]);
        else expect(answer.body).toEqual({ detail: expect.stringMatching(/^preferences: /) });
        const { pipelines } = (await managed.manage('GET', `${PIPELINES}?team_id=${team}`)).body;
        expect(pipelines).toEqual(stored === undefined ? [] : [{ ...stored, team_id: team }]);
      }
    }),
    { numRuns: 50 },
  );
});

const matcher = { event_type_prefix: 'raw.', blob_storage: { connection_string: 'c', container_name: 'n' } };
test.each([
  ['cloud_pubsub', { cloud_pubsub: { project: 'p', topic: 't', message_ordering: true } }],
  ['rabbitmq', { rabbitmq: { uri: 'amqps://x', exchange: 'e' } }],
  ['a preferred cloud_pubsub', { preferences: { preferred: 'cloud_pubsub', enabled: ['svix'] } }],
  ['an enabled rabbitmq', { preferences: { preferred: 'svix', enabled: ['svix', 'rabbitmq'] } }],
  ['blob_storage', { azure_amqp: hubs({ event_hub_matchers: [matcher] }) }],
  ['blob_storage beside a hub', { azure_amqp: hubs({ event_hub_matchers: [{ ...matcher, event_hub: 'h' }] }) }],
])('a request for %s is refused with the destinations that there are', async (_, request) => {
  managed = managedService();
  const { team } = managed.newTeam();
  const detail = expect.stringMatching(/^This service delivers to Event Hubs and webhooks only\./);
  expect(await upsert({ team_ids: [team], ...request })).toEqual({ status: 400, body: { detail } });
  expect((await upsert({ team_ids: [team], cloud_pubsub: null, rabbitmq: null })).status).toBe(200);
});

test.each([
  ['no teams', { team_ids: [] }],
  ['a missing list of teams', {}],
  ['a matcher without a hub', { azure_amqp: hubs({ event_hub_matchers: [{ event_type_prefix: 'a' }] }) }],
  ['a matcher without a rule', { azure_amqp: hubs({ event_hub_matchers: [{ event_hub: 'a' }] }) }],
  ['a broken expression', { azure_amqp: hubs({ event_hub_matchers: [{ event_type_regex: '(', event_hub: 'h' }] }) }],
  ['null prefixes', { event_type_prefixes: null }],
])('a request with %s is refused with 422', async (_, request) => {
  managed = managedService();
  const { team } = managed.newTeam();
  const teams = Object.hasOwn(request, 'team_ids') || Object.keys(request).length === 0 ? {} : { team_ids: [team] };
  expect((await upsert({ ...teams, ...request })).status).toBe(422);
});

test('an upsert of several teams changes all of them or none', async () => {
  managed = managedService();
  const [first, second] = [managed.newTeam().team, managed.newTeam().team];
  await upsert({ team_ids: [first], azure_amqp: hubs() });
  const before = (await managed.manage('GET', PIPELINES)).body;
  // The second team has no hubs that it could enable.
  expect((await upsert({ team_ids: [first, second], push_historical_data: true, preferences: both })).status).toBe(400);
  const unknown = 'aaaaaaaa-0000-4000-8000-000000000001';
  expect((await upsert({ team_ids: [first, unknown], push_historical_data: true })).status).toBe(404);
  expect((await managed.manage('GET', PIPELINES)).body).toEqual(before);
});

test('a hidden key stands for the stored one if the rest of the connection string is equal', async () => {
  managed = managedService();
  const { team } = managed.newTeam();
  const masked = (more: object = {}) =>
    upsert({ team_ids: [team], azure_amqp: hubs({ connection_string: connectionWith('***'), ...more }) });
  const refused = { status: 400, body: { detail: expect.stringContaining('is hidden') } };
  expect(await masked()).toEqual(refused);
  await upsert({ team_ids: [team], azure_amqp: hubs() });
  expect((await masked({ default_event_hub: 'other' })).body).toMatchObject([
    { azure_amqp: shown({ default_event_hub: 'other' }) },
  ]);
  expect(managed.service.pipelines.find(team)!.azure_amqp!.connection_string).toBe(connectionWith('a2V5'));
  expect(await masked({ connection_string: connectionWith('***').replace('hubs', 'else') })).toEqual(refused);
});

test('a removed pipeline is answered once, and teams without one are left out', async () => {
  managed = managedService();
  const [first, second] = [managed.newTeam().team, managed.newTeam().team];
  const [made] = (await upsert({ team_ids: [first], azure_amqp: hubs() })).body;
  const remove = () => managed.manage('DELETE', `${PIPELINES}?team_id=${second}&team_id=${first}`);
  expect(await remove()).toEqual({ status: 200, body: [made] });
  expect(await remove()).toEqual({ status: 200, body: [] });
  expect((await managed.manage('DELETE', PIPELINES)).status).toBe(422);
});

test('pages list the pipeline of each team once, in the order of the teams', async () => {
  managed = managedService();
  const teams = Array.from({ length: 111 }, () => managed.newTeam().team);
  await upsert({ team_ids: teams, push_historical_data: true });
  const found: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await managed.manage('GET', `${PIPELINES}${cursor === '' ? '' : `?next_cursor=${cursor}`}`);
    found.push(...body.pipelines.map(({ team_id }: { team_id: string }) => team_id));
    cursor = body.next_cursor;
  }
  expect(found).toEqual(teams);
});

test('a pipeline of the control port has both destinations, and one without hubs is shown there', async () => {
  managed = managedService();
  const [first, second] = [managed.newTeam().team, managed.newTeam().team];
  await managed.steer('POST', `/pipelines/${first}`, { azure_amqp: hubs() });
  expect((await managed.manage('GET', PIPELINES)).body.pipelines).toEqual([
    { ...none, team_id: first, preferences: both, azure_amqp: shown() },
  ]);
  await upsert({ team_ids: [second] });
  expect((await managed.steer('GET', `/pipelines/${second}`)).body).toEqual({
    team_id: second,
    push_historical_data: false,
    provider_raw_data: false,
    preferences: svixOnly,
    waiting: 0,
    held: 0,
    undeliverable: 0,
    failures: 0,
    hubs: [],
  });
});
