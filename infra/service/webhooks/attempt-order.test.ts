import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { inTime, until } from '../../machine/waiting.fixture.ts';
import { createApi } from '../api/server.ts';
import type { Json } from '../data/arrival.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';
import type { Send } from './attempts.ts';

const START = Date.UTC(2026, 0, 10);
const SECOND = 1000;
const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);
const MINUTES = [0, 1, 2];

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Returns numbers from 0 to 1 that depend only on the seed (the generator of Park and Miller). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** A receiver that takes up to 8 ms for each request, handles all at the same time, and stores the samples before it answers. */
async function receiver(seed: number) {
  const random = numbers(seed);
  const stored = new Map<string, unknown>();
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    await wait(8 * random());
    const { user_id, data } = JSON.parse(text);
    for (const { timestamp, value } of data.data) stored.set(`${user_id} ${timestamp}`, value);
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => new Promise((resolve) => void server.close(resolve)));
  return { stored, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

test.each(SEEDS)('with seed %i, a slow receiver with many threads ends with the values of the API', async (seed) => {
  const { stored, url } = await receiver(seed);
  const service = new Service({ start: START, runs: false, seed });
  closing.push(() => service.close());
  const app = createApi(service.operations, service.authentication);
  closing.push(() => app.close());
  const { team_id, api_key } = service.teams.create('first');
  service.endpoints.create(team_id, { url });
  const users = ['c-1', 'c-2'].map((id) => service.users.create(team_id, id, {}) as User);
  const random = numbers(seed + 100);
  // All versions have the same virtual time: one event tells of new samples, and the next ones of changed values.
  for (let version = 0; version < 5; version += 1)
    for (const user of users) {
      const data = MINUTES.map((minute): Json => {
        const timestamp = `2026-01-09T08:0${minute}:00+00:00`;
        return { timestamp, timezone_offset: 0, type: null, unit: 'bpm', value: 50 + Math.floor(100 * random()) };
      });
      service.ingestion.take(user, 'oura', [{ resource: 'heartrate', data: { source: { type: 'ring' }, data } }]);
    }
  await inTime('the deliveries', service.jobs.settle());

  const expected = new Map<string, unknown>();
  for (const { user_id } of users) {
    const path = `/v2/timeseries/${user_id}/heartrate/grouped?start_date=2026-01-09`;
    const answer = await app.inject({ url: path, headers: { 'x-service-api-key': api_key } });
    for (const { data } of answer.json().groups.oura)
      for (const { timestamp, value } of data) expected.set(`${user_id} ${timestamp}`, value);
  }
  expect(expected.size).toBe(users.length * MINUTES.length);
  expect(stored).toEqual(expected);
});

/** An attempt that the endpoint sees: when it began, and the event as user and number, such as `c-1 3`. */
interface Seen {
  readonly at: number;
  readonly event: string;
}

/** A service whose attempts at one endpoint get their status from `answer`. `null` stands for events without a user. */
function answering(answer: (event: string, begun: readonly string[]) => number | Promise<number>) {
  const seen: Seen[] = [];
  const send: Send = async (_, { body, at }) => {
    const { client_user_id = null, data } = JSON.parse(body);
    const event = `${client_user_id} ${data.number}`;
    seen.push({ at: at - START, event });
    return answer(
      event,
      seen.map((one) => one.event),
    );
  };
  const service = new Service({ start: START, runs: false, seed: 1, send });
  closing.push(() => service.close());
  const team_id = service.teams.create('first').team_id;
  const { endpoint_id } = service.endpoints.create(team_id, { url: 'http://x' });
  const users = new Map(['c-1', 'c-2'].map((id) => [id, service.users.create(team_id, id, {}) as User]));
  const tell = (event: string) => {
    const [user, number] = event.split(' ') as [string, string];
    service.outbox.add(users.get(user) ?? { team_id }, 'a', { number: Number(number) });
  };
  return { service, team_id, endpoint_id, seen, tell, events: () => seen.map((one) => one.event) };
}

test.each(['c-1', 'null'])('first attempts of user %s begin in the order of events, after the answer before', async (user) => {
  let open = 0;
  let most = 0;
  const { service, tell, events } = answering(async (event) => {
    open += 1;
    most = Math.max(most, open);
    await wait(Number(event.split(' ')[1]) % 2);
    open -= 1;
    return 204;
  });
  // More events than attempts that may run at the same time.
  const told = Array.from({ length: 70 }, (_, number) => `${user} ${number}`);
  for (const event of told) tell(event);
  await inTime('the deliveries', service.jobs.settle());
  expect(events()).toEqual(told);
  expect(most).toBe(1);
});

test('a failed first attempt lets the next event of the user go, and is repeated later beside first attempts', async () => {
  const both = Promise.withResolvers<number>();
  const { service, tell, seen } = answering((event, begun) => {
    if (begun.filter((one) => one === 'c-1 1').length === 2 && begun.includes('c-1 4')) both.resolve(204);
    // The second attempt and the first attempt of a later event each wait until the other has begun.
    if (event === 'c-1 4' || begun.filter((one) => one === 'c-1 1').length === 2) return both.promise;
    return event === 'c-1 1' ? 500 : 204;
  });
  for (const number of [1, 2, 3]) tell(`c-1 ${number}`);
  await service.jobs.settle();
  expect(seen).toEqual([1, 2, 3].map((number) => ({ at: 0, event: `c-1 ${number}` })));
  await service.jobs.advanceTo(START + 5 * SECOND - 1);
  service.clock.moveTo(START + 5 * SECOND);
  tell('c-1 4');
  await inTime('the second attempt', service.jobs.settle());
  expect(seen.slice(3).map(({ event }) => event)).toEqual(expect.arrayContaining(['c-1 1', 'c-1 4']));
});

test('events of different users, and of none, are attempted at the same time', async () => {
  const all = Promise.withResolvers<number>();
  const first = ['c-1 1', 'c-2 1', 'null 1'];
  const { service, tell, events } = answering((_, begun) => {
    if (first.every((event) => begun.includes(event))) all.resolve(204);
    return all.promise;
  });
  for (const event of ['c-1 1', 'c-1 2', 'c-2 1', 'null 1', 'c-2 2']) tell(event);
  await inTime('the deliveries', service.jobs.settle());
  expect(events()).toEqual([...first, 'c-1 2', 'c-2 2']);
});

test('the speed of answers does not change the order in which attempts begin', async () => {
  const run = async (seed: number) => {
    const random = numbers(seed);
    const { service, tell, seen } = answering(async (event, begun) => {
      await wait(3 * random());
      return event.endsWith('3') && begun.filter((one) => one === event).length < 3 ? 500 : 204;
    });
    for (let number = 0; number < 12; number += 1) for (const user of ['c-1', 'c-2', 'null']) tell(`${user} ${number}`);
    await service.jobs.advanceTo(START + 600 * SECOND);
    return seen;
  };
  expect(await run(2)).toEqual(await run(1));
});

test('recovered events begin before later events of their user that wait, too', async () => {
  const { service, endpoint_id, tell, events } = answering(() => 204);
  service.endpoints.setDisabled(endpoint_id, true);
  for (const number of [1, 2, 3]) tell(`c-1 ${number}`);
  service.endpoints.setDisabled(endpoint_id, false);
  tell('c-1 4');
  service.clock.moveTo(START + SECOND);
  expect(service.deliveries.recover(endpoint_id, START)).toBe(3);
  await service.jobs.settle();
  expect(events()).toEqual([1, 2, 3, 4].map((number) => `c-1 ${number}`));
});

test('an event whose first attempt has no answer in time holds back only its own user until then', async () => {
  const late = Promise.withResolvers<number>();
  const { service, tell, events } = answering((event) => (event === 'c-1 1' ? late.promise : 204));
  for (const event of ['c-1 1', 'c-1 2', 'c-2 1']) tell(event);
  const settled = service.jobs.settle();
  await until('the attempts', events, (all) => all.length === 2);
  expect(events()).toEqual(['c-1 1', 'c-2 1']);
  late.resolve(0);
  await inTime('the deliveries', settled);
  expect(events()).toEqual(['c-1 1', 'c-2 1', 'c-1 2']);
});

test('a long backlog of one user does not hold back other users', async () => {
  const late = Promise.withResolvers<number>();
  const { service, tell, events } = answering((event) => (event === 'c-1 0' ? late.promise : 204));
  for (let number = 0; number < 1000; number += 1) tell(`c-1 ${number}`);
  tell('c-2 0');
  const settled = service.jobs.settle();
  await until('the attempts', events, (all) => all.length === 2);
  expect(events()).toEqual(['c-1 0', 'c-2 0']);
  late.resolve(204);
  await inTime('the deliveries', settled);
  expect(events()).toHaveLength(1001);
});
