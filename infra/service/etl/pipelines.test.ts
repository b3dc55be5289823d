import { afterEach, expect, test } from 'vitest';
import { faultRuleSchema } from '../faults/fault-rule.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';
import type { HubBatch } from './hubs.ts';
import { type HubEvent, pipelineSchema } from './pipeline.ts';

const START = Date.UTC(2026, 0, 1);
const azure_amqp = {
  connection_string: 'Endpoint=sb://hubs.example.com/;SharedAccessKeyName=n;SharedAccessKey=a2V5',
  default_event_hub: 'rest',
};

let service: Service;
afterEach(() => service.close());

/** A service with one user and a pipeline. Sending fails while `away` is true. */
function scripted() {
  const sent: { readonly at: number; readonly events: readonly HubEvent[] }[] = [];
  const hubs = { away: false, missing: undefined as string | undefined, largest: Number.POSITIVE_INFINITY };
  const sendToHub = async ({ connectionString, hub, events, at }: HubBatch): Promise<readonly HubEvent[]> => {
    if (hubs.away) throw new Error('away');
    if (hub === hubs.missing)
      throw Object.assign(new Error(`no hub ${hub} at ${connectionString.split(';').at(-1)}`), {
        code: 'MessagingEntityNotFoundError',
      });
    const [tooLarge = [], accepted = []] = [true, false].map((is) =>
      events.filter(({ body }) => body.length > hubs.largest === is),
    );
    sent.push({ at: at - START, events: accepted });
    return tooLarge;
  };
  service = new Service({ start: START, runs: false, sendToHub });
  const team = service.teams.create('first').team_id;
  const user = service.users.create(team, 'c-1', {}) as User;
  return { team, user, sent, hubs };
}

const numbers = (sent: ReturnType<typeof scripted>['sent']): number[] =>
  sent.flatMap(({ events }) => events.map(({ body }) => JSON.parse(body.toString()).data.number));

test('a pipeline carries the events from its beginning on, in order', async () => {
  const { team, user, sent } = scripted();
  service.outbox.add(user, 'a', { number: 0 });
  service.pipelines.set(team, pipelineSchema.parse({ azure_amqp }));
  for (let number = 1; number <= 450; number++) service.outbox.add(user, 'a', { number });
  await service.jobs.settle();
  expect(numbers(sent)).toEqual(Array.from({ length: 450 }, (_, index) => index + 1));
  expect(sent.every(({ events }) => events.length <= 200)).toBe(true);
  service.outbox.add(user, 'a', { number: 451 });
  await service.jobs.settle();
  expect(numbers(sent).at(-1)).toBe(451);
});

test('while the hubs are away, the events wait, and none is lost or overtakes another', async () => {
  const { team, user, sent, hubs } = scripted();
  service.pipelines.set(team, pipelineSchema.parse({ azure_amqp }));
  hubs.away = true;
  service.outbox.add(user, 'a', { number: 1 });
  await service.jobs.advanceTo(START + 3600_000);
  service.outbox.add(user, 'a', { number: 2 });
  await service.jobs.advanceTo(START + 7200_000);
  expect(sent).toEqual([]);
  hubs.away = false;
  await service.jobs.advanceTo(START + 7200_000 + 5 * 60_000);
  expect(numbers(sent)).toEqual([1, 2]);
});

test('historical data is carried only if the pipeline asks for it, and webhooks never carry it', async () => {
  const { team, user, sent } = scripted();
  service.endpoints.create(team, { url: 'http://x' });
  service.pipelines.set(team, pipelineSchema.parse({ azure_amqp }));
  service.outbox.add(user, 'a', { number: 1 }, true);
  await service.jobs.settle();
  service.pipelines.set(team, pipelineSchema.parse({ azure_amqp, push_historical_data: true }));
  service.outbox.add(user, 'a', { number: 2 }, true);
  await service.jobs.settle();
  expect(numbers(sent)).toEqual([2]);
});

test('a removed pipeline carries nothing', async () => {
  const { team, user, sent } = scripted();
  service.pipelines.set(team, pipelineSchema.parse({ azure_amqp }));
  service.outbox.add(user, 'a', { number: 1 });
  expect([service.pipelines.remove(team), service.pipelines.remove(team)]).toEqual([true, false]);
  await service.jobs.settle();
  expect(sent).toEqual([]);
});

test('an event that is larger than its hub accepts is noted, and the others arrive', async () => {
  const { team, user, sent, hubs } = scripted();
  service.pipelines.set(team, pipelineSchema.parse({ azure_amqp }));
  hubs.largest = 300;
  service.outbox.add(user, 'a', { number: 1 });
  service.outbox.add(user, 'b', { number: 2, text: 'x'.repeat(300) });
  service.outbox.add(user, 'c', { number: 3 });
  await service.jobs.advanceTo(START + 5000);
  expect(numbers(sent)).toEqual([1, 3]);
  expect(service.pipelines.undeliverable(team)).toEqual([
    {
      event_id: 2,
      user_id: user.user_id,
      event_type: 'b',
      hub: 'rest',
      reason: 'larger than the hub accepts',
      bytes: service.outbox.after(team, 1, 1)[0]!.body.length,
      noted_at: START,
    },
  ]);
  expect(service.pipelines.status(team)).toMatchObject({ waiting: 0, held: 0, undeliverable: 1, failures: 0 });
  service.outbox.add(user, 'd', { number: 4 });
  await service.jobs.settle();
  expect(numbers(sent)).toEqual([1, 3, 4]);
});

test('fault rules lose, delay, double and reorder events, and none is missing in the end', async () => {
  const { team, user, sent } = scripted();
  service.pipelines.set(team, pipelineSchema.parse({ azure_amqp }));
  const add = (type: string, more: object) =>
    service.faults.add(faultRuleSchema.parse({ on: 'delivery', times: 1, match: { event_type_prefix: type }, ...more }));
  add('lost', { effect: { kind: 'lose' } });
  add('delayed', { delay_seconds: 60 });
  add('twice', { effect: { kind: 'duplicate' } });
  add('late', { effect: { kind: 'reorder', behind: 1 } });
  add('last', { effect: { kind: 'reorder', behind: 5, within_seconds: 600 } });
  for (const [index, type] of ['lost', 'delayed', 'twice', 'late', 'plain', 'last'].entries())
    service.outbox.add(user, type, { number: index + 1 });
  await service.jobs.settle();
  expect(numbers(sent)).toEqual([]);
  expect(service.pipelines.status(team)).toMatchObject({ waiting: 6, failures: 1 });
  // A lost attempt is repeated after a second.
  await service.jobs.advanceTo(START + 1000);
  expect(numbers(sent)).toEqual([1]);
  await service.jobs.advanceTo(START + 61_000);
  expect(numbers(sent)).toEqual([1, 2, 3, 3, 5, 4]);
  expect(service.pipelines.status(team)).toMatchObject({ waiting: 0, held: 1, undeliverable: 0, failures: 0 });
  await service.jobs.advanceTo(START + 700_000);
  expect(numbers(sent)).toEqual([1, 2, 3, 3, 5, 4, 6]);
  expect(sent.at(-1)!.at).toBe(661_000);
  const keys = sent.flatMap(({ events }) => events.map(({ properties }) => properties['idempotency-key']));
  expect([keys[2], new Set(keys).size]).toEqual([keys[3], 6]);
});

test('while the hubs are away, no use of a rule is spent', async () => {
  const { team, user, sent, hubs } = scripted();
  service.pipelines.set(team, pipelineSchema.parse({ azure_amqp }));
  service.faults.add(faultRuleSchema.parse({ on: 'delivery', times: 1, effect: { kind: 'duplicate' } }));
  hubs.away = true;
  service.outbox.add(user, 'a', { number: 1 });
  await service.jobs.advanceTo(START + 10_000);
  expect(service.faults.list()).toMatchObject([{ used: 0 }]);
  hubs.away = false;
  await service.jobs.advanceTo(START + 60_000);
  expect(numbers(sent)).toEqual([1, 1]);
});

test('new events do not shorten the pause after a failure, but a new configuration ends it', async () => {
  const { team, user, sent, hubs } = scripted();
  service.pipelines.set(team, pipelineSchema.parse({ azure_amqp }));
  hubs.away = true;
  for (let number = 1; number <= 5; number++) {
    service.outbox.add(user, 'a', { number });
    await service.jobs.settle();
  }
  expect(service.pipelines.status(team)).toMatchObject({ waiting: 5, failures: 1 });
  hubs.away = false;
  await service.jobs.advanceTo(START + 999);
  expect(sent).toEqual([]);
  service.pipelines.set(team, pipelineSchema.parse({ azure_amqp }));
  await service.jobs.settle();
  expect(numbers(sent)).toEqual([1, 2, 3, 4, 5]);
});

test('a hub that is missing delays no other hub, and the status names its error, its time and what waits for it', async () => {
  const { team, user, sent, hubs } = scripted();
  const event_hub_matchers = [{ event_type_prefix: 'lost.', event_hub: 'missing' }];
  service.pipelines.set(team, pipelineSchema.parse({ azure_amqp: { ...azure_amqp, event_hub_matchers } }));
  hubs.missing = 'missing';
  for (let number = 1; number <= 20; number++) service.outbox.add(user, number % 2 === 0 ? 'lost.a' : 'a', { number });
  await service.jobs.advanceTo(START + 86_400_000);
  const odd = Array.from({ length: 10 }, (_, index) => 2 * index + 1);
  expect(numbers(sent)).toEqual(odd);
  // The pauses are 1, 2, 4 … 256 s, 511 s together, and then 5 minutes each.
  const failures = 9 + Math.floor((86_400 - 511) / 300) + 1;
  const last_error_at = START + (511 + Math.floor((86_400 - 511) / 300) * 300) * 1000;
  expect(service.pipelines.status(team)).toEqual({
    waiting: 10,
    held: 0,
    undeliverable: 0,
    failures,
    hubs: [
      {
        event_hub: 'missing',
        waiting: 10,
        held: 0,
        failures,
        last_error: 'MessagingEntityNotFoundError: no hub missing at SharedAccessKey=***',
        last_error_at,
      },
      { event_hub: 'rest', waiting: 0, held: 0, failures: 0, last_error: null, last_error_at: null },
    ],
  });
  // The other hub does not share the pause.
  service.outbox.add(user, 'a', { number: 21 });
  await service.jobs.settle();
  expect(numbers(sent).at(-1)).toBe(21);
  hubs.missing = undefined;
  await service.jobs.advanceTo(START + 86_400_000 + 300_000);
  expect(numbers(sent)).toEqual([...odd, 21, ...odd.map((number) => number + 1)]);
});

test('a new configuration routes what waits to the new hubs', async () => {
  const { team, user, sent, hubs } = scripted();
  service.pipelines.set(team, pipelineSchema.parse({ azure_amqp: { ...azure_amqp, default_event_hub: 'missing' } }));
  hubs.missing = 'missing';
  for (const type of ['a', 'b']) service.outbox.add(user, type, { number: type === 'a' ? 1 : 2 });
  await service.jobs.advanceTo(START + 3600_000);
  expect(sent).toEqual([]);
  service.pipelines.set(team, pipelineSchema.parse({ azure_amqp, event_type_prefixes: ['b'] }));
  await service.jobs.settle();
  expect(numbers(sent)).toEqual([2]);
  expect(service.pipelines.status(team)).toMatchObject({ waiting: 0, failures: 0, hubs: [{ event_hub: 'rest' }] });
});
