import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { connectionWith, type ManagedService, managedService, PIPELINES, START } from './managed-service.fixture.ts';

const DAY = 86_400_000;
const azure_amqp = { connection_string: connectionWith('a2V5'), default_event_hub: 'rest' };

let managed: ManagedService;
afterEach(() => managed.close());

/** Returns what arrived, such as `azure_amqp a`, in alphabetic order. */
const arrived = (): string[] =>
  managed.attempts
    .filter(({ isSuccess }) => isSuccess)
    .map(({ destination, type }) => `${destination} ${type}`)
    .sort();

test.each([
  [['svix'], ['svix a']],
  [['azure_amqp'], ['azure_amqp a']],
  [
    ['svix', 'azure_amqp'],
    ['azure_amqp a', 'svix a'],
  ],
])('events go to the enabled destinations: %j', async (enabled, expected) => {
  managed = managedService();
  const { team, user } = managed.newTeam();
  managed.service.endpoints.create(team, { url: 'http://x' });
  const preferences = { preferred: enabled[0], enabled };
  expect((await managed.manage('POST', PIPELINES, { team_ids: [team], azure_amqp, preferences })).status).toBe(200);
  await managed.tell(user, 'a');
  expect(arrived()).toEqual(expected);
});

test.each([
  [['svix', 'azure_amqp'], 1],
  [['azure_amqp'], 0],
])('an endpoint is told about exhausted messages only if webhooks are enabled: %j', async (enabled, expected) => {
  managed = managedService();
  const { team, user } = managed.newTeam();
  const TYPE = 'message.attempt.exhausted';
  for (const filterTypes of [['a'], [TYPE]]) managed.service.endpoints.create(team, { url: 'http://x', filterTypes });
  managed.senders.failing = ({ destination, type }) => destination === 'svix' && type === 'a';
  await managed.tell(user, 'a');
  const preferences = { preferred: 'azure_amqp', enabled };
  await managed.manage('POST', PIPELINES, { team_ids: [team], azure_amqp, preferences });
  await managed.service.jobs.advanceTo(START + 2 * DAY);
  // The first message began before the change, so it has all its attempts.
  expect(managed.attempts.filter(({ type }) => type === 'a')).toHaveLength(8);
  expect(managed.attempts.filter(({ type }) => type === TYPE)).toHaveLength(expected);
});

test('hubs that are removed get nothing that waited for them, also when they are back', async () => {
  managed = managedService();
  const { team, user } = managed.newTeam();
  await managed.manage('POST', PIPELINES, { team_ids: [team], azure_amqp });
  managed.senders.failing = () => true;
  await managed.tell(user, 'a');
  managed.senders.failing = () => false;
  const preferences = { preferred: 'svix', enabled: ['svix'] };
  await managed.manage('POST', PIPELINES, { team_ids: [team], azure_amqp: null, preferences });
  await managed.service.jobs.advanceTo(START + DAY);
  await managed.manage('POST', PIPELINES, { team_ids: [team], azure_amqp, preferences: null });
  await managed.tell(user, 'b');
  expect(arrived()).toEqual(['azure_amqp b']);
});

test('without the Scale plan, a pipeline carries no further events but those that wait, and goes on after an upgrade', async () => {
  managed = managedService();
  const { team, user } = managed.newTeam();
  managed.service.endpoints.create(team, { url: 'http://x' });
  const body = { team_ids: [team], azure_amqp, preferences: { preferred: 'azure_amqp', enabled: ['azure_amqp'] } };
  expect((await managed.manage('POST', PIPELINES, body)).status).toBe(200);
  managed.senders.failing = () => true;
  await managed.tell(user, 'waiting');
  const plan = (name: string) => managed.steer('POST', `/organizations/${managed.org}/plan`, { plan: name });
  await plan('grow');
  await managed.tell(user, 'left_out');
  managed.senders.failing = () => false;
  await managed.service.jobs.advanceTo(START + DAY);
  // Without a pipeline, webhook endpoints get all events. The attempt at `left_out` is the second one.
  expect(arrived()).toEqual(['azure_amqp waiting', 'svix left_out']);
  const refused = { status: 403, body: { detail: expect.stringContaining('need the Scale plan') } };
  expect(await managed.manage('POST', PIPELINES, body)).toEqual(refused);
  expect(await managed.steer('POST', `/pipelines/${team}`, { azure_amqp })).toEqual(refused);
  await plan('scale');
  await managed.tell(user, 'later');
  expect(arrived()).toEqual(['azure_amqp later', 'azure_amqp waiting', 'svix left_out']);
});

test('the key of a namespace is in no file, answer or error', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-pipelines-'));
  try {
    managed = managedService({ path: join(folder, 'service.sqlite') });
    const planted = 'cGxhbnRlZC1zZWNyZXQta2V5';
    const own = (more: object = {}) => ({ ...azure_amqp, connection_string: connectionWith(planted), ...more });
    const { team, user } = managed.newTeam();
    managed.senders.failing = () => true;
    managed.senders.error = ({ connectionString }) => `cannot use ${planted} of ${connectionString}`;
    const blob_storage = { connection_string: connectionWith(planted), container_name: 'c' };
    const requests = [
      { azure_amqp: own() },
      { azure_amqp: own({ compression: 'none' }) },
      { azure_amqp: own({ connection_string: `${connectionWith(planted)};EntityPath=hub` }) },
      { azure_amqp: own({ event_hub_matchers: [{ event_type_prefix: 'a', blob_storage }] }) },
      { azure_amqp: own(), preferences: { preferred: 'svix', enabled: [] } },
      { rabbitmq: { uri: `amqps://user:${planted}@host`, exchange: 'e' } },
      { azure_amqp: own({ connection_string: connectionWith(`***${planted}`) }) },
    ];
    const answers: unknown[] = [];
    for (const request of requests) answers.push(await managed.manage('POST', PIPELINES, { team_ids: [team], ...request }));
    answers.push(await managed.steer('POST', `/pipelines/${team}`, { azure_amqp: own() }));
    await managed.tell(user, 'a');
    const status = await managed.steer('GET', `/pipelines/${team}`);
    expect(status.body.hubs).toMatchObject([{ last_error: expect.stringMatching(/^cannot use \*\*\* of Endpoint=sb:/) }]);
    answers.push(status, await managed.manage('GET', PIPELINES), await managed.steer('POST', '/snapshots', { name: 'one' }));
    answers.push(await managed.manage('DELETE', `${PIPELINES}?team_id=${team}`));
    expect(JSON.stringify(answers)).not.toContain(planted);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const names = files.map((entry) => join(entry.parentPath, entry.name));
    expect(names.map((name) => name.slice(folder.length + 1))).toEqual(
      expect.arrayContaining(['service.sqlite', 'service.sqlite-wal', 'service.sqlite.snapshots/one.snapshot']),
    );
    for (const name of names) expect(readFileSync(name).includes(planted), name).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
