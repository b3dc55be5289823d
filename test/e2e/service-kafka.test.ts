import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKafka } from '@aorta/connectors/kafka/client';
import { kafkaStreamsOptions, streamsConnection, topicOf } from '@aorta/connectors/kafka/streams';
import { dropRecords, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { silentLogger } from '@aorta/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { keptEntries } from '../faults/kafka/kept-entries.ts';
import type { Json } from '../reference-service/control.ts';
import { addOrder, completeOrder, type Results } from '../reference-service/orders.ts';
import { addPerson } from '../reference-service/person.ts';
import { call, type ServedTeam, serveTeam } from '../reference-service/team.ts';
import { addWorkoutStream, BIG_POINTS, bigStream } from '../reference-service/workout-streams.ts';
import { aorta } from './command.ts';

/** Tests enrichment with streams in topics. One worker runs each job, and another worker takes over if the first is lost. */

const problem = await whyNoBroker();
const program = join(import.meta.dirname, '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');
const FROM = '2026-01-01';
const HOUR_S = 3_600;
/** Ids of workouts. */
const workouts = {
  'w-1': '10000000-0000-4000-8000-000000000000',
  'w-2': '20000000-0000-4000-8000-000000000000',
  'w-3': '30000000-0000-4000-8000-000000000000',
  late: '40000000-0000-4000-8000-000000000000',
  new: '50000000-0000-4000-8000-000000000000',
  big: '60000000-0000-4000-8000-000000000000',
};
type Workout = keyof typeof workouts;

describe.skipIf(problem !== undefined)('enrichment with streams in topics', () => {
  const root = mkdtempSync(join(tmpdir(), 'aorta-service-topics-'));
  const prefix = `${randomUUID()}.`;
  let broker: Awaited<ReturnType<typeof provideBroker>>;
  let service: ServedTeam;
  let user: string;
  /** The ids of the orders. Only the first one is completed. */
  const orders: string[] = [];
  const running: ChildProcess[] = [];
  beforeAll(async () => {
    broker = await provideBroker();
    // The clock stands still, so that the state of a pull changes only when the test says so.
    service = await serveTeam({ start: Date.now() - 2 * HOUR_S * 1000, runs: false });
    user = await addPerson(service, { clientUserId: 'planted-client-id', from: FROM, days: 2 });
    for (const [name, workout] of Object.entries(workouts)) {
      const stream = name === 'big' ? bigStream() : { time: [1_767_225_600, 1_767_225_601], heartrate: [100, 101] };
      await addWorkoutStream(service, user, workout, stream);
    }
    for (let index = 0; index < 3; index++) orders.push(await addOrder(service, user));
    await completeOrder(service, orders[0]!);
    await pullAgain();
  });
  afterEach(async () => {
    for (const one of running.splice(0)) await ended(one, 'SIGKILL');
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await broker.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const pass = (seconds: number) => service.control.ask('/clock/advance', { seconds });

  /**
   * Lets the service pull the user's history again. The first attempt to pull the sleep has failed when this returns. The next
   * one begins 1 to 1.5 minutes later and fails, too, and the one after that begins at least 2 minutes later.
   */
  async function pullAgain(): Promise<void> {
    const from = String((await service.control.ask('/clock')).now);
    const outage = { kind: 'outage', from, until: new Date(Date.parse(from) + 60_000) };
    const outcomes = [outage, { kind: 'transport_failure', after_chunks: 0 }];
    await service.control.ask('/pulls/script', { provider: 'oura', user_id: user, resource: 'sleep', outcomes });
    await service.control.ask('/pulls/trigger', { user_ids: [user], provider: 'oura' });
    await pass(30);
  }

  /** Returns the state of the sleep pull, as the service reports it. */
  async function pull(): Promise<unknown> {
    const { data } = await call<{ data: { provider: { oura: { pulled: Json } } }[] }>(service, '/v2/introspect/historical_pull');
    return data[0]!.provider.oura.pulled.sleep;
  }

  /** Creates a folder for a worker, with a configuration and the events of its source. */
  function place(name: string, events: readonly string[], own = ''): string {
    const folder = mkdtempSync(join(root, `${name}-`));
    writeFileSync(join(folder, 'events.ndjson'), events.join('\n'));
    const configuration = {
      sources: [{ type: 'files', name, paths: ['events.ndjson'], poll_s: 0.5 }],
      streams: { type: 'kafka', brokers: broker.brokers, prefix: `${prefix}${own}`, partitions: 3 },
      warehouse: { type: 'duckdb', path: 'health.duckdb', publish_every_s: 0 },
      service: { base_url: service.url, key: service.key, deadline_s: 5, deadline_total_s: 10 },
      historical_pulls: { calls_a_minute: 600, fastest_s: 1, settled_h: 0.001 },
    };
    writeFileSync(join(folder, 'aorta.yaml'), JSON.stringify(configuration));
    return folder;
  }

  function start(folder: string): ChildProcess {
    const child = spawn(process.execPath, [program, 'run', '--no-supervise', '--only', 'ingestion', '--only', 'enrichment'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', openSync(join(folder, 'run.log'), 'a')],
    });
    running.push(child);
    return child;
  }

  async function ended(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
    return child.exitCode;
  }

  const times = (begins: string): number => service.asked().filter((path) => path.startsWith(begins)).length;
  const fetches = (workout: Workout): number => times(`/v2/timeseries/workouts/${workouts[workout]}/stream`);

  const logsOf = (folders: readonly string[]): string =>
    folders.map((folder) => readFileSync(join(folder, 'run.log'), 'utf8')).join('\n');
  /** Waits until the workers in these folders have done something. The error contains their logs. */
  const done = (what: string, is: () => boolean | Promise<boolean>, ...folders: readonly string[]): Promise<boolean> =>
    until(what, is, true, () => logsOf(folders));

  const event = (offset: number, type: string, data: object): string =>
    JSON.stringify({
      source: 'hub',
      partition: 0,
      offset,
      received_at: `2026-01-11T00:00:${String(offset).padStart(2, '0')}Z`,
      body: { event_type: type, user_id: user, data },
    });
  const announce = (offset: number, workout: Workout): string =>
    event(offset, 'daily.data.workout_stream.created', {
      workout_id: workouts[workout],
      provider_id: 'p',
      source: { provider: 'oura' },
    });

  test('a job runs once, resumes on another worker after kill -9, and keeps its state when retention drops records', async () => {
    const late = { path: `/v2/timeseries/workouts/${workouts.late}/stream` };
    await service.control.plan([{ match: late, effect: { kind: 'status', status: 400 } }]);
    expect(await pull()).toMatchObject({ status: 'retrying', error_details: 'provider_unavailable' });
    const { data: counts } = await call<{ data: { provider: Record<string, Json> }[] }>(service, '/v2/introspect/resources');
    const sent = Object.values(counts[0]!.provider).flatMap(Object.keys);
    const [order] = orders;
    const result = `/v3/order/${order}/result`;
    const first = place('first', [
      ...(['w-1', 'w-2', 'late', 'w-3', 'big'] as const).map((workout, index) => announce(index + 1, workout)),
      event(8, 'labtest.order.updated', await call(service, `/v3/order/${order}`)),
      event(9, 'provider.connection.created', {
        user_id: user,
        provider: { name: 'Oura', slug: 'oura', logo: '' },
        resource_availability: { sleep: { status: 'available' } },
      }),
    ]);
    const second = place('second', []);
    expect(await aorta(first, ['apply'])).toMatchObject({ code: 0 });

    const settings = kafkaStreamsOptions.parse({ type: 'kafka', brokers: broker.brokers, prefix });
    const client = openKafka(streamsConnection(settings, 'test'), { logger: silentLogger });
    const tracks = async (): Promise<number> =>
      (await client.admin.bounds(topicOf(settings, 'historical_pull_tracks'))).reduce((sum, { end }) => sum + end, 0);
    const kept = async (job: string): Promise<string[]> => [...(await keptEntries(client, `${prefix}_state`, job)).keys()];
    const lost = start(first);
    const polled = async (job: string): Promise<boolean> => (await kept(job)).includes('["endedAt"]');
    const owedIsKept = async (): Promise<boolean> => {
      const names = await kept('service-workout-streams');
      return names.some((name) => name.startsWith('["read"')) && names.filter((name) => name.startsWith('["owed"')).length === 1;
    };
    const announced = () => fetches('late') > 0 && fetches('big') > 0 && times(result) === 1;
    await done('every request', announced, first);
    for (const job of ['service-users', 'service-lab-catalogue', 'service-completeness'])
      await done(`the saved state of ${job}`, () => polled(job), first);
    await done('the saved state of owed fetches', owedIsKept, first);
    expect(times('/v2/introspect/historical_pull')).toBeGreaterThan(0);
    await ended(lost, 'SIGKILL');
    await service.control.plan([]);

    const [failed, before] = [fetches('late'), await tracks()];
    const next = start(second);
    await done('the owed fetch', () => fetches('late') > failed, second);
    await done('a new track', async () => (await tracks()) > before, second);
    // The lost worker fetched this data, and no other worker fetches it again.
    expect((['w-1', 'w-2', 'w-3', 'big'] as const).map(fetches)).toEqual([1, 1, 1, 1]);
    expect([times('/v2/user?'), times(result)]).toEqual([1, 1]);

    // Two workers share the jobs, and a worker that stops hands over its jobs.
    const third = place('third', [announce(1, 'new')]);
    const beside = start(third);
    await done('the new fetch', () => fetches('new') === 1, second, third);
    expect(await ended(next, 'SIGTERM')).toBe(0);
    const heard = await tracks();
    await pass(120);
    expect(await pull()).toMatchObject({ status: 'retrying', error_details: 'transport_failure' });
    await done('a newer track', async () => (await tracks()) > heard, third);
    expect(await ended(beside, 'SIGTERM')).toBe(0);
    expect((await kept('historical-pulls')).filter((name) => name.startsWith('user/'))).toEqual([`user/${user}`]);

    // Retention drops the records with the evidence about the pull, but the tracker still follows the pull.
    for (const stream of ['connections', 'introspection_polls'] as const) {
      const topic = topicOf(settings, stream);
      const ends = (await client.admin.bounds(topic)).map(({ end }) => end);
      for (const [partition, end] of ends.entries()) if (end > 0) await dropRecords(broker.brokers[0]!, topic, partition, end);
    }
    const known = await tracks();
    await pass(HOUR_S);
    expect(await pull()).toMatchObject({ status: 'success', days_with_data: 0 });
    const last = start(third);
    await done('the last track', async () => (await tracks()) > known, third);
    await client.close();
    expect(await ended(last, 'SIGTERM')).toBe(0);
    expect((['w-1', 'w-2', 'w-3', 'new'] as const).map(fetches)).toEqual([1, 1, 1, 1]);
    expect(times('/v2/user?')).toBe(1);
    expect(new Set(service.requests().map(({ key_header }) => key_header))).toEqual(new Set(['x-service-api-key']));
    const written = logsOf([first, second, third]);
    expect([written.includes(user), written.includes('"level":"error"')]).toEqual([false, false]);

    expect(await aorta(third, ['run', '--once', '--only', 'loading'])).toMatchObject({ code: 0 });
    const select = async (sql: string): Promise<unknown> => {
      const { code, stdout, stderr } = await aorta(third, ['query', sql, '--json']);
      expect([code, stderr]).toEqual([0, '']);
      return JSON.parse(stdout);
    };
    expect(await select('select workout_id, len(points) as points from workout_streams order by 1')).toEqual(
      Object.values(workouts).map((workout_id) => ({ workout_id, points: workout_id === workouts.big ? BIG_POINTS : 2 })),
    );
    const { results } = await call<Results>(service, result);
    expect(await select('select order_id, result from lab_results_items order by ordinal')).toEqual(
      results.map(({ result }) => ({ order_id: order, result })),
    );
    expect(await select('select state, returned from user_states')).toEqual([{ state: 'present', returned: false }]);
    const { total } = await call<{ total: number }>(service, '/v3/lab_tests/markers');
    const { data: labTests } = await call<{ data: Json[] }>(service, '/v3/lab_test?lab_test_limit=100');
    expect(
      await select("select source, count(*) as n from deliveries where source like 'service-%' group by all order by all"),
    ).toMatchObject([
      { source: 'service-completeness', n: sent.length },
      { source: 'service-lab-catalogue', n: total + labTests.length },
      { source: 'service-lab-results', n: 1 },
      { source: 'service-users' },
      { source: 'service-workout-streams', n: 6 },
    ]);
    const ofSleep = "provider = 'oura' and resource = 'sleep'";
    expect(
      await select(
        `select to_state from historical_pull_changes where from_state is distinct from to_state and ${ofSleep} order by changed_at, ordinal`,
      ),
    ).toEqual(['expected', 'retrying', 'success'].map((to_state) => ({ to_state })));
    expect(await select(`select reason from historical_pull_board where ${ofSleep}`)).toEqual([
      { reason: 'done, and no day of the range had data' },
    ]);
  });

  test('a killed backfill resumes, and repeating the backfill adds nothing', async () => {
    await service.control.plan([{ match: { operation: 'get_heartrate_grouped' }, effect: { kind: 'hang' } }]);
    const folder = place('backfill', [], 'backfill.');
    const question = ['--user', user, '--from', '2026-01-01', '--to', '2026-01-02', '--window-days', '1'];
    const words = ['backfill', ...question, '--resource', 'sleep', 'heartrate', 'weight', 'orders'];
    expect(await aorta(folder, ['apply'])).toMatchObject({ code: 0 });
    const child = spawn(process.execPath, [program, ...words], { cwd: folder, stdio: 'ignore' });
    running.push(child);
    await until('the hanging request', async () => child.exitCode !== null || (await service.control.hasApplied('hang')));
    await ended(child, 'SIGKILL');
    await service.control.plan([]);
    expect(child.signalCode).toBe('SIGKILL');

    const counts = `select (select count(*) from sleep) as sleep, (select count(*) from heartrate) as heartrate,
      (select count(*) from weight) as weight, (select string_agg(id, ' ' order by id) from lab_orders) as orders,
      (select string_agg(resource || ' ' || provider || ' ' || objects, ', ' order by resource, provider) from backfills) as backfills,
      (select count(*) from (select distinct event_type, delivery_id from deliveries)) as deliveries`;
    const held: unknown[] = [];
    for (let time = 0; time < 2; time++) {
      expect(await aorta(folder, words)).toMatchObject({ code: 0 });
      held.push(JSON.parse((await aorta(folder, ['query', counts, '--json'])).stdout)[0]);
    }
    expect(held[0]).toMatchObject({
      sleep: 2,
      heartrate: 2 * (24 + 6),
      weight: 2,
      orders: orders.toSorted().join(' '),
      backfills: 'heartrate fitbit 12, heartrate oura 48, sleep fitbit 1, sleep oura 1, weight fitbit 2',
    });
    expect(held[1]).toEqual(held[0]);
  });
});
