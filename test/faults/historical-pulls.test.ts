import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partitionOf } from '@aorta/connectors';
import { openDuckDbReader } from '@aorta/connectors/duckdb/module';
import { type LocalLog, openLocalLog } from '@aorta/connectors/log';
import { openServiceClient, serviceOptions } from '@aorta/connectors/service';
import { historicalPullsOptions } from '@aorta/enrichment/options';
import { isAortaError } from '@aorta/runtime';
import type { HistoricalPullTrack, StreamRecords } from '@aorta/schemas';
import { afterAll, afterEach, expect, test } from 'vitest';
import { takesAtMost } from '../../infra/machine/goal.fixture.ts';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { stateInFile } from '../../pipelines/enrichment/state/state-in-file.fixture.ts';
import { aorta } from '../e2e/command.ts';
import { type RunningTracker, trackerOn } from '../pulls/life.ts';
import type { Rule } from '../reference-service/control.ts';
import { type PlannedPull, pullsOf, userAnswer } from '../reference-service/introspection.ts';
import { startServiceProcess } from '../reference-service/process.ts';
import { addUser, connect, type ServedTeam, serveTeam } from '../reference-service/team.ts';

/** Checks the tracker and the board of historical pulls with a service that returns each possible status and error. */

const root = mkdtempSync(join(tmpdir(), 'aorta-pulls-'));
const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const minutesAgo = (minutes: number): string => new Date(Math.floor(Date.now() / 1000) * 1000 - minutes * 60_000).toISOString();
const scheduledAt = minutesAgo(30);
const startedAt = minutesAgo(29);
const endedAt = minutesAgo(20);
const started = { scheduledAt, startedAt };

/** For each user, the service's answer, and the expected standing and reason on the board. */
const connections: Readonly<Record<string, { pull: PlannedPull; standing: string; reason: string }>> = {
  'u-scheduled': { pull: { status: 'scheduled', scheduledAt }, standing: 'in_motion', reason: 'scheduled' },
  'u-in-progress': { pull: { status: 'in_progress', ...started }, standing: 'in_motion', reason: 'in_progress' },
  'u-success': { pull: { status: 'success', ...started, endedAt, daysWithData: 70 }, standing: 'complete', reason: 'done' },
  ...Object.fromEntries(
    ['provider_rate_limit_exceeded', 'provider_unavailable', 'transport_failure', 'resource_contention'].map((errorDetails) => [
      // The service's own example of a retrying pull also contains the time when the attempt ended.
      `u-${errorDetails}`,
      { pull: { status: 'retrying', ...started, endedAt, errorDetails }, standing: 'retrying', reason: errorDetails },
    ]),
  ),
  ...Object.fromEntries(
    ['non_retriable_error', 'unexpected_error', 'retry_quota_exhausted'].map((errorDetails) => [
      `u-${errorDetails}`,
      { pull: { status: 'failure', ...started, endedAt, errorDetails }, standing: 'failed', reason: errorDetails },
    ]),
  ),
  'u-paused': {
    pull: { status: 'paused', ...started },
    standing: 'unknown',
    reason: 'unknown status from the service: paused',
  },
};
const users = Object.keys(connections);
const answer = (user: string, pull: PlannedPull = connections[user]!.pull) => userAnswer(user, 'oura', { sleep: pull });
const PAGE = 5;

/** Returns the answers for all users. `moved` has the pulls that differ from `connections`. */
const answers = (moved: Readonly<Record<string, PlannedPull>> = {}): Rule[] =>
  pullsOf(
    users.map((user) => answer(user, moved[user])),
    PAGE,
  );

const connected = (user: string, at: string, provider = 'oura'): string =>
  JSON.stringify({
    source: 'hub',
    partition: '0',
    offset: users.indexOf(user) + 1000 * (Date.parse(at) % 7),
    received_at: at,
    body: {
      event_type: 'provider.connection.created',
      user_id: user,
      team_id: 'team',
      client_user_id: `c-${user}`,
      data: {
        user_id: user,
        provider: { name: provider, slug: provider, logo: '' },
        resource_availability: { sleep: { status: 'available' } },
      },
    },
  });

/** Starts the tracker in this process, against a service that answers with these rules. */
async function tracker(rules: readonly Rule[], more: object = {}, patience: object = { deadline_s: 2, deadline_total_s: 4 }) {
  const folder = mkdtempSync(join(root, 'tracker-'));
  const service = await serveTeam();
  ended.push(async () => await service[Symbol.asyncDispose]());
  await service.control.plan(rules);
  const log = await openLocalLog({ folder });
  ended.push(() => log.close());
  const client = openServiceClient(serviceOptions.parse({ base_url: service.url, key: service.key, ...patience }));
  const settings = historicalPullsOptions.parse({ calls_a_minute: 60_000, ...more });
  const follow = async (): Promise<RunningTracker> =>
    trackerOn(log, {
      state: stateInFile(folder, 'historical-pulls'),
      client,
      settings,
    });
  return { service, log, folder, follow };
}

/** Returns a record of the stream `connections`. */
const connection = (user: string, offset: number): StreamRecords['connections'] => ({
  receipt: {
    source: 's',
    partition: '0',
    offset,
    received_at: Date.now() * 1000,
    delivery_id: null,
    header_facts: 0,
    body_bytes: 0,
    body_crc32: 0,
    arrived_at: null,
  },
  event: { event_type: 'provider.connection.created', team_id: null, user_id: user, client_user_id: null },
  reader: 1,
  provider: 'oura',
  provider_name: null,
  provider_logo: null,
  data_user_id: null,
  external_user_id: null,
  resource_availability: '{"sleep":{"status":"available"},"steps":{"status":"someday"}}',
  legacy_source: null,
  message: null,
  error_type: null,
  error_details: null,
  extra: null,
});

/** Returns the newest track of each user from the stream. */
async function newest(log: LocalLog): Promise<Map<string, HistoricalPullTrack>> {
  const of = partitionOf('historical_pull_tracks');
  const found = new Map<string, HistoricalPullTrack>();
  for (let from = 0; from < log.end(of); ) {
    const { records, to } = await log.read(of, from, { records: 1000, bytes: 1e7 });
    for (const record of records) {
      const before = found.get(record.user_id);
      if (before === undefined || record.receipt.offset > before.receipt.offset) found.set(record.user_id, record);
    }
    from = to;
  }
  return found;
}

const states = async (log: LocalLog): Promise<Record<string, string>> =>
  Object.fromEntries([...(await newest(log))].map(([user, { pulls }]) => [user, pulls.at(-1)!.state]));

const asksFor = (service: ServedTeam, user: string): number =>
  service.asked().filter((path) => path.includes(`user_id=${user}`)).length;

test('the tracker follows the states that the service lists, and keeps them after a restart or the loss of its files', async () => {
  const { service, log, folder, follow } = await tracker(answers());
  const first = await follow();
  await first.once();
  expect(await states(log)).toEqual({
    'u-scheduled': 'scheduled',
    'u-in-progress': 'in_progress',
    'u-success': 'success',
    'u-provider_rate_limit_exceeded': 'retrying',
    'u-provider_unavailable': 'retrying',
    'u-transport_failure': 'retrying',
    'u-resource_contention': 'retrying',
    'u-non_retriable_error': 'failure',
    'u-unexpected_error': 'failure',
    'u-retry_quota_exhausted': 'failure',
    'u-paused': 'unknown',
  });
  // 11 users fit on 3 pages.
  expect(service.asked().length).toBeLessThanOrEqual(2 * 3);
  await first.close();

  const succeeded = { status: 'success', ...started, endedAt: minutesAgo(1), daysWithData: 88 };
  await service.control.plan(answers({ 'u-transport_failure': succeeded }));
  const second = await follow();
  await second.once();
  await second.close();
  const track = (await newest(log)).get('u-transport_failure')!;
  expect(track.changes.map(({ to_state }) => to_state)).toEqual(['retrying', 'success']);
  expect(track.pulls).toMatchObject([{ state: 'success', days_with_data: 88, retrying_since: null }]);
  expect(track.evidence).toHaveLength(2);

  // A late answer with the status `in_progress` changes nothing.
  const late = { status: 'in_progress', ...started };
  await service.control.plan(answers({ 'u-transport_failure': late }));
  const third = await follow();
  await third.once();
  await third.close();
  expect((await states(log))['u-transport_failure']).toBe('success');

  // Without its state file, the tracker computes the same tracks from the streams.
  const before = await newest(log);
  rmSync(join(folder, 'historical-pulls.ndjson'));
  const end = log.end(partitionOf('historical_pull_tracks'));
  const again = trackerOn(log, {
    state: stateInFile(folder, 'historical-pulls'),
    client: undefined,
    settings: historicalPullsOptions.parse({}),
  });
  await again.once();
  expect(log.end(partitionOf('historical_pull_tracks'))).toBeGreaterThan(end);
  expect(await newest(log)).toEqual(before);
});

test('the tracker asks about each unlisted user until the user is deleted, and stops paging if pages form a loop', async () => {
  const operation = 'introspect_historical_pulls';
  const { service, log, follow } = await tracker([], { page_users: PAGE });
  for (const user of users) await connect(service, await addUser(service, user), 'oura');
  await service.control.plan([{ match: { operation }, effect: { kind: 'loop' } }]);
  const before = service.asked().length;
  const [elsewhere, gone] = [randomUUID(), randomUUID()];
  log.append('connections', connection(elsewhere, 1));
  await log.flush();
  const following = await follow();
  await following.once();
  expect(asksFor(service, elsewhere)).toBeGreaterThan(0);
  expect((await newest(log)).get(elsewhere)!.pulls).toMatchObject([{ state: 'expected', is_present: true }]);
  expect(service.asked().length - before).toBeLessThan(20);
  expect(await service.control.hasApplied('loop')).toBe(true);

  const notFound = { kind: 'status', status: 404, body: { detail: 'It does not exist' } };
  await service.control.plan(
    [elsewhere, gone].map((user_id) => ({ match: { operation, query: { user_id } }, effect: notFound })),
  );
  log.append('connections', connection(gone, 2));
  await log.flush();
  await following.once();
  const polls = partitionOf('introspection_polls');
  const { records } = await log.read(polls, 0, { records: 1000, bytes: 1e7 });
  expect(records.filter(({ gone }) => gone).map(({ user_id }) => user_id)).toContain(gone);
  const asked = asksFor(service, gone);
  await following.once();
  expect(asksFor(service, gone)).toBe(asked);
  await following.close();

  // A 404 for the whole list means that the address is wrong, so the tracker marks no user as gone.
  const end = log.end(polls);
  const single = (): number => asksFor(service, '');
  const earlier = single();
  await service.control.plan([{ match: { operation }, effect: notFound }]);
  const lost = await follow();
  const stop = new AbortController();
  const running = lost.run(stop.signal);
  // The second request shows that the tracker has handled the first answer.
  await until('two requests for the whole list', single, (count) => count >= earlier + 2);
  stop.abort();
  await running;
  await lost.close();
  expect(log.end(polls)).toBe(end);
});

test('notices about failures and long retries are sent, but are not repeated after a restart', async () => {
  const received: Record<string, unknown>[] = [];
  let refuses = true;
  const hook = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      if (!refuses) received.push(JSON.parse(body));
      response.writeHead(refuses ? 500 : 204).end();
    });
  });
  await new Promise<void>((done) => hook.listen(0, '127.0.0.1', done));
  ended.push(() => new Promise((done) => hook.close(done)));
  const webhook = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
  const pulls = pullsOf([answer('u-unexpected_error'), answer('u-transport_failure'), answer('u-success')]);
  const { follow, log } = await tracker(pulls, { notices: { webhook, retrying_after_h: 1e-7 } });
  const first = await follow();
  await first.once();
  await first.close();
  expect(received).toEqual([]);
  refuses = false;
  for (let start = 0; start < 2; start++) {
    const next = await follow();
    await next.once();
    await next.close();
  }
  // Both states are older than the first notice, so one summary reports them. pull-notices.test.ts covers later notices.
  expect(received).toMatchObject([{ event: 'historical_pull.summary', failed: 1, retrying: 1 }]);
  expect(JSON.stringify(received)).not.toContain('u-');
  expect(Object.keys(await states(log))).toHaveLength(3);
});

test('the tracker reads the streams while the service does not answer', async () => {
  const hangs = { match: { operation: 'introspect_historical_pulls' }, effect: { kind: 'hang' } };
  const { service, follow, log } = await tracker([hangs], {}, { deadline_s: 120, deadline_total_s: 120 });
  const following = await follow();
  const stop = new AbortController();
  const running = following.run(stop.signal);
  await until('the first request', () => service.asked().length);
  log.append('connections', connection('u-new', 1));
  await log.flush();
  // The call to the service times out only after two minutes, which is longer than this wait.
  await until('the track of the new user', () => states(log), { 'u-new': 'expected' });
  stop.abort();
  await running;
  await following.close();
  expect(service.asked()).toHaveLength(1);
});

test('a webhook receiver that never answers does not delay the tracker', async () => {
  const hook = createServer(() => {});
  await new Promise<void>((done) => hook.listen(0, '127.0.0.1', done));
  ended.push(async () => {
    hook.closeAllConnections();
    await new Promise((done) => hook.close(done));
  });
  const called = once(hook, 'request');
  const webhook = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
  const { service, follow, log } = await tracker(pullsOf([answer('u-unexpected_error'), answer('u-in-progress')]), {
    notices: { webhook },
    fastest_s: 0.05,
    settled_h: 0.0001,
  });
  const following = await follow();
  const stop = new AbortController();
  const running = following.run(stop.signal);
  await called;
  const succeeded = answer('u-in-progress', connections['u-success']!.pull);
  // A call to the receiver times out only after ten seconds, so the tracker does not wait for it.
  await takesAtMost(8_000, 'the new state', async () => {
    await service.control.plan(pullsOf([answer('u-unexpected_error'), succeeded]));
    await until('the new state', async () => (await states(log))['u-in-progress'], 'success');
  });
  stop.abort();
  await running;
  await following.close();
});

const program = join(import.meta.dirname, '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');

/** Starts `aorta run` in its own process. */
function run(folder: string): ChildProcess {
  const child = spawn(process.execPath, [program, 'run', '--no-supervise'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', openSync(join(folder, 'run.log'), 'a')],
  });
  ended.push(() => killed(child));
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await gone;
}

type Board = Record<string, string>;

/** Returns the standing and the reason of each user on the published board. */
async function board(folder: string): Promise<Board> {
  const reader = await openDuckDbReader({ path: join(folder, 'warehouse.duckdb') }).catch((error: unknown) => {
    if (isAortaError(error) && ['AORTA-WAREHOUSE-MISSING', 'AORTA-WAREHOUSE-UNPUBLISHED'].includes(error.code)) return undefined;
    throw error;
  });
  if (reader === undefined) return {};
  try {
    const rows: Board = {};
    const { rows: chunks } = await reader.query("select user_id, standing || ': ' || reason from historical_pull_board");
    for await (const chunk of chunks) for (const [user, text] of chunk) rows[String(user)] = String(text);
    return rows;
  } finally {
    await reader.close();
  }
}

/** Waits until the published board has these rows. */
async function shows(folder: string, expected: Board): Promise<void> {
  let seen: Board = {};
  await until(
    'the rows of the board',
    async () => (seen = await board(folder)),
    (rows) => Object.entries(expected).every(([user, text]) => rows[user] === text),
    () => `${JSON.stringify(seen)}\n${readFileSync(join(folder, 'run.log'), 'utf8')}`,
  );
}

test('the board is correct after Aorta and the service are killed with SIGKILL', async () => {
  const folder = mkdtempSync(join(root, 'run-'));
  mkdirSync(join(folder, 'incoming'));
  const service = await startServiceProcess(folder);
  ended.push(() => service.kill());
  await service.control.plan(answers());
  writeFileSync(
    join(folder, 'aorta.yaml'),
    `sources: [{ type: files, paths: [./incoming], poll_s: 0.5 }]
streams: { type: local, folder: ./streams }
warehouse: { type: duckdb, path: ./warehouse.duckdb, publish_every_s: 1 }
service: { base_url: "${service.url}", key: ${service.key}, deadline_s: 2, deadline_total_s: 3 }
historical_pulls: { calls_a_minute: 600, fastest_s: 1, settled_h: 0.001 }
`,
  );
  const events = users.map((user) => connected(user, minutesAgo(31)));
  writeFileSync(join(folder, 'incoming', 'connections.ndjson'), `${events.join('\n')}\n`);
  const expected: Board = Object.fromEntries(
    users.map((user) => [user, `${connections[user]!.standing}: ${connections[user]!.reason}`]),
  );

  const first = run(folder);
  await shows(folder, expected);
  // Kills Aorta and the service. The service has new states when it restarts.
  await killed(first);
  const succeeded = { status: 'success', ...started, endedAt: minutesAgo(1), daysWithData: 88 };
  const failed = { status: 'failure', ...started, endedAt, errorDetails: 'retry_quota_exhausted' };
  const moved: Record<string, PlannedPull> = { 'u-provider_unavailable': succeeded, 'u-resource_contention': failed };
  await service.control.plan(answers(moved));
  await service.kill();
  const second = run(folder);
  await shows(folder, expected);
  await service.start();
  await shows(folder, {
    ...expected,
    'u-provider_unavailable': 'complete: done',
    'u-resource_contention': 'failed: retry_quota_exhausted',
  });
  second.kill('SIGTERM');
  await new Promise((done) => second.once('exit', done));

  const json = async (words: readonly string[]) => {
    const { code, stdout, stderr } = await aorta(folder, [...words, '--json']);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  const changes = await json([
    'query',
    "select to_state from historical_pull_changes where user_id = 'u-provider_unavailable' order by changed_at, ordinal",
  ]);
  expect(changes.map((row: { to_state: string }) => row.to_state)).toEqual(['expected', 'retrying', 'success']);
  const retrying = await json(['pulls', '--state', 'retrying']);
  expect(retrying.map((row: { user_id: string }) => row.user_id).sort()).toEqual([
    'u-provider_rate_limit_exceeded',
    'u-transport_failure',
  ]);
  expect(retrying[0]).toMatchObject({ state: 'retrying', stale: false, what_to_do: 'wait: the service tries again by itself' });
  const shown = (await aorta(folder, ['pulls'])).stdout;
  expect(shown).toContain('4 failed, 2 retrying');

  // Rebuilds the tables from the streams alone, without the warehouse, the service and the tracker's files.
  const tracks = 'select * exclude (_loaded_at) from historical_pull_tracks order by user_id, provider, resource';
  const before = await json(['query', tracks]);
  expect(before).toHaveLength(users.length);
  const made = ['streams/state', 'streams/historical_pull_tracks', 'streams/ends.ndjson'];
  for (const gone of ['warehouse.duckdb', 'warehouse.published.duckdb', ...made]) rmSync(join(folder, gone), { recursive: true });
  await service.kill();
  writeFileSync(
    join(folder, 'again.yaml'),
    'streams: { type: local, folder: ./streams }\nwarehouse: { type: duckdb, path: ./warehouse.duckdb }\nhistorical_pulls: {}\n',
  );
  const again = await aorta(folder, ['run', '--only', 'loading', '--only', 'enrichment', '--once', '--config', 'again.yaml']);
  expect(again.code, again.stderr).toBe(0);
  expect(await json(['query', tracks, '--config', 'again.yaml'])).toEqual(before);
});
