import { afterEach, beforeEach, expect, test } from 'vitest';
import { createControl } from '../control/control-server.ts';
import { Service } from '../service.ts';
import { dataControlOperation } from './data-control.ts';

const id = '2a7e51c4-0000-4000-8000-000000000001';
const other = '2a7e51c4-0000-4000-8000-000000000002';
const meal = {
  id,
  timestamp: '2026-01-01T12:00:00+00:00',
  calendar_date: '2026-01-01',
  name: 'Lunch',
  energy: { unit: 'kcal', value: 612.5 },
  macros: null,
  micros: null,
  data: { Lasagne: { energy: { unit: 'kcal', value: 612.5 } } },
  source: { type: 'app' },
};
const weights = {
  source: { provider: 'withings', type: 'scale' },
  data: [{ timestamp: '2026-01-01T07:00:00+00:00', timezone_offset: 3600, type: null, unit: 'kg', value: 71.3 }],
};
const shallow = { workout_id: id, provider_id: 'w-1', source: { type: 'watch' } };
const electrocardiogram = {
  id,
  session_start: '2026-01-01T07:00:00+00:00',
  session_end: '2026-01-01T07:00:30+00:00',
  voltage_sample_count: 0,
  source_type: 'watch',
  source: {},
};
const sleepCycle = {
  id,
  sleep_id: id,
  session_start: '2026-01-01T00:00:00+00:00',
  session_end: '2026-01-01T08:00:00+00:00',
  stage_start_offset_second: [0],
  stage_end_offset_second: [60],
  stage_type: [1],
  source_type: 'watch',
  source: {},
};
const stream = { time: [1_767_225_600], heartrate: [91] };

let service: Service;
let control: ReturnType<typeof createControl>;
let user: string;
let taken: unknown[];
beforeEach(() => {
  service = new Service({ start: Date.UTC(2026, 0, 1), runs: false });
  taken = [];
  const operation = dataControlOperation(service.users, service.connections, ({ user_id }, ...rest) => {
    taken.push([user_id, ...rest]);
    return ['2026-01-01'];
  });
  control = createControl([operation]);
  const made = service.users.create(service.teams.create('first').team_id, 'c-1', {});
  if ('taken' in made) throw new Error('the client user id is taken');
  user = made.user_id;
  service.connections.connect(made, { provider: 'withings', isDemo: false });
});
afterEach(async () => {
  await control.close();
  await service.close();
});

async function push(body: object) {
  const payload = { user_id: user, provider: 'withings', ...body };
  const answer = await control.inject({ method: 'POST', url: '/data', payload });
  return { status: answer.statusCode, text: answer.body, body: answer.json() };
}

test.each([
  ['a summary', { resource: 'meal', data: meal }],
  ['a sleep cycle', { resource: 'sleep_cycle', data: { ...sleepCycle, source_provider: 'withings' } }],
  ['samples', { resource: 'weight', data: weights }],
  ['a workout stream', { resource: 'workout_stream', data: shallow, stream }],
])('%s is taken as it was pushed', async (_, pushed) => {
  expect(await push(pushed)).toMatchObject({ status: 200, body: { dates: ['2026-01-01'] } });
  expect(taken).toEqual([[user, 'withings', [pushed], false]]);
});

test('data can be pushed as if a historical pull had found it', async () => {
  await push({ resource: 'weight', data: weights, is_historical: true });
  expect(taken).toEqual([[user, 'withings', [{ resource: 'weight', data: weights }], true]]);
});

test.each<[string, string, object, string]>([
  ['a text for a number', 'weight', { ...weights, data: [{ ...weights.data[0], value: 'seventy' }] }, 'data.data.0.value'],
  ['an unknown member', 'weight', { ...weights, data: [{ ...weights.data[0], mood: 'tired' }] }, 'data.data.0'],
  ['an impossible date', 'meal', { ...meal, calendar_date: '1984-02-31' }, 'data.calendar_date'],
  ['no id', 'meal', { ...meal, id: undefined }, 'data.id'],
  ['an error in a food', 'meal', { ...meal, data: { Lasagne: { energy: 612 } } }, 'data.data.*.energy'],
  ['another user', 'meal', { ...meal, user_id: other }, 'data.user_id'],
  ['another provider', 'weight', { ...weights, source: { provider: 'garmin' } }, 'data.source.provider'],
  ['the slug of another provider', 'weight', { ...weights, source: { slug: 'garmin' } }, 'data.source.slug'],
  [
    'the repeated name of another provider',
    'electrocardiogram',
    { ...electrocardiogram, source_provider: 'garmin' },
    'data.source_provider',
  ],
  [
    'an instant whose year in UTC has five digits',
    'weight',
    { ...weights, data: [{ ...weights.data[0], timestamp: '9999-12-31T23:00:00-12:00' }] },
    'data.data.0.timestamp',
  ],
  [
    'an offset of more than a day',
    'weight',
    { ...weights, data: [{ ...weights.data[0], timezone_offset: Number.MAX_SAFE_INTEGER }] },
    'data.data.0.timezone_offset',
  ],
  [
    'lists of stages that differ in length',
    'sleep_cycle',
    { ...sleepCycle, source_provider: 'withings', stage_end_offset_second: [] },
    'data',
  ],
  [
    'a stage at no time',
    'sleep_cycle',
    { ...sleepCycle, source_provider: 'withings', stage_end_offset_second: [Number.MAX_SAFE_INTEGER] },
    'data.stage_end_offset_second.0',
  ],
  ['no source', 'weight', { data: weights.data }, 'data.source'],
  ['a summary instead of samples', 'weight', { source: {}, data: {} }, 'data.data'],
])('data with %s is refused: the error names the member, and no value', async (_, resource, data, path) => {
  const { status, text, body } = await push({ resource, data });
  expect(status).toBe(422);
  expect(body.detail.map(({ loc }: { loc: unknown[] }) => loc.join('.'))).toEqual([`body.${path}`]);
  expect(text).not.toMatch(/seventy|tired|1984|Lasagne|612|71\.3|garmin|2a7e51c4/);
  expect(taken).toEqual([]);
});

test.each<[string, object, string]>([
  ['without the stream', { resource: 'workout_stream', data: shallow }, 'stream'],
  ['with another list', { resource: 'workout_stream', data: shallow, stream: { ...stream, speed: [1] } }, 'stream'],
])('a workout stream %s is refused', async (_, pushed, path) => {
  const { status, body } = await push(pushed);
  expect(status).toBe(422);
  expect(body.detail).toMatchObject([{ loc: ['body', path] }]);
  expect(taken).toEqual([]);
});

test('another resource has no stream', async () => {
  expect((await push({ resource: 'meal', data: meal, stream })).body.detail).toMatchObject([{ loc: ['body', 'stream'] }]);
});

test('an unknown resource and an unknown user are refused', async () => {
  expect(await push({ resource: 'hypnogram', data: weights })).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'resource'] }] },
  });
  expect((await push({ user_id: other, resource: 'weight', data: weights })).status).toBe(404);
  expect(taken).toEqual([]);
});

test('a provider that is not connected, or whose connection is broken, cannot send data', async () => {
  const samples = { ...weights, source: {} };
  expect((await push({ provider: 'oura', resource: 'weight', data: samples })).status).toBe(409);
  const broken = { error_type: 'unknown', error_message: 'Refused.' };
  service.connections.break(service.users.any(user)!, 'withings', broken);
  expect((await push({ resource: 'weight', data: samples })).status).toBe(409);
  expect(taken).toEqual([]);
});
