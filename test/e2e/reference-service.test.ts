import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEventHubs } from '@aorta/event-hubs-server';
import { startService } from '@aorta/service';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import type { ReceivedEvent } from '../faults/reference-service/endpoint.ts';
import { end, Receiver } from '../faults/webhook/receiver.ts';
import { orderLabTests } from '../reference-service/lab-orders.ts';
import { loadEverything } from '../reference-service/load-everything.ts';
import { Answers } from '../reference-service/record/answers.ts';
import { ChangedSamples } from '../reference-service/record/changed-samples.ts';
import { differencesOf } from '../reference-service/record/differences.ts';
import { addRareUser } from '../reference-service/record/rare-data.ts';
import { emptyTables, serviceRecord, unusedTables } from '../reference-service/record/record.ts';
import { inTables } from '../reference-service/record/tables.ts';
import { aorta } from './command.ts';

const HOUR_S = 3_600;
/** The providers of the users' demo connections. */
const wearing = [
  ['oura', 'fitbit'],
  ['freestyle_libre', 'apple_health_kit'],
] as const;

type Json = Record<string, unknown>;

async function call(url: string, body?: object, keys: Record<string, string> = {}): Promise<Json> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...keys },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  expect(answer.ok, `${url} ${answer.status} ${text}`).toBe(true);
  return JSON.parse(text) as Json;
}

/** A consumer that is independent of Aorta: it verifies each webhook with the library of Standard Webhooks. */
async function secondConsumer(secret: string) {
  const events: ReceivedEvent[] = [];
  const refused: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    try {
      const headers = Object.fromEntries(
        ['id', 'timestamp', 'signature'].map((name) => [`webhook-${name}`, String(request.headers[`svix-${name}`])]),
      );
      events.push(new Webhook(secret).verify(body, headers) as ReceivedEvent);
      response.writeHead(204).end();
    } catch (error) {
      refused.push(String(error));
      response.writeHead(401).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { events, refused, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

interface Wanted {
  /** Connection string of the Event Hubs namespace with the hub `health`. */
  readonly connection: string;
  readonly endpoints: readonly { readonly url: string; readonly secret: string }[];
}

/**
 * Creates a team with a key through the management API. Only the organization comes from the control port, as it comes from the
 * dashboard of the hosted service. `deliver` sends the events of the team to a hub and to endpoints.
 */
async function managedTeam(controlUrl: string, url: string) {
  const { org_id, management_key } = await call(`${controlUrl}/organizations`, { name: 'clinic' });
  const manage = (path: string, body: object): Promise<Json> =>
    call(`${url}/v1/org/${org_id}${path}`, body, { 'x-management-key': String(management_key) });
  const { id: team_id } = await manage('/team', { name: 'first', region: 'eu', partial_webhooks_enabled: true });
  const { value: api_key } = await manage('/team_api_keys/sandbox/eu', { label: 'loader', team_id });
  return {
    team_id: String(team_id),
    api_key: String(api_key),
    async deliver({ connection, endpoints }: Wanted): Promise<void> {
      await manage('/team_etl_pipelines/sandbox/eu', {
        team_ids: [team_id],
        push_historical_data: true,
        azure_amqp: { connection_string: connection, default_event_hub: 'health' },
      });
      for (const endpoint of endpoints) await manage(`/team/${team_id}/sandbox/webhook`, endpoint);
    },
  };
}

test('the tables of aorta run hold what the reference service holds, through both sources, with a team of the management API', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-reference-'));
  const hubs = await startEventHubs({ hubs: [{ name: 'health', partitions: 2 }] });
  const other = await secondConsumer(`whsec_${Buffer.alloc(24, 9).toString('base64')}`);
  // The receipt times of webhooks are virtual, and those of the hub are real. They must be less than 48 hours apart, so that
  // copies are recognized. A connection that is received long after its pull was scheduled would wait for another pull.
  await using served = await startService({ start: Date.now(), runs: false, seed: 1 });
  try {
    const control = served.controlUrl;
    const { team_id, api_key, deliver } = await managedTeam(control, served.url);
    const keys = { 'x-service-api-key': api_key };
    const hub = `{ type: event-hubs, connection: "${hubs.connectionString}", hubs: [health], claim_s: 0.5 }`;
    const more = `service: { base_url: "${served.url}", key: ${api_key} }\nhistorical_pulls: {}`;
    const receiver = await Receiver.create(folder, [hub], more);
    const { url, secret } = receiver.service;
    const endpoints = [
      { url, secret },
      { url: other.url, secret: `whsec_${Buffer.alloc(24, 9).toString('base64')}` },
    ];
    await deliver({ connection: hubs.connectionString, endpoints });
    const child = await receiver.start();

    const steer = (path: string, body?: object) => call(`${control}${path}`, body);
    const ask = (path: string, body?: object) => call(`${served.url}${path}`, body, keys);
    const users: string[] = [];
    for (const name of ['c-1', 'c-2'])
      users.push(String((await call(`${served.url}/v2/user`, { client_user_id: name }, keys)).user_id));
    await call(`${control}/pulls/script`, {
      provider: 'oura',
      resource: 'sleep',
      outcomes: [{ kind: 'rate_limit', attempts: 2 }],
    });
    await call(`${control}/pulls/script`, { provider: 'oura', resource: 'hrv', outcomes: [{ kind: 'unexpected_error' }] });
    for (const [number, providers] of wearing.entries())
      for (const provider of providers)
        await call(`${served.url}/v2/link/connect/demo`, { user_id: users[number], provider }, keys);
    const rare = await addRareUser(ask, steer);
    await orderLabTests(users[1]!, ask, steer);
    await call(`${control}/clock/advance`, { seconds: 30 * HOUR_S });
    await steer('/connections/break', { user_id: rare, provider: 'withings' });
    await call(`${control}/clock/advance`, { seconds: HOUR_S });
    expect(await call(`${control}/pipelines/${team_id}`)).toMatchObject({ waiting: 0, undeliverable: 0 });

    await end(child, 'SIGTERM');
    await loadEverything(folder);
    const select = async (sql: string): Promise<Json[]> => {
      const { code, stdout, stderr } = await aorta(folder, ['query', sql, '--json']);
      expect([code, stderr]).toEqual([0, '']);
      return JSON.parse(stdout) as Json[];
    };

    const record = await serviceRecord(new Answers(served.url, api_key));
    expect(emptyTables(record)).toEqual(unusedTables);
    const changed = new ChangedSamples(other.events);
    expect(await inTables(folder, (tables) => differencesOf(tables, record, changed.acceptChange))).toEqual([]);

    const completeness = await select('select resource, sent, received, gap from completeness order by resource');
    expect(completeness.length).toBeGreaterThan(5);
    for (const row of completeness) expect(row).toMatchObject({ received: row.sent, gap: 0 });

    const board = record.get('historical_pull_board')!;
    expect(new Set(board.map(({ state }) => state))).toEqual(new Set(['success', 'failure']));

    expect(other.refused).toEqual([]);
    const told = other.events.map(({ event_type, data }) => `${event_type} ${data.provider}`);
    expect(told).toContain('historical.data.sleep.created oura');
    expect(told).not.toContain('historical.data.hrv.created oura');
  } finally {
    other.close();
    await hubs.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
