import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { aorta } from './command.ts';

/** Tests `aorta status` while real processes run. It shows workers, their partitions, and landed rows that wait for a merge. */

const program = join(import.meta.dirname, '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');
const root = mkdtempSync(join(tmpdir(), 'aorta-status-'));
const running = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of running) await ended(child, 'SIGKILL');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const EVENTS = 40;
/** Returns old heart rates, one per event. They are merged ten minutes after they are landed. */
function oldSamples(): string {
  return Array.from({ length: EVENTS }, (_, index) => {
    const source = { source_provider: 'oura', source_type: 'ring', source: { provider: 'oura', type: 'ring' } };
    const sample = {
      id: index,
      timestamp: new Date(Date.UTC(2024, 0, 1) + index * 60_000).toISOString(),
      timezone_offset: 0,
      type: 'automatic',
      unit: 'bpm',
      value: 60,
    };
    const data = { user_id: `u-${index % 10}`, source_id: 1, priority_id: null, ...source, data: [sample] };
    const event = {
      event_type: 'daily.data.heartrate.created',
      user_id: `u-${index % 10}`,
      client_user_id: 'c',
      team_id: 't',
      data,
    };
    return `${JSON.stringify(event)}\n`;
  }).join('');
}

function place(name: string, more: object = {}): string {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  const sources = [{ type: 'files', name: 'inbox', paths: [join(root, 'in')], poll_s: 1 }];
  const warehouse = { type: 'duckdb', path: 'w.duckdb', publish_every_s: 1 };
  writeFileSync(join(folder, 'aorta.yaml'), JSON.stringify({ sources, warehouse, ...more }));
  return folder;
}

/** Starts a process without a supervisor, so that status shows its pid. */
function start(folder: string, ...words: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [program, 'run', '--no-supervise', ...words], { cwd: folder, stdio: 'ignore' });
  running.add(child);
  return child;
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  running.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

interface Status {
  readonly workers: readonly {
    readonly pid: number | null;
    readonly client: string | null;
    readonly parts: readonly string[];
    readonly state: string;
    readonly partitions: readonly { readonly of: string; readonly partition: number; readonly lag: number }[];
  }[];
  readonly streams: readonly { readonly records: number; readonly landed: number; readonly lag: number }[];
  readonly waiting: {
    readonly merges: readonly {
      readonly table: string;
      readonly range: string;
      readonly rows: number;
      readonly landed_at: string;
      readonly due_at: string;
    }[];
  } | null;
  readonly tables: Readonly<Record<string, number>> | null;
}

async function statusOf(folder: string): Promise<Status> {
  const { code, stdout, stderr } = await aorta(folder, ['status', '--json']);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Status;
}

const textOf = async (folder: string): Promise<string> => (await aorta(folder, ['status'])).stdout;

/** Returns the first status for which `holds` returns true. */
const shows = (folder: string, what: string, holds: (status: Status) => boolean): Promise<Status> =>
  until(what, () => statusOf(folder), holds);

const workers = ({ workers: all }: Status): readonly (readonly [number | null, string, string])[] =>
  all.map(({ pid, parts, state }) => [pid, parts.join(' and '), state]);
const oldMerge = ({ waiting }: Status) => waiting?.merges.find(({ table, range }) => table === 'timeseries' && range === 'old');

/** Checks that the merge of the old samples is due ten minutes after they were landed. */
function expectOldMerge(status: Status): void {
  const merge = oldMerge(status)!;
  expect(merge.rows).toBe(EVENTS);
  expect(Date.parse(merge.due_at) - Date.parse(merge.landed_at)).toBe(600_000);
  expect(status.tables?.timeseries).toBeUndefined();
}

mkdirSync(join(root, 'in'));
writeFileSync(join(root, 'in', 'old.ndjson'), oldSamples());

test('with local streams, status shows a running or crashed process, and rows that still wait for a merge after the process stops', async () => {
  const folder = place('local');
  expect(await statusOf(folder)).toMatchObject({ workers: [], waiting: null });
  const child = start(folder);
  const status = await shows(
    folder,
    'the landed rows',
    (one) => oldMerge(one) !== undefined && one.workers[0]?.state === 'ready',
  );
  expect(workers(status)).toEqual([[child.pid, 'ingestion and loading', 'ready']]);
  expectOldMerge(status);
  const text = await textOf(folder);
  expect(text).toMatch(new RegExp(`^process ${child.pid} on \\S+ +ingestion, loading +ready .* inbox; timeseries$`, 'm'));
  expect(text).toMatch(
    /^timeseries {2}old +40 {2}.* ago {2}in \d min \d+ s, at (\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\dZ, or at 500,000 rows$/m,
  );

  await ended(child, 'SIGKILL');
  const dead = await statusOf(folder);
  expect(workers(dead)).toEqual([[child.pid, 'ingestion and loading', 'died']]);
  expectOldMerge(dead);
  expect(await textOf(folder)).toMatch(
    /Nothing is running\.\nProcess \d+ on \S+ \(ingestion and loading\) died; its last report was /,
  );

  const next = start(folder);
  const again = await shows(folder, 'a worker that is ready', (one) => one.workers.some(({ state }) => state === 'ready'));
  // The new process replaces the crashed one.
  expect(workers(again)).toEqual([[next.pid, 'ingestion and loading', 'ready']]);
  await ended(next, 'SIGTERM');
  const stopped = await statusOf(folder);
  expect(workers(stopped)).toEqual([]);
  expectOldMerge(stopped);
  expect(await textOf(folder)).toContain('No loader is running. The next `aorta run` merges these rows');

  expect(await aorta(folder, ['run', '--once', '--only', 'loading'])).toMatchObject({ code: 0 });
  expect(await statusOf(folder)).toMatchObject({ workers: [], waiting: { merges: [] }, tables: { timeseries: EVENTS } });
});

const problem = await whyNoBroker();

describe.skipIf(problem !== undefined)('status with streams in Kafka topics', () => {
  test('in either data folder, status shows the ingesting and the loading worker, and a crash of the loading worker', async () => {
    const broker = await provideBroker();
    try {
      const streams = { type: 'kafka', brokers: broker.brokers, prefix: 'status.', partitions: 2 };
      const [ingesting, loading] = [place('ingesting', { streams }), place('loading', { streams })];
      expect(await aorta(ingesting, ['apply'])).toMatchObject({ code: 0 });
      expect((await statusOf(ingesting)).workers).toEqual([]);

      const ingestion = start(ingesting, '--only', 'ingestion');
      await shows(ingesting, 'the records of all events', ({ streams: [one] }) => one?.records === EVENTS);
      // In the other data folder, status can learn about this process only from the brokers.
      const seen = await shows(loading, 'the ingesting worker', (status) => status.workers.length === 1);
      expect(seen.workers).toMatchObject([{ pid: null, parts: ['ingestion'], state: 'member' }]);
      expect(seen.workers[0]!.client).toMatch(new RegExp(`^aorta-ingestion-.*-${ingestion.pid}$`));
      expect(workers(await statusOf(ingesting))).toEqual([[ingestion.pid, 'ingestion', 'ready']]);
      expect(await textOf(loading)).not.toContain('Nothing is running');
      // While the brokers are unreachable, status still shows the processes of this data folder.
      const away = JSON.stringify({ ...streams, brokers: ['127.0.0.1:9'] });
      const warehouse = '{ type: duckdb, path: ./w.duckdb }';
      writeFileSync(join(ingesting, 'away.yaml'), `streams: ${away}\nwarehouse: ${warehouse}\n`);
      const unreachable = await aorta(ingesting, ['status', '--config', 'away.yaml']);
      expect(unreachable).toMatchObject({ code: 75, stderr: expect.stringContaining('AORTA-KAFKA-UNREACHABLE') });
      expect(unreachable.stdout).toMatch(new RegExp(`\\b${ingestion.pid}\\b`));

      const loader = start(loading, '--only', 'loading');
      const loaded = (status: Status): boolean => status.streams[0]?.landed === EVENTS && oldMerge(status) !== undefined;
      const both = await shows(
        loading,
        'the landed rows',
        (one) => loaded(one) && one.workers.some(({ state }) => state === 'ready'),
      );
      expect(both.streams).toMatchObject([{ records: EVENTS, landed: EVENTS, lag: 0 }]);
      expectOldMerge(both);
      const own = both.workers.find(({ pid }) => pid === loader.pid)!;
      expect(own).toMatchObject({ parts: ['loading'], state: 'ready' });
      expect(own.partitions).toEqual(
        [0, 1].map((partition) => ({ part: 'loading', group: 'warehouse', of: 'timeseries', partition, lag: 0 })),
      );
      expect(both.workers.map(({ parts }) => parts.join(' and ')).sort()).toEqual(['ingestion', 'loading']);

      const fromOther = await statusOf(ingesting);
      const member = fromOther.workers.find(({ parts }) => parts.includes('loading'))!;
      expect(member).toMatchObject({ pid: null, state: 'member', partitions: own.partitions });
      expect(member.client).toMatch(new RegExp(`-${loader.pid}$`));

      await ended(loader, 'SIGKILL');
      const dead = await statusOf(loading);
      expect(dead.workers.find(({ pid }) => pid === loader.pid)).toMatchObject({ state: 'died' });
      expectOldMerge(dead);
      await ended(ingestion, 'SIGTERM');
      // The process leaves its consumer group when it stops, so its session need not expire first.
      expect((await statusOf(ingesting)).workers.filter(({ parts }) => parts.includes('ingestion'))).toEqual([]);
    } finally {
      await broker.stop();
    }
  });
});
