import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/server.ts';
import { keepEvents } from '../events/kept-events.fixture.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';
import type { Json } from './arrival.ts';

interface Told {
  readonly event_type: string;
  readonly data: { readonly data: readonly { readonly value: number }[] };
}

let service: Service;
let team: string;
let key: string;
let user: User;
beforeEach(() => {
  service = new Service({ start: Date.UTC(2026, 0, 10, 12), runs: false });
  ({ team_id: team, api_key: key } = service.teams.create('first'));
  keepEvents(service, team);
  user = service.users.create(team, 'c-1', {}) as User;
});
afterEach(() => service.close());

const at = (timestamp: string, value: number): Json => ({ timestamp, timezone_offset: 0, type: null, unit: 'bpm', value });
const NINE = '2026-01-10T09:00:00+00:00';

function take(provider: string, resource: string, type: string, sample: Json): void {
  service.ingestion.take(user, provider, [{ resource, data: { source: { type }, data: [sample] } }]);
}

const told = () =>
  service.outbox
    .after(team, 0, 100)
    .map(({ body }) => JSON.parse(body) as Told)
    .map(({ event_type, data }) => [event_type.split('.').slice(2).join('.'), data.data.map(({ value }) => value)]);

/** Returns the values of a resource in answers of the API, by provider and source type. */
async function answered(resource: string) {
  const app = createApi(service.operations, service.authentication);
  const url = `/v2/timeseries/${user.user_id}/${resource}/grouped?start_date=2026-01-10`;
  const { groups } = (await app.inject({ method: 'GET', url, headers: { 'x-service-api-key': key } })).json();
  await app.close();
  type Group = { source: { provider: string; type: string }; data: { value: number }[] };
  return (Object.values(groups).flat() as Group[])
    .map(({ source, data }) => [source.provider, source.type, ...data.map(({ value }) => value)])
    .sort();
}

test('samples differ if their resource, provider, source type or time differs', async () => {
  take('oura', 'heartrate', 'ring', at(NINE, 60));
  take('oura', 'heartrate', 'watch', at(NINE, 61));
  take('fitbit', 'heartrate', 'ring', at(NINE, 62));
  take('oura', 'respiratory_rate', 'ring', at(NINE, 63));
  take('oura', 'heartrate', 'ring', at('2026-01-10T09:00:01+00:00', 64));
  expect(told().every(([type]) => String(type).endsWith('.created'))).toBe(true);
  expect(await answered('heartrate')).toEqual([
    ['fitbit', 'ring', 62],
    ['oura', 'ring', 60, 64],
    ['oura', 'watch', 61],
  ]);
  expect(await answered('respiratory_rate')).toEqual([['oura', 'ring', 63]]);
});

test('the latest value of a sample replaces the earlier ones, whichever spelling its time has', async () => {
  take('oura', 'heartrate', 'ring', at(NINE, 60));
  take('oura', 'heartrate', 'ring', at('2026-01-10T10:00:00+01:00', 70));
  take('oura', 'heartrate', 'ring', at('2026-01-10T09:00:00.000Z', 65));
  expect(told()).toEqual([
    ['heartrate.created', [60]],
    ['heartrate.updated', [70]],
    ['heartrate.updated', [65]],
  ]);
  expect(await answered('heartrate')).toEqual([['oura', 'ring', 65]]);
});

test('a value that comes back to an earlier one is an update, too', () => {
  for (const value of [60, 70, 60]) take('oura', 'heartrate', 'ring', at(NINE, value));
  expect(told().map(([type]) => type)).toEqual(['heartrate.created', 'heartrate.updated', 'heartrate.updated']);
});
