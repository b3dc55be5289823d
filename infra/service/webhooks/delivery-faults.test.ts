import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test } from 'vitest';
import { faultRuleSchema } from '../faults/fault-rule.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';
import type { Send } from './attempts.ts';
import type { Delivery } from './deliveries.ts';

const START = Date.UTC(2026, 0, 1);
const SECOND = 1000;
const MINUTE = 60 * SECOND;

let service: Service;
afterEach(() => service.close());

/** A service with two users and an endpoint, which answers with the statuses in turn, and then with 204. */
function scripted(...statuses: number[]) {
  const sent: { readonly at: number; readonly id: string; readonly number: number }[] = [];
  const send: Send = async (_, { id, body, at }) => {
    sent.push({ at: at - START, id, number: JSON.parse(body).data.number });
    return statuses.shift() ?? 204;
  };
  service = new Service({ start: START, runs: false, seed: 1, send });
  const team = service.teams.create('first').team_id;
  const [user, other] = ['c-1', 'c-2'].map((id) => service.users.create(team, id, {}) as User) as [User, User];
  const { endpoint_id } = service.endpoints.create(team, { url: 'http://x' });
  const add = (rule: object) => service.faults.add(faultRuleSchema.parse({ on: 'delivery', ...rule }));
  const tell = async (number: number, who = user, type = 'a') => {
    service.outbox.add(who, type, { number });
    await service.jobs.settle();
  };
  return { team, user, other, endpoint_id, sent, add, tell };
}

test.each([
  [{ kind: 'lose' }, 0],
  [{ kind: 'lose', status: 502 }, 502],
])('a lost attempt (%j) sends nothing, fails with status %i, and is repeated as usual', async (effect, status) => {
  const { sent, add, tell, endpoint_id } = scripted();
  add({ times: 2, effect });
  await tell(1);
  expect(sent).toEqual([]);
  expect(service.deliveries.to(endpoint_id)).toMatchObject([{ state: 'pending', attempts: 1, last_status: status }]);
  await service.jobs.advanceTo(START + 60 * MINUTE);
  expect(sent.map(({ at }) => at)).toEqual([5 * SECOND + 5 * MINUTE]);
});

test('a rule acts only on the event types that it selects', async () => {
  const { sent, add, tell, user } = scripted();
  add({ match: { event_type_prefix: 'daily.data.steps.' }, effect: { kind: 'lose' } });
  await tell(1, user, 'daily.data.steps.created');
  await tell(2, user, 'daily.data.sleep.created');
  expect(sent.map(({ number }) => number)).toEqual([2]);
});

test('a delayed attempt is made at its virtual time, with the effect of its rule', async () => {
  const { sent, add, tell, endpoint_id } = scripted();
  add({ times: 1, delay_seconds: 90 });
  add({ times: 1, delay_seconds: 60, effect: { kind: 'lose' } });
  await tell(1);
  await tell(2);
  expect(sent).toEqual([]);
  await service.jobs.advanceTo(START + 10 * MINUTE);
  expect(sent.map(({ at, number }) => [number, at])).toEqual([
    [2, 65 * SECOND],
    [1, 90 * SECOND],
  ]);
  expect(
    service.deliveries
      .to(endpoint_id)
      .map(({ attempts }) => attempts)
      .toSorted(),
  ).toEqual([1, 2]);
});

test('a duplicate has the same message id', async () => {
  const { sent, add, tell, endpoint_id } = scripted();
  add({ times: 1, effect: { kind: 'duplicate' } });
  await tell(1);
  await tell(2);
  expect(sent.map(({ number }) => number)).toEqual([1, 1, 2]);
  expect(sent[0]!.id).toBe(sent[1]!.id);
  expect(service.deliveries.to(endpoint_id).every(({ state }) => state === 'succeeded')).toBe(true);
});

test('a message that is held back arrives after the next events of its user', async () => {
  const { sent, add, tell, user, other } = scripted();
  add({ match: { event_type_prefix: 'slow' }, effect: { kind: 'reorder', behind: 2 } });
  await tell(1, user, 'slow');
  await tell(2, other);
  await tell(3, user);
  expect(sent.map(({ number }) => number)).toEqual([2, 3]);
  await tell(4, user);
  expect(sent.map(({ number }) => number)).toEqual([2, 3, 4, 1]);
  await service.jobs.advanceTo(START + 120 * MINUTE);
  expect(sent).toHaveLength(4);
});

test('a message without a user that is held back arrives after the next events without a user', async () => {
  const { sent, add, tell, team } = scripted();
  add({ match: { event_type_prefix: 'slow' }, effect: { kind: 'reorder', behind: 1 } });
  const tellTeam = async (number: number, type: string) => {
    service.outbox.add({ team_id: team }, type, { number });
    await service.jobs.settle();
  };
  await tellTeam(1, 'slow');
  await tell(2);
  await tellTeam(3, 'a');
  expect(sent.map(({ number }) => number)).toEqual([2, 3, 1]);
});

test('a message that is held back arrives at the end of its time if no events follow', async () => {
  const { sent, add, tell } = scripted();
  add({ effect: { kind: 'reorder', behind: 1, within_seconds: 30 } });
  await tell(1);
  await service.jobs.advanceTo(START + MINUTE);
  expect(sent.map(({ at }) => at)).toEqual([30 * SECOND]);
});

test('a message that was held back and then failed waits for its next attempt', async () => {
  const { sent, add, tell } = scripted(500);
  add({ times: 1, effect: { kind: 'reorder', behind: 1, within_seconds: 30 } });
  await tell(1);
  await service.jobs.advanceTo(START + 31 * SECOND);
  await tell(2);
  await service.jobs.advanceTo(START + MINUTE);
  expect(sent.map(({ number, at }) => [number, at])).toEqual([
    [1, 30 * SECOND],
    [2, 31 * SECOND],
    [1, 35 * SECOND],
  ]);
});

test('a message that is held back can be sent at once by hand', async () => {
  const { sent, add, tell, endpoint_id } = scripted();
  add({ times: 1, effect: { kind: 'reorder', behind: 1 } });
  await tell(1);
  const [{ message_id }] = service.deliveries.to(endpoint_id) as [Delivery];
  service.deliveries.resend(message_id, endpoint_id);
  await tell(2);
  await service.jobs.advanceTo(START + 120 * MINUTE);
  expect(sent.map(({ number }) => number)).toEqual([1, 2]);
});

test('events fail at random in the same way in two services with the same seed', async () => {
  const run = async () => {
    const { sent, add, tell } = scripted();
    add({ probability: 0.5, effect: { kind: 'lose' } });
    for (let number = 0; number < 20; number++) await tell(number);
    await service.jobs.advanceTo(START + 600 * MINUTE);
    return sent;
  };
  const first = await run();
  expect(first.some(({ at }) => at > 0) && first.some(({ at }) => at === 0)).toBe(true);
  await service.close();
  expect(await run()).toEqual(first);
});

test('a duplicate over HTTP is verified twice by the library', async () => {
  const got: { readonly headers: Record<string, string>; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    got.push({ headers: request.headers as Record<string, string>, body });
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    service = new Service({ start: START, runs: false });
    const team = service.teams.create('first').team_id;
    const user = service.users.create(team, 'c-1', {}) as User;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { secrets } = service.endpoints.create(team, { url });
    service.faults.add(faultRuleSchema.parse({ on: 'delivery', effect: { kind: 'duplicate' } }));
    service.outbox.add(user, 'a', { number: 1 });
    await service.jobs.settle();
    const verified = got.map(({ headers, body }) =>
      new Webhook(secrets[0]!.key).verify(body, {
        'webhook-id': headers['svix-id']!,
        'webhook-timestamp': headers['svix-timestamp']!,
        'webhook-signature': headers['svix-signature']!,
      }),
    );
    expect(verified).toMatchObject([{ data: { number: 1 } }, { data: { number: 1 } }]);
    expect(got[0]!.headers['svix-id']).toBe(got[1]!.headers['svix-id']);
  } finally {
    server.close();
  }
});
