import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { type EventHubsServer, startEventHubs } from '@aorta/event-hubs-server';
import { Service } from '@aorta/service';
import type { ReceivedEventData } from '@azure/event-hubs';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { inTime, until } from '../../infra/machine/waiting.fixture.ts';
import { keptRequest, testOf } from '../../infra/service/orders/orders.fixture.ts';
import { clientsOf, receive } from './event-hubs/clients.ts';

const START = Date.UTC(2026, 0, 1);
const MEBIBYTE = 1024 * 1024;

let server: EventHubsServer;
beforeAll(async () => {
  server = await startEventHubs({
    hubs: ['daily', 'rest'].map((name) => ({ name, partitions: 1 })),
  });
});
afterAll(() => server.stop());
beforeEach(async () => {
  for (const hub of ['daily', 'rest']) await server.faults.recreate({ hub });
});

/** A service with one user and a pipeline to both hubs. */
function opened() {
  const service = new Service({ start: START, runs: false, seed: 1 });
  const { team_id } = service.teams.create('first');
  const user = service.users.create(team_id, 'c-1', {});
  if ('taken' in user) throw new Error('the user exists');
  service.pipelines.set(team_id, {
    push_historical_data: false,
    azure_amqp: {
      connection_string: server.connectionString,
      default_event_hub: 'rest',
      compression: 'auto',
      event_hub_matchers: [{ event_type_prefix: 'daily.', event_hub: 'daily' }],
    },
  });
  const tell = async (type: string, data: object): Promise<void> => {
    service.outbox.add(user, type, data);
    await service.jobs.settle();
  };
  return { service, team: team_id, user: user.user_id, tell };
}

async function eventsIn(hub: string, count: number): Promise<ReceivedEventData[]> {
  await using clients = clientsOf(server, hub);
  return await receive(clients.consumer(), '0', count, { skipParsingBodyAsJson: true });
}

/** Returns the `data` of an event, which may be compressed. */
function dataOf({ body, properties }: ReceivedEventData): unknown {
  const bytes = body as Buffer;
  return JSON.parse((properties!['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()).data;
}

test('the official clients of many calls are kept open, and are closed with the service', async () => {
  const { service, team, user, tell } = opened();
  const before = (await server.faults.state()).connections;
  for (let number = 1; number <= 5; number++) {
    await tell('daily.data.steps.created', { number });
    await tell('labtest.order.created', { number, text: 'x'.repeat(2000) });
  }
  // One connection for each hub.
  expect((await server.faults.state()).connections).toBe(before + 2);
  const links = (await server.faults.state()).links.filter(({ kind }) => kind === 'send');
  expect(links.map(({ hub }) => hub).toSorted()).toEqual(['daily', 'rest']);
  await service.close();
  expect((await server.faults.state()).connections).toBe(before);

  const daily = await eventsIn('daily', 5);
  expect(daily.map(dataOf)).toEqual([1, 2, 3, 4, 5].map((number) => ({ number })));
  const rest = await eventsIn('rest', 5);
  expect(rest.map((event) => dataOf(event))).toMatchObject([1, 2, 3, 4, 5].map((number) => ({ number })));
  expect(daily[0]!.partitionKey).toBe(user);
  expect(rest[0]!.properties).toEqual({
    'event-type': 'labtest.order.created',
    'user-id': user,
    'team-id': team,
    'content-encoding': 'gzip',
    'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test('a pipeline that the management API sets carries events to its hubs', async () => {
  const { service, team, tell } = opened();
  const { org_id } = service.organizations.default();
  const { key } = service.managementKeys.create({ org_id, label: '', creator: 'vital_staff', team_ids: null });
  const api = await service.serve();
  const azure_amqp = { connection_string: server.connectionString, default_event_hub: 'daily' };
  const answer = await fetch(`${api.url}/v1/org/${org_id}/team_etl_pipelines/sandbox/us`, {
    method: 'POST',
    headers: { 'x-management-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ team_ids: [team], azure_amqp }),
  });
  expect(answer.status).toBe(200);
  await tell('labtest.order.created', { number: 1 });
  expect((await eventsIn('daily', 1)).map(dataOf)).toEqual([{ number: 1 }]);
  await api.close();
  await service.close();
});

test('the events of laboratories reach a hub, and one that is about no user has the team as its partition key', async () => {
  const { service, team, user } = opened();
  const { orders } = service.labs;
  const order = { lab_test_id: testOf('at_home_phlebotomy'), method: 'at_home_phlebotomy', request: keptRequest } as const;
  const { order_id } = orders.create(service.users.any(user)!, order);
  orders.want(order_id, { interpretation: 'critical' });
  const lows = ['requisition_created', 'appointment_pending', 'appointment_scheduled', 'draw_completed', 'completed'];
  orders.follow(
    order_id,
    lows.map((status) => ({ status, after: 3_600_000 })),
  );
  service.reports.create(service.users.any(user)!, [Buffer.from('%PDF-1.7')], false);
  service.outbox.add({ team_id: team }, 'labtest.match_review.created', { id: 'review' });
  await service.jobs.advanceTo(START + 86_400_000);
  await service.jobs.settle();
  const { waiting, failures } = service.pipelines.status(team)!;
  expect([waiting, failures]).toEqual([0, 0]);

  const told = new Map<string, ReceivedEventData[]>();
  const count = service.outbox.after(team, 0, 100).length;
  for (const event of await eventsIn('rest', count)) {
    const type = String(event.properties!['event-type']);
    told.set(type, [...(told.get(type) ?? []), event]);
  }
  expect([...told.keys()].sort()).toEqual([
    'lab_report.parsing_job.created',
    'lab_report.parsing_job.updated',
    'labtest.appointment.created',
    'labtest.appointment.updated',
    'labtest.match_review.created',
    'labtest.order.created',
    'labtest.order.updated',
    'labtest.result.critical',
  ]);
  for (const [type, events] of told)
    for (const { partitionKey, properties } of events)
      expect([partitionKey, properties!['user-id']], type).toEqual(
        type === 'labtest.match_review.created' ? [team, undefined] : [user, user],
      );
  await service.close();
});

test('a missing hub delays no other hub, and the status names its error', async () => {
  const { service, team, tell } = opened();
  service.pipelines.set(team, {
    push_historical_data: false,
    azure_amqp: {
      connection_string: server.connectionString,
      default_event_hub: 'missing',
      compression: 'auto',
      event_hub_matchers: [{ event_type_prefix: 'daily.', event_hub: 'daily' }],
    },
  });
  for (let number = 1; number <= 3; number++) {
    await tell('labtest.order.created', { number });
    await tell('daily.data.steps.created', { number });
  }
  // A second, two and four after the first failure.
  await service.jobs.advanceTo(START + 7000);
  expect((await eventsIn('daily', 3)).map(dataOf)).toEqual([1, 2, 3].map((number) => ({ number })));
  const { hubs, ...status } = service.pipelines.status(team)!;
  expect(status).toEqual({ waiting: 3, held: 0, undeliverable: 0, failures: 4 });
  expect(hubs).toMatchObject([
    { event_hub: 'daily', waiting: 0, failures: 0, last_error: null },
    { event_hub: 'missing', waiting: 3, failures: 4, last_error_at: START + 7000 },
  ]);
  expect(hubs[1]!.last_error).toMatch(/^MessagingEntityNotFoundError: /);
  expect(hubs[1]!.last_error).not.toContain('aorta-on-this-machine-only');
  await service.close();
});

test('an event that is larger than a hub accepts costs only itself', async () => {
  const { service, team, tell } = opened();
  await tell('daily.data.steps.created', { number: 1 });
  // Random text hardly shrinks when it is compressed.
  const text = randomBytes(2 * MEBIBYTE).toString('base64');
  await tell('daily.data.steps.created', { number: 2, text });
  await tell('daily.data.steps.created', { number: 3 });
  expect((await eventsIn('daily', 2)).map(dataOf)).toEqual([{ number: 1 }, { number: 3 }]);
  const [large, ...others] = service.pipelines.undeliverable(team);
  expect(others).toEqual([]);
  expect(large).toMatchObject({ event_type: 'daily.data.steps.created', hub: 'daily', noted_at: START });
  expect(large!.bytes).toBeGreaterThan(MEBIBYTE);
  expect(service.pipelines.status(team)).toMatchObject({ waiting: 0, undeliverable: 1, failures: 0 });
  await service.close();
});

test('a duplicate has the same idempotency key, and an event that is held back comes behind the next one', async () => {
  const { service, tell } = opened();
  service.faults.add({ on: 'delivery', match: {}, times: 1, effect: { kind: 'duplicate' } });
  service.faults.add({ on: 'delivery', match: {}, times: 1, effect: { kind: 'reorder', behind: 1, within_seconds: 60 } });
  for (let number = 1; number <= 3; number++) await tell('daily.data.steps.created', { number });
  const events = await eventsIn('daily', 4);
  expect(events.map(dataOf)).toEqual([1, 1, 3, 2].map((number) => ({ number })));
  const keys = events.map(({ properties }) => properties!['idempotency-key']);
  expect(keys[0]).toBe(keys[1]);
  expect(new Set(keys).size).toBe(3);
  await service.close();
});

test('after the connections are reset, the next event arrives within half a minute', async () => {
  const { service, team, tell } = opened();
  await tell('daily.data.steps.created', { number: 1 });
  await server.faults.reset();
  // The client may notice the reset only when it gets no answer for 15 s. Here the test ends these 15 s.
  const limit = new AbortController();
  const limits = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  const told = tell('daily.data.steps.created', { number: 2 });
  await until(
    'the calls of the client',
    () => limits.mock.calls.length,
    (count) => count >= 2,
  );
  limit.abort();
  await inTime('the first attempt', told);
  expect(new Set(limits.mock.calls.flat())).toEqual(new Set([15_000]));
  limits.mockRestore();
  await inTime('the second attempt', service.jobs.advanceTo(START + 1_000));
  expect(service.pipelines.status(team)).toMatchObject({ waiting: 0, failures: 0 });
  const numbers = (await eventsIn('daily', 2)).map((event) => (dataOf(event) as { number: number }).number);
  // If the hub got the event before the first attempt ended, it gets the event again.
  expect([...new Set(numbers)]).toEqual([1, 2]);
  await service.close();
});
