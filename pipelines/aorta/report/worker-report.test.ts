import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDbError } from '@aorta/connectors/duckdb';
import type { Upcoming } from '@aorta/loading';
import { ownIdentity, Progress, silentLogger, writeDurably } from '@aorta/runtime';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { damagesOf } from '../../../infra/machine/damage.fixture.ts';
import { clockChanges } from '../../../infra/machine/system-clock.fixture.ts';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import type { SourceStatus } from './source-status.ts';
import {
  type KeepingOptions,
  keepWorkerReport,
  readReports,
  readSourceStatus,
  sourceOutages,
  type WorkerReport,
  workerReport,
} from './worker-report.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-report-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const waiting: Upcoming = {
  landings: [],
  merges: [{ table: 'timeseries', range: 'old', batches: 2, rows: 300, landedAt: 1_000, dueAt: 601_000, dueAtRows: 500_000 }],
  publicationDueAt: null,
  waits: [{ reason: 'loads of the project in a day', since: 2_000, dueAt: 62_000 }],
};

function options(more: Partial<KeepingOptions> = {}): KeepingOptions {
  return {
    place: { streams: folder, warehouse: join(folder, 'w.duckdb') },
    parts: ['loading'],
    clients: [],
    sources: [],
    supervisor: null,
    progress: new Progress(),
    upcoming: () => undefined,
    logger: silentLogger,
    ...more,
  };
}

const place = (): { streams: string } => ({ streams: folder });
const sourceStatus = () => readSourceStatus({ place: { streams: folder, warehouse: '' } });
const files = (): string[] => readdirSync(join(folder, 'workers'));

/** Writes the report of another process that no longer exists. */
async function left(pid: number, more: object): Promise<void> {
  const [name = ''] = files();
  const own = workerReport.parse(JSON.parse(readFileSync(join(folder, 'workers', name), 'utf8')));
  const gone = { ...own.process, pid, started: '1' };
  await writeDurably(join(folder, 'workers', `box-${pid}.json`), { ...own, process: gone, ...more });
}

test('a starting process writes a report at once, with the reason why it is not ready', async () => {
  const progress = new Progress();
  progress.wait('run', 'starting', { deadlineMs: 0 });
  progress.wait('loading', 'gathering records for a batch', { dueMs: 60_000 });
  const kept = await keepWorkerReport(options({ progress, parts: ['ingestion'], sources: ['hub'] }));
  const [report, ...others] = await readReports(place());
  expect(others).toEqual([]);
  expect(report).toMatchObject({
    process: ownIdentity(),
    parts: ['ingestion'],
    sources: ['hub'],
    starting: true,
    not_ready: ['run has waited for 0 s: starting'],
    ended_at: null,
    loader: null,
  });
  const [, gathering] = report!.waits;
  expect(Date.parse(gathering!.due_at!) - Date.parse(gathering!.since)).toBe(60_000);
  await kept.close();
});

test('a stopped process leaves a report only if merges are waiting or an error ended the process', async () => {
  await (await keepWorkerReport(options())).close();
  expect(files()).toEqual([]);
  await (await keepWorkerReport(options({ upcoming: () => waiting }))).close();
  const [stopped] = await readReports(place());
  expect(stopped).toMatchObject({
    error: null,
    loader: { merges: [{ table: 'timeseries', rows: 300, due_at: '1970-01-01T00:10:01.000Z' }] },
  });
  expect(stopped!.waits).toEqual([
    {
      part: 'warehouse',
      reason: 'loads of the project in a day',
      since: '1970-01-01T00:00:02.000Z',
      due_at: '1970-01-01T00:01:02.000Z',
    },
  ]);
  expect(stopped!.ended_at).not.toBeNull();
  await (await keepWorkerReport(options())).close(new DuckDbError('AORTA-WAREHOUSE-LOCKED', { path: 'w', holder: 'process 1' }));
  expect(await readReports(place())).toMatchObject([{ error: 'AORTA-WAREHOUSE-LOCKED' }]);
});

test('a starting process removes the report of an earlier process only if it takes over the work of that process', async () => {
  const first = await keepWorkerReport(options());
  const ended = '2026-01-01T00:00:00.000Z';
  await left(4_000_001, { parts: ['loading'] });
  await left(4_000_002, { parts: ['ingestion'] });
  await left(4_000_003, { parts: ['ingestion', 'loading'] });
  await left(4_000_004, { parts: ['ingestion', 'loading'], ended_at: ended });
  await writeDurably(join(folder, 'workers', 'later.json'), { another: 'version' });
  await first.close(new DuckDbError('AORTA-WAREHOUSE-LOCKED', { path: 'w', holder: 'process 1' }));
  const second = await keepWorkerReport(options());
  const pids = (await readReports(place())).map(({ process }) => process.pid);
  expect(pids.toSorted((a, b) => a - b)).toEqual([process.pid, 4_000_002, 4_000_003]);
  expect(files()).toContain('later.json');
  await second.close();
});

/** Reports one partition of a source. Returns the function that ends the report, as the end of a pass does. */
function read(progress: Progress, source: string, position: number): () => void {
  const lane = progress.lane({ kind: 'partition', reader: source, of: '0' }, { part: `consumer ${source}` });
  lane.report({ position, end: position + 7, state: 'reading' });
  return () => lane.end();
}

test('the status of a source is written within a second after its partitions are assigned, not only every five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const progress = new Progress();
    const kept = await keepWorkerReport(options({ progress, parts: ['ingestion'], sources: ['hub'] }));
    read(progress, 'hub', 1);
    vi.advanceTimersByTime(1_000);
    await until('the status', sourceStatus, ([first]) => first?.source === 'hub');
    await kept.close();
  } finally {
    vi.useRealTimers();
  }
});

test('the last status of a source stays known after its process has stopped, without any other part of the report', async () => {
  const progress = new Progress();
  const kept = await keepWorkerReport(options({ progress, parts: ['ingestion', 'loading'], sources: ['hub'] }));
  read(progress, 'hub', 5);
  read(progress, 'a job', 9);
  await kept.close();
  expect(await sourceStatus()).toMatchObject([
    { source: 'hub', pid: process.pid, partitions: [{ position: 5, end: 12, lag: 7 }] },
  ]);
  expect(await readReports(place())).toMatchObject([{ error: null, loader: null }]);
  expect((await readReports(place()))[0]!.ended_at).not.toBeNull();
});

test('a process takes over the status of sources that it does not read itself from the reports that it removes', async () => {
  const progress = new Progress();
  const first = await keepWorkerReport(options({ progress, sources: ['hub', 'files'] }));
  const end = read(progress, 'hub', 5);
  read(progress, 'files', 6);
  await first.close();
  const [report] = await readReports(place());
  const [files, hub] = report!.source_status as [WorkerReport['source_status'][number], WorkerReport['source_status'][number]];
  const old = { ...hub, pid: 4_000_001, as_of: '2026-01-01T00:00:00.000Z', source: 'old' };
  await left(4_000_001, { source_status: [old, { ...files, as_of: old.as_of }] });
  end();
  const second = await keepWorkerReport(options({ parts: ['loading'] }));
  await second.close();
  expect(await readReports(place())).toHaveLength(1);
  expect(await sourceStatus()).toEqual([files, hub, old]);
});

test('only recent reports tell outages of sources', async () => {
  const progress = new Progress();
  const kept = await keepWorkerReport(options({ progress, sources: ['hub'] }));
  const end = progress.outage({ reader: 'hub', of: 'hub health', partitions: '' }, 'no answer', { since: 0, deadlineMs: 0 });
  await kept.close();
  const [status] = await sourceStatus();
  const told = Date.parse(status!.as_of);
  const setting = { place: { streams: folder, warehouse: '' } };
  expect(await sourceOutages(setting, told + 14_999)).toEqual([
    { source: 'hub', of: 'hub health', reason: 'no answer', since: '1970-01-01T00:00:00.000Z' },
  ]);
  expect(await sourceOutages(setting, told + 15_000)).toEqual([]);
  end();
});

test.each(clockChanges)(
  'after the clock is %s, the report has the new time within seconds, and the position of each source',
  async (_, jump) => {
    vi.useFakeTimers({ toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const now = (): number => vi.getMockedSystemTime()!.getTime();
    const progress = new Progress();
    const lane = progress.lane({ kind: 'partition', reader: 'hub', of: '0' }, { part: 'consumer hub' });
    const position = (next: number): void => lane.report({ position: next, end: 9, state: 'reading' });
    position(5);
    const kept = await keepWorkerReport(options({ progress, parts: ['ingestion'], sources: ['hub'] }));
    progress.wait('hub', 'no answer');
    vi.setSystemTime(now() + jump);
    position(6);
    vi.advanceTimersByTime(6_000);
    const moved = now();
    const written = ([status]: readonly SourceStatus[]): boolean => status?.partitions[0]?.position === 6;
    const [status] = await until('the status after the change', sourceStatus, written);
    const [report] = await readReports(place());
    const shown = [report!.as_of, report!.waits[0]!.since, status!.as_of, status!.partitions[0]!.moved_at];
    expect(shown.map((time) => Math.abs(Date.parse(time) - moved)).every((apart) => apart < 7_000)).toBe(true);
    await kept.close();
  },
);

test('reports in an unknown form are ignored', async () => {
  await (await keepWorkerReport(options({ upcoming: () => waiting }))).close();
  const [report] = await readReports(place());
  const { source_status: _, ...older } = report!;
  await writeDurably(join(folder, 'workers', 'older.json'), older);
  expect(await readReports(place())).toEqual([report]);
  await (await keepWorkerReport(options())).close();
});

test('a damaged report is ignored', async () => {
  await (await keepWorkerReport(options({ upcoming: () => waiting }))).close();
  const [name = ''] = files();
  const path = join(folder, 'workers', name);
  for (const { what, content } of damagesOf(readFileSync(path), 97)) {
    writeFileSync(path, content);
    expect([what, await readReports(place())]).toEqual([what, []]);
  }
});
