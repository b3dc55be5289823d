import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApi } from '../api/server.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';
import { controlOperations } from './control-operations.ts';
import { createControl } from './control-server.ts';

const START = Date.UTC(2026, 0, 1);
const NOW = '2026-01-01T00:00:00.000+00:00';
const connection_string = 'Endpoint=sb://hubs.example.com/;SharedAccessKeyName=n;SharedAccessKey=a2V5';

let service: Service;
let control: ReturnType<typeof createControl>;
let team: string;
let user: User;
let sent: { readonly url: string; readonly headers: object }[];
let status: number;
let largest: number;
beforeEach(() => {
  [sent, status, largest] = [[], 204, Number.POSITIVE_INFINITY];
  service = new Service({
    start: START,
    runs: false,
    seed: 1,
    send: async ({ url, headers }) => {
      sent.push({ url, headers });
      return status;
    },
    sendToHub: async ({ events }) => events.filter(({ body }) => body.length > largest),
  });
  control = createControl(controlOperations(service));
  team = service.teams.create('first').team_id;
  user = service.users.create(team, 'c-1', {}) as User;
});
afterEach(async () => {
  await control.close();
  await service.close();
});

async function ask(method: 'GET' | 'POST', url: string, payload?: object) {
  const answer = await control.inject({ method, url, payload });
  return { status: answer.statusCode, body: answer.json() };
}

async function tell(type = 'a'): Promise<void> {
  service.outbox.add(user, type, {});
  await service.jobs.settle();
}

describe('webhook endpoints', () => {
  const create = async (more: object = {}) => (await ask('POST', '/webhooks', { team_id: team, url: 'http://x/', ...more })).body;

  test('an endpoint is created, listed, read, changed and deleted', async () => {
    const made = await create({ description: 'first', headers: { 'X-Own': '1' } });
    expect(made).toEqual({
      endpoint_id: expect.stringMatching(/^ep_[0-9a-f]{32}$/),
      team_id: team,
      url: 'http://x/',
      description: 'first',
      filter_types: [],
      headers: { 'x-own': '1' },
      disabled: false,
      failing_since: null,
      created_at: NOW,
      updated_at: NOW,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
    });
    const path = `/webhooks/${made.endpoint_id}`;
    expect((await ask('GET', `/webhooks?team_id=${team}`)).body).toEqual({ webhooks: [made] });
    expect((await ask('GET', `/webhooks?team_id=${user.user_id}`)).body).toEqual({ webhooks: [] });
    expect((await ask('GET', path)).body).toEqual(made);
    await service.jobs.advanceTo(START + 1000);
    const changed = { ...made, url: 'http://y/', updated_at: '2026-01-01T00:00:01.000+00:00' };
    expect((await ask('POST', `${path}/update`, { url: 'http://y/' })).body).toEqual(changed);
    expect((await ask('POST', `${path}/headers`, { headers: {} })).body).toEqual({ ...changed, headers: {} });
    expect((await ask('POST', `${path}/delete`)).body).toEqual({ success: true });
    for (const [method, url] of [['GET', path] as const, ['POST', `${path}/delete`] as const])
      expect((await ask(method, url)).status).toBe(404);
  });

  test('a filter and the switch decide what an endpoint gets', async () => {
    const { endpoint_id } = await create({ disabled: true });
    await tell();
    expect(sent).toEqual([]);
    await ask('POST', `/webhooks/${endpoint_id}/enable`);
    await ask('POST', `/webhooks/${endpoint_id}/filter`, { filter_types: ['daily.data.sleep.created'] });
    await tell('daily.data.steps.created');
    await tell('daily.data.sleep.created');
    expect(sent).toHaveLength(1);
    const { body } = await ask('GET', `/webhooks/${endpoint_id}/deliveries`);
    expect(
      body.deliveries.map(({ event_type, state, attempts }: Record<string, unknown>) => [event_type, state, attempts]).toSorted(),
    ).toEqual([
      // It happened while the endpoint was disabled.
      ['a', 'failed', 0],
      ['daily.data.sleep.created', 'succeeded', 1],
    ]);
  });

  test('a rotated secret is a new one, or the given one', async () => {
    const { endpoint_id, secret } = await create();
    const { body } = await ask('POST', `/webhooks/${endpoint_id}/rotate_secret`);
    expect(body.secret).not.toBe(secret);
    const given = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    expect((await ask('POST', `/webhooks/${endpoint_id}/rotate_secret`, { secret: given })).body).toEqual({ secret: given });
    const keys = service.endpoints.signingKeys(service.endpoints.find(endpoint_id)!, START);
    expect(keys).toEqual([given, body.secret, secret]);
  });

  test.each([
    ['no address', { url: 'x' }],
    ['another protocol', { url: 'file:///etc/hosts' }],
    ['a header of the service', { headers: { 'Svix-Id': '1' } }],
    ['a line break in a header', { headers: { 'x-own': 'a\nb' } }],
    ['a secret in another form', { secret: 'secret' }],
  ])('%s is refused', async (_, more) => {
    expect((await ask('POST', '/webhooks', { team_id: team, url: 'http://x/', ...more })).status).toBe(422);
  });

  test('an unknown team is refused', async () => {
    expect((await ask('POST', '/webhooks', { team_id: user.user_id, url: 'http://x/' })).status).toBe(404);
  });
});

test('deliveries are listed by page, sent again, and recovered since a time', async () => {
  const { endpoint_id } = service.endpoints.create(team, { url: 'http://x/' });
  const path = `/webhooks/${endpoint_id}`;
  status = 500;
  await tell();
  await service.jobs.advanceTo(START + 48 * 3_600_000);
  await tell('b');
  const { deliveries } = (await ask('GET', `${path}/deliveries`)).body;
  expect(deliveries).toMatchObject([
    { event_type: 'a', created_at: NOW, state: 'failed', attempts: 8, last_status: 500 },
    { event_type: 'b', state: 'pending', attempts: 1, last_attempt_at: '2026-01-03T00:00:00.000+00:00' },
  ]);
  const [first, second] = deliveries;
  expect((await ask('GET', `${path}/deliveries?limit=1&after=${first.message_id}`)).body.deliveries).toEqual([second]);
  expect((await ask('GET', `${path}/deliveries?limit=0`)).status).toBe(422);

  expect((await ask('GET', `${path}/deliveries?after=msg_unknown`)).status).toBe(404);

  status = 204;
  sent = [];
  expect((await ask('POST', `${path}/recover`, { since: '2026-01-01T00:00:01Z' })).body).toEqual({
    recovered: 0,
    reaches_back_to: NOW,
  });
  expect((await ask('POST', `${path}/recover`, { since: NOW })).body).toEqual({ recovered: 1, reaches_back_to: NOW });
  await service.jobs.settle();
  expect(sent).toHaveLength(1);
  expect((await ask('POST', `${path}/resend`, { message_id: second.message_id })).status).toBe(200);
  await service.jobs.settle();
  expect(sent).toHaveLength(2);
  expect((await ask('POST', `${path}/resend`, { message_id: 'msg_unknown' })).status).toBe(404);
  expect((await ask('POST', '/webhooks/ep_unknown/recover', { since: NOW })).status).toBe(404);
});

test('deliveries of one time are listed in the order of creation', async () => {
  const { endpoint_id } = service.endpoints.create(team, { url: 'http://x/' });
  const types = Array.from({ length: 20 }, (_, number) => `type.${number}`);
  for (const type of types) await tell(type);
  const found: string[] = [];
  for (let after = ''; found.length < types.length; ) {
    const { deliveries } = (await ask('GET', `/webhooks/${endpoint_id}/deliveries?limit=7${after}`)).body;
    found.push(...deliveries.map(({ event_type }: { event_type: string }) => event_type));
    after = `&after=${deliveries.at(-1).message_id}`;
  }
  expect(found).toEqual(types);
});

test('a pipeline is set, read without its key, and removed, and lists what its hubs do not accept', async () => {
  const path = `/pipelines/${team}`;
  const azure_amqp = { connection_string, default_event_hub: 'rest' };
  expect((await ask('GET', path)).status).toBe(404);
  expect((await ask('POST', `/pipelines/${user.user_id}`, { azure_amqp })).status).toBe(404);
  expect((await ask('POST', path, { azure_amqp: { connection_string } })).status).toBe(422);
  const { body } = await ask('POST', path, { azure_amqp, push_historical_data: true });
  expect(body).toEqual({
    team_id: team,
    push_historical_data: true,
    waiting: 0,
    held: 0,
    undeliverable: 0,
    failures: 0,
    hubs: [],
    azure_amqp: {
      default_event_hub: 'rest',
      compression: 'auto',
      event_hub_matchers: [],
      connection_string: connection_string.replace('a2V5', '***'),
    },
  });
  largest = 10;
  await tell();
  expect((await ask('GET', path)).body).toMatchObject({ waiting: 0, undeliverable: 1 });
  expect((await ask('GET', `${path}/undeliverable`)).body.events).toEqual([
    {
      event_id: 1,
      user_id: user.user_id,
      event_type: 'a',
      hub: 'rest',
      reason: 'larger than the hub accepts',
      bytes: service.outbox.after(team, 0, 1)[0]!.body.length,
      noted_at: NOW,
    },
  ]);
  expect((await ask('POST', `${path}/remove`)).status).toBe(200);
  expect((await ask('POST', `${path}/remove`)).status).toBe(404);
});

test('ids in upper case mean the same team, user and data', async () => {
  const [TEAM, USER, workout] = [team.toUpperCase(), user.user_id.toUpperCase(), 'aaaaaaaa-0000-0000-0000-000000000001'];
  const azure_amqp = { connection_string, default_event_hub: 'rest' };
  const of = { user_id: USER, provider: 'oura' };
  const streamData = { user_id: USER, workout_id: workout.toUpperCase(), provider_id: 'p', message: 'm', source: {} };
  const data = { ...of, resource: 'workout_stream', data: streamData, stream: { power: [100] } };
  const ofPipeline = { on: 'delivery', match: { pipeline: TEAM, user_id: USER }, effect: { kind: 'lose' } };
  const calls: [string, object, object][] = [
    [`/teams/${TEAM}/keys`, {}, { team_id: team }],
    ['/connections', { ...of, is_generated: false }, { slug: 'oura' }],
    ['/data', data, { dates: [] }],
    ['/pulls/script', { ...of, outcomes: [{ kind: 'success' }] }, { scripts: [{ user_id: user.user_id }] }],
    ['/pulls/trigger', { user_ids: [USER], provider: 'strava' }, { planned: 0 }],
    ['/connections/break', of, { status: 'error' }],
    ['/webhooks', { team_id: TEAM, url: 'http://x/' }, { team_id: team }],
    [`/pipelines/${TEAM}`, { azure_amqp }, { team_id: team }],
    ['/faults', ofPipeline, { match: { pipeline: team, user_id: user.user_id } }],
    ['/faults', { on: 'operation', match: { team_id: TEAM }, effect: { kind: 'hang' } }, { match: { team_id: team } }],
  ];
  for (const [path, payload, expected] of calls)
    expect([path, await ask('POST', path, payload)]).toMatchObject([path, { status: 200, body: expected }]);
  expect((await ask('GET', `/webhooks?team_id=${TEAM}`)).body.webhooks).toHaveLength(1);
  expect((await ask('POST', '/pulls/list', { user_id: USER })).status).toBe(200);

  const app = createApi(service.operations, service.authentication);
  const headers = { 'x-service-api-key': service.teams.addKey(team) };
  for (const id of [workout, workout.toUpperCase()]) {
    const stream = await app.inject({ method: 'GET', url: `/v2/timeseries/workouts/${id}/stream`, headers });
    expect(stream.json()).toEqual({ power: [100] });
  }
  await app.close();
});

test('fault rules are added, listed with their uses, removed and cleared', async () => {
  const rule = { on: 'delivery', match: { via: 'webhook' }, effect: { kind: 'lose' }, times: 3 };
  const { body } = await ask('POST', '/faults', rule);
  expect(body).toEqual({ rule_id: expect.stringMatching(/^fault_[0-9a-f]{16}$/), ...rule, used: 0 });
  service.endpoints.create(team, { url: 'http://x/' });
  await tell();
  expect((await ask('GET', '/faults')).body).toEqual({ faults: [{ ...body, used: 1 }] });
  expect((await ask('POST', `/faults/${body.rule_id}/remove`)).status).toBe(200);
  expect((await ask('POST', `/faults/${body.rule_id}/remove`)).status).toBe(404);
  for (let index = 0; index < 2; index++) await ask('POST', '/faults', rule);
  expect((await ask('POST', '/faults/clear')).body).toEqual({ removed: 2 });
  expect((await ask('GET', '/faults')).body).toEqual({ faults: [] });
});

test('a fault rule for an unknown operation is refused', async () => {
  const rule = (operation: string) => ({ on: 'operation', match: { operation }, effect: { kind: 'hang' } });
  expect((await ask('POST', '/faults', rule('get_user'))).status).toBe(200);
  expect((await ask('POST', '/faults', rule('get_users'))).status).toBe(422);
  expect((await ask('POST', '/faults', { on: 'operation' })).status).toBe(422);
});

test('snapshots are saved, listed and restored by name', async () => {
  await ask('POST', '/snapshots', { name: 'b' });
  await ask('POST', '/snapshots', { name: 'a' });
  expect((await ask('GET', '/snapshots')).body).toEqual({ snapshots: ['a', 'b'] });
  service.users.delete(team, user.user_id);
  expect((await ask('POST', '/snapshots/a/restore')).status).toBe(200);
  expect(service.users.count(team)).toBe(1);
  expect((await ask('POST', '/snapshots/c/restore')).status).toBe(404);
  for (const name of ['', '../a', '.hidden', 'a/b']) expect((await ask('POST', '/snapshots', { name })).status).toBe(422);
});

test('a seed gives the same team, key, users and connections in every service', async () => {
  const { body } = await ask('POST', '/seed', { seed: 7, users: 20 });
  expect(body.users).toHaveLength(20);
  expect(body.users.every(({ providers }: { providers: string[] }) => [1, 2].includes(providers.length))).toBe(true);
  expect((await ask('POST', '/seed', { seed: 7 })).status).toBe(409);
  expect((await ask('POST', '/seed', { seed: 8 })).body.team_id).not.toBe(body.team_id);

  const other = new Service({ start: START + 5000, runs: false, seed: 2 });
  const otherControl = createControl(controlOperations(other));
  other.teams.create('something else');
  const again = await otherControl.inject({ method: 'POST', url: '/seed', payload: { seed: 7, users: 20 } });
  expect(again.json()).toEqual(body);
  await otherControl.close();
  await other.close();

  const app = createApi(service.operations, service.authentication);
  const headers = { 'x-service-api-key': body.api_key };
  const [first] = body.users;
  const found = await app.inject({ method: 'GET', url: `/v2/user/providers/${first.user_id}`, headers });
  expect(
    found
      .json()
      .providers.map(({ slug }: { slug: string }) => slug)
      .toSorted(),
  ).toEqual(first.providers.toSorted());
  await app.close();
});

test('seeded demo connections have providers with demo data', async () => {
  const { body } = await ask('POST', '/seed', { seed: 7, users: 5, demo: true, providers: ['oura'] });
  expect(body.users.map(({ providers }: { providers: string[] }) => providers)).toEqual(
    Array.from({ length: 5 }, () => ['oura']),
  );
  expect((await ask('POST', '/seed', { seed: 8, demo: true, providers: ['garmin'] })).status).toBe(422);
});
