import { afterEach, expect, test } from 'vitest';
import { Service } from '../service.ts';
import type { User } from '../users/user.ts';
import { pipelineSchema } from './pipeline.ts';
import type { HubEvent } from './routing.ts';

const START = Date.UTC(2026, 0, 1);
const azure_amqp = {
  connection_string: 'Endpoint=sb://name.servicebus.windows.net/;SharedAccessKeyName=n;SharedAccessKey=a2V5',
  default_event_hub: 'rest',
};

let service: Service;
afterEach(() => service.close());

/** A service with one user and a pipeline. Sending fails while `away` is true. */
function scripted() {
  const sent: { readonly at: number; readonly events: readonly HubEvent[] }[] = [];
  const hubs = { away: false };
  const sendToHubs = async (_: string, events: readonly HubEvent[]): Promise<void> => {
    if (hubs.away) throw new Error('away');
    sent.push({ at: service.clock.now() - START, events });
  };
  service = new Service({ start: START, runs: false, sendToHubs });
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
