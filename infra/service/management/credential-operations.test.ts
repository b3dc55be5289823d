import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openManaged } from './management.fixture.ts';

const CREDENTIALS = '/team_custom_credentials/sandbox/us';
const PREPARE = '/prepare_team_custom_credentials/sandbox/us';
const HOUR = 3_600_000;
const UNKNOWN = '6f1e2b3c-0000-4000-8000-000000000001';

let folder: string;
let managed: ReturnType<typeof openManaged>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'credentials-'));
  managed = openManaged({ path: join(folder, 'service.sqlite') });
});
afterEach(async () => {
  await managed[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const set = (more: object) => managed.manage('POST', CREDENTIALS, { body: { team_id: managed.team, ...more } });
const list = async (query = '') => (await managed.manage('GET', `${CREDENTIALS}${query}`)).body;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test('a team has one credential at a provider, whose missing members stay and whose null members go', async () => {
  const first = await set({
    provider: 'oura',
    client_id: 'id-1',
    client_secret: 's-1',
    redirect_url_override: 'https://a.example',
  });
  expect(first).toMatchObject({
    status: 200,
    body: {
      team_id: managed.team,
      source: 'oura',
      client_id: 'id-1',
      client_secret_hash: sha256('s-1'),
      details: null,
      redirect_url_override: 'https://a.example',
      app_url: null,
      created_at: '2026-01-10T12:00:00.000+00:00',
      updated_at: '2026-01-10T12:00:00.000+00:00',
    },
  });
  await managed.service.jobs.advanceTo(managed.service.clock.now() + HOUR);
  const { body: second } = await set({ provider: 'oura', client_secret: 's-2', redirect_url_override: null });
  expect(second).toEqual({
    ...first.body,
    client_secret_hash: sha256('s-2'),
    redirect_url_override: null,
    updated_at: '2026-01-10T13:00:00.000+00:00',
  });
  expect((await set({ provider: 'oura', client_id: 'id-2' })).body).toEqual({ ...second, client_id: 'id-2' });
  const { body: last } = await set({ provider: 'oura', client_secret: null });
  expect(last).toEqual({ ...second, client_id: 'id-2', client_secret_hash: null });
  expect(await list()).toEqual({ credentials: [last], next_cursor: null });
});

test.each(['client_id', 'client_secret'])(
  'the first credential at an OAuth provider needs %s, that at a lab does not',
  async (name) => {
    const given = { client_id: 'id', client_secret: 'secret', [name]: undefined };
    expect(await set({ provider: 'fitbit', ...given })).toMatchObject({
      status: 400,
      body: { detail: 'An OAuth provider needs client_id and client_secret' },
    });
    expect((await set({ provider: 'quest', ...given })).status).toBe(200);
  },
);

const fitting: readonly object[] = [
  { fitbit: { workout_verify_token: 'T1', sleep_verify_token: 'T2', body_verify_token: 'T3' } },
  { redirect_uri: 'https://a.example', data_scopes: ['email'] },
  { project_number: '1', service_account_email: 'a@example.com' },
  { bioreference: { facility: 'F', nested: { api_password: 'T4' } } },
  { labcorp: { account_number: '1', billing_method: 'PT' }, sub_account_id: '2', allowed_billing_types: ['client_bill'] },
  { quest: { facility: 'F' }, allowed_business_units: ['B'], disallowed_billing_states: { client_bill: ['NY'] } },
  { webhook_secret: 'T5' },
  { getlabs: { webhook_secret_key: 'T6', webhook_secret_token: 'T7' } },
  {
    phlebfinders: {
      account_id: '1',
      account_name: 'A',
      team_id: '2',
      team_name: 'B',
      webhook_token: 'T8',
      email: 'a@example.com',
    },
  },
  { sending_facility: 'A', sending_application: 'B', receiving_facility: 'C', receiving_application: 'D' },
  { client: 'C' },
];

test.each(fitting)('details of a documented form are kept, and their secrets are hidden: %j', async (details) => {
  const { status, body } = await set({ provider: 'manual', details });
  expect(status).toBe(200);
  const text = JSON.stringify(details);
  const shown = JSON.parse(text.replaceAll(/"T\d"/g, '"***"'));
  if ('fitbit' in details) shown.fitbit.is_hr_enabled = false;
  expect(body.details).toEqual(shown);
});

test.each([
  {},
  { webhook_secret: 7 },
  { fitbit: { workout_verify_token: 'a' } },
  { project_number: '1', service_account_email: 'a@example.com', more: 1 },
  { labcorp: { account_number: '1', billing_method: 'XX' } },
  { quest: {}, allowed_billing_types: ['barter'] },
])('details of no documented form are refused: %j', async (details) => {
  expect((await set({ provider: 'manual', details })).status).toBe(422);
});

test('secrets are in no file of the state, in no answer and in no error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^[a-zA-Z0-9]{24}$/), fc.stringMatching(/^[a-zA-Z0-9]{24}$/), async (secret, token) => {
      const details = { webhook_secret: token };
      const answers = [
        await set({ provider: 'polar', client_id: 'id', client_secret: secret, details }),
        await set({ provider: 'omron', client_secret: secret, details: { getlabs: { webhook_secret_key: [token] } } }),
        await set({ provider: secret, client_secret: [secret], details: { ...details, project_number: token } }),
        await set({ provider: 'omron', client_secret: secret, details }),
        await managed.manage('GET', CREDENTIALS),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 422, 422, 400, 200]);
      const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
      expect(files.length).toBeGreaterThan(1);
      for (const text of [...files, ...answers.map((answer) => answer.text)])
        for (const planted of [secret, token])
          for (const form of [planted, Buffer.from(planted).toString('base64'), Buffer.from(planted).toString('hex')])
            expect(text.includes(form)).toBe(false);
    }),
    { numRuns: 10 },
  );
});

test('the list has pages, and filters by team and provider', async () => {
  const { team_id: other } = managed.service.teams.create('second');
  managed.service.teams.create('elsewhere', { region: 'eu' });
  for (const provider of ['quest', 'ussl'])
    for (const team_id of [managed.team, other]) await set({ team_id, provider, client_id: `${team_id} ${provider}` });
  const idsOf = async (query: string) => (await list(query)).credentials.map(({ client_id }: { client_id: string }) => client_id);
  expect(await idsOf('')).toEqual([`${managed.team} quest`, `${other} quest`, `${managed.team} ussl`, `${other} ussl`]);
  expect(await idsOf(`?team_id=${other}&provider=ussl`)).toEqual([`${other} ussl`]);
  const { status } = await managed.manage('GET', CREDENTIALS, { key: managed.newKey([other]) });
  expect(status).toBe(200);
  expect((await managed.manage('GET', `${CREDENTIALS}?team_id=${UNKNOWN}`)).status).toBe(404);
  for (let number = 0; number < 30; number++) {
    const { team_id } = managed.service.teams.create('more');
    for (const source of ['quest', 'ussl']) managed.service.preferences.credentials.set(team_id, source, {});
  }
  const page = await list();
  expect(page.credentials).toHaveLength(50);
  const last = await list(`?next_cursor=${page.next_cursor}`);
  expect([last.credentials.length, last.next_cursor]).toEqual([14, null]);
});

test('a deletion tells of each id, and does not reach the teams of others', async () => {
  const { team_id: other } = managed.service.teams.create('second');
  const [own, foreign] = [await set({ provider: 'quest' }), await set({ provider: 'quest', team_id: other })];
  const ids = [own.body.id, foreign.body.id, UNKNOWN];
  const query = ids.map((id) => `credential_id=${id}`).join('&');
  const { body } = await managed.manage('DELETE', `${CREDENTIALS}?${query}`, { key: managed.newKey([managed.team]) });
  expect(body).toEqual({ success: [own.body.id], failure: [], not_found: [foreign.body.id, UNKNOWN] });
  expect((await list()).credentials).toMatchObject([{ id: foreign.body.id }]);
});

test.each([
  ['oura', ['redirect_uri', 'webhook_uri']],
  ['dexcom_v3', ['redirect_uri']],
  ['google_health', ['redirect_uri', 'iam_principal']],
  ['freestyle_libre', []],
  ['labcorp', []],
])('the preparation of %s has the steps %j', async (provider, types) => {
  managed.service.labs.urls.base = 'http://127.0.0.1:7777';
  const { status, body } = await managed.manage('POST', PREPARE, { body: { team_id: managed.team, provider } });
  expect(status).toBe(200);
  expect(body.status).toBe(types.length === 0 ? 'no_action_needed' : 'preparations_required');
  expect(body.preparation_steps.map(({ type }: { type: string }) => type)).toEqual(types);
  for (const { type, value } of body.preparation_steps)
    if (type !== 'iam_principal') expect(new URL(value).origin).toBe('http://127.0.0.1:7777');
});
