import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inTime, until } from '../../machine/waiting.fixture.ts';
import { pipelineSchema } from '../etl/pipeline.ts';
import { faultRuleSchema } from '../faults/fault-rule.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const connection_string = 'Endpoint=sb://hubs.example.com/;SharedAccessKeyName=n;SharedAccessKey=a2V5';

/** Turns of the event loop that each destination needs for an answer. */
type Speeds = Readonly<Record<'http://a' | 'http://b' | 'one' | 'two', number>>;

/** Runs a service with two endpoints and two hubs of these speeds, and faults. Returns what each of them got, and when. */
async function run(speeds: Speeds) {
  const got: Record<string, string[]> = { 'http://a': [], 'http://b': [], one: [], two: [] };
  const answer = async (name: string, text: string): Promise<void> => {
    for (let turns = speeds[name as keyof Speeds]; turns > 0; turns--) await turn();
    got[name]!.push(text);
  };
  const service = new Service({
    start: START,
    runs: false,
    seed: 3,
    past: () => [],
    send: async ({ url }, { id, body, at }) => {
      if (url === 'http://told') return 204;
      await answer(url, `${at - START} ${id} ${body}`);
      return url === 'http://a' && id.charCodeAt(id.length - 1) % 2 === 0 ? 500 : 204;
    },
    sendToHub: async ({ hub, events, at }) => {
      for (const { properties } of events) await answer(hub, `${at - START} ${properties['idempotency-key']}`);
      return [];
    },
  });
  try {
    const team = service.teams.create('first').team_id;
    for (const url of ['http://a', 'http://b']) service.endpoints.create(team, { url });
    // The number of its events before another event does depend on the speed.
    service.endpoints.create(team, { url: 'http://told', filterTypes: ['message.attempt.exhausted'] });
    const event_hub_matchers = [{ event_type_prefix: 'daily.data.', event_hub: 'one' }];
    service.pipelines.set(
      team,
      pipelineSchema.parse({ azure_amqp: { connection_string, default_event_hub: 'two', event_hub_matchers } }),
    );
    const kinds = [{ kind: 'lose', status: 503 }, { kind: 'duplicate' }, { kind: 'reorder', behind: 1 }];
    for (const effect of kinds) service.faults.add(faultRuleSchema.parse({ on: 'delivery', probability: 0.2, effect }));
    service.faults.add(faultRuleSchema.parse({ on: 'delivery', times: 2, delay_seconds: 100 }));
    for (const id of ['c-1', 'c-2']) {
      const user = service.users.create(team, id, {}) as User;
      for (const provider of ['oura', 'withings']) service.connections.connect(user, { provider, isDemo: false });
      await service.jobs.advanceTo(service.clock.now() + 20 * HOUR);
    }
    return got;
  } finally {
    await service.close();
  }
}

const speed = fc.integer({ min: 0, max: 20 });

test('an endpoint or a hub gets the same events at the same times, however fast another is', async () => {
  const expected = await run({ 'http://a': 0, 'http://b': 0, one: 0, two: 0 });
  for (const texts of Object.values(expected)) expect(texts.length).toBeGreaterThan(1);
  await fc.assert(
    fc.asyncProperty(fc.record({ 'http://a': speed, 'http://b': speed, one: speed, two: speed }), async (speeds) => {
      const found = await run(speeds);
      // Attempts at the same time are made at the same time, so an endpoint may get them in another order.
      for (const [name, texts] of Object.entries(expected)) expect(found[name]!.toSorted()).toEqual(texts.toSorted());
      for (const name of ['one', 'two']) expect(found[name]).toEqual(expected[name]);
    }),
    { numRuns: 10 },
  );
});

test('an endpoint that does not answer delays neither other endpoints, nor pulls, nor pipelines, nor other teams', async () => {
  const answer = Promise.withResolvers<number>();
  const got: string[] = [];
  const service = new Service({
    start: START,
    runs: false,
    past: () => [],
    send: async ({ url }, { body }) => {
      if (url === 'http://slow') return answer.promise;
      got.push(`${url} ${JSON.parse(body).event_type}`);
      return 204;
    },
    sendToHub: async ({ hub, events }) => {
      got.push(...events.map(({ properties }) => `${hub} ${properties['event-type']}`));
      return [];
    },
  });
  try {
    const [first, second] = ['first', 'second'].map((name) => service.teams.create(name).team_id) as [string, string];
    for (const url of ['http://slow', 'http://fast']) service.endpoints.create(first, { url });
    service.endpoints.create(second, { url: 'http://other' });
    service.pipelines.set(first, pipelineSchema.parse({ azure_amqp: { connection_string, default_event_hub: 'hub' } }));
    for (const team of [first, second]) {
      const user = service.users.create(team, 'c-1', {}) as User;
      service.connections.connect(user, { provider: 'strava', isDemo: false, isGenerated: false });
    }
    let isOver = false;
    const advance = service.jobs.advanceTo(START + HOUR).then(() => {
      isOver = true;
    });
    const expected = ['http://fast', 'http://other', 'hub'].map((name) => `${name} historical.data.workouts.created`);
    await until(
      'the ends of the pulls',
      () => got,
      (all) => expected.every((text) => all.includes(text)),
    );
    expect(isOver).toBe(false);
    answer.resolve(204);
    await inTime('the end of the advance', advance);
  } finally {
    await service.close();
  }
});

test('each destination draws its own chances', async () => {
  const got: Record<string, number[]> = { 'http://a': [], 'http://b': [] };
  const service = new Service({
    start: START,
    runs: false,
    seed: 1,
    send: async ({ url }, { body }) => {
      got[url]!.push(JSON.parse(body).data.number);
      return 204;
    },
  });
  try {
    const team = service.teams.create('first').team_id;
    for (const url of Object.keys(got)) service.endpoints.create(team, { url });
    service.faults.add(faultRuleSchema.parse({ on: 'delivery', probability: 0.5, effect: { kind: 'lose' } }));
    const user = service.users.create(team, 'c-1', {}) as User;
    for (let number = 0; number < 40; number++) service.outbox.add(user, 'a', { number });
    await service.jobs.settle();
    const [a, b] = Object.values(got).map((numbers) => numbers.toSorted((one, other) => one - other));
    expect(a).not.toEqual(b);
  } finally {
    await service.close();
  }
});

test('each destination has all uses of a fault rule', async () => {
  const got: string[] = [];
  const service = new Service({
    start: START,
    runs: false,
    send: async ({ url }) => {
      got.push(url);
      return 204;
    },
  });
  try {
    const team = service.teams.create('first').team_id;
    for (const url of ['http://a', 'http://b']) service.endpoints.create(team, { url });
    service.faults.add(faultRuleSchema.parse({ on: 'delivery', times: 1, effect: { kind: 'duplicate' } }));
    const user = service.users.create(team, 'c-1', {}) as User;
    for (let number = 0; number < 2; number++) {
      service.outbox.add(user, 'a', { number });
      await service.jobs.settle();
    }
    expect(got.toSorted()).toEqual(['http://a', 'http://a', 'http://a', 'http://b', 'http://b', 'http://b']);
    expect(service.faults.list()).toMatchObject([{ used: 2 }]);
  } finally {
    await service.close();
  }
});
