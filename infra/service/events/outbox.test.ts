import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { pipelineSchema } from '../etl/pipeline.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';

const START = Date.UTC(2026, 0, 10, 12);
const connection_string = 'Endpoint=sb://hubs.example.com/;SharedAccessKeyName=n;SharedAccessKey=a2V5';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A service whose webhooks and pipelines note the types of the events that they carry. */
function begin(path: string) {
  const carried: string[] = [];
  const service = new Service({
    path,
    start: START,
    runs: false,
    send: async (_, { body }) => {
      carried.push(`webhook ${JSON.parse(body).event_type}`);
      return 204;
    },
    sendToHub: async ({ events }) => {
      carried.push(...events.map(({ properties }) => `hub ${properties['event-type']}`));
      return [];
    },
  });
  return { service, carried };
}

function makeTeam(service: Service): User {
  const { team_id } = service.teams.create('first');
  service.endpoints.create(team_id, { url: 'http://x' });
  service.pipelines.set(team_id, pipelineSchema.parse({ azure_amqp: { connection_string, default_event_hub: 'hub' } }));
  return service.users.create(team_id, 'c-1', {}) as User;
}

test('a change that is undone leaves no event, and nothing is delivered', async () => {
  const { service, carried } = begin(':memory:');
  closing.push(() => service.close());
  const user = makeTeam(service);
  const change = () => {
    service.connections.connect(user, { provider: 'oura', isDemo: false, isGenerated: false });
    throw new Error('undone');
  };
  expect(() => service.atomically(change)).toThrow('undone');
  await service.jobs.advanceTo(START + 86_400_000);
  expect([service.connections.of(user.user_id), service.outbox.after(user.team_id, 0, 10), carried]).toEqual([[], [], []]);
});

test('an event that was written before a restart is delivered after it, to endpoints and hubs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-service-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'service.db');
  const before = begin(path);
  before.service.connections.connect(makeTeam(before.service), { provider: 'oura', isDemo: false, isGenerated: false });
  await before.service.close();
  expect(before.carried).toEqual([]);

  const after = begin(path);
  closing.push(() => after.service.close());
  await after.service.jobs.settle();
  expect(after.carried.toSorted()).toEqual(['hub provider.connection.created', 'webhook provider.connection.created']);
});

test('an event without a user has only its team, at endpoints and hubs, and stays when a user is removed', async () => {
  const bodies: unknown[] = [];
  const service = new Service({
    start: START,
    runs: false,
    send: async (_, { body }) => {
      bodies.push(JSON.parse(body));
      return 204;
    },
    sendToHub: async ({ events }) => {
      for (const { partitionKey, properties, body } of events)
        bodies.push({ partitionKey, names: Object.keys(properties).sort(), ...JSON.parse(body.toString()) });
      return [];
    },
  });
  closing.push(() => service.close());
  const { team_id, user_id } = makeTeam(service);
  service.outbox.add({ team_id }, 'labtest.a', { id: 1 });
  await service.jobs.settle();
  const body = { event_type: 'labtest.a', team_id, data: { id: 1 } };
  const names = ['event-type', 'idempotency-key', 'team-id'];
  expect(bodies).toEqual(expect.arrayContaining([body, { partitionKey: team_id, names, ...body }]));
  expect(bodies).toHaveLength(2);

  service.users.delete(team_id, user_id);
  service.outbox.add({ team_id }, 'labtest.b', {});
  await service.jobs.advanceTo(START + 7 * 86_400_000);
  expect(service.outbox.after(team_id, 0, 10).map(({ event_type, user_id: user }) => [event_type, user])).toEqual([
    ['labtest.a', null],
    ['labtest.b', null],
  ]);
});
