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
import { end, Receiver } from '../faults/webhook/receiver.ts';
import { aorta } from './command.ts';

const HOUR_S = 3_600;
const RANGE = 'start_date=2000-01-01';

type Json = Record<string, unknown>;

async function call(url: string, body?: object, keys: Record<string, string> = {}): Promise<Json> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...keys },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect(answer.ok, `${url} ${answer.status} ${text}`).toBe(true);
  return JSON.parse(text) as Json;
}

/** A consumer that is independent of Aorta: it verifies each webhook with the library of Standard Webhooks. */
async function secondConsumer(secret: string) {
  const types: string[] = [];
  const refused: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    try {
      const headers = Object.fromEntries(
        ['id', 'timestamp', 'signature'].map((name) => [`webhook-${name}`, String(request.headers[`svix-${name}`])]),
      );
      types.push((new Webhook(secret).verify(body, headers) as { event_type: string }).event_type);
      response.writeHead(204).end();
    } catch (error) {
      refused.push(String(error));
      response.writeHead(401).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { types, refused, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

interface Wanted {
  /** Connection string of the Event Hubs namespace with the hub `health`. */
  readonly connection: string;
  readonly endpoints: readonly { readonly url: string; readonly secret: string }[];
}

/** A way to make a team that has its events in a hub and at endpoints. */
interface Way {
  /** Creates the team, and returns its key. */
  team(controlUrl: string, url: string): Promise<{ readonly team_id: string; readonly api_key: string }>;
  /** Gives the team its pipeline and endpoints. */
  deliver(wanted: Wanted): Promise<void>;
}

function byControl(): Way {
  let control = '';
  let team_id = '';
  return {
    async team(controlUrl) {
      control = controlUrl;
      const made = (await call(`${control}/teams`, { name: 'first' })) as { team_id: string; api_key: string };
      team_id = made.team_id;
      return made;
    },
    async deliver({ connection, endpoints }) {
      const azure_amqp = { connection_string: connection, default_event_hub: 'health' };
      await call(`${control}/pipelines/${team_id}`, { push_historical_data: true, azure_amqp });
      for (const endpoint of endpoints) await call(`${control}/webhooks`, { team_id, ...endpoint });
    },
  };
}

/** Only the organization comes from the control port, as it comes from the dashboard of the hosted service. */
function byManagement(): Way {
  let team_id = '';
  let manage: (path: string, body: object) => Promise<Json>;
  return {
    async team(controlUrl, url) {
      const { org_id, management_key } = await call(`${controlUrl}/organizations`, { name: 'clinic' });
      manage = (path, body) => call(`${url}/v1/org/${org_id}${path}`, body, { 'x-management-key': String(management_key) });
      team_id = String((await manage('/team', { name: 'first', region: 'eu' })).id);
      const { value } = await manage('/team_api_keys/sandbox/eu', { label: 'loader', team_id });
      return { team_id, api_key: String(value) };
    },
    async deliver({ connection, endpoints }) {
      await manage('/team_etl_pipelines/sandbox/eu', {
        ...{ team_ids: [team_id], push_historical_data: true },
        azure_amqp: { connection_string: connection, default_event_hub: 'health' },
      });
      for (const endpoint of endpoints) await manage(`/team/${team_id}/sandbox/webhook`, endpoint);
    },
  };
}

test.each([
  ['the control port', byControl],
  ['the management API', byManagement],
])(
  'the tables of aorta run hold what the reference service holds, through both sources, with a team made by %s',
  async (_, way) => {
    const { team, deliver } = way();
    const folder = mkdtempSync(join(tmpdir(), 'aorta-reference-'));
    const hubs = await startEventHubs({ hubs: [{ name: 'health', partitions: 2 }] });
    const other = await secondConsumer(`whsec_${Buffer.alloc(24, 9).toString('base64')}`);
    // The receipt times of webhooks are virtual, and those of the hub are real. They must be less than 48 hours apart, so that
    // copies are recognized. A connection that is received long after its pull was scheduled would wait for another pull.
    await using served = await startService({ start: Date.now(), runs: false, seed: 1 });
    try {
      const control = served.controlUrl;
      const { team_id, api_key } = await team(control, served.url);
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

      const users: string[] = [];
      for (const name of ['c-1', 'c-2'])
        users.push(String((await call(`${served.url}/v2/user`, { client_user_id: name }, keys)).user_id));
      await call(`${control}/pulls/script`, {
        provider: 'oura',
        resource: 'sleep',
        outcomes: [{ kind: 'rate_limit', attempts: 2 }],
      });
      await call(`${control}/pulls/script`, { provider: 'oura', resource: 'hrv', outcomes: [{ kind: 'unexpected_error' }] });
      await call(`${served.url}/v2/link/connect/demo`, { user_id: users[0], provider: 'oura' }, keys);
      await call(`${served.url}/v2/link/connect/demo`, { user_id: users[1], provider: 'freestyle_libre' }, keys);
      await call(`${control}/clock/advance`, { seconds: 30 * HOUR_S });
      expect(await call(`${control}/pipelines/${team_id}`)).toMatchObject({ waiting: 0, undeliverable: 0 });

      await end(child, 'SIGTERM');
      // The second run loads the tracks of historical pulls that the first run has written.
      for (let time = 0; time < 2; time += 1) {
        const run = await aorta(folder, ['run', '--once']);
        expect(run.code, run.stderr).toBe(0);
      }
      const select = async (sql: string): Promise<Json[]> => {
        const { code, stdout, stderr } = await aorta(folder, ['query', sql, '--json']);
        expect([code, stderr]).toEqual([0, '']);
        return JSON.parse(stdout) as Json[];
      };

      const get = (path: string) => call(`${served.url}${path}`, undefined, keys);
      const { sleep } = (await get(`/v2/summary/sleep/${users[0]}?${RANGE}`)) as { sleep: Json[] };
      const { activity } = (await get(`/v2/summary/activity/${users[0]}?${RANGE}`)) as { activity: Json[] };
      expect(sleep.length).toBeGreaterThan(20);
      expect(await select('select id, total_s from sleep order by id')).toEqual(
        sleep.map(({ id, total }) => ({ id, total_s: total })).sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1)),
      );
      expect(await select('select id, steps from activity order by id')).toEqual(
        activity.map(({ id, steps }) => ({ id, steps })).sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1)),
      );
      const samples = async (user: string, resource: string): Promise<number> => {
        let [count, cursor] = [0, ''];
        do {
          const page = await get(
            `/v2/timeseries/${user}/${resource}/grouped?${RANGE}${cursor === '' ? '' : `&next_cursor=${cursor}`}`,
          );
          for (const groups of Object.values(page.groups as Record<string, { data: unknown[] }[]>))
            for (const { data } of groups) count += data.length;
          cursor = String(page.next_cursor ?? '');
        } while (cursor !== '');
        return count;
      };
      const expected = [
        { resource: 'blood_oxygen', n: await samples(users[0]!, 'blood_oxygen') },
        { resource: 'glucose', n: await samples(users[1]!, 'glucose') },
        { resource: 'heartrate', n: await samples(users[0]!, 'heartrate') },
        { resource: 'hrv', n: await samples(users[0]!, 'hrv') },
        { resource: 'respiratory_rate', n: await samples(users[0]!, 'respiratory_rate') },
      ];
      expect(await select('select resource, count(*) as n from timeseries group by all order by all')).toEqual(expected);

      const { total } = await get('/v3/lab_tests/markers');
      expect(total).toBeGreaterThan(50);
      expect(await select('select count(*) as n from lab_markers')).toEqual([{ n: total }]);

      const completeness = await select('select resource, sent, received, gap from completeness order by resource');
      expect(completeness.length).toBeGreaterThan(5);
      for (const row of completeness) expect(row).toMatchObject({ received: row.sent, gap: 0 });

      const { pulls } = (await call(`${control}/pulls/list`, {})) as { pulls: Json[] };
      const board = await select('select user_id, provider, resource, state from historical_pull_board order by all');
      expect(board).toEqual(
        pulls
          .map(({ user_id, provider, resource, status }) => ({ user_id, provider, resource, state: status }))
          .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
      );
      expect(new Set(board.map(({ state }) => state))).toEqual(new Set(['success', 'failure']));

      expect(other.refused).toEqual([]);
      expect(other.types.filter((type) => type === 'provider.connection.created')).toHaveLength(2);
      expect(other.types).toContain('historical.data.sleep.created');
      expect(other.types).not.toContain('historical.data.hrv.created');
    } finally {
      other.close();
      await hubs.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
