import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { until } from '../../machine/waiting.fixture.ts';
import { Service, type ServiceOptions } from '../service.ts';
import type { User } from '../users/users.ts';
import { Database, StateError } from './database.ts';

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

let folder: string;
const services: Service[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-snapshots-'));
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const fileOf = (name: string) => join(folder, name);
function opened(options: ServiceOptions) {
  const sent: string[] = [];
  const send = async (_: unknown, { body }: { body: string }) => {
    sent.push(JSON.parse(body).data.name);
    return 500;
  };
  const service = new Service({ start: START, runs: false, seed: 1, send, ...options });
  services.push(service);
  return { service, sent };
}

test.each([
  ['memory', () => ({ path: ':memory:' })],
  ['a file', () => ({ path: fileOf('service.db') })],
])('a restored state in %s has the users, rules, pending attempts and the time of the snapshot', async (_, options) => {
  const { service, sent } = opened(options());
  const { team_id, api_key } = service.teams.create('first');
  const user = service.users.create(team_id, 'kept', {}) as User;
  service.endpoints.create(team_id, { url: 'http://x' });
  service.outbox.add(user, 'a', { name: 'before' });
  await service.jobs.advanceTo(START + 1000);
  expect(sent).toEqual(['before']);
  await service.snapshots.save('one');

  service.users.create(team_id, 'new', {});
  service.users.delete(team_id, user.user_id);
  service.outbox.add(user, 'a', { name: 'after' });
  await service.jobs.advanceTo(START + 100 * HOUR);
  const attempts = sent.length;
  // The second message failed as often as the first one, and an event tells of each.
  expect(sent.filter((name) => name === 'before')).toHaveLength(8);

  expect(await service.snapshots.restore('one')).toBe(true);
  expect(service.clock.now()).toBe(START + 1000);
  expect(service.teams.ofKey(api_key)?.team_id).toBe(team_id);
  expect(service.users.page(team_id, 0, 10).users.map(({ client_user_id }) => client_user_id)).toEqual(['kept']);
  await service.jobs.advanceTo(START + 6000);
  expect(sent.slice(attempts)).toEqual(['before']);
  expect(service.snapshots.names()).toEqual(['one']);
});

test('after a snapshot is restored, the same calls give the same ids, and other events have other message ids', async () => {
  const { service } = opened({});
  const { team_id } = service.teams.create('first');
  const { endpoint_id } = service.endpoints.create(team_id, { url: 'http://x' });
  await service.snapshots.save('empty');
  const run = async (name: string) => {
    const user = service.users.create(team_id, 'c-1', {}) as User;
    service.outbox.add(user, 'a', { name });
    const { message_id } = service.deliveries.to(endpoint_id)[0]!;
    await service.snapshots.restore('empty');
    return [user.user_id, message_id];
  };
  const [first, again, other] = [await run('one'), await run('one'), await run('two')];
  expect(again).toEqual(first);
  expect(other[0]).toBe(first[0]);
  expect(other[1]).not.toBe(first[1]);
});

test('a running clock continues from the time of the snapshot, and does the jobs', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const { service, sent } = opened({ runs: true });
    const { team_id } = service.teams.create('first');
    const user = service.users.create(team_id, 'c-1', {}) as User;
    service.endpoints.create(team_id, { url: 'http://x' });
    vi.advanceTimersByTime(5000);
    await service.snapshots.save('running');
    vi.advanceTimersByTime(HOUR - 5000);
    expect(service.clock.now()).toBe(START + HOUR);
    await service.snapshots.restore('running');
    expect(service.clock.now()).toBe(START + 5000);
    vi.advanceTimersByTime(1000);
    expect(service.clock.now()).toBe(START + 6000);
    service.outbox.add(user, 'a', { name: 'by itself' });
    await until(
      'the message',
      () => sent,
      (all) => all.includes('by itself'),
    );
  } finally {
    vi.useRealTimers();
  }
});

test('a service that starts again has the restored state and its snapshots', async () => {
  const { service } = opened({ path: fileOf('service.db') });
  const { team_id } = service.teams.create('first');
  await service.snapshots.save('one');
  service.users.create(team_id, 'new', {});
  await service.snapshots.restore('one');
  await service.close();
  services.length = 0;
  const { service: again } = opened({ path: fileOf('service.db') });
  expect(again.users.count(team_id)).toBe(0);
  expect(again.snapshots.names()).toEqual(['one']);
  expect(await again.snapshots.restore('one')).toBe(true);
});

test('a snapshot of another format is refused, and the state stays', async () => {
  const { service } = opened({ path: fileOf('service.db') });
  const { team_id } = service.teams.create('first');
  await service.snapshots.save('one');
  const copy = Database.open(fileOf('service.db.snapshots/one.snapshot'));
  copy.run('pragma user_version = 99');
  copy.close();
  const refused = service.snapshots.restore('one');
  await expect(refused).rejects.toThrow(StateError);
  await expect(refused).rejects.toThrow('The snapshot one has format 99');
  expect(service.teams.find(team_id)).toBeDefined();
  expect(await service.snapshots.restore('two')).toBe(false);
  service.users.create(team_id, 'still works', {});
});

test('references are checked after a restore', async () => {
  const { service } = opened({});
  await service.snapshots.save('one');
  await service.snapshots.restore('one');
  expect(() => service.users.create(crypto.randomUUID(), 'c-1', {})).toThrow(/FOREIGN KEY/);
});

test('without a folder, the snapshots of a state in memory end with the service', async () => {
  vi.stubEnv('TMPDIR', folder);
  try {
    const { service } = opened({});
    await service.snapshots.save('one');
    expect(readdirSync(folder)).toHaveLength(1);
    await service.close();
    services.length = 0;
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
  }
});
