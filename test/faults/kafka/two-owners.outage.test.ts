import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KafkaClient, openKafka } from '@aorta/connectors/kafka/client';
import { dropRecords, type ProvidedBroker, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { silentLogger } from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { aorta } from '../../e2e/command.ts';
import { addUser, connect, serveTeam } from '../../reference-service/team.ts';
import { addWorkoutStream } from '../../reference-service/workout-streams.ts';
import { processState } from '../stage/process-state.ts';
import { keptEntries } from './kept-entries.ts';

/**
 * Freezes the owner of an enrichment job for longer than its session, lets another process take the job over, and then wakes the
 * former owner. The outcome must be that of a run in which the first owner stops normally.
 */

const problem = await whyNoBroker();
const program = join(import.meta.dirname, 'owner.process.ts');
const USER = '11111111-1111-4111-8111-111111111111';

describe.skipIf(problem !== undefined)('two owners of a job', () => {
  const root = mkdtempSync(join(tmpdir(), 'aorta-owners-'));
  const running: ChildProcess[] = [];
  let broker: ProvidedBroker;
  let client: KafkaClient;
  beforeAll(async () => {
    broker = await provideBroker();
    client = openKafka({ brokers: broker.brokers, clientId: 'test' }, { logger: silentLogger });
  });
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    await client?.close();
    await broker?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  /** An installation with its own topics. */
  function installation(more: object) {
    const prefix = `${randomUUID()}.`;
    const folderOf = (name: string): string => {
      const folder = mkdtempSync(join(root, `${name}-`));
      const configuration = {
        sources: [{ type: 'files', name: 'hub', paths: ['events'] }],
        streams: { type: 'kafka', brokers: broker.brokers, prefix, partitions: 1 },
        warehouse: { type: 'duckdb', path: 'health.duckdb' },
        ...more,
      };
      writeFileSync(join(folder, 'aorta.yaml'), JSON.stringify(configuration));
      return folder;
    };
    const main = folderOf('main');
    const succeeds = async (words: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await aorta(main, words);
      expect(code, stderr).toBe(0);
      return stdout;
    };
    const end = async (stream: StreamName): Promise<number> => (await client.admin.bounds(`${prefix}${stream}`))[0]!.end;
    let files = 0;
    mkdirSync(join(main, 'events'));
    return {
      end,
      create: () => succeeds(['apply']),
      ingest: async (...events: readonly object[]): Promise<void> => {
        writeFileSync(join(main, 'events', `${++files}.ndjson`), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
        await succeeds(['run', '--once', '--only', 'ingestion']);
      },
      owner: (name: string, job: string, stream: StreamName | '-', now = '-') => new Owner(folderOf(name), [job, stream, now]),
      /** Waits until a stream has this many records. */
      records: (stream: StreamName, count: number) => until(`${count} records in ${stream}`, () => end(stream), count),
      /** Waits until the group of a job has read these streams, and everything that follows from their records is durable. */
      heard: (group: string, streams: readonly StreamName[]) =>
        until(
          `${group} at the end of ${streams.join(' and ')}`,
          async () => {
            const lags = streams.map(async (stream) => {
              const [committed] = await client.admin.committed(`${prefix}${group}`, `${prefix}${stream}`);
              return (await end(stream)) - (committed ?? 0);
            });
            return await Promise.all(lags);
          },
          (lags) => lags.every((lag) => lag === 0),
        ),
      drop: async (stream: StreamName) => dropRecords(broker.brokers[0]!, `${prefix}${stream}`, 0, await end(stream)),
      load: () => succeeds(['run', '--once', '--only', 'loading']),
      rows: async (sql: string): Promise<unknown[]> => JSON.parse(await succeeds(['query', '--json', sql])),
      state: async (job: string) => {
        const entries = await keptEntries(client, `${prefix}_state`, job);
        return Object.fromEntries([...entries].map(([name, text]) => [name, withoutIncarnation(JSON.parse(text))]));
      },
    };
  }

  /** A process that runs enrichment. */
  class Owner {
    readonly folder: string;
    readonly child: ChildProcess;

    constructor(folder: string, words: readonly string[]) {
      this.folder = folder;
      const stdio = ['ignore' as const, 'ignore' as const, openSync(join(folder, 'log'), 'a')];
      this.child = spawn(process.execPath, [program, folder, ...words], { cwd: folder, stdio });
      running.push(this.child);
    }

    get log(): string {
      return readFileSync(join(this.folder, 'log'), 'utf8');
    }

    /** Lets the process freeze at the next such moment. */
    freezeAt(moment: 'state' | 'records'): void {
      writeFileSync(join(this.folder, `freeze-${moment}`), '');
    }

    async frozen(): Promise<void> {
      await until(
        'a frozen process',
        () => processState(this.child.pid!),
        (state) => state.includes('state T'),
        () => this.log,
      );
    }

    thaw(): void {
      this.child.kill('SIGCONT');
    }

    stop(): void {
      this.child.kill('SIGTERM');
    }

    async ended(): Promise<void> {
      if (this.child.exitCode === null) await once(this.child, 'exit');
      expect(this.child.exitCode, this.log).toBe(0);
    }
  }

  const event = (offset: number, type: string, data: object, user = USER): object => ({
    source: 'hub',
    partition: 0,
    offset,
    received_at: `2026-01-11T00:00:${String(offset).padStart(2, '0')}Z`,
    body: { event_type: type, user_id: user, data },
  });

  /** Plays the life of a tracker with three owners, one after the other. If `freezes`, the first one freezes inside the last write of its state. */
  async function track(freezes: boolean) {
    const at = installation({ historical_pulls: {} });
    const job = 'historical-pulls';
    const evidence = ['connections', 'historical_completions'] as const;
    const source = { name: 'Oura', slug: 'oura', logo: '' };
    const connected = { user_id: USER, provider: source, resource_availability: { sleep: { status: 'available' } } };
    const completed = { user_id: USER, provider: 'oura', start_date: '2025-12-01', end_date: '2026-01-10', is_final: true };
    await at.create();
    await at.ingest(event(1, 'provider.connection.created', connected));
    const first = at.owner('first', job, '-');
    await at.heard(job, evidence);
    if (freezes) first.freezeAt('state');
    first.stop();
    await (freezes ? first.frozen() : first.ended());

    const second = at.owner('second', job, '-');
    await at.ingest(event(2, 'historical.data.sleep.created', completed));
    await at.heard(job, evidence);
    second.stop();
    await second.ended();
    // Retention removes the evidence, so that only the state has it.
    for (const stream of evidence) await at.drop(stream);
    first.thaw();
    await first.ended();

    const third = at.owner('third', job, '-');
    await at.ingest(event(3, 'historical.data.sleep.created', { ...completed, end_date: '2026-01-11' }));
    await at.heard(job, evidence);
    third.stop();
    await third.ended();
    await at.load();
    return {
      state: await at.state(job),
      board: await at.rows('select * exclude (_loaded_at) from historical_pull_board'),
      tracks: await at.rows('select * exclude (_loaded_at) from historical_pull_tracks'),
      log: first.log,
    };
  }

  /** Fetches the points of two workouts. If `freezes`, the owner freezes when it has the answers, before it appends them. */
  async function fetchWorkouts(freezes: boolean) {
    // The clocks stand still, so that both owners emit in the same millisecond.
    const now = String(Date.UTC(2026, 1, 1));
    await using service = await serveTeam({ start: Number(now), runs: false });
    const workouts = ['22222222-2222-4222-8222-222222222222', '33333333-3333-4333-8333-333333333333'];
    const user = await addUser(service, 'somebody');
    await connect(service, user, 'oura');
    for (const workout of workouts)
      await addWorkoutStream(service, user, workout, { time: [1_767_225_600, 1_767_225_601], heartrate: [100, 101] });
    const fetch = { users_s: 0, lab_catalogue_s: 0, completeness_s: 0, lab_results: false };
    const at = installation({ service: { base_url: service.url, key: service.key, fetch } });
    const job = 'service-workout-streams';
    await at.create();
    const announced = { provider_id: 'p', source: { provider: 'oura' } };
    await at.ingest(
      ...workouts.map((workout_id, index) =>
        event(index + 1, 'daily.data.workout_stream.created', { workout_id, ...announced }, user),
      ),
    );
    const first = at.owner('first', job, 'workout_streams', now);
    if (freezes) {
      first.freezeAt('records');
      await first.frozen();
      const second = at.owner('second', job, 'workout_streams', now);
      await at.heard(job, ['workout_stream']);
      await at.records('workout_streams', 2);
      second.stop();
      await second.ended();
      first.thaw();
    }
    await at.records('workout_streams', freezes ? 4 : 2);
    await at.heard(job, ['workout_stream']);
    first.stop();
    await first.ended();
    await at.load();
    return {
      table: await at.rows('select workout_id, user_id, points from workout_streams order by workout_id'),
      deliveries: await at.rows(`select source_partition, source_offset from deliveries where source = '${job}'`),
    };
  }

  test('two owners that fetch the same answers in the same millisecond keep one delivery each', async () => {
    const [frozen, calm] = [await fetchWorkouts(true), await fetchWorkouts(false)];
    expect(frozen.table.map(withoutUser)).toEqual(calm.table.map(withoutUser));
    expect([frozen.deliveries.length, calm.deliveries.length]).toEqual([4, 2]);
  });

  test('the state and the board of the tracker are those of a run in which no owner freezes', async () => {
    const [frozen, calm] = [await track(true), await track(false)];
    expect(frozen.state).toEqual(calm.state);
    expect(frozen.tracks).toEqual(calm.tracks);
    expect(frozen.board).toEqual(calm.board);
    expect(frozen.log).toMatch(/"code":"AORTA-STREAM-STATE-TAKEN".*"msg":"job stopped"/);
    expect(calm.log).not.toContain('job stopped');
  });
});

/** Removes the id of the user, which the service chooses. */
function withoutUser(row: unknown): object {
  const { user_id: _, ...rest } = row as { readonly user_id: string };
  return rest;
}

/** Removes the identity of a topic, which differs in each run. */
function withoutIncarnation(content: unknown): unknown {
  if (typeof content !== 'object' || content === null || !('incarnation' in content)) return content;
  const { incarnation: _, ...rest } = content;
  return rest;
}
