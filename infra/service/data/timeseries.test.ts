import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/server.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';
import type { Json } from './arrival.ts';

let service: Service;
let app: ReturnType<typeof createApi>;
let key: string;
let user: User;

beforeEach(() => {
  service = new Service({ start: Date.UTC(2026, 0, 10, 12), runs: false, pageSize: 2 });
  app = createApi(service.operations, service.authentication);
  const team = service.teams.create('first');
  key = team.api_key;
  user = service.users.create(team.team_id, 'c-1', {}) as User;
});
afterEach(async () => {
  await app.close();
  await service.close();
});

async function ask(url: string, asKey = key) {
  const answer = await app.inject({ method: 'GET', url, headers: { 'x-service-api-key': asKey } });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

const take = (provider: string, resource: string, data: Json) => service.ingestion.take(user, provider, [{ resource, data }]);
const sourceOf = (provider: string) => ({ provider, type: 'ring', app_id: null, device_id: null });
const at = (time: string): string => `2026-01-10T${time}:00.000+00:00`;
const sample = (time: string, value: number, unit: string, type: string | null = null): Json => ({
  timestamp: at(time),
  timezone_offset: 3600,
  type,
  unit,
  value,
});
const batch = (provider: string, ...data: readonly Json[]): Json => ({ source: sourceOf(provider), data });

const plain = (path: string, query = 'start_date=2026-01-10') => ask(`/v2/timeseries/${user.user_id}/${path}?${query}`);

test('plain timeseries have all samples that the pages of groups have, from all providers, in the order of time', async () => {
  const [first, second, third] = [sample('08:00', 61, 'bpm'), sample('08:01', 62, 'bpm'), sample('08:02', 63, 'bpm')];
  take('oura', 'heartrate', batch('oura', third, first));
  take('withings', 'heartrate', batch('withings', second));
  expect((await plain('heartrate')).body).toEqual([first, second, third]);
  expect((await plain('heartrate', 'start_date=2026-01-10&provider=withings')).body).toEqual([second]);
  expect((await plain('heartrate', `start_date=2026-01-10T08:01:00Z&end_date=2026-01-10T08:01:30Z`)).body).toEqual([second]);
  expect((await plain('heartrate', 'start_date=2026-01-11')).body).toEqual([]);
  const grouped = await plain('heartrate/grouped');
  expect(Object.keys(grouped.body.groups)).toEqual(['oura', 'withings']);
});

test('each type of cholesterol has a plain operation of its own', async () => {
  const types = ['hdl', 'ldl', 'total', 'triglycerides'];
  const samples = types.map((type, value) => sample('08:00', value, 'mmol/L', `cholesterol/${type}`));
  take('oura', 'cholesterol', batch('oura', ...samples));
  expect((await plain('cholesterol')).body).toEqual(samples);
  for (const [number, type] of types.entries()) expect((await plain(`cholesterol/${type}`)).body).toEqual([samples[number]]);
});

test('newer resources have no plain operation', async () => {
  expect((await plain('afib_burden')).status).toBe(404);
  expect((await plain('afib_burden/grouped')).status).toBe(200);
});

test('a deprecated operation says since when, until when, and what to call instead', async () => {
  const { headers } = await plain('body_weight');
  // 2024-07-01T00:00:00Z
  expect(headers.deprecation).toBe('@1719792000');
  expect(headers.sunset).toBe('Mon, 14 Sep 2026 00:00:00 GMT');
  expect(headers.link).toBe(`</v2/timeseries/${user.user_id}/body_weight/grouped>; rel="successor-version"`);
  const [, successor] = /^<(.*)>/.exec(String(headers.link))!;
  expect((await ask(`${successor}?start_date=2026-01-10`)).status).toBe(200);
});

test('answers about wrong requests have the headers too, but other operations and wrong keys do not', async () => {
  const refused = await ask('/v2/timeseries/a%20%3Eb/steps');
  expect([refused.status, refused.headers.link]).toEqual([
    422,
    '</v2/timeseries/a%20%3Eb/steps/grouped>; rel="successor-version"',
  ]);
  const unknown = await ask('/v2/timeseries/00000000-0000-4000-8000-000000000000/steps?start_date=2026-01-10');
  expect([unknown.status, unknown.headers.sunset]).toEqual([404, 'Mon, 14 Sep 2026 00:00:00 GMT']);
  const stranger = await ask(`/v2/timeseries/${user.user_id}/steps`, 'wrong');
  expect([stranger.status, stranger.headers.deprecation]).toEqual([401, undefined]);
  const { headers } = await plain('steps/grouped');
  expect(headers).not.toHaveProperty('deprecation');
  expect(headers).not.toHaveProperty('sunset');
});

const SLEEP = '6f1e2b3c-0000-4000-8000-00000000000a';
const cycle = {
  id: '6f1e2b3c-0000-4000-8000-00000000000b',
  sleep_id: SLEEP,
  session_start: '2026-01-09T22:30:00+00:00',
  session_end: '2026-01-10T06:00:00+00:00',
  stage_start_offset_second: [0, 3_600, 7_200],
  stage_end_offset_second: [3_600, 7_200, 27_000],
  stage_type: [2, 1, 4],
  time_zone: 'Europe/Berlin',
  source_provider: 'oura',
  source_type: 'ring',
  source: sourceOf('oura'),
};
const stage = (start: string, end: string, value: number): Json => ({
  timestamp: start,
  start,
  end,
  timezone_offset: 3600,
  type: null,
  unit: 'stage',
  value,
});
const stages = [
  stage('2026-01-09T22:30:00.000+00:00', '2026-01-09T23:30:00.000+00:00', 2),
  stage('2026-01-09T23:30:00.000+00:00', '2026-01-10T00:30:00.000+00:00', 1),
  stage('2026-01-10T00:30:00.000+00:00', '2026-01-10T06:00:00.000+00:00', 4),
];

test('a hypnogram has the stages of the sleep cycles that begin in the range', async () => {
  take('oura', 'sleep_cycle', cycle);
  expect((await plain('hypnogram', 'start_date=2026-01-09')).body).toEqual(stages);
  expect((await plain('hypnogram')).body).toEqual([stages[2]]);
  expect((await plain('hypnogram', 'start_date=2026-01-09&end_date=2026-01-09')).body).toEqual(stages.slice(0, 2));
  expect((await plain('hypnogram', 'start_date=2026-01-09&provider=withings')).body).toEqual([]);
  const { headers } = await plain('hypnogram/grouped');
  expect(headers.link).toBe(`</v2/summary/sleep_cycle/${user.user_id}>; rel="successor-version"`);
});

test('pages of a hypnogram have each stage once', async () => {
  take('oura', 'sleep_cycle', cycle);
  take('oura', 'sleep_cycle', { ...cycle, id: '6f1e2b3c-0000-4000-8000-00000000000c', time_zone: null });
  take('oura', 'sleep_cycle', { ...cycle, id: '6f1e2b3c-0000-4000-8000-00000000000d', time_zone: 'Asia/Tokyo' });
  const found: Json[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await plain('hypnogram/grouped', `start_date=2026-01-09${cursor === '' ? '' : `&next_cursor=${cursor}`}`);
    for (const { source, data } of body.groups.oura ?? []) {
      expect(source).toMatchObject(sourceOf('oura'));
      found.push(...data);
    }
    cursor = body.next_cursor;
  }
  expect(found).toEqual(stages.flatMap((one) => [3_600, 0, 32_400].map((timezone_offset) => ({ ...one, timezone_offset }))));
});

const sleep = {
  id: SLEEP,
  date: '2026-01-10T00:00:00+00:00',
  calendar_date: '2026-01-10',
  type: 'long_sleep',
  bedtime_start: '2026-01-09T22:30:00+00:00',
  bedtime_stop: '2026-01-10T06:00:00+00:00',
  duration: 27_000,
  total: 7_200,
  awake: 19_800,
  light: 3_600,
  rem: 0,
  deep: 3_600,
  source: sourceOf('oura'),
};

test('the stream of a sleep has the samples of its provider from its session, and the stages of its cycle', async () => {
  take('oura', 'sleep', sleep);
  take('oura', 'sleep_cycle', cycle);
  take('oura', 'sleep_cycle', { ...cycle, id: SLEEP, sleep_id: '6f1e2b3c-0000-4000-8000-00000000000d' });
  const [before, first, last, after] = [
    { ...sample('00:00', 60, 'bpm'), timestamp: '2026-01-09T22:29:59.999+00:00' },
    { ...sample('00:00', 61, 'bpm'), timestamp: '2026-01-09T22:30:00.000+00:00' },
    sample('05:59', 62, 'bpm'),
    sample('06:00', 63, 'bpm'),
  ];
  take('oura', 'heartrate', batch('oura', before!, first!, last!, after!));
  take('withings', 'heartrate', batch('withings', sample('01:00', 64, 'bpm')));
  take('oura', 'hrv', batch('oura', sample('01:00', 40, 'rmssd')));
  take('oura', 'respiratory_rate', batch('oura', sample('01:00', 14, 'bpm')));
  expect((await ask(`/v2/timeseries/sleep/${SLEEP}/stream`)).body).toEqual({
    hrv: [sample('01:00', 40, 'rmssd')],
    heartrate: [first, last],
    hypnogram: stages,
    respiratory_rate: [sample('01:00', 14, 'bpm')],
  });
});

test('a list that the provider sent with the sleep replaces the samples', async () => {
  const own = [sample('02:00', 50, 'bpm')];
  take('oura', 'heartrate', batch('oura', sample('03:00', 62, 'bpm')));
  take('oura', 'hrv', batch('oura', sample('03:00', 40, 'rmssd')));
  take('oura', 'sleep', { ...sleep, sleep_stream: { heartrate: own, hrv: null } });
  const { body } = await ask(`/v2/timeseries/sleep/${SLEEP}/stream`);
  expect([body.heartrate, body.hrv]).toEqual([own, [sample('03:00', 40, 'rmssd')]]);
});

test('a sleep of another team, of a deleted user, or unknown has no stream', async () => {
  take('oura', 'sleep', sleep);
  const path = `/v2/timeseries/sleep/${SLEEP}/stream`;
  expect((await ask(path)).status).toBe(200);
  expect((await ask(path, service.teams.create('second').api_key)).status).toBe(404);
  expect((await ask('/v2/timeseries/sleep/6f1e2b3c-0000-4000-8000-00000000000f/stream')).status).toBe(404);
  service.users.delete(user.team_id, user.user_id);
  expect((await ask(path)).body).toEqual({ detail: 'Sleep stream not found' });
});
