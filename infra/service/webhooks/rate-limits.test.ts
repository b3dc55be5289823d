import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { inTime, until } from '../../machine/waiting.fixture.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';

const START = Date.UTC(2026, 0, 1);
const SECOND = 1000;
const DAY = 86_400 * SECOND;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Attempt {
  /** Milliseconds since the start. */
  readonly at: number;
  readonly event: number;
}

interface Options {
  /** How often the attempts of an event fail. */
  readonly failures: (event: number) => number;
  readonly path: string;
}

/** A service with one endpoint, which answers with status 500 while an event has failures left. */
function limited(rateLimit: number | null, { failures = () => 0, path }: Partial<Options> = {}) {
  const attempts: Attempt[] = [];
  const service = new Service({
    start: START,
    runs: false,
    path,
    send: async (_, { body, at }) => {
      const event: number = JSON.parse(body).data.event;
      const before = attempts.filter((one) => one.event === event).length;
      attempts.push({ at: at - START, event });
      return before < failures(event) ? 500 : 204;
    },
  });
  closing.push(() => service.close());
  const { team_id } = service.teams.create('first');
  const user = service.users.create(team_id, 'c-1', {}) as User;
  const { endpoint_id } = service.endpoints.create(team_id, { url: 'http://x', rateLimit });
  const tell = (event: number) => service.outbox.add(user, 'a', { event });
  return { service, user, endpoint_id, attempts, tell };
}

/** Bursts of events, each some milliseconds after the one before. */
const bursts = fc.array(fc.record({ gap: fc.integer({ min: 0, max: 1500 }), events: fc.integer({ min: 1, max: 45 }) }), {
  minLength: 1,
  maxLength: 6,
});

/** Tells the events of bursts. Returns their times, in milliseconds since the start, in the order of their numbers. */
async function tellAll({ service, tell }: ReturnType<typeof limited>, given: readonly { gap: number; events: number }[]) {
  const times: number[] = [];
  let now = 0;
  for (const { gap, events } of given) {
    now += gap;
    await service.jobs.advanceTo(START + now);
    for (let event = 0; event < events; event++) tell(times.push(now) - 1);
    await service.jobs.settle();
  }
  return times;
}

test('each event is attempted as soon as the limit and the order of events allow', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 70 }), bursts, async (limit, given) => {
      const world = limited(limit);
      const times = await tellAll(world, given);
      await world.service.jobs.advanceTo(START + DAY);
      const expected: number[] = [];
      for (const [event, time] of times.entries())
        expected.push(Math.max(time, expected[event - 1] ?? 0, (expected[event - limit] ?? -SECOND) + SECOND));
      expect(world.attempts).toEqual(expected.map((at, event) => ({ at, event })));
    }),
    { seed: 42, numRuns: 25 },
  );
});

test('no second has more attempts than the limit when attempts fail, and every event arrives', async () => {
  const failing = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 20 }), bursts, failing, async (limit, given, counts) => {
      const failures = (event: number): number => counts[event % counts.length]!;
      const world = limited(limit, { failures });
      const times = await tellAll(world, given);
      await world.service.jobs.advanceTo(START + 2 * DAY);
      const { attempts } = world;
      for (const [index, { at }] of attempts.entries())
        expect((attempts[index + limit]?.at ?? Infinity) - at).toBeGreaterThanOrEqual(SECOND);
      for (const event of times.keys()) expect(attempts.filter((one) => one.event === event)).toHaveLength(failures(event) + 1);
      expect(world.service.deliveries.to(world.endpoint_id).filter(({ state }) => state !== 'succeeded')).toEqual([]);
    }),
    { seed: 42, numRuns: 25 },
  );
});

test('an endpoint without a limit gets all events at once', async () => {
  const world = limited(null);
  await tellAll(world, [{ gap: 0, events: 100 }]);
  expect(world.attempts.map(({ at }) => at)).toEqual(new Array(100).fill(0));
});

test('a changed limit acts on messages that wait', async () => {
  const { service, endpoint_id, attempts, tell } = limited(1);
  for (let event = 0; event < 6; event++) tell(event);
  await service.jobs.settle();
  expect(attempts).toHaveLength(1);
  service.endpoints.change(endpoint_id, { rate_limit: 3 });
  await service.jobs.settle();
  expect(attempts).toHaveLength(3);
  service.endpoints.change(endpoint_id, { rate_limit: null });
  await service.jobs.settle();
  expect(attempts).toHaveLength(6);
});

test('a running clock sends a message that waited for the limit', async () => {
  const { service, attempts, tell } = limited(1);
  for (const event of [0, 1]) tell(event);
  service.clock.setRunning(true);
  service.jobs.wake();
  await until('the second attempt', () => attempts.length === 2, true);
  expect(attempts[1]!.at - attempts[0]!.at).toBeGreaterThanOrEqual(SECOND);
});

test('a lower limit counts earlier attempts', async () => {
  const { service, endpoint_id, attempts, tell } = limited(3);
  for (const [event, time] of [0, 400, 800].entries()) {
    await service.jobs.advanceTo(START + time);
    tell(event);
    await service.jobs.settle();
  }
  service.endpoints.change(endpoint_id, { rate_limit: 1 });
  tell(3);
  await service.jobs.advanceTo(START + DAY);
  expect(attempts.map(({ at }) => at)).toEqual([0, 400, 800, 1800]);
});

test('an endpoint does not use up the limit of another one', async () => {
  const { service, user, attempts, tell } = limited(1);
  tell(0);
  await service.jobs.settle();
  service.endpoints.create(user.team_id, { url: 'http://y', rateLimit: 1 });
  tell(1);
  await service.jobs.settle();
  expect(attempts.map(({ event }) => event)).toEqual([0, 1]);
});

test.each([null, 2])('with a limit of %s, attempts for two users run at the same time', async (rateLimit) => {
  const both = Promise.withResolvers<number>();
  let begun = 0;
  const service = new Service({
    start: START,
    runs: false,
    send: () => {
      begun += 1;
      if (begun === 2) both.resolve(204);
      return both.promise;
    },
  });
  closing.push(() => service.close());
  const { team_id } = service.teams.create('first');
  const users = ['c-1', 'c-2'].map((id) => service.users.create(team_id, id, {}) as User);
  service.endpoints.create(team_id, { url: 'http://x', rateLimit });
  for (const user of users) service.outbox.add(user, 'a', {});
  await inTime('both attempts', service.jobs.settle());
  expect(begun).toBe(2);
});

test('a service that restarts within a second keeps to the limit', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-service-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'service.db');
  const { service, attempts, tell } = limited(2, { path });
  for (let event = 0; event < 5; event++) tell(event);
  await service.jobs.settle();
  await closing.pop()!();
  expect(attempts).toHaveLength(2);
  const times: number[] = [];
  const again = new Service({
    path,
    runs: false,
    send: async (_, { at }) => {
      times.push(at - START);
      return 204;
    },
  });
  closing.push(() => again.close());
  await again.jobs.advanceTo(START + DAY);
  expect(times).toEqual([SECOND, SECOND, 2 * SECOND]);
});
