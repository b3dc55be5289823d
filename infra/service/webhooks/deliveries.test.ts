import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test, vi } from 'vitest';
import { until } from '../../machine/waiting.fixture.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';
import type { Send } from './attempts.ts';

const START = Date.UTC(2026, 0, 1);
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const services: Service[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const service of services.splice(0)) await service.close();
});

/** A service with one user, whose endpoint answers with the statuses in turn, and then with the last of them. */
function scripted(statuses: readonly number[], path = ':memory:') {
  const sent: { readonly at: number; readonly id: string; readonly body: string; readonly keys: readonly string[] }[] = [];
  const send: Send = async (_, { at, ...message }) => {
    sent.push({ at: at - START, ...message });
    return statuses[Math.min(sent.length - 1, statuses.length - 1)]!;
  };
  const service = new Service({ start: START, runs: false, send, path });
  services.push(service);
  const team = service.teams.create('first').team_id;
  const user = service.users.create(team, 'c-1', {}) as User;
  return { service, team, user, sent };
}

test('attempts follow the documented times until one succeeds', async () => {
  const { service, team, user, sent } = scripted([500, 302, 0, 404, 204]);
  const { endpoint_id } = service.endpoints.create(team, { url: 'http://x' });
  service.outbox.add(user, 'a', {});
  await service.jobs.advanceTo(START + DAY);
  expect(sent.map(({ at }) => at)).toEqual([
    0,
    5 * SECOND,
    5 * SECOND + 5 * MINUTE,
    5 * SECOND + 35 * MINUTE,
    5 * SECOND + 35 * MINUTE + 2 * HOUR,
  ]);
  expect(new Set(sent.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
  expect(service.deliveries.to(endpoint_id)).toMatchObject([{ state: 'succeeded', attempts: 5, last_status: 204 }]);
});

test('after eight attempts in 28 hours the message has failed', async () => {
  const { service, team, user, sent } = scripted([500]);
  const { endpoint_id } = service.endpoints.create(team, { url: 'http://x' });
  service.outbox.add(user, 'a', {});
  await service.jobs.advanceTo(START + 3 * DAY);
  expect(sent).toHaveLength(8);
  expect(sent.at(-1)!.at).toBe(5 * SECOND + 35 * MINUTE + 27 * HOUR);
  expect(service.deliveries.to(endpoint_id)).toMatchObject([{ state: 'failed', attempts: 8 }]);
});

test('an endpoint gets only the event types that it asks for', async () => {
  const { service, team, user, sent } = scripted([204]);
  service.endpoints.create(team, { url: 'http://x', filterTypes: ['b'] });
  const all = service.endpoints.create(team, { url: 'http://y' });
  const other = service.endpoints.create(service.teams.create('second').team_id, { url: 'http://z' });
  for (const type of ['a', 'b']) service.outbox.add(user, type, {});
  await service.jobs.settle();
  expect(sent.map(({ body }) => JSON.parse(body).event_type).toSorted()).toEqual(['a', 'b', 'b']);
  expect(service.deliveries.to(all.endpoint_id)).toHaveLength(2);
  expect(service.deliveries.to(other.endpoint_id)).toEqual([]);
});

test('an endpoint that fails for five days is disabled, and gets nothing until it is enabled', async () => {
  const { service, team, user, sent } = scripted([500]);
  const { endpoint_id } = service.endpoints.create(team, { url: 'http://x' });
  for (let day = 0; day < 6; day++) {
    service.outbox.add(user, 'a', { day });
    await service.jobs.advanceTo(START + (day + 1) * DAY);
  }
  expect(service.endpoints.find(endpoint_id)!.is_disabled).toBe(true);
  const attempts = sent.length;
  // The clock starts with the seventh attempt, the first that is more than 12 hours after another failure.
  expect(sent.at(-1)!.at).toBe(5 * DAY + 17 * HOUR + 35 * MINUTE + 5 * SECOND);
  service.outbox.add(user, 'a', { day: 7 });
  await service.jobs.advanceTo(START + 8 * DAY);
  expect(sent).toHaveLength(attempts);
  expect(service.deliveries.to(endpoint_id).every(({ state }) => state === 'failed')).toBe(true);

  service.endpoints.setDisabled(endpoint_id, false);
  service.outbox.add(user, 'a', { day: 8 });
  await service.jobs.settle();
  expect(sent).toHaveLength(attempts + 1);
});

test('a success in between keeps the endpoint enabled', async () => {
  const { service, team, user } = scripted([...new Array<number>(20).fill(500), 204, 500]);
  const { endpoint_id } = service.endpoints.create(team, { url: 'http://x' });
  for (let day = 0; day < 6; day++) {
    service.outbox.add(user, 'a', { day });
    await service.jobs.advanceTo(START + (day + 1) * DAY);
  }
  expect(service.endpoints.find(endpoint_id)!.is_disabled).toBe(false);
});

test('failed messages since a time are recovered, and a message can be sent again, with their ids', async () => {
  const { service, team, user, sent } = scripted([...new Array<number>(16).fill(500), 204]);
  const { endpoint_id } = service.endpoints.create(team, { url: 'http://x' });
  service.outbox.add(user, 'a', { number: 1 });
  await service.jobs.advanceTo(START + 2 * DAY);
  service.outbox.add(user, 'a', { number: 2 });
  await service.jobs.advanceTo(START + 4 * DAY);
  const [first, second] = service.deliveries.to(endpoint_id);
  expect([first!.state, second!.state]).toEqual(['failed', 'failed']);

  expect(service.deliveries.recover(endpoint_id, START + DAY)).toBe(1);
  await service.jobs.settle();
  expect(sent.at(-1)).toMatchObject({ id: second!.message_id, at: 4 * DAY });
  expect(service.deliveries.find(first!.message_id, endpoint_id)!.state).toBe('failed');
  expect(service.deliveries.resend(first!.message_id, endpoint_id)).toBe(true);
  await service.jobs.settle();
  expect(service.deliveries.to(endpoint_id).map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
  expect(service.deliveries.resend('msg_unknown', endpoint_id)).toBe(false);
});

test('what happened while an endpoint was disabled is recovered', async () => {
  const { service, team, user, sent } = scripted([204]);
  const { endpoint_id } = service.endpoints.create(team, { url: 'http://x' });
  service.endpoints.setDisabled(endpoint_id, true);
  for (const number of [1, 2]) {
    service.outbox.add(user, 'a', { number });
    // It is not sent if the endpoint is enabled now.
    expect(service.deliveries.to(endpoint_id).map(({ state }) => state)).toEqual(new Array(number).fill('failed'));
    await service.jobs.advanceTo(START + number * DAY);
  }
  expect(sent).toEqual([]);
  expect(service.deliveries.to(endpoint_id)).toMatchObject([1, 2].map(() => ({ state: 'failed', attempts: 0 })));
  service.endpoints.setDisabled(endpoint_id, false);
  expect(service.deliveries.recover(endpoint_id, START + DAY)).toBe(1);
  expect(service.deliveries.recover(endpoint_id, START)).toBe(1);
  await service.jobs.settle();
  expect(sent.map(({ body }) => JSON.parse(body).data.number)).toEqual([1, 2]);
  expect(service.deliveries.to(endpoint_id)).toMatchObject([1, 2].map(() => ({ state: 'succeeded', attempts: 1 })));
});

test('a resend during an attempt makes another attempt', async () => {
  const answer = Promise.withResolvers<number>();
  const ids: string[] = [];
  const send: Send = async (_, { id }) => {
    ids.push(id);
    return ids.length === 1 ? answer.promise : 204;
  };
  const service = new Service({ start: START, runs: false, send });
  services.push(service);
  const team = service.teams.create('first').team_id;
  const { endpoint_id } = service.endpoints.create(team, { url: 'http://x' });
  service.outbox.add(service.users.create(team, 'c-1', {}) as User, 'a', {});
  const attempt = service.jobs.settle();
  await until('the attempt', () => ids.length, 1);
  service.deliveries.resend(ids[0]!, endpoint_id);
  answer.resolve(500);
  await attempt;
  expect(ids).toEqual([ids[0], ids[0]]);
  expect(service.deliveries.to(endpoint_id)).toMatchObject([{ state: 'succeeded', attempts: 1 }]);
});

test('both secrets sign for a day after a rotation', async () => {
  const { service, team, user, sent } = scripted([204]);
  const { endpoint_id, secrets } = service.endpoints.create(team, { url: 'http://x' });
  const newer = service.endpoints.rotateSecret(endpoint_id);
  service.outbox.add(user, 'a', {});
  await service.jobs.advanceTo(START + DAY);
  service.outbox.add(user, 'a', {});
  await service.jobs.settle();
  expect(sent.map(({ keys }) => keys)).toEqual([[newer, secrets[0]!.key], [newer]]);
});

test('a delivery that a crash interrupts is attempted again after the restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-service-'));
  try {
    const path = join(folder, 'service.db');
    const { service, team, user } = scripted([204], path);
    const { endpoint_id } = service.endpoints.create(team, { url: 'http://x' });
    service.outbox.add(user, 'a', {});
    await service.close();
    services.length = 0;

    const again = new Service({ path, runs: false, send: async () => 204 });
    services.push(again);
    await again.jobs.settle();
    expect(again.deliveries.to(endpoint_id)).toMatchObject([{ state: 'succeeded', attempts: 1 }]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a webhook over HTTP has the headers of its endpoint, and a signature with the real time that the library accepts', async () => {
  const realTime = Date.UTC(2031, 4, 6);
  vi.useFakeTimers({ toFake: ['Date'], now: realTime });
  const got: { readonly headers: Record<string, string>; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      got.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const service = new Service({ start: START, runs: false });
  services.push(service);
  try {
    const team = service.teams.create('first').team_id;
    const user = service.users.create(team, 'Zoë', {}) as User;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const { endpoint_id, secrets } = service.endpoints.create(team, { url, headers: { 'x-own': '1' } });
    service.endpoints.rotateSecret(endpoint_id);
    service.outbox.add(user, 'daily.data.steps.created', { value: 1 });
    await service.jobs.settle();
    const [{ headers, body }] = got as [(typeof got)[number]];
    const verified = new Webhook(secrets[0]!.key).verify(body, {
      'webhook-id': headers['svix-id']!,
      'webhook-timestamp': headers['svix-timestamp']!,
      'webhook-signature': headers['svix-signature']!,
    });
    expect(verified).toMatchObject({ event_type: 'daily.data.steps.created', client_user_id: 'Zoë', data: { value: 1 } });
    expect(headers['x-own']).toBe('1');
    expect(headers['svix-timestamp']).toBe(String(realTime / 1000));
  } finally {
    server.close();
  }
});

test('an endpoint that cannot be reached, and one that redirects, count as failures', async () => {
  const server = createServer((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const service = new Service({ start: START, runs: false });
  services.push(service);
  try {
    const team = service.teams.create('first').team_id;
    const user = service.users.create(team, 'c', {}) as User;
    const redirecting = service.endpoints.create(team, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
    const away = service.endpoints.create(team, { url: 'http://127.0.0.1:1/' });
    service.outbox.add(user, 'a', {});
    await service.jobs.settle();
    expect(service.deliveries.to(redirecting.endpoint_id)).toMatchObject([{ state: 'pending', last_status: 302 }]);
    expect(service.deliveries.to(away.endpoint_id)).toMatchObject([{ state: 'pending', last_status: 0 }]);
  } finally {
    server.close();
  }
});
