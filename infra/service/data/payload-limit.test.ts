import { afterEach, expect, test } from 'vitest';
import { createApi } from '../api/server.ts';
import { keepEvents } from '../events/kept-events.fixture.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';

const source = { type: 'watch' };
const ID = '6f1e2b3c-0000-4000-8000-000000000001';
const beats = Array.from({ length: 100 }, (_, minute) => ({
  timestamp: new Date(Date.UTC(2026, 0, 10, 9, minute)).toISOString().replace('Z', '+00:00'),
  timezone_offset: 3600,
  type: null,
  unit: 'bpm',
  value: 60 + minute,
}));

let service: Service;
afterEach(() => service.close());

/** A service with a user of a team whose events are limited to some bytes. */
function begin(payload_limit: number, clientUserId = 'c-1') {
  service = new Service({ start: Date.UTC(2026, 0, 10, 12), runs: false });
  const { team_id, api_key } = service.teams.create('first', { payload_limit });
  keepEvents(service, team_id);
  const user = service.users.create(team_id, clientUserId, {}) as User;
  return { user, api_key, bodies: () => service.outbox.after(team_id, 0, 1000).map(({ body }) => body) };
}

test.each(['c-1', '😀'.repeat(512)])(
  'no event is larger than the limit of its team, however long the client user id is',
  (clientUserId) => {
    const { user, bodies } = begin(8_000, clientUserId);
    service.ingestion.take(user, 'oura', [{ resource: 'heartrate', data: { source, data: beats } }]);
    const sizes = bodies().map((body) => Buffer.byteLength(body));
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(8_000);
    // All events but the last are so full that no further sample fits.
    expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThan(8_000 - 150);
    const samples = bodies().flatMap((body) => JSON.parse(body).data.data as { value: number }[]);
    expect(samples.map(({ value }) => value)).toEqual(beats.map(({ value }) => value));
  },
);

test('a sample that is larger than the limit has an event of its own', () => {
  const { user, bodies } = begin(10);
  service.ingestion.take(user, 'oura', [{ resource: 'heartrate', data: { source, data: beats.slice(0, 3) } }]);
  expect(bodies().map((body) => JSON.parse(body).data.data.length)).toEqual([1, 1, 1]);
});

test('a workout stream that is larger than the limit is announced, and can be read', async () => {
  const { user, api_key, bodies } = begin(1_000);
  const app = createApi(service.operations, service.authentication);
  const stream = {
    time: Array.from({ length: 5_000 }, (_, second) => 1_768_035_600 + second),
    heartrate: new Array<number>(5_000).fill(120),
  };
  const data = {
    workout_id: ID,
    provider_id: 'w-1',
    message: 'The stream is available.',
    source,
    sport: { id: 1, name: 'Running', slug: 'running' },
  };
  service.ingestion.take(user, 'oura', [{ resource: 'workout_stream', data, stream }]);
  const [body] = bodies();
  expect(Buffer.byteLength(body!)).toBeLessThanOrEqual(1_000);
  const url = `/v2/timeseries/workouts/${JSON.parse(body!).data.workout_id}/stream`;
  const answer = await app.inject({ method: 'GET', url, headers: { 'x-service-api-key': api_key } });
  expect(answer.json()).toMatchObject(stream);
  await app.close();
});
