import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/server.ts';
import { Service } from '../service.ts';
import type { Team, TeamSettings } from '../teams/teams.ts';
import type { User } from '../users/users.ts';
import type { Json } from './arrival.ts';

const START = Date.UTC(2026, 0, 10, 12);
const HOUR_MS = 3_600_000;

let service: Service;
let app: ReturnType<typeof createApi>;
let team: Team & { readonly api_key: string };
let user: User;
let sent: { readonly event_type: string; readonly data: Record<string, unknown> }[];

beforeEach(() => begin());
afterEach(end);

function begin(settings: Partial<TeamSettings> = {}): void {
  sent = [];
  service = new Service({
    start: START,
    runs: false,
    pageSize: 3,
    send: async (_, { body }) => {
      sent.push(JSON.parse(body));
      return 200;
    },
  });
  app = createApi(service.operations, service.authentication);
  team = service.teams.create('first', settings);
  service.endpoints.create(team.team_id, { url: 'http://x' });
  user = service.users.create(team.team_id, 'c-1', {}) as User;
}

async function end(): Promise<void> {
  await app.close();
  await service.close();
}

async function ask(url: string) {
  const answer = await app.inject({ method: 'GET', url, headers: { 'x-service-api-key': team.api_key } });
  return { status: answer.statusCode, body: answer.json() };
}

const source = { provider: 'oura', type: 'ring', app_id: null, device_id: null };
const beat = (minute: number, value: number): Json => ({
  timestamp: `2026-01-10T09:${String(minute).padStart(2, '0')}:00+00:00`,
  timezone_offset: 3600,
  type: null,
  unit: 'bpm',
  value,
});
const body = (id: string, date: string, weight: number): Json => ({ id, calendar_date: date, weight, source });
const ID = '6f1e2b3c-0000-4000-8000-000000000001';

async function take(resource: string, data: Json, stream?: Json): Promise<readonly string[]> {
  const dates = service.ingestion.take(user, 'oura', [{ resource, data, ...(stream === undefined ? {} : { stream }) }]);
  await service.jobs.settle();
  return dates;
}

test('the first version of a summary is created, a changed one is updated, and the same version is no event', async () => {
  await take('body', body(ID, '2026-01-09', 70));
  await service.jobs.advanceTo(START + HOUR_MS);
  await take('body', body(ID, '2026-01-09', 70));
  await take('body', body(ID, '2026-01-09', 71));
  expect(sent.map(({ event_type }) => event_type)).toEqual(['daily.data.body.created', 'daily.data.body.updated']);
  expect(sent[1]!.data).toMatchObject({
    id: ID,
    weight: 71,
    user_id: user.user_id,
    created_at: '2026-01-10T12:00:00.000+00:00',
    updated_at: '2026-01-10T13:00:00.000+00:00',
  });
  const { body: answer } = await ask(`/v2/summary/body/${user.user_id}?start_date=2026-01-09`);
  expect(answer.body).toEqual([sent[1]!.data]);
});

test('samples of a batch are told apart: new ones are created, changed ones updated, the others no event', async () => {
  await take('heartrate', { source, data: [beat(0, 60), beat(1, 61)] });
  await take('heartrate', { source, data: [beat(1, 61), beat(0, 65), beat(2, 62)] });
  expect(sent.map(({ event_type, data }) => [event_type, (data.data as { value: number }[]).map(({ value }) => value)])).toEqual([
    ['daily.data.heartrate.created', [60, 61]],
    ['daily.data.heartrate.created', [62]],
    ['daily.data.heartrate.updated', [65]],
  ]);
});

test('pages of samples follow each other without a gap, and a wrong cursor is refused', async () => {
  const beats = Array.from({ length: 8 }, (_, minute) => beat(minute, 60 + minute));
  await take('heartrate', { source, data: beats });
  const path = `/v2/timeseries/${user.user_id}/heartrate/grouped?start_date=2026-01-10&end_date=2026-01-10`;
  const values: number[] = [];
  let cursor: string | null = '';
  for (let page = 0; cursor !== null; page += 1) {
    const { body: answer } = await ask(`${path}${cursor === '' ? '' : `&next_cursor=${cursor}`}`);
    values.push(...answer.groups.oura.flatMap(({ data }: { data: { value: number }[] }) => data.map(({ value }) => value)));
    cursor = answer.next_cursor;
    expect(answer.next).toBe(cursor);
    expect(page).toBeLessThan(5);
  }
  expect(values).toEqual([60, 61, 62, 63, 64, 65, 66, 67]);
  expect((await ask(`${path}&next_cursor=abc`)).status).toBe(422);
  expect((await ask(`/v2/timeseries/${user.user_id}/heartrate/grouped?start_date=9.1.2026`)).status).toBe(422);
  expect((await ask(`/v2/timeseries/${user.user_id}/heartrate/grouped`)).status).toBe(422);
});

test('a range without times has whole days, and one with times has its instants', async () => {
  await take('heartrate', { source, data: [beat(0, 60), beat(30, 61), beat(59, 62)] });
  const values = async (range: string): Promise<number[]> =>
    Object.values((await ask(`/v2/timeseries/${user.user_id}/heartrate/grouped?${range}`)).body.groups)
      .flatMap((groups) => groups as { data: { value: number }[] }[])
      .flatMap(({ data }) => data.map(({ value }) => value));
  expect(await values('start_date=2026-01-10&end_date=2026-01-10')).toEqual([60, 61, 62]);
  expect(await values('start_date=2026-01-10T09:30:00Z&end_date=2026-01-10T09:58:59')).toEqual([61]);
  expect(await values('start_date=2026-01-11')).toEqual([]);
  expect(await values('start_date=2026-01-10&provider=fitbit')).toEqual([]);
});

test('data outside of the bounds of ingestion is not ingested', async () => {
  service.users.change(team.team_id, user.user_id, { ingestion_start: '2026-01-10', ingestion_end: '2026-01-12' });
  user = service.users.find(team.team_id, user.user_id)!;
  expect(await take('body', body(ID, '2026-01-09', 70))).toEqual([]);
  expect(await take('body', body(ID, '2026-01-12', 70))).toEqual(['2026-01-12']);
  expect(await take('heartrate', { source, data: [{ ...beat(0, 60), timestamp: '2026-01-09T22:59:00Z' }, beat(1, 61)] })).toEqual(
    ['2026-01-10'],
  );
  expect(sent.map(({ event_type }) => event_type)).toEqual(['daily.data.body.created', 'daily.data.heartrate.created']);
  expect(sent[1]!.data.data).toHaveLength(1);
});

test('events and answers have the source object of the team’s generation', async () => {
  const described = { name: 'Oura', slug: 'oura', logo: 'https://images.example.com/oura.png' };
  const current = { provider: 'oura', type: 'ring', app_id: null, device_id: null };
  for (const [generation, expected] of [
    ['old', described],
    ['both', { ...current, sport: null, workout_id: null, ...described }],
    ['current', current],
  ] as const) {
    await end();
    begin({ generation });
    await take('body', body(ID, '2026-01-09', 70));
    await take('heartrate', { source, data: [beat(0, 60)] });
    expect(sent.map(({ data }) => data.source)).toEqual([expected, expected]);
    expect('source_id' in sent[1]!.data).toBe(generation !== 'current');
    const { body: summaries } = await ask(`/v2/summary/body/${user.user_id}?start_date=2026-01-09`);
    expect(summaries.body[0].source).toEqual(expected);
    const { body: grouped } = await ask(`/v2/timeseries/${user.user_id}/heartrate/grouped?start_date=2026-01-10`);
    expect(grouped.groups.oura[0].source).toEqual(expected);
  }
});

test('a batch that is larger than the limit of payloads becomes several events', async () => {
  await end();
  begin({ payload_limit: 3_000 });
  const beats = Array.from({ length: 40 }, (_, minute) => beat(minute, 60 + minute));
  await take('heartrate', { source, data: beats });
  expect(sent.length).toBeGreaterThan(1);
  for (const event of sent) expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThanOrEqual(3_000);
  expect(sent.flatMap(({ data }) => (data.data as { value: number }[]).map(({ value }) => value))).toEqual(
    beats.map(({ value }) => value),
  );
});

test('the event of a workout stream is shallow, and the stream can be read', async () => {
  const shallow = {
    workout_id: ID,
    provider_id: 'p-1',
    message: 'Read it',
    sport: { id: 1, name: 'Running', slug: 'running' },
    source,
  };
  const stream = { time: [1_768_035_600, 1_768_035_605], heartrate: [120, 121] };
  await take('workout_stream', shallow, stream);
  expect(sent[0]!.event_type).toBe('daily.data.workout_stream.created');
  expect(sent[0]!.data).toMatchObject({ workout_id: ID, provider_id: 'p-1', user_id: user.user_id });
  expect(sent[0]!.data).not.toHaveProperty('time');
  expect((await ask(`/v2/timeseries/workouts/${ID}/stream`)).body).toMatchObject(stream);
  const other = service.teams.create('second');
  const answer = await app.inject({
    method: 'GET',
    url: `/v2/timeseries/workouts/${ID}/stream`,
    headers: { 'x-service-api-key': other.api_key },
  });
  expect(answer.statusCode).toBe(404);
});

test('a device is told of once, with its first data', async () => {
  const device_id = '7a1e2b3c-0000-4000-8000-000000000002';
  const worn = { source: { ...source, device_id }, data: [beat(0, 60)] };
  await take('heartrate', worn);
  await take('heartrate', { ...worn, data: [beat(1, 60)] });
  expect(sent.map(({ event_type }) => event_type)).toEqual([
    'provider.device.created',
    'daily.data.heartrate.created',
    'daily.data.heartrate.created',
  ]);
  expect((await ask(`/v2/user/${user.user_id}/device`)).body).toEqual([sent[0]!.data]);
  expect((await ask(`/v2/user/${user.user_id}/device/${device_id}`)).body).toEqual(sent[0]!.data);
  expect((await ask(`/v2/user/${user.user_id}/device/${ID}`)).status).toBe(404);
});
