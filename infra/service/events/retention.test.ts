import { afterEach, expect, test } from 'vitest';
import { pipelineSchema } from '../etl/pipeline.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const connection_string = 'Endpoint=sb://hubs.example.com/;SharedAccessKeyName=n;SharedAccessKey=a2V5';

let service: Service;
afterEach(() => service.close());

function begin() {
  const hubs = { away: false };
  service = new Service({
    start: START,
    runs: false,
    send: async () => 204,
    sendToHub: async () => {
      if (hubs.away) throw new Error('away');
      return [];
    },
  });
  const team = service.teams.create('first').team_id;
  const user = service.users.create(team, 'c-1', {}) as User;
  const numbers = () => service.outbox.after(team, 0, 1000).map(({ body }) => JSON.parse(body).data.number);
  return { team, user, numbers, hubs };
}

test('an event is deleted within an hour after seven days, and recover says how far back it reaches', async () => {
  const { team, user, numbers } = begin();
  const { endpoint_id } = service.endpoints.create(team, { url: 'http://x' });
  for (let day = 0; day < 3; day++) {
    service.outbox.add(user, 'a', { number: day });
    await service.jobs.advanceTo(START + (day + 1) * DAY);
  }
  await service.jobs.advanceTo(START + 7 * DAY);
  expect([numbers(), service.retention.keptSince]).toEqual([[0, 1, 2], START]);
  await service.jobs.advanceTo(START + 7 * DAY + HOUR);
  expect([numbers(), service.retention.keptSince]).toEqual([[1, 2], START + HOUR]);
  await service.jobs.advanceTo(START + 8 * DAY + HOUR);
  expect([numbers(), service.deliveries.to(endpoint_id).length]).toEqual([[2], 1]);
});

test('an event is kept for as long as an endpoint or a hub waits for it', async () => {
  const { team, user, numbers, hubs } = begin();
  service.endpoints.create(team, { url: 'http://x' });
  service.pipelines.set(team, pipelineSchema.parse({ azure_amqp: { connection_string, default_event_hub: 'hub' } }));
  hubs.away = true;
  service.outbox.add(user, 'a', { number: 1 });
  await service.jobs.advanceTo(START + 20 * DAY);
  expect(numbers()).toEqual([1]);
  hubs.away = false;
  // The first advance delivers it.
  for (const hours of [1, 2]) await service.jobs.advanceTo(START + 20 * DAY + hours * HOUR);
  expect(numbers()).toEqual([]);
});

test('an event that nobody wants is not kept', () => {
  const { user, numbers } = begin();
  expect(service.outbox.add(user, 'a', { number: 1 })).toBe(false);
  expect(numbers()).toEqual([]);
});

test('the events of a deleted user go with the grace period', async () => {
  const { team, user, numbers } = begin();
  const { endpoint_id } = service.endpoints.create(team, { url: 'http://x' });
  await service.jobs.advanceTo(START + DAY);
  service.users.delete(team, user.user_id);
  service.outbox.add(user, 'a', { number: 1 });
  await service.jobs.advanceTo(START + 8 * DAY - 1);
  expect(numbers()).toEqual([1]);
  await service.jobs.advanceTo(START + 8 * DAY);
  expect([numbers(), service.deliveries.to(endpoint_id)]).toEqual([[], []]);
});

test('the id of a deleted event is never used again, so a reader that remembers it misses no later event', async () => {
  const { team, user } = begin();
  service.endpoints.create(team, { url: 'http://x' });
  service.outbox.add(user, 'a', { number: 1 });
  const { event_id } = service.outbox.after(team, 0, 1)[0]!;
  await service.jobs.settle();
  await service.jobs.advanceTo(START + 8 * DAY);
  expect(service.outbox.after(team, 0, 1)).toEqual([]);
  service.outbox.add(user, 'a', { number: 2 });
  expect(service.outbox.after(team, event_id, 1).map(({ body }) => JSON.parse(body).data)).toEqual([{ number: 2 }]);
});
