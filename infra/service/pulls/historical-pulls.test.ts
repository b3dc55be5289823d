import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { createApi } from '../api/server.ts';
import { controlOperations } from '../control/control-operations.ts';
import { createControl } from '../control/control-server.ts';
import { Service, type ServiceOptions } from '../service.ts';
import type { User } from '../users/users.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 10, 12);

const closing: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Told {
  readonly event_type: string;
  readonly data: Record<string, unknown>;
}

interface Asked {
  readonly resource: string;
  readonly from: number;
  readonly until: number;
  readonly asOf: number;
}

/** A service whose providers have no data from before, and what it asks them for. */
function begin(options: ServiceOptions = {}) {
  const asked: Asked[] = [];
  const told: Told[] = [];
  const service = new Service({
    start: START,
    runs: false,
    // The times of pulls depend on the ids of users.
    seed: 1,
    past: (_, __, resource, range) => {
      asked.push({ resource, ...range });
      return [];
    },
    send: async (_, { body }) => {
      told.push(JSON.parse(body));
      return 204;
    },
    ...options,
  });
  const app = createApi(service.operations, service.authentication);
  const control = createControl(controlOperations(service));
  closing.push(
    () => service.close(),
    () => app.close(),
    () => control.close(),
  );
  const { team_id, api_key } = service.teams.create('first');
  service.endpoints.create(team_id, { url: 'http://x' });
  const headers = { 'x-service-api-key': api_key };
  const newUser = (id = 'c-1') => service.users.create(team_id, id, {}) as User;
  const ask = async (url: string, payload?: object) => {
    const answer = await app.inject({ method: payload ? 'POST' : 'GET', url, headers, payload: payload || undefined });
    return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() };
  };
  const steer = async (url: string, payload: object) => {
    const answer = await control.inject({ method: 'POST', url, payload });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json();
  };
  const pull = async (user: User, provider: string, resource: string) =>
    (await ask(`/v2/introspect/historical_pull?user_id=${user.user_id}`)).body.data[0]?.provider[provider]?.pulled[resource];
  const events = () => told.filter(({ event_type }) => event_type.startsWith('historical.'));
  const after = (milliseconds: number) => service.jobs.advanceTo(service.clock.now() + milliseconds);
  const connect = (user: User, provider: string) =>
    service.connections.connect(user, { provider, isDemo: false, isGenerated: false });
  return { service, asked, team_id, newUser, ask, steer, pull, events, after, connect };
}

test('a pull is scheduled, in progress, and ends in success with one event', async () => {
  const { newUser, connect, pull, after, events, asked } = begin();
  const user = newUser();
  connect(user, 'strava');
  const range = { range_start: '2025-12-27T12:00:00.000+00:00', range_end: '2026-01-10T12:00:00.000+00:00' };
  const scheduled_at = '2026-01-10T12:00:00.000+00:00';
  expect(await pull(user, 'strava', 'workouts')).toMatchObject({
    status: 'scheduled',
    ...range,
    days_with_data: 0,
    error_details: null,
    timeline: { scheduled_at, started_at: null, ended_at: null },
  });
  await after(10 * SECOND);
  expect((await pull(user, 'strava', 'workouts')).status).toBe('in_progress');
  await after(MINUTE);
  const done = await pull(user, 'strava', 'workouts');
  expect(done).toMatchObject({ status: 'success', ...range, error_details: null, timeline: { scheduled_at } });
  expect(Date.parse(done.timeline.ended_at)).toBeGreaterThan(Date.parse(done.timeline.started_at));
  const completed = events().filter(({ event_type }) => event_type === 'historical.data.workouts.created');
  expect(completed.map(({ data }) => data)).toEqual([
    { user_id: user.user_id, start_date: range.range_start, end_date: range.range_end, is_final: true, provider: 'strava' },
  ]);
  // Ten days, and the four days before them.
  const ranges = asked.filter(({ resource }) => resource === 'workouts').map(({ from, until }) => [from, until]);
  expect(ranges).toEqual([
    [START - 10 * DAY, START],
    [START - 14 * DAY, START - 10 * DAY],
  ]);
});

test('the range of a pull lies within the bounds of ingestion', async () => {
  const { service, newUser, connect, after, asked, team_id } = begin();
  const user = newUser();
  service.users.change(team_id, user.user_id, { ingestion_start: '2026-01-02', ingestion_end: '2026-01-04' });
  connect(service.users.any(user.user_id)!, 'strava');
  await after(MINUTE);
  expect(asked.filter(({ resource }) => resource === 'workouts')).toEqual([
    { resource: 'workouts', from: Date.UTC(2026, 0, 2), until: Date.UTC(2026, 0, 5), asOf: START },
  ]);
});

test.each([
  ['rate_limit', 'provider_rate_limit_exceeded'],
  ['transport_failure', 'transport_failure'],
  ['resource_contention', 'resource_contention'],
])('after %s a pull is retrying, with %s, and it goes on later', async (kind, error_details) => {
  const { newUser, connect, pull, after, events, steer, asked } = begin();
  const user = newUser();
  await steer('/pulls/script', { provider: 'strava', resource: 'workouts', outcomes: [{ kind }] });
  connect(user, 'strava');
  await after(MINUTE);
  const retrying = await pull(user, 'strava', 'workouts');
  expect(retrying).toMatchObject({ status: 'retrying', error_details });
  expect(retrying.timeline.ended_at).not.toBeNull();
  expect(events().map(({ event_type }) => event_type)).toEqual(['historical.data.workout_stream.created']);
  await after(5 * MINUTE);
  expect(await pull(user, 'strava', 'workouts')).toMatchObject({ status: 'success', error_details: null });
  // No chunk is fetched twice.
  expect(asked.filter(({ resource }) => resource === 'workouts')).toHaveLength(2);
  expect(events().filter(({ event_type }) => event_type === 'historical.data.workouts.created')).toHaveLength(1);
});

test('during an outage all pulls of the provider are retrying, and they succeed after it', async () => {
  const { newUser, connect, pull, after, steer } = begin();
  const [from, until] = [START - DAY, START + 10 * MINUTE].map((time) => new Date(time).toISOString());
  await steer('/pulls/script', { provider: 'strava', outcomes: [{ kind: 'outage', from, until }] });
  const user = newUser();
  connect(user, 'strava');
  await after(9 * MINUTE);
  for (const resource of ['workouts', 'workout_stream'])
    expect(await pull(user, 'strava', resource)).toMatchObject({ status: 'retrying', error_details: 'provider_unavailable' });
  await after(30 * MINUTE);
  for (const resource of ['workouts', 'workout_stream']) expect((await pull(user, 'strava', resource)).status).toBe('success');
});

test.each([
  ['revoked_scope', 'non_retriable_error'],
  ['unexpected_error', 'unexpected_error'],
])('%s ends a pull with failure and %s', async (kind, error_details) => {
  const { newUser, connect, pull, after, events, steer } = begin();
  const user = newUser();
  await steer('/pulls/script', { provider: 'strava', user_id: user.user_id, resource: 'workouts', outcomes: [{ kind }] });
  connect(user, 'strava');
  await after(30 * DAY);
  expect(await pull(user, 'strava', 'workouts')).toMatchObject({ status: 'failure', error_details });
  expect(events().map(({ event_type }) => event_type)).toEqual(['historical.data.workout_stream.created']);
});

test('after 8 retries with growing pauses a pull fails with retry_quota_exhausted', async () => {
  const { newUser, connect, after, steer } = begin();
  const user = newUser();
  await steer('/pulls/script', { provider: 'strava', resource: 'workouts', outcomes: [{ kind: 'rate_limit', attempts: 100 }] });
  connect(user, 'strava');
  await after(30 * DAY);
  const { pulls } = await steer('/pulls/list', { user_id: user.user_id });
  const failed = pulls.find(({ resource }: { resource: string }) => resource === 'workouts');
  expect(failed).toMatchObject({ status: 'failure', error_details: 'retry_quota_exhausted', next_attempt_at: null });
  expect(failed.attempts).toHaveLength(9);
  const starts = failed.attempts.map(({ started_at }: { started_at: string }) => Date.parse(started_at));
  const pauses = starts.slice(1).map((start: number, index: number) => start - starts[index]);
  expect(pauses).toEqual(pauses.toSorted((a: number, b: number) => a - b));
});

test('a connection made on 9 May 2025 knows neither retrying nor error details, and one of the next day does', async () => {
  for (const [start, expected] of [
    [Date.UTC(2025, 4, 9, 23, 59), { status: 'failure', error_details: null }],
    [Date.UTC(2025, 4, 10), { status: 'retrying', error_details: 'provider_rate_limit_exceeded' }],
  ] as const) {
    const { newUser, connect, pull, after, events, steer } = begin({ start });
    const user = newUser();
    await steer('/pulls/script', { provider: 'strava', resource: 'workouts', outcomes: [{ kind: 'rate_limit' }] });
    connect(user, 'strava');
    await after(MINUTE);
    expect(await pull(user, 'strava', 'workouts')).toMatchObject(expected);
    await after(5 * MINUTE);
    expect(await pull(user, 'strava', 'workouts')).toMatchObject({ status: 'success', error_details: null });
    expect(events().filter(({ event_type }) => event_type === 'historical.data.workouts.created')).toHaveLength(1);
  }
});

test('a break ends open pulls, a new connection pulls again, and a removed one has no pulls', async () => {
  const { service, newUser, connect, pull, after, events } = begin();
  const user = newUser();
  connect(user, 'strava');
  service.connections.break(user, 'strava', { error_type: 'token_refresh_failed', error_message: 'gone' });
  expect(await pull(user, 'strava', 'workouts')).toMatchObject({ status: 'failure', error_details: 'non_retriable_error' });
  await after(DAY);
  expect(events()).toEqual([]);
  connect(user, 'strava');
  await after(MINUTE);
  expect((await pull(user, 'strava', 'workouts')).status).toBe('success');
  connect(user, 'strava');
  await after(MINUTE);
  // Re-authentication pulls again.
  expect(events().filter(({ event_type }) => event_type === 'historical.data.workouts.created')).toHaveLength(2);
  service.connections.deregister(user.user_id, 'strava');
  expect(await pull(user, 'strava', 'workouts')).toBeUndefined();
});

test("Garmin's event comes before the data, and its history again only after a deregistration", async () => {
  const { service, newUser, connect, after, events, asked } = begin();
  const user = newUser();
  connect(user, 'garmin');
  await after(0);
  const early = events().filter(({ event_type }) => event_type === 'historical.data.sleep.created');
  expect(early).toHaveLength(1);
  expect(asked).toEqual([]);
  await after(DAY);
  const fetched = asked.length;
  expect(fetched).toBeGreaterThan(0);
  connect(user, 'garmin');
  await after(DAY);
  expect(asked).toHaveLength(fetched);
  service.connections.deregister(user.user_id, 'garmin');
  connect(user, 'garmin');
  await after(DAY);
  expect(asked).toHaveLength(2 * fetched);
});

test('a bulk trigger pulls again for users with a working connection', async () => {
  const { newUser, connect, after, ask, events } = begin();
  const [first, second] = [newUser('c-1'), newUser('c-2')];
  connect(first, 'fitbit');
  await after(DAY);
  const before = events().length;
  const body = { user_ids: [first.user_id, second.user_id], provider: 'fitbit' };
  expect(await ask('/v2/link/bulk_trigger_historical_pull', body)).toEqual({ status: 202, body: undefined });
  await after(DAY);
  const again = events().slice(before);
  expect(again.length).toBe(before);
  expect(new Set(again.map(({ data }) => data.user_id))).toEqual(new Set([first.user_id]));
  expect((await ask('/v2/link/bulk_trigger_historical_pull', { ...body, provider: 'freestyle_libre' })).status).toBe(422);
});

test('the control port pulls again for users of all teams, and refuses unknown users', async () => {
  const { service, newUser, connect, after, pull, steer } = begin();
  const mine = newUser();
  const other = service.users.create(service.teams.create('second').team_id, 'c-1', {}) as User;
  const resources: number[] = [];
  for (const user of [mine, other]) {
    connect(user, 'oura');
    resources.push((await steer('/pulls/list', { user_id: user.user_id })).pulls.length);
  }
  await after(DAY);
  expect((await pull(mine, 'oura', 'sleep')).status).toBe('success');
  const user_ids = [mine.user_id, other.user_id, newUser('c-2').user_id];
  expect(await steer('/pulls/trigger', { provider: 'oura', user_ids })).toEqual({ planned: resources[0]! + resources[1]! });
  expect((await pull(mine, 'oura', 'sleep')).status).toBe('scheduled');
  expect(await steer('/pulls/trigger', { provider: 'fitbit', user_ids })).toEqual({ planned: 0 });
  const unknown = { provider: 'oura', user_ids: [mine.user_id, '00000000-0000-4000-8000-000000000000'] };
  await expect(steer('/pulls/trigger', unknown)).rejects.toThrow('There is no such user.');
});

test('pages of introspection list each user once while users come and go, and only users of the team', async () => {
  const { service, newUser, connect, ask, after, team_id } = begin();
  const users: User[] = [];
  for (let number = 0; number < 7; number += 1) {
    users.push(newUser(`c-${number}`));
    connect(users.at(-1)!, 'strava');
  }
  await after(SECOND);
  const other = service.users.create(service.teams.create('second').team_id, 'c-1', {}) as User;
  connect(other, 'strava');
  const path = '/v2/introspect/historical_pull?provider=strava&user_limit=3';
  const first = (await ask(path)).body;
  service.users.delete(team_id, users[0]!.user_id);
  newUser('c-late');
  const second = (await ask(`${path}&next_cursor=${first.next_cursor}`)).body;
  const third = (await ask(`${path}&cursor=${second.next_cursor}`)).body;
  const ids = [first, second, third].flatMap(({ data }) => data.map(({ user_id }: { user_id: string }) => user_id));
  expect(ids).toEqual(users.map(({ user_id }) => user_id));
  expect([first.next, third.next, third.next_cursor]).toEqual([first.next_cursor, null, null]);
  for (const cursor of ['None', 'e30', `${first.next_cursor}x`])
    expect((await ask(`${path}&next_cursor=${cursor}`)).status).toBe(422);
});

const kinds = ['rate_limit', 'transport_failure', 'resource_contention', 'revoked_scope', 'unexpected_error', 'success'] as const;
const isTemporary = (kind: string): boolean => ['rate_limit', 'transport_failure', 'resource_contention'].includes(kind);

/** Predicts the number of attempts of a script, and how the pull ends. */
function predict(outcomes: readonly { readonly kind: string; readonly attempts: number }[]) {
  const attempts = outcomes.flatMap(({ kind, attempts: count }) => Array.from({ length: count }, () => kind));
  let used = 0;
  for (;;) {
    const kind = attempts[used] ?? 'success';
    used += 1;
    if (kind === 'success') return { used, status: 'success', error_details: null };
    if (kind === 'revoked_scope') return { used, status: 'failure', error_details: 'non_retriable_error' };
    if (!isTemporary(kind)) return { used, status: 'failure', error_details: 'unexpected_error' };
    if (used === 9) return { used, status: 'failure', error_details: 'retry_quota_exhausted' };
  }
}

const scripts = fc.array(fc.record({ kind: fc.constantFrom(...kinds), attempts: fc.integer({ min: 1, max: 5 }) }), {
  maxLength: 5,
});

test('every script ends as predicted, with one event for a success and none for a failure', async () => {
  await fc.assert(
    fc.asyncProperty(scripts, async (outcomes) => {
      const { service, newUser, connect, after, events, steer } = begin();
      const user = newUser();
      if (outcomes.length > 0) await steer('/pulls/script', { provider: 'strava', resource: 'workouts', outcomes });
      connect(user, 'strava');
      await after(30 * DAY);
      const { pulls } = await steer('/pulls/list', { user_id: user.user_id });
      const found = pulls.find(({ resource }: { resource: string }) => resource === 'workouts');
      const { used, ...expected } = predict(outcomes);
      expect(found).toMatchObject(expected);
      expect(found.attempts).toHaveLength(used);
      const told = events().filter(({ event_type }) => event_type === 'historical.data.workouts.created');
      expect(told).toHaveLength(expected.status === 'success' ? 1 : 0);
      await service.close();
      closing.splice(-3, 1);
    }),
    { numRuns: 40 },
  );
});

test('a service that crashes in the middle of a chunk goes on where it was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-service-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const results: unknown[] = [];
  for (const crashesAt of [Number.POSITIVE_INFINITY, 1, 4, 7]) {
    const path = join(folder, `${crashesAt}.sqlite`);
    let calls = 0;
    const { service, team_id } = begin({
      path,
      past: () => {
        calls += 1;
        if (calls === crashesAt) throw new Error('crash');
        return [];
      },
    });
    const user = service.users.create(team_id, 'c-1', {}) as User;
    service.connections.connect(user, { provider: 'polar', isDemo: false, isGenerated: false });
    service.connections.connect(user, { provider: 'strava', isDemo: false, isGenerated: false });
    const advanced = service.jobs.advanceTo(START + DAY);
    if (crashesAt === Number.POSITIVE_INFINITY) await advanced;
    else await expect(advanced).rejects.toThrow('crash');
    await service.close();
    closing.splice(-3, 1);
    const again = new Service({ path, past: () => [], send: async () => 204 });
    await again.jobs.advanceTo(START + DAY);
    results.push({
      pulls: again.pulls.store
        .all(null)
        .map(({ resource, status, chunks_done, attempts }) => [resource, status, chunks_done, attempts]),
      events: again.outbox
        .after(team_id, 0, 1_000)
        .map(({ event_type }) => event_type)
        .sort(),
    });
    await again.close();
  }
  for (const result of results.slice(1)) expect(result).toEqual(results[0]);
});
