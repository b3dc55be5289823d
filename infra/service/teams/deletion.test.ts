import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { labTests } from '../labs/catalogue.ts';
import { labAccounts } from '../labs/lab-accounts.ts';
import { DAY, newUser, openLab, patient, START, testOf } from '../orders/orders.fixture.ts';
import { formWith, PDF, upload } from '../reports/reports.fixture.ts';

const connection_string = 'Endpoint=sb://hubs.example.com/;SharedAccessKeyName=n;SharedAccessKey=a2V5';

let folder: string;
let path: string;
let lab: ReturnType<typeof openLab>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-deletion-'));
  path = join(folder, 'service.sqlite');
  // The endpoint fails, so the deliveries stay.
  lab = openLab({ path, send: async () => 500, sendToHub: async () => [] });
});
afterEach(async () => {
  await lab[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the number of rows of each table that has some. With a text, counts only rows that contain it. */
function rows(text?: string): Record<string, number> {
  using file = new DatabaseSync(path, { readOnly: true });
  const tables = file.prepare("select name from sqlite_schema where type = 'table'").all() as { name: string }[];
  const counted = tables.map(({ name }): [string, number] => {
    const all = file.prepare(`select * from ${name}`).all();
    return [name, all.filter((row) => text === undefined || JSON.stringify(row).includes(text)).length];
  });
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}

/** Sets each preference of a team. */
function prefer(team: string): void {
  const { organizations, preferences } = lab.service;
  const { credentials, pulls, labAccounts: accounts, scopes } = preferences;
  credentials.set(team, 'oura', { client_id: 'id', client_secret: 'planted' });
  credentials.set(team, 'quest', { details: { quest: { token: 'planted' } } });
  pulls.set(team, 'oura', { days: 30, overrides: { sleep: 7 } });
  scopes.set(team, 'fitbit', { user_must_grant: ['activity'], user_may_grant: [] });
  const group = { ...organizations.default(), region: 'us' } as const;
  for (const { id } of labAccounts) accounts.allow(group, id, accounts.of(group, id));
}

/** Gives the team of {@link openLab} something of each part of the service. */
async function fill(): Promise<void> {
  const { service, app, team, key, user, ask, order, pass } = lab;
  service.endpoints.create(team, { url: 'http://x', rateLimit: 100 });
  prefer(team);
  service.pipelines.set(team, {
    push_historical_data: true,
    azure_amqp: { connection_string, default_event_hub: 'hub' },
  } as never);
  const { org_id } = service.organizations.default();
  service.managementKeys.create({ org_id, label: '', creator: 'vital_staff', team_ids: [team] });
  await ask('POST', '/v2/link/connect/demo', { user_id: user, provider: 'oura' });
  await order('testkit');
  const combined = labTests
    .filter(({ lab_id, method, status }) => lab_id === 3 && method === 'walk_in_test' && status === 'active')
    .slice(0, 2);
  await order('walk_in_test', { order_set: { lab_test_ids: combined.map(({ id }) => id) } });
  await upload(app, key, formWith(user, [PDF]));
  await ask(
    'POST',
    '/v3/unmatched_result_test',
    { case: 'match_completed', order_source: 'managed' },
    { 'x-idempotency-key': 'k' },
  );
  await pass(DAY);
  await ask('POST', `/v2/user/refresh/${user}`);
  await ask(
    'POST',
    '/v3/order',
    { user_id: newUser(service, team, 'c-2'), order_set: { lab_test_ids: [testOf('testkit')] }, ...patient },
    { 'x-idempotency-key': 'k' },
  );
}

/**
 * Tables that are not about one team. The number of events of a deleted team stays, so that no message id is used again. The list
 * of a lab account belongs to the organization, and can be empty.
 */
const shared = [
  'clock',
  'seed',
  'draws',
  'sqlite_sequence',
  'organizations',
  'secret_check',
  'signing_secrets',
  'sources',
  'shapes',
  'retention',
  'event_counts',
  'lab_account_lists',
];

test('a deleted team leaves no row that is about it or its users, and its jobs do nothing', async () => {
  const { service, team, pass } = lab;
  await fill();
  const tables = 'users summaries samples historical_pulls events deliveries hubs webhook_endpoints orders report_jobs';
  const more = 'refreshes order_set_tests match_reviews review_runs idempotent_answers jobs recent_attempts etl_pipelines';
  const managed = 'delivery_counts management_keys management_key_teams team_credentials team_pull_preferences';
  for (const table of `${tables} ${more} ${managed} scope_requirements lab_account_teams`.split(' '))
    expect(rows()).toHaveProperty(table);
  service.teams.delete(team);
  const left = Object.keys(rows()).filter((table) => !shared.includes(table));
  expect(left).toEqual(['jobs']);
  await pass(30 * DAY);
  expect(service.clock.now()).toBe(START + 31 * DAY);
  expect(Object.keys(rows()).filter((table) => !shared.includes(table))).toEqual([]);
});

test('a deleted team leaves the rows of other teams', async () => {
  const { service, team, user } = lab;
  const { team_id: other } = service.teams.create('second');
  service.endpoints.create(other, { url: 'http://y' });
  newUser(service, other, 'c-1');
  prefer(other);
  await fill();
  const before = rows(other);
  expect(before).toMatchObject({ teams: 1, team_api_keys: 1, users: 1, webhook_endpoints: 1 });
  const preferences = { team_credentials: 2, team_pull_preferences: 1, scope_requirements: 1, lab_account_teams: 3 };
  expect(before).toMatchObject(preferences);
  service.teams.delete(team);
  expect(rows(other)).toEqual(before);
  expect(service.users.find(team, user)).toBeUndefined();
});
