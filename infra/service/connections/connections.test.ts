import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/server.ts';
import { controlOperations } from '../control/control-operations.ts';
import { createControl } from '../control/control-server.ts';
import { keepEvents } from '../events/kept-events.fixture.ts';
import { Service } from '../service.ts';
import { byWeek } from './connection-operations.ts';

const START = Date.UTC(2026, 0, 1, 12);
const NOW = '2026-01-01T12:00:00.000+00:00';

let service: Service;
let app: ReturnType<typeof createApi>;
let control: ReturnType<typeof createControl>;
let team: string;
let user: string;
let headers: Record<string, string>;
beforeEach(async () => {
  service = new Service({ start: START, runs: false });
  app = createApi(service.operations, service.authentication);
  control = createControl(controlOperations(service));
  const made = service.teams.create('first');
  keepEvents(service, made.team_id);
  team = made.team_id;
  headers = { 'x-service-api-key': made.api_key };
  user = (await ask('POST', '/v2/user', { client_user_id: 'c-1' })).body.user_id;
});
afterEach(async () => {
  await app.close();
  await control.close();
  await service.close();
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

async function ask(method: Method, url: string, payload?: object, through = app) {
  const answer = await through.inject({ method, url, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
}

const steer = (url: string, payload: object) => ask('POST', url, payload, control);
const demo = (provider: string) => ask('POST', '/v2/link/connect/demo', { user_id: user, provider });
/** The events of connections. Between them, the providers' data has events, too. */
const events = (): { event_type: string; data: Record<string, unknown> }[] =>
  service.outbox
    .after(team, 0, 100_000)
    .filter(({ event_type }) => event_type.startsWith('provider.connection.'))
    .map(({ body }) => JSON.parse(body));

test('a demo connection is listed, and an event tells of it', async () => {
  expect((await demo('oura')).body).toEqual({ success: true, detail: `Connected user ${user} to provider oura` });
  const oura = { name: 'Oura', slug: 'oura', logo: 'https://images.example.com/oura.png' };
  const { body } = await ask('GET', `/v2/user/providers/${user}`);
  expect(body.providers).toEqual([
    {
      ...oura,
      created_on: NOW,
      status: 'connected',
      external_user_id: null,
      error_details: null,
      resource_availability: expect.objectContaining({ sleep: { status: 'available', scope_requirements: null } }),
    },
  ]);
  expect((await ask('GET', `/v2/user/${user}`)).body.connected_sources).toEqual([
    { created_on: NOW, source: oura, provider: oura },
  ]);
  expect(events()).toEqual([
    {
      event_type: 'provider.connection.created',
      team_id: team,
      user_id: user,
      client_user_id: 'c-1',
      data: {
        user_id: user,
        source: oura,
        provider: oura,
        external_user_id: null,
        resource_availability: body.providers[0].resource_availability,
      },
    },
  ]);
});

test('providers without demo data are refused, and so are demo and real connections of one user', async () => {
  expect((await demo('garmin')).status).toBe(422);
  expect((await steer('/connections', { user_id: user, provider: 'garmin' })).status).toBe(200);
  expect((await demo('oura')).status).toBe(400);
  expect((await ask('POST', '/v2/link/connect/demo', { user_id: crypto.randomUUID(), provider: 'oura' })).status).toBe(404);
});

test('a broken connection shows its error until the user connects again', async () => {
  await steer('/connections', { user_id: user, provider: 'garmin', external_user_id: 'account-1' });
  await service.jobs.advanceTo(START + 60_000);
  const broken = { user_id: user, provider: 'garmin', error_type: 'provider_credential_error', error_message: 'Refused.' };
  expect((await steer('/connections/break', broken)).body).toMatchObject({
    status: 'error',
    external_user_id: 'account-1',
    error_details: {
      error_type: 'provider_credential_error',
      error_message: 'Refused.',
      errored_at: '2026-01-01T12:01:00.000+00:00',
    },
  });
  expect((await steer('/connections/break', broken)).status).toBe(409);
  expect(events().at(-1)).toMatchObject({
    event_type: 'provider.connection.error',
    data: { user_id: user, provider: 'garmin', error_type: 'provider_credential_error' },
  });
  await steer('/connections', { user_id: user, provider: 'garmin' });
  const { body } = await ask('GET', `/v2/user/providers/${user}`);
  expect(body.providers).toMatchObject([{ status: 'connected', error_details: null, created_on: NOW }]);
  expect(events().filter(({ event_type }) => event_type.startsWith('provider.'))).toHaveLength(3);
});

test('a deregistered connection and those of a deleted user are gone, without an event', async () => {
  await demo('oura');
  await demo('fitbit');
  expect((await ask('DELETE', `/v2/user/${user}/oura`)).body).toEqual({ success: true });
  expect((await ask('DELETE', `/v2/user/${user}/oura`)).status).toBe(404);
  expect((await ask('GET', `/v2/user/providers/${user}`)).body.providers).toMatchObject([{ slug: 'fitbit' }]);
  await ask('DELETE', `/v2/user/${user}`);
  expect((await ask('GET', `/v2/user/providers/${user}`)).status).toBe(404);
  await ask('POST', `/v2/user/undo_delete?user_id=${user}`);
  expect((await ask('GET', `/v2/user/providers/${user}`)).body.providers).toEqual([]);
  expect(events()).toHaveLength(2);
});

test('the metrics count users and connections', async () => {
  await demo('oura');
  await demo('fitbit');
  await steer('/connections/break', { user_id: user, provider: 'oura' });
  expect((await ask('GET', '/v2/user/metrics')).body).toMatchObject({
    team_id: team,
    number_of_users: 1,
    number_of_connected_sources: 2,
    number_of_errored_connected_sources: 1,
    number_of_connected_sources_by_week: [{ date: '2025-12-29T00:00:00.000+00:00', value: 2, all: 2 }],
  });
});

test('weeks begin on Monday, and add up', () => {
  const at = (day: number) => Date.UTC(2026, 0, day);
  // 2026-01-05 and 2026-01-12 are Mondays.
  expect(byWeek([at(4), at(5), at(11), at(12)])).toEqual([
    { date: '2025-12-29T00:00:00.000+00:00', value: 1, all: 1 },
    { date: '2026-01-05T00:00:00.000+00:00', value: 2, all: 3 },
    { date: '2026-01-12T00:00:00.000+00:00', value: 1, all: 4 },
  ]);
});
