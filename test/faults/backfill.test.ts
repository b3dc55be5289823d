import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuckDbReader } from '@aorta/connectors/duckdb/module';
import { load, readSetting } from 'aorta/internals';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { addOrder, completeOrder, type Order } from '../reference-service/orders.ts';
import { addPerson } from '../reference-service/person.ts';
import { startServiceProcess } from '../reference-service/process.ts';
import { call, type ServedTeam, serveTeam, type Team } from '../reference-service/team.ts';

/** Backfills a user's history in processes that the test kills. The tables must equal the tables of an uninterrupted run. */

const from = '2025-01-01';
const days = 400;
const to = '2026-02-04';
const resources = [
  'profile',
  'orders',
  'sleep',
  'activity',
  'workouts',
  'workout_stream',
  'meal',
  'body',
  'heartrate',
  'steps',
  'weight',
  'glucose',
];
const person = { clientUserId: 'planted-client-id', from };
const request = { from, to, days: 60, marginS: 3600, resources };
const script = join(import.meta.dirname, 'backfill.process.ts');
const root = mkdtempSync(join(tmpdir(), 'aorta-backfill-'));
let service: ServedTeam;
let userId: string;
const orders: string[] = [];

beforeAll(async () => {
  service = await serveTeam({ pageSize: 700 });
  userId = await addPerson(service, { ...person, days });
  for (let index = 0; index < 3; index++) orders.push(await addOrder(service, userId));
  await completeOrder(service, orders[0]!);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

function newFolder({ url, key }: Pick<Team, 'url' | 'key'> = service): string {
  const folder = mkdtempSync(join(root, 'run-'));
  writeFileSync(
    join(folder, 'aorta.yaml'),
    `service: { base_url: "${url}", key: ${key}, deadline_s: 5, deadline_total_s: 20 }\n`,
  );
  return folder;
}

interface RunResult {
  readonly output: string;
  readonly signal: NodeJS.Signals | null;
}

/** Runs a backfill in a process. */
function runBackfill(folder: string, asked: object = request): Promise<RunResult> {
  return startBackfill(folder, asked).ended;
}

function startBackfill(folder: string, asked: object): { readonly child: ChildProcess; readonly ended: Promise<RunResult> } {
  const words = [script, folder, JSON.stringify({ users: [userId], ...asked })];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = new Promise<RunResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (_, signal) => resolve({ output, signal }));
  });
  return { child, ended };
}

/** Runs a backfill in a process that gets this many answers and no more, and then kills it. */
async function killBackfill(folder: string, answers: number): Promise<RunResult> {
  const some = answers === 0 ? [] : [{ times: answers, delay_ms: 1 }];
  await service.control.plan([...some, { effect: { kind: 'hang' } }]);
  const { child, ended } = startBackfill(folder, request);
  const isOver = async (): Promise<boolean> => child.exitCode !== null || (await service.control.hasApplied('hang'));
  await until(`the answers of the service (${answers})`, isOver);
  child.kill('SIGKILL');
  await service.control.plan([]);
  return await ended;
}

async function select(folder: string, sql: string): Promise<unknown[][]> {
  const reader = await openDuckDbReader({ path: readSetting({}, {}, folder).place.warehouse });
  try {
    const { rows } = await reader.query(sql);
    const all: unknown[][] = [];
    for await (const chunk of rows) all.push(...chunk.map((row) => [...row]));
    return all;
  } finally {
    await reader.close();
  }
}

/** Returns the row count and a digest of every table, without the version columns. Ignores redeliveries in `deliveries`. */
async function tables(folder: string): Promise<Record<string, unknown>> {
  const versions = '_received_at, _origin, _offset, _reader, _loaded_at';
  const held: Record<string, unknown> = {};
  const summaries = ['sleep', 'activity', 'workouts', 'meal', 'profile', 'lab_orders'];
  for (const table of [...summaries, 'timeseries', 'workout_stream_events', 'users', 'user_connections']) {
    const also = summaries.includes(table) ? ', _version_time' : '';
    const [row] = await select(
      folder,
      `select count(*)::integer, md5(string_agg(r::text, chr(10) order by r::text)) from (select * exclude (${versions}${also}) from ${table}) r`,
    );
    held[table] = row;
  }
  const [deliveries] = await select(
    folder,
    `select count(*)::integer, md5(string_agg(r::text, chr(10) order by r::text)) from (
      select distinct event_type, delivery_id, user_id, provider, resource, samples, stream, body_bytes from deliveries where stream <> 'redelivered'
    ) r`,
  );
  return { ...held, deliveries };
}

test('a backfill that is killed at random points, resumed and repeated produces the same tables as one uninterrupted run', async () => {
  const whole = newFolder();
  const before = service.asked().length;
  const first = await runBackfill(whole);
  const requests = service.asked().length - before;
  expect(JSON.parse(first.output)).toMatchObject({
    problems: [],
    report: {
      unrouted: 0,
      dead_letters: {},
      partial: {},
      tables: {
        sleep: days,
        activity: days,
        workouts: 57,
        meal: 80,
        profile: 1,
        lab_orders: 3,
        timeseries: days * (24 + 6 + 4 + 1),
        workout_stream_events: 57,
      },
    },
  });
  const served = await call<{ orders: Order[] }>(service, '/v3/orders');
  expect(served.orders.map(({ id }) => id)).toEqual(orders);
  expect(await select(whole, 'select id, last_event_status from lab_orders order by 1')).toEqual(
    served.orders.map(({ id, last_event }) => [id, last_event.status]).sort(),
  );
  // The time ranges of a backfill overlap, but `backfills` counts each object once.
  const counted =
    "select provider, resource, objects from backfills where resource in ('sleep', 'heartrate', 'weight') order by all";
  const objects = [
    ['fitbit', 'heartrate', days * 6],
    ['fitbit', 'sleep', days / 2],
    ['fitbit', 'weight', days],
    ['oura', 'heartrate', days * 24],
    ['oura', 'sleep', days / 2],
  ];
  const plain = (rows: unknown[][]): unknown[][] =>
    rows.map((row) => row.map((one) => (typeof one === 'bigint' ? Number(one) : one)));
  expect(plain(await select(whole, counted))).toEqual(objects);
  const expected = await tables(whole);

  const folder = newFolder();
  let seed = 11;
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  let killed = 0;
  for (let run = 0; run < 3; run++)
    killed += (await killBackfill(folder, Math.floor((random() * requests) / 3))).signal === null ? 0 : 1;
  expect(killed).toBe(3);
  const last = await runBackfill(folder);
  expect(last.signal).toBeNull();
  expect(await tables(folder)).toEqual(expected);
  expect(plain(await select(folder, counted))).toEqual(objects);
  // The last run resumed instead of starting again.
  expect(JSON.parse(last.output).report.received).toBeLessThan(JSON.parse(first.output).report.received);

  const again = JSON.parse((await runBackfill(folder)).output).report;
  expect(again.received).toBe(JSON.parse(first.output).report.received);
  expect(await tables(folder)).toEqual(expected);
});

test('a backfill replaces an earlier event, but never a later event', async () => {
  const folder = newFolder();
  const event = (receivedAt: string, offset: number, value: number): string => {
    const data = {
      source: { provider: 'fitbit', type: 'scale' },
      data: [{ timestamp: '2025-01-01T00:00:00.001Z', unit: 'kg', value }],
    };
    return JSON.stringify({
      source: 'hub',
      partition: 0,
      offset,
      received_at: receivedAt,
      headers: {},
      body: { event_type: 'daily.data.weight.created', user_id: userId, data },
    });
  };
  const weights = async (): Promise<unknown> =>
    (await select(folder, 'select weight_kg from weight order by start_at limit 1'))[0];
  const setting = readSetting({}, {}, folder);
  const taken = async (line: string): Promise<void> => {
    writeFileSync(join(folder, 'events.ndjson'), `${line}\n`);
    await load({ setting, files: ['events.ndjson'], folder });
  };
  const asked = { ...request, to: '2025-01-05', resources: ['weight'] };
  await taken(event('2025-06-01T00:00:00Z', 1, 1));
  expect(await weights()).toEqual([1]);
  await runBackfill(folder, asked);
  expect(await weights()).toEqual([80]);
  // An event received within the margin (`marginS`) wins, because it may have been in transit when the service answered.
  await taken(event(new Date(Date.now() - 60_000).toISOString(), 2, 2));
  await runBackfill(folder, asked);
  expect(await weights()).toEqual([2]);
});

test('a backfill retries failed calls, reports resources that the service refuses, and keeps the user id out of its checkpoint', async () => {
  const folder = newFolder();
  const timeseries = { path_prefix: '/v2/timeseries/' };
  await service.control.plan([
    {
      match: { operation: 'get_sleep_summaries' },
      effect: { kind: 'status', status: 429, retry_after: { seconds: 1 } },
      times: 2,
    },
    { match: { operation: 'get_activity_summaries' }, effect: { kind: 'reset', after_bytes: 20 }, times: 1 },
    // As before November 2025. The effect `closed_beta` would answer with JSON.
    {
      match: { operation: 'get_electrocardiogram_summaries' },
      effect: { kind: 'status', status: 403, body: 'This endpoint is in closed beta' },
    },
    { match: timeseries, effect: { kind: 'status', status: 503 }, times: 1 },
    { match: { operation: 'get_steps_grouped' }, effect: { kind: 'loop' } },
  ]);
  const asked = { ...request, resources: ['sleep', 'activity', 'electrocardiogram', 'heartrate', 'steps'] };
  const { output } = await runBackfill(folder, asked);
  const { faults } = (await service.control.ask('/faults')) as { faults: { used: number }[] };
  expect(faults.map(({ used }) => used > 0)).toEqual([true, true, true, true, true]);
  await service.control.plan([]);
  const { report, problems } = JSON.parse(output);
  expect(problems).toEqual(['AORTA-SERVICE-NOT-ENABLED', 'AORTA-SERVICE-CURSOR']);
  expect(report.tables).toMatchObject({ sleep: days, activity: days });
  expect(await select(folder, `select count(*)::integer from heartrate`)).toEqual([[days * 30]]);
  const checkpoint = readFileSync(join(readSetting({}, {}, folder).place.streams, 'service', checkpointOf(folder)), 'utf8');
  expect(checkpoint).not.toContain(userId);
});

test('a backfill waits while the service is down, and completes after the service is back', async () => {
  const apart = await startServiceProcess(mkdtempSync(join(root, 'service-')));
  try {
    const user = await addPerson(apart, { ...person, days: 20 });
    const folder = newFolder(apart);
    await apart.kill();
    // While the service is down, this server closes each connection.
    let calls = 0;
    const stub = createServer((socket) => {
      calls += 1;
      socket.destroy();
    });
    await new Promise<void>((done) => stub.listen(Number(new URL(apart.url).port), '127.0.0.1', done));
    const run = runBackfill(folder, { ...request, users: [user], to: '2025-01-20', resources: ['sleep'] });
    await until('a call during the outage', () => calls);
    await new Promise((done) => stub.close(done));
    await apart.start();
    expect(JSON.parse((await run).output)).toMatchObject({
      problems: [],
      report: { tables: { sleep: 20, users: 1, user_connections: 2 } },
    });
  } finally {
    await apart.kill();
  }
});

function checkpointOf(folder: string): string {
  const { place } = readSetting({}, {}, folder);
  return readdirSync(join(place.streams, 'service'))[0]!;
}
