import { afterEach, expect, test } from 'vitest';
import { createApi } from '../api/server.ts';
import { pipelineSchema } from '../etl/pipeline.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';
import type { Json } from './arrival.ts';
import { timeseriesOf } from './forms/sample-forms.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 2, 26, 12);

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const azure_amqp = {
  connection_string: 'Endpoint=sb://hubs.example.com/;SharedAccessKeyName=n;SharedAccessKey=a2V5',
  default_event_hub: 'rest',
};

interface Told {
  readonly event_type: string;
  readonly user_id: string;
  readonly data: Record<string, unknown>;
}

/** A service with an endpoint that gets all events. */
function begin() {
  const told: Told[] = [];
  const service = new Service({
    start: START,
    runs: false,
    send: async (_, { body }) => {
      told.push(JSON.parse(body));
      return 200;
    },
    sendToHub: async () => [],
  });
  const app = createApi(service.operations, service.authentication);
  closing.push(async () => {
    await app.close();
    await service.close();
  });
  const { team_id, api_key } = service.teams.create('first');
  service.endpoints.create(team_id, { url: 'http://x' });
  const user = service.users.create(team_id, 'c-1', {}) as User;
  const ask = async (url: string, method: 'GET' | 'POST' = 'GET') => {
    const answer = await app.inject({ method, url, headers: { 'x-service-api-key': api_key } });
    return { status: answer.statusCode, body: answer.json() };
  };
  return { service, told, team_id, user, ask };
}

/** Returns the latest version of each summary and sample, by the rules of the events. */
function known(told: readonly Told[]): Map<string, Json> {
  const state = new Map<string, Json>();
  for (const { event_type, data } of told) {
    const [kind, , resource] = event_type.split('.') as [string, string, string];
    if (kind !== 'daily' || resource === 'workout_stream') continue;
    const source = data.source as { provider: string; type: string };
    if (!Array.isArray(data.data)) state.set(`${resource} ${data.id}`, data);
    else
      for (const sample of data.data as Record<string, unknown>[]) {
        const at = Date.parse(String(sample.start ?? sample.timestamp));
        state.set([resource, source.provider, source.type, at].join(' '), sample);
      }
  }
  return state;
}

test('the API answers the same data as the events', async () => {
  const { service, team_id, user, ask } = begin();
  // The outbox then also has the past data, which webhooks do not carry.
  service.pipelines.set(team_id, pipelineSchema.parse({ push_historical_data: true, azure_amqp }));
  for (const provider of ['apple_health_kit', 'oura']) service.connections.connect(user, { provider, isDemo: true });
  await service.jobs.advanceTo(START + 4 * DAY_MS);
  const fromEvents = known(service.outbox.after(team_id, 0, 1_000_000).map(({ body }) => JSON.parse(body) as Told));
  const resources = new Set([...fromEvents.keys()].map((key) => key.split(' ')[0]!));
  expect([...resources].sort()).toEqual(expect.arrayContaining(['activity', 'heartrate', 'sleep', 'steps']));
  const fromApi = new Map<string, Json>();
  for (const resource of resources) {
    const timeseries = timeseriesOf(resource);
    if (timeseries === undefined) {
      const { body } = await ask(`/v2/summary/${resource}/${user.user_id}?start_date=2025-01-01`);
      for (const one of resource === 'profile' ? [body] : body[resource]) fromApi.set(`${resource} ${one.id}`, one);
      continue;
    }
    let cursor = '';
    do {
      const { body } = await ask(
        `/v2/timeseries/${user.user_id}/${timeseries.apiName}/grouped?start_date=2025-01-01${cursor === '' ? '' : `&next_cursor=${cursor}`}`,
      );
      for (const groups of Object.values(body.groups) as { source: { provider: string; type: string }; data: Json[] }[][])
        for (const { source, data } of groups)
          for (const sample of data) {
            const at = Date.parse(String(sample.start ?? sample.timestamp));
            fromApi.set([resource, source.provider, source.type, at].join(' '), sample);
          }
      cursor = body.next_cursor ?? '';
    } while (cursor !== '');
  }
  // A user has one profile in answers: the newest.
  const profiles = [...fromEvents.keys()].filter((key) => key.startsWith('profile '));
  for (const key of profiles) if (!fromApi.has(key)) fromEvents.delete(key);
  expect(profiles.length).toBeGreaterThan(0);
  expect(fromApi.size).toBe(fromEvents.size);
  expect(Object.fromEntries(fromApi)).toEqual(Object.fromEntries(fromEvents));
});

test('each object is created once, and the service counts as many as it has sent', async () => {
  const { service, told, user } = begin();
  service.connections.connect(user, { provider: 'fitbit', isDemo: true });
  await service.jobs.advanceTo(START + 3 * DAY_MS);
  const created = told.filter(({ event_type }) => /^daily\.data\..*\.created$/.test(event_type));
  const sent = new Map<string, number>();
  for (const { event_type, data } of created) {
    const resource = event_type.split('.')[2]!;
    sent.set(resource, (sent.get(resource) ?? 0) + (Array.isArray(data.data) ? data.data.length : 1));
  }
  expect(sent.size).toBeGreaterThan(3);
  const counts = new Map(service.ingestion.counts.of(user.user_id, 'fitbit').map((one) => [one.resource, one.sent_count]));
  for (const [resource, count] of sent) expect(counts.get(resource), resource).toBe(count);
  const dated = (told: Told): string => `${told.event_type} ${told.data.id}`;
  const summaries = created.filter(({ data }) => 'id' in data).map(dated);
  expect(new Set(summaries).size).toBe(summaries.length);
});

test('a broken connection fetches nothing until it is made again', async () => {
  const { service, told, user } = begin();
  service.connections.connect(user, { provider: 'fitbit', isDemo: true });
  await service.jobs.advanceTo(START + DAY_MS);
  service.connections.break(user, 'fitbit', { error_type: 'token_refresh_failed', error_message: 'gone' });
  await service.jobs.settle();
  const before = told.length;
  await service.jobs.advanceTo(START + 3 * DAY_MS);
  expect(told.slice(before).map(({ event_type }) => event_type)).toEqual([]);
  const steps = service.ingestion.counts.of(user.user_id, 'fitbit').find(({ resource }) => resource === 'steps');
  expect(steps?.last_attempt_status).toBe('failure');
  service.connections.connect(user, { provider: 'fitbit', isDemo: true });
  await service.jobs.advanceTo(START + 4 * DAY_MS);
  expect(told.slice(before).some(({ event_type }) => event_type === 'daily.data.steps.created')).toBe(true);
});

test('connections pause 7 days after the end of ingestion', async () => {
  const { service, told, team_id, user } = begin();
  service.users.change(team_id, user.user_id, { ingestion_end: '2026-03-28' });
  service.connections.connect(service.users.any(user.user_id)!, { provider: 'fitbit', isDemo: true });
  await service.jobs.advanceTo(START + 12 * DAY_MS);
  const dates = told
    .filter(({ event_type }) => event_type.startsWith('daily.data.activity'))
    .map(({ data }) => data.calendar_date);
  expect(dates).toContain('2026-03-28');
  expect(dates.filter((date) => String(date) > '2026-03-28')).toEqual([]);
});

test('a refresh asks working providers, at most 8 times an hour', async () => {
  const { service, user, ask } = begin();
  const path = `/v2/user/refresh/${user.user_id}`;
  expect(await ask(path, 'POST')).toEqual({
    status: 400,
    body: { success: false, user_id: user.user_id, error: 'user has no connected sources', failed_sources: [] },
  });
  service.connections.connect(user, { provider: 'fitbit', isDemo: true });
  service.connections.connect(user, { provider: 'freestyle_libre', isDemo: true });
  service.connections.break(user, 'freestyle_libre', { error_type: 'unknown', error_message: 'gone' });
  await service.jobs.advanceTo(START + DAY_MS);
  const { status, body } = await ask(path, 'POST');
  expect(status).toBe(200);
  expect(body.refreshed_sources).toContain('fitbit/sleep');
  expect(body.failed_sources).toEqual(['freestyle_libre/glucose']);
  for (let time = 0; time < 7; time += 1) expect((await ask(path, 'POST')).status).toBe(200);
  expect((await ask(path, 'POST')).status).toBe(429);
  await service.jobs.advanceTo(START + DAY_MS + 3_600_000);
  expect((await ask(path, 'POST')).status).toBe(200);
});

test('a pull that is triggered contains the day that is not over', async () => {
  const { service, team_id, user, ask } = begin();
  service.connections.connect(user, { provider: 'oura', isDemo: true });
  await service.jobs.advanceTo(START + 4 * DAY_MS);
  const dates = async (): Promise<string[]> => {
    const { body } = await ask(`/v2/summary/activity/${user.user_id}?start_date=2026-01-01`);
    return (body.activity as { calendar_date: string }[]).map(({ calendar_date }) => calendar_date).sort();
  };
  const zone = ((await ask(`/v2/summary/activity/${user.user_id}?start_date=2026-01-01`)).body.activity[0] as Json)
    .timezone_offset;
  // Ten minutes after the person's midnight, the service has not visited the provider on the new day.
  const midnight = Math.ceil((service.clock.now() + Number(zone) * 1000) / DAY_MS) * DAY_MS;
  await service.jobs.advanceTo(midnight - Number(zone) * 1000 + 600_000);
  const today = new Date(midnight).toISOString().slice(0, 10);
  expect((await dates()).at(-1)! < today).toBe(true);
  service.pulls.trigger(team_id, [user.user_id], 'oura');
  await service.jobs.advanceTo(service.clock.now() + 1_800_000);
  expect((await dates()).at(-1)).toBe(today);
});
