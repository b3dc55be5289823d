import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';

const START = Date.UTC(2026, 2, 26, 12);
const DAY_MS = 86_400_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** A date and time in UTC, as the service writes it. */
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?\+00:00$/;

interface Told {
  readonly event_type: string;
  readonly team_id: string;
  readonly user_id: string;
  readonly client_user_id: string;
  readonly data: Record<string, unknown>;
}

let service: Service;
let team: string;
/** The webhooks of four days, in their order. */
const told: Told[] = [];
const users = new Map<string, string>();

beforeAll(async () => {
  service = new Service({
    start: START,
    runs: false,
    seed: 7,
    // Webhooks carry no data from before a connection, and generating such data is slow.
    past: () => [],
    send: async (_, { body }) => {
      told.push(JSON.parse(body));
      return 204;
    },
  });
  // The settings are the usual ones.
  team = service.teams.create('first').team_id;
  service.endpoints.create(team, { url: 'http://x' });
  const connect = (clientUserId: string, isDemo: boolean, providers: readonly string[]) => {
    const user = service.users.create(team, clientUserId, {}) as User;
    users.set(user.user_id, clientUserId);
    for (const provider of providers) service.connections.connect(user, { provider, isDemo });
  };
  connect('demo', true, ['apple_health_kit', 'freestyle_libre']);
  connect('real', false, ['garmin', 'omron']);
  await service.jobs.advanceTo(START + 4 * DAY_MS);
});
afterAll(() => service.close());

const ofType = (pattern: RegExp) => told.filter(({ event_type }) => pattern.test(event_type));
const samplesOf = ({ data }: Told) => data.data as Record<string, unknown>[];
const timeseries = () => ofType(/^daily\.data\./).filter(({ data }) => Array.isArray(data.data));
const summaries = () => ofType(/^daily\.data\./).filter(({ data }) => 'id' in data);

test.each([
  'daily.data.glucose.created',
  'daily.data.activity.created',
  'daily.data.steps.created',
  'daily.data.workout_stream.created',
])('the documented event type %s occurs', (type) => {
  expect(told.some(({ event_type }) => event_type === type)).toBe(true);
});

test('every event has exactly the members of the envelope', () => {
  expect(new Set(told.map(({ event_type }) => event_type.split('.')[0]))).toEqual(new Set(['daily', 'historical', 'provider']));
  for (const event of told) {
    expect(Object.keys(event).sort()).toEqual(['client_user_id', 'data', 'event_type', 'team_id', 'user_id']);
    expect(event.event_type).toMatch(
      /^((daily\.data\.\w+\.(created|updated))|(historical\.data\.\w+\.created)|(provider\.(connection|device)\.created))$/,
    );
    expect(event.team_id).toBe(team);
    expect(event.user_id).toMatch(UUID);
    expect(event.client_user_id).toBe(users.get(event.user_id));
    expect([typeof event.data, Array.isArray(event.data)]).toEqual(['object', false]);
  }
});

test('every event with data has the id of the user and the described source in its data', () => {
  const events = ofType(/^daily\.data\./);
  expect(new Set(events.map(({ user_id }) => user_id)).size).toBe(2);
  for (const { event_type, user_id, data } of events) {
    expect([event_type, data.user_id]).toEqual([event_type, user_id]);
    const source = data.source as Record<string, string>;
    expect(source).toMatchObject({ name: expect.stringMatching(/^[A-Z]/), slug: source.provider });
    expect(new URL(source.logo!).pathname).toBe(`/${source.slug}.png`);
  }
});

test('every event of samples has them in data.data, with time, offset, type, unit and value', () => {
  expect(timeseries().length).toBeGreaterThan(100);
  for (const event of timeseries()) {
    const resource = event.event_type.split('.')[2]!;
    expect(event.data.source_id).toEqual(expect.any(Number));
    expect(Number.isSafeInteger(event.data.source_id)).toBe(true);
    expect(samplesOf(event).length).toBeGreaterThan(0);
    for (const sample of samplesOf(event)) {
      expect(sample.timestamp).toMatch(DATE_TIME);
      expect(sample.timezone_offset === null || Number.isSafeInteger(sample.timezone_offset)).toBe(true);
      expect(sample.type === null || typeof sample.type === 'string').toBe(true);
      expect(typeof sample.unit).toBe('string');
      // A blood pressure has two values.
      const values = resource === 'blood_pressure' ? [sample.systolic, sample.diastolic] : [sample.value];
      for (const value of values) expect([resource, typeof value]).toEqual([resource, 'number']);
    }
  }
});

test('the offset of a sample is in seconds east of UTC', () => {
  const offsets = new Set(timeseries().flatMap((event) => samplesOf(event).map(({ timezone_offset }) => timezone_offset)));
  const known = [...offsets].filter((offset) => offset !== null) as number[];
  expect(known.length).toBeGreaterThan(0);
  // Every zone is a multiple of a quarter of an hour east of UTC.
  for (const offset of known) expect([offset % 900, Math.abs(offset) <= 14 * 3600]).toEqual([0, true]);
  expect(known.some((offset) => Math.abs(offset) >= 3600)).toBe(true);
});

test('the source_id of a source is the same in all of its events, and differs between sources', () => {
  const ids = new Map<string, Set<unknown>>();
  for (const { data } of timeseries()) {
    const source = JSON.stringify(data.source);
    ids.set(source, (ids.get(source) ?? new Set()).add(data.source_id));
  }
  expect(ids.size).toBeGreaterThan(3);
  expect([...ids.values()].every(({ size }) => size === 1)).toBe(true);
  expect(new Set([...ids.values()].flatMap((set) => [...set])).size).toBe(ids.size);
});

describe('versions', () => {
  test('a summary is created once, and each later version of its id is an update', () => {
    const verbs = new Map<string, string[]>();
    for (const { event_type, data } of summaries())
      verbs.set(String(data.id), [...(verbs.get(String(data.id)) ?? []), event_type.split('.')[3]!]);
    const versions = [...verbs.values()];
    expect(versions.filter(({ length }) => length > 1).length).toBeGreaterThan(5);
    for (const [first, ...others] of versions)
      expect([first, ...new Set(others)]).toEqual(others.length === 0 ? ['created'] : ['created', 'updated']);
  });

  test('the intervals of a provider that counts in buckets are updated until they are complete', () => {
    const versions = new Map<string, { readonly verb: string; readonly value: number }[]>();
    for (const event of ofType(/^daily\.data\.steps\./))
      for (const { start, value } of samplesOf(event)) {
        const { provider, type } = event.data.source as { provider: string; type: string };
        const key = `${event.user_id} ${provider} ${type} ${start}`;
        const verb = event.event_type.split('.')[3]!;
        versions.set(key, [...(versions.get(key) ?? []), { verb, value: value as number }]);
      }
    const updated = [...versions.values()].filter(({ length }) => length > 1);
    expect(updated.length).toBeGreaterThan(5);
    for (const [first, ...others] of versions.values()) {
      expect(first!.verb).toBe('created');
      expect(others.every(({ verb }) => verb === 'updated')).toBe(true);
    }
    for (const one of updated)
      expect(one.map(({ value }) => value)).toEqual(one.map(({ value }) => value).toSorted((a, b) => a - b));
    // Most intervals never change.
    expect(updated.length).toBeLessThan(versions.size / 2);
  });
});

test('the event of a workout stream names the workout, and holds nothing of the stream', () => {
  const events = ofType(/^daily\.data\.workout_stream\.created$/);
  const workouts = new Map(ofType(/^daily\.data\.workouts\./).map(({ data }) => [data.id, data]));
  for (const { data } of events) {
    expect(Object.keys(data).sort()).toEqual(['message', 'provider_id', 'source', 'sport', 'user_id', 'workout_id']);
    const { message, provider_id, sport, workout_id } = data;
    expect([typeof message, typeof provider_id]).toEqual(['string', 'string']);
    expect(sport).toEqual({ id: expect.any(Number), name: expect.any(String), slug: expect.stringMatching(/^[a-z_]+$/) });
    // The workout itself has the same facts.
    expect(workouts.get(workout_id)).toMatchObject({ provider_id, sport });
  }
});
