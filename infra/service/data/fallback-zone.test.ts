import { afterEach, expect, test } from 'vitest';
import { createApi } from '../api/server.ts';
import { keepEvents } from '../events/kept-events.fixture.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';
import type { Json } from './arrival.ts';

const ID = '6f1e2b3c-0000-4000-8000-000000000001';
const source = { type: 'watch' };
const night = {
  bedtime_start: '2026-03-28T22:00:00+00:00',
  bedtime_stop: '2026-03-29T05:00:00+00:00',
  calendar_date: '2026-03-29',
};
const session = { session_start: '2026-01-10T23:30:00+00:00', session_end: '2026-01-10T23:30:30+00:00' };

let service: Service;
afterEach(() => service.close());

/** Takes a summary of a user in Berlin. Returns the summary of the event, and that of the API. */
async function take(resource: string, data: Json, provider = 'oura', settings: object = { fallback_time_zone: 'Europe/Berlin' }) {
  service = new Service({ start: Date.UTC(2026, 3, 1), runs: false });
  const app = createApi(service.operations, service.authentication);
  const { team_id, api_key } = service.teams.create('first');
  keepEvents(service, team_id);
  const user = service.users.create(team_id, 'c-1', settings) as User;
  const dates = service.ingestion.take(user, provider, [{ resource, data: { id: ID, source, ...data } }]);
  const { body } = service.outbox.after(team_id, 0, 1)[0]!;
  const url = `/v2/summary/${resource}/${user.user_id}?start_date=2026-01-01`;
  const answer = await app.inject({ method: 'GET', url, headers: { 'x-service-api-key': api_key } });
  await app.close();
  return { dates, told: JSON.parse(body).data as Json, answered: answer.json()[resource]?.[0] as Json };
}

/** Returns the members of a summary that tell its time zone. */
const zoneOf = ({ time_zone, timezone_offset }: Json): Json => JSON.parse(JSON.stringify({ time_zone, timezone_offset }));

test.each<[string, Json, Json]>([
  ['sleep', night, { timezone_offset: 7200 }],
  ['workouts', { time_start: '2026-01-10T09:00:00+00:00', calendar_date: '2026-01-10' }, { timezone_offset: 3600 }],
  ['activity', { calendar_date: '2026-03-28' }, { time_zone: 'Europe/Berlin', timezone_offset: 3600 }],
  ['activity', { calendar_date: '2026-03-29', timezone_offset: null }, { time_zone: 'Europe/Berlin', timezone_offset: 7200 }],
  ['electrocardiogram', session, { time_zone: 'Europe/Berlin' }],
  ['sleep_cycle', session, { time_zone: 'Europe/Berlin' }],
])('a summary of %s without a time zone, %j, gets that of the user', async (resource, data, expected) => {
  expect(zoneOf((await take(resource, data)).told)).toEqual(expected);
});

test.each<[string, Json, Json]>([
  ['sleep', night, { timezone_offset: 0 }],
  ['workouts', { time_start: '2026-07-10T09:00:00+00:00', calendar_date: '2026-07-10' }, { timezone_offset: 0 }],
  ['activity', { calendar_date: '2026-07-10', timezone_offset: null }, { time_zone: 'UTC', timezone_offset: 0 }],
  ['electrocardiogram', session, { time_zone: 'UTC' }],
  ['sleep_cycle', session, { time_zone: 'UTC' }],
])('a summary of %s without a time zone, %j, gets UTC if the team has set no zone', async (resource, data, expected) => {
  expect(zoneOf((await take(resource, data, 'oura', {})).told)).toEqual(expected);
});

test('a summary has the time zone of the user under the name that the team has set', async () => {
  const { told } = await take('activity', { calendar_date: '2026-01-10' }, 'oura', { fallback_time_zone: 'US/Pacific' });
  expect(zoneOf(told)).toEqual({ time_zone: 'US/Pacific', timezone_offset: -28_800 });
});

test('the answers of the API have the time zone of the event', async () => {
  const { told, answered } = await take('activity', { calendar_date: '2026-01-10' });
  expect(answered).toEqual(told);
  expect(answered.time_zone).toBe('Europe/Berlin');
});

test('a session belongs to the date in the time zone of the user', async () => {
  expect((await take('electrocardiogram', session)).dates).toEqual(['2026-01-11']);
  await service.close();
  expect((await take('electrocardiogram', session, 'oura', {})).dates).toEqual(['2026-01-10']);
});

test.each<[string, Json, string, object | undefined]>([
  ['an offset of its own', { calendar_date: '2026-01-10', timezone_offset: -18_000 }, 'oura', undefined],
  ['a time zone of its own', { calendar_date: '2026-01-10', time_zone: 'America/New_York' }, 'oura', undefined],
  ['local times', { calendar_date: '2026-01-10', timezone_offset: null }, 'freestyle_libre', undefined],
  ['local times of a user without a zone', { calendar_date: '2026-01-10', timezone_offset: null }, 'freestyle_libre', {}],
])('a summary with %s is left as it is', async (_, data, provider, settings) => {
  const { told } = await take('activity', data, provider, settings);
  expect(told).toMatchObject(data);
  expect(told.time_zone).toBe(data.time_zone);
});

test('a summary that has no time zone gets none', async () => {
  const { told } = await take('body', { calendar_date: '2026-01-10', weight: 70 });
  expect(told).not.toHaveProperty('time_zone');
  expect(told).not.toHaveProperty('timezone_offset');
});
