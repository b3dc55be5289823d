import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEventHubs } from '@aorta/event-hubs-server';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { freePorts } from '../../infra/machine/ports.ts';
import { aorta } from '../faults/command-line.ts';
import { type Json, type RunningService, receiveWebhooks, request, runService } from './running-service.ts';

/**
 * Runs every command that controls a service, against one service in a process of its own. A different way shows the effect: the
 * API, the control port, a receiver of webhooks, or a hub.
 */

const DAY_S = 86_400;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let folder: string;
let service: RunningService;
const closing: (() => void | Promise<void>)[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-verbs-'));
  service = await runService(folder);
  vi.stubEnv('AORTA_SERVICE_CONTROL_URL', service.controlUrl);
  await control('/snapshots', { name: 'empty' });
});
// Users of earlier tests would slow down the clock.
beforeEach(async () => {
  await control('/snapshots/empty/restore', {});
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => {
  await service.stop();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const said = (words: readonly string[], input = '') => aorta(folder, ['service', ...words], input, process.env);

/** Runs a command that must succeed, and returns what it prints. */
async function text(...words: string[]): Promise<string> {
  const { code, out, err } = await said(words);
  expect([code, err], words.join(' ')).toEqual([0, '']);
  return out;
}

/** Runs a command with `--json` that must succeed, and returns its answer. */
const json = async (...words: string[]): Promise<Json> => JSON.parse(await text(...words, '--json')) as Json;

/** Runs a command that must fail, and returns its exit code and its two lines. */
async function failure(...words: string[]): Promise<{ code: number; lines: string[] }> {
  const { code, out, err } = await said(words);
  expect(out).toBe('');
  return { code, lines: err.trimEnd().split('\n') };
}

const control = async (path: string, body?: object): Promise<Json> => {
  const answer = await request(`${service.controlUrl}${path}`, body === undefined ? {} : { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const api = (path: string, key: string, body?: object) =>
  request(`${service.url}${path}`, body === undefined ? { key } : { key, body });

let numbers = 0;
/** Creates a team through the control port, and its user through the API. */
async function teamWithUser() {
  numbers += 1;
  const name = `team-${numbers}`;
  const { team_id, api_key } = await control('/teams', { name });
  const key = String(api_key);
  const { body } = await api('/v2/user', key, { client_user_id: 'c-1' });
  return { name, team: String(team_id), key, user: String(body.user_id) };
}

/** Advances the clock through the control port. */
const advance = (seconds: number) => control('/clock/advance', { seconds });

test('team create prints a key that the API accepts, and team list shows the team without the key', async () => {
  const printed = await text('team', 'create', 'printed');
  const [, id, key] = /^team {2}printed\nid {4}(\S+)\nkey {3}(\S+)\n$/.exec(printed) ?? [];
  expect((await api('/v2/user', key!)).status).toBe(200);
  const { org_id } = await control('/organizations', { name: 'clinic' });
  const more = ['--payload-limit', '4096', '--partial-results', '--organization', 'clinic', '--region', 'eu'];
  const old = await json('team', 'create', 'older', '--generation', 'old', ...more);
  expect((await api('/v2/user', String(old.api_key))).status).toBe(200);
  const { teams } = await control('/teams');
  const { organizations } = await control('/organizations');
  const own = (organizations as Json[]).find(({ name }) => name === 'default')!.org_id;
  const settings = {
    org_id: own,
    region: 'us',
    generation: 'both',
    payload_limit: 262_144,
    partial_webhooks_enabled: false,
    as_of: null,
  };
  expect(teams).toContainEqual({ team_id: id, name: 'printed', ...settings });
  const older = { org_id, region: 'eu', generation: 'old', payload_limit: 4096, partial_webhooks_enabled: true, as_of: null };
  expect(teams).toContainEqual({ team_id: old.team_id, name: 'older', ...older });
  const listed = await text('team', 'list');
  expect(listed).toMatch(new RegExp(`^printed +${id} +both +262144 +today$`, 'm'));
  expect(listed).not.toContain(key);
  expect((await json('team', 'list')).teams).toEqual(teams);
});

test('team key prints a further key that the API accepts, and takes the id in any case or the name of the team', async () => {
  const { team_id, api_key } = await control('/teams', { name: 'keys' });
  const printed = await text('team', 'key', String(team_id).toUpperCase());
  const [, id, key] = /^id {3}(\S+)\nkey {2}(\S+)\n$/.exec(printed) ?? [];
  expect(id).toBe(team_id);
  const named = await json('team', 'key', 'keys');
  expect(named).toEqual({ team_id, api_key: expect.any(String) });
  for (const one of [String(api_key), key!, String(named.api_key)]) expect((await api('/v2/user', one)).status).toBe(200);
  expect(await failure('team', 'key', UNKNOWN)).toEqual({
    code: 2,
    lines: [`aorta: the service has no team ${UNKNOWN}. [AORTA-USAGE]`, '  `aorta service team list` lists the teams.'],
  });
});

/** Returns the status with which the management API answers a key. */
const manages = async (path: string, key: string) =>
  (await fetch(`${service.url}/v1/org/${path}`, { headers: { 'x-management-key': key } })).status;

test('organization create and key print management keys, and organization list shows the plan without the keys', async () => {
  const printed = await text('organization', 'create', 'printed');
  const [, id, key] = /^organization {4}printed\nid {14}(\S+)\nplan {12}scale\nmanagement key {2}(\S+)\n$/.exec(printed) ?? [];
  expect(await manages(id!, key!)).toBe(200);
  const further = await text('organization', 'key', id!.toUpperCase());
  const [, same, other] = /^organization {4}(\S+)\nmanagement key {2}(\S+)\n$/.exec(further) ?? [];
  expect([same, await manages(id!, other!), await manages(id!, key!)]).toEqual([id, 200, 200]);
  const small = await json('organization', 'create', 'small', '--plan', 'launch');
  expect(await manages(String(small.org_id), String(small.management_key))).toBe(403);
  const listed = await text('organization', 'list');
  expect(listed).toMatch(new RegExp(`^printed +${id} +scale$`, 'm'));
  expect(listed).toMatch(new RegExp(`^small +${small.org_id} +launch$`, 'm'));
  expect(listed).not.toContain(key);
});

test('organization plan decides whether the management API accepts the keys', async () => {
  const { org_id, management_key } = await control('/organizations', { name: 'clinic' });
  const status = () => manages(String(org_id), String(management_key));
  expect(await status()).toBe(200);
  expect(await text('organization', 'plan', 'clinic', 'grow')).toBe('The organization clinic has the plan grow.\n');
  expect(await status()).toBe(403);
  expect(await json('organization', 'plan', String(org_id), 'scale')).toMatchObject({ org_id, plan: 'scale' });
  expect(await status()).toBe(200);
  await control('/organizations', { name: 'clinic' });
  expect(await failure('organization', 'key', 'clinic')).toEqual({
    code: 2,
    lines: [
      'aorta: 2 organizations have the name clinic. [AORTA-USAGE]',
      '  Give the id, which `aorta service organization list` shows.',
    ],
  });
});

test('team beta enables a team for the operation in closed beta, and disables it again', async () => {
  const { team_id, api_key } = await control('/teams', { name: 'pioneer' });
  const status = async () =>
    (await fetch(`${service.url}/v3/order/import`, { method: 'POST', headers: { 'x-service-api-key': String(api_key) } })).status;
  expect(await status()).toBe(403);
  expect(await text('team', 'beta', 'pioneer', 'import_order')).toBe('The team may call import_order.\n');
  expect(await status()).toBe(422);
  const disabled = ['team', 'beta', String(team_id), 'import_order', '--disable'];
  expect(await text(...disabled)).toBe('The team may call no operation in closed beta.\n');
  expect(await status()).toBe(403);
  const { code, lines } = await failure('team', 'beta', 'pioneer', 'create_order');
  expect([code, lines[0]]).toEqual([2, expect.stringContaining('not an operation in closed beta: import_order')]);
});

test('--as-of pins a team, or all teams of an organization, to the interface of a date', async () => {
  const undo = async (key: string) => {
    const url = `${service.url}/v2/user/undo_delete?user_id=${UNKNOWN}`;
    const answer = await fetch(url, { method: 'POST', headers: { 'x-service-api-key': key } });
    return ((await answer.json()) as { detail: string }).detail;
  };
  const { api_key: old } = await json('team', 'create', 'old', '--as-of', '2024-01-31');
  await json('organization', 'create', 'clinic', '--as-of', '2024-01-31');
  const { api_key: inherited } = await json('team', 'create', 'inherited', '--organization', 'clinic');
  const { api_key: present } = await json('team', 'create', 'present', '--organization', 'clinic', '--as-of', '2024-02-01');
  const all = await Promise.all([old, inherited, present].map((key) => undo(String(key))));
  expect(all).toEqual(['Not Found', 'Not Found', 'No deletion of this user can be undone']);
  expect(await text('team', 'list')).toMatch(/^old .* 2024-01-31$/m);
  const { code, lines } = await failure('team', 'create', 'x', '--as-of', '31.1.2024');
  expect([code, lines[0]]).toEqual([2, expect.stringContaining('as_of: Invalid ISO date')]);
});

test('team management-key prints a key that controls this team only', async () => {
  const { org_id } = await control('/organizations', { name: 'clinic' });
  const { team_id } = await control('/teams', { name: 'managed', org_id });
  const { team_id: other } = await control('/teams', { name: 'other', org_id });
  const printed = await text('team', 'management-key', 'managed');
  const [, id, key] = /^organization {4}(\S+)\nmanagement key {2}(\S+)\n$/.exec(printed) ?? [];
  expect(id).toBe(org_id);
  const statuses = await Promise.all([`/team/${team_id}`, `/team/${other}`, ''].map((path) => manages(`${id}${path}`, key!)));
  expect(statuses).toEqual([200, 403, 403]);
});

test('--team is needed only if the service has several teams', async () => {
  const add = (...more: string[]) => failure('webhook', 'add', 'http://127.0.0.1:9/', ...more);
  const says = (problem: string, remedy: string) => ({ code: 2, lines: [`aorta: ${problem}. [AORTA-USAGE]`, `  ${remedy}`] });
  expect(await add()).toEqual(says('the service has no team', 'Create one with `aorta service team create NAME`.'));
  const { team_id } = await control('/teams', { name: 'first' });
  expect(await json('webhook', 'add', 'http://127.0.0.1:9/')).toMatchObject({ team_id });
  await control('/teams', { name: 'second' });
  const choose = 'Choose one with --team. `aorta service team list` lists them.';
  expect(await add()).toEqual(says('the service has 2 teams', choose));
  expect(await json('webhook', 'add', 'http://127.0.0.1:9/', '--team', String(team_id))).toMatchObject({ team_id });
  const list = '`aorta service team list` lists the teams.';
  expect(await add('--team', 'third')).toEqual(says('the service has no team third', list));
  await control('/teams', { name: 'second' });
  const giveId = 'Give the id, which `aorta service team list` shows.';
  expect(await add('--team', 'second')).toEqual(says('2 teams have the name second', giveId));
});

test('seed creates a team whose users the API lists', async () => {
  const seeded = await json('seed', '71', '--users', '3', '--provider', 'oura', '--provider', 'fitbit', '--demo');
  const { body } = await api('/v2/user', String(seeded.api_key));
  const users = seeded.users as Json[];
  expect((body.users as Json[]).map(({ user_id }) => user_id).toSorted()).toEqual(users.map(({ user_id }) => user_id).toSorted());
  expect(users).toHaveLength(3);
  const found = (await api(`/v2/user/providers/${users[0]!.user_id}`, String(seeded.api_key))).body.providers as Json[];
  expect(found.map(({ slug }) => slug).toSorted()).toEqual((users[0]!.providers as string[]).toSorted());
  const printed = await text('seed', '72');
  const [, key] = /^key {3}(\S+)$/m.exec(printed) ?? [];
  expect((await api('/v2/user', key!)).body.total).toBe(10);
  expect(await failure('seed', '72')).toEqual({
    code: 2,
    lines: [
      'aorta: The service refused POST /seed with status 409: The service has the team of this seed already. [AORTA-CONTROL-REFUSED]',
      '  Choose a different seed, or restore an earlier state with `aorta service restore`.',
    ],
  });
});

test('connect and break change what the API says about a connection', async () => {
  const { key, user } = await teamWithUser();
  const connection = async () => ((await api(`/v2/user/providers/${user}`, key)).body.providers as Json[])[0];
  expect(await text('connect', user, 'oura', '--unavailable', 'sleep', '--external-user-id', 'x-1')).toBe(
    'provider  oura\nstatus    connected\nerror     –\n',
  );
  const made = (await connection()) as Json & { resource_availability: Record<string, Json> };
  expect(made).toMatchObject({ slug: 'oura', status: 'connected', external_user_id: 'x-1' });
  expect(made.resource_availability.sleep).toMatchObject({ status: 'unavailable' });
  await text('break', user, 'oura', '--error-type', 'provider_password_expired', '--message', 'changed');
  expect(await connection()).toMatchObject({
    status: 'error',
    error_details: { error_type: 'provider_password_expired', error_message: 'changed' },
  });
  expect((await failure('break', user, 'oura')).lines).toEqual([
    'aorta: The service refused POST /connections/break with status 409: The user has no working connection to this provider. [AORTA-CONTROL-REFUSED]',
    '  Connect the provider with `aorta service connect`.',
  ]);
});

test('clock advance moves the clock and generates data; clock run and clock stop start and stop it', async () => {
  const { key, user } = await teamWithUser();
  await control('/connections', { user_id: user, provider: 'oura' });
  const before = Date.parse(String((await control('/clock')).now));
  const steps = async () =>
    ((await api(`/v2/summary/activity/${user}?start_date=2020-01-01`, key)).body.activity as Json[]).length;
  expect(await steps()).toBe(0);
  expect((await json('clock', 'advance', '0s')).now).toBe((await control('/clock')).now);
  expect(await text('clock', 'advance', '1.5d')).toMatch(/^The clock shows \S+ and is stopped\.\n$/);
  const { now, runs } = await control('/clock');
  expect([Date.parse(String(now)) - before, runs]).toEqual([1.5 * DAY_S * 1000, false]);
  expect(await steps()).toBeGreaterThan(1);
  expect(await text('clock', 'status')).toBe(`The clock shows ${now} and is stopped.\n`);
  expect(await text('clock', 'run')).toMatch(/ and runs\.\n$/);
  expect((await control('/clock')).runs).toBe(true);
  expect(await json('clock', 'stop')).toMatchObject({ runs: false });
  expect((await control('/clock')).runs).toBe(false);
});

test('data pushes objects from a file and from standard input, and stops at the first that is refused', async () => {
  const { key, user } = await teamWithUser();
  // A connection with generated data would have weights, too.
  await text('connect', user, 'withings', '--no-generated');
  await advance(2 * DAY_S);
  const weight = (timestamp: string, value: unknown) => ({
    user_id: user,
    provider: 'withings',
    resource: 'weight',
    data: {
      source: { provider: 'withings', type: 'scale' },
      data: [{ timestamp, timezone_offset: 0, type: null, unit: 'kg', value }],
    },
  });
  const values = async (): Promise<unknown[]> => {
    const { body } = await api(`/v2/timeseries/${user}/body_weight/grouped?start_date=2020-01-01`, key);
    const groups = Object.values(body.groups as Record<string, { data: Json[] }[]>).flat();
    return groups.flatMap(({ data }) => data.map(({ value }) => value));
  };
  writeFileSync(join(folder, 'one.json'), JSON.stringify(weight('2026-01-01T07:00:00+00:00', 70.5), undefined, 2));
  expect(await text('data', 'one.json')).toBe('Pushed 1 object with data for 2026-01-01.\n');
  expect(await values()).toEqual([70.5]);
  const lines = [weight('2026-01-02T07:00:00+00:00', 70.25), weight('2026-01-04T07:00:00+00:00', 70)];
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const piped = await said(['data', '-'], input);
  expect([piped.code, piped.out]).toEqual([0, 'Pushed 2 objects with data for 2 days from 2026-01-02 to 2026-01-04.\n']);
  writeFileSync(
    join(folder, 'two.json'),
    JSON.stringify([weight('2026-01-05T07:00:00+00:00', 69), weight('2026-01-06T07:00:00+00:00', 'heavy')]),
  );
  const refused = await failure('data', 'two.json');
  expect([refused.code, refused.lines[0]]).toEqual([
    2,
    expect.stringMatching(
      /^aorta: The service refused POST \/data with status 422: object 2 of 2: data\.data\.0\.value: .* \[AORTA-CONTROL-REFUSED\]$/,
    ),
  ]);
  expect((await values()).toSorted()).toEqual([69, 70, 70.25, 70.5]);
  writeFileSync(join(folder, 'lines.ndjson'), `${JSON.stringify(lines[0])}\n\n{"user_id":\n`);
  expect((await failure('data', 'lines.ndjson')).lines[0]).toBe(
    'aorta: lines.ndjson:3: this is not a JSON object. [AORTA-USAGE]',
  );
  writeFileSync(join(folder, 'comma.json'), '{\n  "user_id": "x",\n}\n');
  expect((await failure('data', 'comma.json')).lines).toEqual([
    'aorta: no JSON object could be read from comma.json. [AORTA-USAGE]',
    '  Give one JSON object, an array of objects, or one object per line.',
  ]);
  const absent = await failure('data', 'none.json');
  expect([absent.code, absent.lines[0]]).toEqual([
    2,
    expect.stringMatching(/none\.json does not exist\. \[AORTA-FILE-NOT-FOUND\]$/),
  ]);
});

test('pulls script, list and trigger agree with the introspection of the API', async () => {
  const { key, user } = await teamWithUser();
  const pull = async (): Promise<Json> => {
    const { body } = await api(`/v2/introspect/historical_pull?user_id=${user}`, key);
    const [found] = body.data as { provider: Record<string, { pulled: Record<string, Json> }> }[];
    return found!.provider.oura!.pulled.sleep!;
  };
  expect(await text('pulls', 'script')).toBe('There are no scripts, so every attempt succeeds.\n');
  await text(
    'pulls',
    'script',
    'oura',
    '--user',
    user,
    '--resource',
    'sleep',
    '--outcome',
    'rate_limit:2',
    '--outcome',
    'unexpected_error',
  );
  expect((await control('/pulls/scripts')).scripts).toEqual([
    {
      provider: 'oura',
      user_id: user,
      resource: 'sleep',
      outcomes: [
        { kind: 'rate_limit', attempts: 2 },
        { kind: 'unexpected_error', attempts: 1 },
      ],
    },
  ]);
  await control('/connections', { user_id: user, provider: 'oura' });
  await advance(10);
  await advance(30);
  expect(await pull()).toMatchObject({ status: 'retrying', error_details: 'provider_rate_limit_exceeded' });
  expect(await text('pulls', 'list', '--user', user)).toMatch(
    new RegExp(`^${user} +oura +sleep +retrying +1 +0 +provider_rate_limit_exceeded +\\S+$`, 'm'),
  );
  await advance(DAY_S);
  expect(await pull()).toMatchObject({ status: 'failure', error_details: 'unexpected_error' });
  const listed = ((await json('pulls', 'list', '--user', user)).pulls as Json[]).find(({ resource }) => resource === 'sleep')!;
  expect((listed.attempts as Json[]).map(({ result }) => result)).toHaveLength(3);
  expect(await text('pulls', 'script', 'oura', '--user', user, '--resource', 'sleep', '--remove')).toMatch(
    /^There are no scripts/,
  );
  expect((await control('/pulls/scripts')).scripts).toEqual([]);
  expect(await text('pulls', 'trigger', 'oura', user)).toMatch(/^Planned [1-9]\d* pulls\. /);
  expect(await pull()).toMatchObject({ status: 'scheduled' });
  await advance(DAY_S);
  expect(await pull()).toMatchObject({ status: 'success' });
  expect(await text('pulls', 'trigger', 'fitbit', user)).toMatch(/^Planned 0 pulls\. Only users with/);
  await text('pulls', 'script', 'oura', '--outcome', '{"kind":"slow","seconds_per_chunk":60}');
  expect((await control('/pulls/scripts')).scripts).toMatchObject([{ user_id: null, outcomes: [{ seconds_per_chunk: 60 }] }]);
  await text('pulls', 'script', 'oura', '--remove');
});

/** Orders a lab test for a user through the API, and returns the id of the order. */
async function orderOf(key: string, user: string, labTest: string): Promise<string> {
  const { body: found } = await api(`/v3/lab_test?name=${encodeURIComponent(labTest)}`, key);
  const [{ id }] = found.data as [Json];
  const { status, body } = await api('/v3/order', key, {
    user_id: user,
    order_set: { lab_test_ids: [id] },
    patient_details: {
      first_name: 'Jo',
      last_name: 'Planted',
      dob: '1980-02-03',
      gender: 'female',
      email: 'jo@example.com',
      phone_number: '+16025550123',
    },
    patient_address: { first_line: '1 Main Street', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return String((body.order as Json).id);
}

test('order script decides the results of an order, and prints the statuses that are still to come', async () => {
  const { key, user } = await teamWithUser();
  const critical = await orderOf(key, user, 'Blood Count');
  const [missing, typed] = [await orderOf(key, user, 'Urine Check'), await orderOf(key, user, 'Urine Check')];
  const printed = await text('order', 'script', critical, '--interpretation', 'critical', '--no-missing-results');
  const course = /^status +time\n─[─ ]+\nrequisition_created +\S+\n(?:partial_results +\S+\n)?completed +(\S+)\n$/;
  const [, end] = course.exec(printed) ?? [];
  await text('order', 'script', missing, '--missing-results', '--interpretation', 'normal');
  const types = ['--result-type', 'range', '--result-type', 'coded_value'];
  const { order_id, steps } = await json('order', 'script', typed.toUpperCase(), ...types);
  expect([order_id, (steps as Json[]).at(-1)]).toEqual([typed, { status: 'completed', at: expect.any(String) }]);
  await advance(5 * DAY_S);
  const resultOf = async (id: string) => (await api(`/v3/order/${id}/result`, key)).body;
  expect(await resultOf(critical)).toMatchObject({ metadata: { interpretation: 'critical' }, missing_results: [] });
  expect((await api(`/v3/order/${critical}`, key)).body.last_event).toMatchObject({ created_at: end });
  const incomplete = await resultOf(missing);
  expect(incomplete).toMatchObject({ metadata: { interpretation: 'normal' } });
  expect(incomplete.missing_results).not.toEqual([]);
  const found = new Set(((await resultOf(typed)).results as Json[]).map(({ type }) => type));
  expect([...found].toSorted()).toEqual(['coded_value', 'range']);
});

test('order script replaces the course of an order with the steps of a JSON object', async () => {
  const { key, user } = await teamWithUser();
  const [failing, ended] = [await orderOf(key, user, 'Blood Count'), await orderOf(key, user, 'Blood Count')];
  const lastEvent = async (id: string) => (await api(`/v3/order/${id}`, key)).body.last_event;
  const steps = [{ status: 'requisition_created' }, { status: 'sample_error', after: 60, status_detail: 'sample_hemolyzed' }];
  const piped = await said(['order', 'script', failing, '-'], JSON.stringify({ steps }, undefined, 2));
  expect(piped.out).toMatch(/\nrequisition_created +\S+\nsample_error +\S+\n$/);
  expect(await text('order', 'script', ended, '{"steps":[]}')).toBe('No further status of the order is planned.\n');
  await advance(DAY_S);
  expect(await lastEvent(failing)).toMatchObject({
    status: 'failed.walk_in_test.sample_error',
    status_detail: 'sample_hemolyzed',
  });
  expect(await lastEvent(ended)).toMatchObject({ status: 'received.walk_in_test.ordered' });
  const refused = async (script: string) => (await failure('order', 'script', ended, script)).lines;
  expect(await refused('{"steps":[{"status":"transit_lab"}]}')).toEqual([
    expect.stringContaining('An order of the method walk_in_test cannot have the status transit_lab. Its statuses are ordered, '),
    '  Correct it. See aorta service order script --help.',
  ]);
  expect(await refused('{"steps":[{"status":"completed"},{"status":"partial_results"}]}')).toEqual([
    expect.stringContaining('cannot go from completed to partial_results. [AORTA-CONTROL-REFUSED]'),
    '  A completed order can only be corrected. A failed or cancelled order has no further status, and no order goes back to ordered.',
  ]);
  const malformed = await said(['order', 'script', ended, '-'], '{"steps":[],}');
  expect([malformed.code, malformed.err]).toEqual([
    2,
    'aorta: the script on standard input is not a JSON object. [AORTA-USAGE]\n  Give one object in braces, without comments and without a comma after the last member.\n',
  ]);
});

test('report script decides how the next parsing job of the user ends, and only that job', async () => {
  const { key, user } = await teamWithUser();
  /** Uploads a PDF, and returns the parsing job after its end. */
  const parsed = async (): Promise<Json> => {
    const form = new FormData();
    form.append('user_id', user);
    form.append('file', new File(['%PDF-1.7'], 'report.pdf', { type: 'application/pdf' }));
    const headers = { 'x-service-api-key': key };
    const created = await fetch(`${service.url}/lab_report/v1/parser/job`, { method: 'POST', headers, body: form });
    const { id } = (await created.json()) as Json;
    await advance(120);
    return (await api(`/lab_report/v1/parser/job/${id}`, key)).body;
  };
  const fails = 'The next parsing job of this user fails with low_quality.\n';
  expect(await text('report', 'script', user, 'low_quality')).toBe(fails);
  expect(await parsed()).toMatchObject({ status: 'failed', failure_reason: 'low_quality', data: null });
  expect(await parsed()).toMatchObject({ status: 'completed', failure_reason: null });
  const data = { metadata: { lab_name: 'Planted Lab' }, results: [{ test_name: 'Planted', value: '12' }] };
  const outcome = JSON.stringify({ kind: 'completed', data });
  const piped = await said(['report', 'script', user, '-'], outcome);
  expect(piped.out).toBe('The next parsing job of this user completes with 1 result.\n');
  expect(await parsed()).toMatchObject({ status: 'completed', data });
  expect(await json('report', 'script', user, outcome)).toMatchObject({ user_id: user, outcome: { kind: 'completed', data } });
  const refused = await failure('report', 'script', user, '{"kind":"failed","reason":"low_quality"}');
  expect(refused.lines[0]).toMatch(
    /^aorta: The service refused POST \/reports\/script with status 422: outcome\.failure_reason: /,
  );
});

test('the webhook commands add, change and remove an endpoint, and resend its messages', async () => {
  const { name, key, user } = await teamWithUser();
  const receiver = await receiveWebhooks();
  closing.push(receiver.close);
  const { received, answer, url } = receiver;
  const added = await text(
    'webhook',
    'add',
    url,
    '--team',
    name,
    '--header',
    'X-Own: 1',
    '--type',
    'provider.connection.created',
  );
  const [, id] = /^endpoint +(\S+)$/m.exec(added) ?? [];
  const [, secret] = /^secret +(\S+)$/m.exec(added) ?? [];
  const endpoint = () => control(`/webhooks/${id}`);
  expect(await text('webhook', 'list', '--team', name)).toMatch(
    new RegExp(`^${id} +${url} +provider\\.connection\\.created +no +–$`, 'm'),
  );
  const isSignedWith = (signer: string, index: number): boolean => {
    const { headers, body } = received.at(index)!;
    const named = Object.fromEntries(
      ['id', 'timestamp', 'signature'].map((of) => [`webhook-${of}`, String(headers[`svix-${of}`])]),
    );
    try {
      new Webhook(signer).verify(body, named);
      return true;
    } catch {
      return false;
    }
  };
  const connect = async (provider: string): Promise<void> => {
    await control('/connections', { user_id: user, provider, is_generated: false });
    await advance(1);
  };
  await connect('oura');
  expect(received.map(({ type }) => type)).toEqual(['provider.connection.created']);
  expect([received[0]!.headers['x-own'], isSignedWith(secret!, 0)]).toEqual(['1', true]);

  // The message id is the same when a message is sent again.
  const { id: message } = received[0]!;
  expect(await text('webhook', 'deliveries', id!)).toMatch(
    new RegExp(`^${message} +provider\\.connection\\.created +succeeded +1 +204 +\\S+$`, 'm'),
  );
  await text('webhook', 'resend', id!, message);
  await advance(1);
  expect(received.map((one) => one.id)).toEqual([message, message]);

  const rotated = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  expect(await text('webhook', 'rotate', id!, '--secret', rotated)).toBe(`secret  ${rotated}\n`);
  await connect('fitbit');
  expect([isSignedWith(rotated, -1), isSignedWith(secret!, -1)]).toEqual([true, true]);
  await advance(2 * DAY_S);
  await connect('withings');
  expect([isSignedWith(rotated, -1), isSignedWith(secret!, -1)]).toEqual([true, false]);

  answer.status = 500;
  const since = String((await control('/clock')).now);
  await connect('strava');
  await advance(2 * DAY_S);
  expect((await control(`/webhooks/${id}/deliveries`)).deliveries).toContainEqual(
    expect.objectContaining({ state: 'failed', attempts: 8 }),
  );
  answer.status = 204;
  const count = received.length;
  expect(await text('webhook', 'recover', id!, '--since', since)).toMatch(
    /^1 message is sent again\. The service has messages since \S+\.\n$/,
  );
  await advance(1);
  expect(received).toHaveLength(count + 1);

  await text('webhook', 'update', id!, '--all-types', '--description', 'all', '--header', 'X-Other: 2');
  expect(await endpoint()).toMatchObject({ filter_types: [], description: 'all', headers: { 'x-other': '2' } });
  await text('webhook', 'disable', id!);
  await connect('garmin');
  expect(received).toHaveLength(count + 1);
  await text('webhook', 'enable', id!);
  expect(await endpoint()).toMatchObject({ disabled: false });
  expect(await text('webhook', 'remove', id!)).toBe('Removed the endpoint.\n');
  expect((await request(`${service.controlUrl}/webhooks/${id}`)).status).toBe(404);
  expect((await api('/v2/user', key)).status).toBe(200);
  expect((await failure('webhook', 'rotate', id!)).lines).toEqual([
    `aorta: The service refused POST /webhooks/${id}/rotate_secret with status 404: There is no such endpoint. [AORTA-CONTROL-REFUSED]`,
    '  `aorta service webhook list` lists the endpoints.',
  ]);
});

test('pipeline set creates a pipeline, which sends events to the hubs until pipeline remove', async () => {
  const { name, team, user } = await teamWithUser();
  const hubs = await startEventHubs({ hubs: ['links', 'rest'].map((hub) => ({ name: hub, partitions: 1 })) });
  closing.push(() => hubs.stop());
  const events = async (): Promise<Record<string, number>> => {
    const { hubs: states } = await hubs.faults.state();
    return Object.fromEntries(
      states.map(({ name: hub, partitions }) => [hub, partitions.reduce((sum, { last }) => sum + last + 1, 0)]),
    );
  };
  const more = ['--hub', 'rest', '--prefix', 'provider.connection.=links', '--regex', '^a=b$=rest', '--team', name];
  const shown = await text('pipeline', 'set', '--connection', hubs.connectionString, ...more);
  expect(shown).toMatch(/^hub links +provider\.connection\.\nhub rest +\/\^a=b\$\/\nhub rest +all other events$/m);
  expect(await control(`/pipelines/${team}`)).toMatchObject({
    push_historical_data: false,
    azure_amqp: {
      default_event_hub: 'rest',
      compression: 'auto',
      event_hub_matchers: [
        { event_hub: 'links', event_type_prefix: 'provider.connection.' },
        { event_hub: 'rest', event_type_regex: '^a=b$' },
      ],
    },
  });
  await control('/connections', { user_id: user, provider: 'oura', is_generated: false });
  await advance(60);
  expect(await events()).toMatchObject({ links: 1 });
  expect(await text('pipeline', 'show', '--team', team)).toMatch(/^events waiting +0$/m);
  expect(await text('pipeline', 'undeliverable', '--team', team)).toBe('There are no such events.\n');
  expect(await text('pipeline', 'remove', '--team', team)).toBe('Removed the pipeline.\n');
  await control('/connections/break', { user_id: user, provider: 'oura' });
  await advance(60);
  expect(await events()).toMatchObject({ links: 1 });
  expect((await failure('pipeline', 'show', '--team', team)).lines[1]).toBe('  Set one with `aorta service pipeline set`.');
});

test('fault rules apply to requests until they are used up, removed or cleared', async () => {
  const { key } = await teamWithUser();
  const add = (rule: object) => json('fault', 'add', JSON.stringify(rule));
  const status = async () => (await api('/v2/user', key)).status;
  const busy = {
    on: 'operation',
    match: { operation: 'list_users' },
    effect: { kind: 'status', status: 429, retry_after: { seconds: 3 } },
  };
  const { rule_id } = await add({ ...busy, times: 1 });
  const refused = await api('/v2/user', key);
  expect([refused.status, refused.headers.get('retry-after'), await status()]).toEqual([429, '3', 200]);
  expect(await text('fault', 'list')).toMatch(
    new RegExp(`^${rule_id} +1 +requests with operation list_users; status 429, retry_after .*; at most once$`, 'm'),
  );
  const piped = await said(['fault', 'add', '-'], JSON.stringify(busy));
  expect(piped.out).toMatch(/^Added fault_\w+: requests with operation list_users; status 429/);
  expect(await status()).toBe(429);
  await text('fault', 'remove', /fault_\w+/.exec(piped.out)![0]);
  expect(await status()).toBe(200);
  await add(busy);
  expect(await text('fault', 'clear')).toBe('Removed 2 rules.\n');
  expect(await status()).toBe(200);
  expect(await text('fault', 'list')).toBe('There are no rules.\n');
});

test('rate-limit set limits the requests of each key until rate-limit remove', async () => {
  closing.push(async () => void (await control('/limits', { requests: null })));
  const { key } = await teamWithUser();
  const statuses = async () => [(await api('/v2/user', key)).status, (await api('/v2/user', key)).status];
  expect(await text('rate-limit', 'set', '1', '--seconds', '86400')).toBe('Each key may send 1 request in 86,400 seconds.\n');
  expect(await statuses()).toEqual([200, 429]);
  expect(await json('rate-limit', 'show')).toEqual({ requests: 1, seconds: 86_400 });
  expect(await text('rate-limit', 'remove')).toBe('There is no limit.\n');
  expect(await statuses()).toEqual([200, 200]);
  await text('rate-limit', 'set', '600');
  expect(await control('/limits')).toEqual({ requests: 600, seconds: 60 });
});

test('requests lists the requests to the API, with their status and the header of their key', async () => {
  const { team, key } = await teamWithUser();
  const { number: before } = ((await json('requests', '--limit', '10000')).requests as Json[]).at(-1)!;
  await api('/v2/user?limit=7', key);
  await api('/v2/user', 'wrong');
  const list = (...words: string[]) => text('requests', '--after', String(before), ...words);
  const [, , first, second] = (await list()).trimEnd().split('\n');
  expect(first).toMatch(new RegExp(`^ *${Number(before) + 1} +\\S+ +200 +GET /v2/user\\?limit=7 +x-service-api-key +${team}$`));
  expect(second).toMatch(/ 401 +GET \/v2\/user +x-service-api-key +–$/);
  expect((await json('requests', '--after', String(before), '--limit', '1')).requests).toMatchObject([
    { number: Number(before) + 1, method: 'GET', target: '/v2/user?limit=7', team_id: team, status: 200 },
  ]);
  expect(await text('requests', '--after', String(Number(before) + 2))).toBe('There are no requests.\n');
});

test('restore returns to the users and the time of a snapshot', async () => {
  const { key } = await teamWithUser();
  const before = await control('/clock');
  expect(await text('snapshot', 'before')).toBe('Saved the state as before.\n');
  await api('/v2/user', key, { client_user_id: 'c-2' });
  await advance(60);
  expect((await api('/v2/user', key)).body.total).toBe(2);
  expect(await text('snapshot')).toBe('snapshot\n────────\nbefore\nempty\n');
  expect(await text('restore', 'before')).toBe('Restored the state before.\n');
  expect((await api('/v2/user', key)).body.total).toBe(1);
  expect(await control('/clock')).toEqual(before);
});

test.each([
  [['taem'], "aorta: unknown command 'taem'.", 'Did you mean team? See aorta service --help.'],
  [['clock', 'show'], "aorta: unknown command 'show'.", 'See aorta service clock --help.'],
  [['clock', 'advence', '1d'], "aorta: unknown command 'advence'.", 'Did you mean advance? See aorta service clock --help.'],
  [
    ['--json', 'clock'],
    'aorta: the options of aorta service clock come before its name.',
    'Write aorta service clock first, then the options.',
  ],
  [['--prt', '0'], "aorta: unknown option '--prt'.", 'Did you mean --port? See aorta service --help.'],
  [
    ['organization', 'key', 'none'],
    'aorta: the service has no organization none.',
    '`aorta service organization list` lists the organizations.',
  ],
  [
    ['organization', 'plan', 'default', 'free'],
    /^aorta: command-argument value 'free' is invalid for argument 'plan'/,
    /See aorta service organization plan --help\.$/,
  ],
  [['team', 'create'], "aorta: missing required argument 'name'.", 'See aorta service team create --help.'],
  [['clock', 'advance', '5'], 'aorta: 5 is not a duration.', 'Write a number and a unit: 45s, 30m, 12h, 7d or 2w.'],
  [
    ['webhook', 'recover', 'ep_1'],
    "aorta: required option '--since <time>' not specified.",
    'See aorta service webhook recover --help.',
  ],
  [
    ['webhook', 'update', 'ep_1'],
    'aorta: the command needs something to change.',
    'Give --url, --description, --type, --all-types or --header.',
  ],
  [
    ['webhook', 'update', 'ep_1', '--header', 'own'],
    'aorta: --header needs a name and a value.',
    "Write --header 'x-name: value'.",
  ],
  [['pipeline', 'set', '--hub', 'h'], 'aorta: a pipeline needs a connection string.', /Give --connection/],
  [
    ['pipeline', 'set', '--hub', 'h', '--connection', 'x', '--prefix', 'a'],
    'aorta: --prefix needs event types and a hub.',
    'Write --prefix daily.data.=daily.',
  ],
  [['pulls', 'script', 'oura', '--outcome', 'rate_limt'], 'aorta: there is no outcome rate_limt.', /^Did you mean rate_limit\? /],
  [['pulls', 'script', 'oura'], 'aorta: a script needs either --outcome or --remove.', /^Kinds of outcomes are /],
  [['pulls', 'script', '--remove'], 'aorta: the options need a provider.', /^Write it first/],
  [
    ['fault', 'add', 'rule.json'],
    'aorta: the rule is not a JSON object.',
    'In a shell, put the whole object in single quotes. To read it from a file, write - < FILE.',
  ],
  [
    ['order', 'script', UNKNOWN, '{steps:[]}'],
    'aorta: the script is not a JSON object.',
    'In a shell, put the whole object in single quotes. To read it from a file, write - < FILE.',
  ],
  [
    ['order', 'script', UNKNOWN],
    'aorta: the command needs something to decide.',
    'Give --interpretation, --result-type, --missing-results, --no-missing-results or a script.',
  ],
  [
    ['order', 'script', UNKNOWN, '--interpretation', 'bad'],
    /^aorta: option '--interpretation <value>' argument 'bad' is invalid\. Allowed choices are unknown, normal, /,
    'See aorta service order script --help.',
  ],
  [
    ['report', 'script', UNKNOWN, 'low_qality'],
    'aorta: low_qality is not an outcome.',
    /^Did you mean low_quality\? Give invalid_input, /,
  ],
  [['report', 'script', UNKNOWN], "aorta: missing required argument 'outcome'.", 'See aorta service report script --help.'],
  [['rate-limit', 'set', '0'], 'aorta: requests needs a whole number.', 'Give 1 or more.'],
  [
    ['break', UNKNOWN, 'oura', '--error-type', 'x'],
    /^aorta: option '--error-type <type>' argument 'x' is invalid/,
    /See aorta service break --help\.$/,
  ],
])('aorta service %j is wrong usage, and the error says what to do', async (words, message, remedy) => {
  const { code, lines } = await failure(...words);
  expect(code).toBe(2);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/ \[AORTA-USAGE\]$/);
  const [problem, todo] = [lines[0]!.replace(/ \[AORTA-USAGE\]$/, ''), lines[1]!.trim()];
  for (const [actual, expected] of [
    [problem, message],
    [todo, remedy],
  ] as const)
    if (typeof expected === 'string') expect(actual).toBe(expected);
    else expect(actual).toMatch(expected);
});

test.each([
  [['connect', 'x', 'oura'], 422, 'user_id: Invalid UUID', 'Correct it. See aorta service connect --help.'],
  [
    ['connect', UNKNOWN, 'oura'],
    404,
    'There is no such user',
    'Give the user_id that the API or `aorta service seed` has returned.',
  ],
  [
    ['order', 'script', UNKNOWN, '--interpretation', 'normal'],
    404,
    'There is no such order',
    'Give the id of an order that `POST /v3/order` of the API has returned. `GET /v3/orders` lists the orders.',
  ],
  [['order', 'script', 'x', '{}'], 422, 'order_id: Invalid UUID', 'Correct it. See aorta service order script --help.'],
  [
    ['order', 'script', UNKNOWN, '{"step":[]}'],
    422,
    'Unrecognized key: "step"',
    'Correct it. See aorta service order script --help.',
  ],
  [
    ['report', 'script', UNKNOWN, 'low_quality'],
    404,
    'There is no such user',
    'Give the user_id that the API or `aorta service seed` has returned.',
  ],
  [['restore', 'none'], 404, 'There is no such snapshot', '`aorta service snapshot` without a name lists the snapshots.'],
  [['restore', '../x'], 422, 'name: not the name of a snapshot', 'Correct it. See aorta service restore --help.'],
  [['fault', 'remove', 'fault_1'], 404, 'There is no such rule', '`aorta service fault list` lists the rules.'],
  [['webhook', 'deliveries', 'ep_1'], 404, 'There is no such endpoint', '`aorta service webhook list` lists the endpoints.'],
  [
    ['pulls', 'trigger', 'oura', UNKNOWN],
    404,
    'There is no such user',
    'Give the user_id that the API or `aorta service seed` has returned.',
  ],
])('aorta service %j exits with code 2 if the service refuses it', async (words, status, problem, remedy) => {
  const { code, lines } = await failure(...words);
  expect(code).toBe(2);
  expect(lines[0]).toMatch(/^aorta: The service refused (?:POST|GET) /);
  expect(lines[0]).toContain(` with status ${status}: ${problem}. [AORTA-CONTROL-REFUSED]`);
  expect(lines[1]).toBe(`  ${remedy}`);
});

test('a wrong address exits with code 75, 1 or 2, and --control-url has precedence over the variable', async () => {
  const other = createServer((_, response) => void response.end('{}')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const at = (address: string) => failure('clock', 'status', '--control-url', address);
  const differs = (address: string) =>
    `aorta: ${address} did not answer GET /clock as a control port does (a different server listens there). [AORTA-CONTROL-ANSWER]`;
  // The port of the API, and a server of a different program.
  for (const address of [service.url, elsewhere])
    expect(await at(address)).toEqual({
      code: 1,
      lines: [differs(address), expect.stringContaining('The API has a different port.')],
    });
  other.close();
  const unused = `http://127.0.0.1:${(await freePorts(1))[0]}`;
  expect(await at(unused)).toEqual({
    code: 75,
    lines: [
      `aorta: The control port ${unused} could not be reached (ECONNREFUSED). [AORTA-CONTROL-UNREACHABLE]`,
      expect.stringContaining('Start the service with `aorta service`.'),
    ],
  });
  expect(await at('here')).toMatchObject({
    code: 2,
    lines: [expect.stringContaining('--control-url needs the address of a control port'), expect.anything()],
  });
  vi.stubEnv('AORTA_SERVICE_CONTROL_URL', unused);
  expect(await failure('clock', 'status')).toMatchObject({ code: 75 });
  await text('clock', 'status', '--control-url', service.controlUrl);
  vi.stubEnv('AORTA_SERVICE_CONTROL_URL', service.controlUrl);
});

test('aorta service start is the command that aorta service runs', async () => {
  const own = mkdtempSync(join(tmpdir(), 'aorta-verbs-'));
  closing.push(() => rmSync(own, { recursive: true, force: true }));
  const started = await runService(own, 'start');
  expect((await request(`${started.controlUrl}/clock`)).body.runs).toBe(false);
  expect(await started.stop()).toBe(0);
});
