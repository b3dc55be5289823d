import { afterEach, expect, test } from 'vitest';
import { keepEvents } from '../events/kept-events.fixture.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';
import type { Json } from './arrival.ts';

const START = Date.UTC(2026, 0, 10, 12);
const ID = '6f1e2b3c-0000-4000-8000-000000000001';
const sport = { id: 1, name: 'Running', slug: 'running' };
const shallow = { workout_id: ID, provider_id: 'w-1', message: 'The stream is available.', sport, source: { type: 'watch' } };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A service over HTTP, whose endpoints read the announced stream while they receive its event. */
async function begin() {
  const read: { readonly data: Json; readonly status: number; readonly stream: Json }[] = [];
  const keys = new Map<string, string>();
  const service = new Service({
    start: START,
    runs: false,
    send: async ({ team_id }, { body }) => {
      const { event_type, data } = JSON.parse(body);
      if (!event_type.startsWith('daily.data.workout_stream.')) return 204;
      const answer = await fetch(`${api.url}/v2/timeseries/workouts/${data.workout_id}/stream`, {
        headers: { 'x-service-api-key': keys.get(team_id)! },
      });
      read.push({ data, status: answer.status, stream: (await answer.json()) as Json });
      return 204;
    },
  });
  closing.push(() => service.close());
  const api = await service.serve();
  closing.push(() => api.close());
  const newUser = (clientUserId: string): User => {
    const { team_id, api_key } = service.teams.create('a team');
    keys.set(team_id, api_key);
    service.endpoints.create(team_id, { url: 'http://x' });
    return service.users.create(team_id, clientUserId, {}) as User;
  };
  const take = async (user: User, stream: Json) => {
    service.ingestion.take(user, 'garmin', [{ resource: 'workout_stream', data: shallow, stream }]);
    await service.jobs.settle();
  };
  return { service, newUser, take, read };
}

test('a stream can be read when its event arrives', async () => {
  const { service, newUser, read } = await begin();
  service.connections.connect(newUser('c-1'), { provider: 'garmin', isDemo: false });
  // A person who runs twice a week has at least one workout in 8 days.
  await service.jobs.advanceTo(START + 8 * 86_400_000);
  expect(read.length).toBeGreaterThan(0);
  for (const { status, stream } of read) {
    expect(status).toBe(200);
    expect((stream.time as unknown[]).length).toBeGreaterThan(0);
  }
});

test('workouts of two users with the same id have their own streams', async () => {
  const { newUser, take, read } = await begin();
  const [first, second] = [newUser('c-1'), newUser('c-2')];
  await take(first, { time: [1_768_035_600], heartrate: [101] });
  await take(second, { time: [1_768_035_600], heartrate: [202] });
  await take(first, { time: [1_768_035_600], heartrate: [103] });
  expect(read.map(({ status, stream }) => [status, stream.heartrate])).toEqual([
    [200, [101]],
    [200, [202]],
    [200, [103]],
  ]);
});

test('an event has a message if the data has none', () => {
  const service = new Service({ start: START, runs: false });
  closing.push(() => service.close());
  const { team_id } = service.teams.create('first');
  keepEvents(service, team_id);
  const user = service.users.create(team_id, 'c-1', {}) as User;
  const { message: _, ...data } = shallow;
  service.ingestion.take(user, 'garmin', [{ resource: 'workout_stream', data, stream: { time: [1_768_035_600] } }]);
  const events = service.outbox.after(team_id, 0, 10);
  expect(JSON.parse(events[0]!.body).data).toMatchObject({
    ...data,
    source: { type: 'watch' },
    message: 'The workout stream is available.',
  });
});

test('a stream belongs to the local date of its workout, as the bounds of ingestion do', () => {
  const service = new Service({ start: START, runs: false });
  closing.push(() => service.close());
  const { team_id } = service.teams.create('first');
  keepEvents(service, team_id);
  const user = service.users.create(team_id, 'c-1', { ingestion_start: '2026-01-08' }) as User;
  // The workout begins at 01:00 on 8 January in Tokyo.
  const time_start = '2026-01-07T16:00:00+00:00';
  const workout = { id: ID, calendar_date: '2026-01-08', time_start, timezone_offset: 32_400, source: { type: 'watch' } };
  const dates = service.ingestion.take(user, 'garmin', [
    { resource: 'workouts', data: workout },
    { resource: 'workout_stream', data: shallow, stream: { time: [Date.parse(time_start) / 1000] } },
  ]);
  expect(dates).toEqual(['2026-01-08']);
  expect(service.outbox.after(team_id, 0, 10).map(({ event_type }) => event_type)).toEqual([
    'daily.data.workouts.created',
    'daily.data.workout_stream.created',
  ]);
});
