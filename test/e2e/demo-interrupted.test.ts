import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { ownRows } from '../reference-service/record/differences.ts';
import { inTables } from '../reference-service/record/tables.ts';
import { aorta } from './command.ts';
import { contents, differencesFromService, undecided } from './demo-tables.ts';

const bin = join(import.meta.dirname, '../../pipelines/aorta/bin/aorta.js');
const small = ['demo', '--people', '3', '--days', '4', '--until', '2026-04-01'];
const root = mkdtempSync(join(tmpdir(), 'aorta-demo-'));
/** Processes that are still running. A test that fails halfway leaves its process here. */
const running = new Set<ChildProcess>();

afterAll(() => {
  for (const child of running) killed(child);
  rmSync(root, { recursive: true, force: true });
});

function folderOf(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  return folder;
}

function start(folder: string, words: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<string> } {
  const child = spawn(process.execPath, [bin, ...words], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  running.add(child);
  let err = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = new Promise<string>((done) => child.once('close', (code, signal) => done(`${code ?? signal}\n${err}`)));
  void ended.then(() => running.delete(child));
  return { child, ended };
}

/** Kills a process and its children at once. */
function killed({ pid }: ChildProcess): void {
  process.kill(-pid!, 'SIGKILL');
}

let plain: Promise<string> | undefined;
/** Returns the folder of an uninterrupted run. */
function uninterrupted(): Promise<string> {
  plain ??= (async () => {
    const folder = folderOf('uninterrupted');
    expect(await aorta(folder, small)).toMatchObject({ code: 0 });
    return folder;
  })();
  return plain;
}

/** Moments of a run, each as what its folder holds by then. */
const moments: readonly { readonly name: string; readonly isThere: (folder: string) => boolean }[] = [
  { name: 'before the team exists', isThere: (folder) => existsSync(join(folder, 'demo.json')) },
  { name: 'when the service exists', isThere: (folder) => existsSync(join(folder, 'service', 'service.sqlite')) },
  { name: 'when the hubs hold events', isThere: (folder) => bytesIn(folder, 'hubs/*/*.log') > 20_000 },
  { name: 'when the streams hold records', isThere: (folder) => bytesIn(folder, 'streams/**/*.avro') > 100_000 },
  { name: 'when the tables are published', isThere: (folder) => existsSync(join(folder, 'warehouse.published.duckdb')) },
];

const bytesIn = (folder: string, pattern: string): number =>
  globSync(pattern, { cwd: folder }).reduce(
    (sum, file) => sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

/** Returns the rows of the undecided tables, in an order of their own. */
const undecidedRows = (data: string): Promise<Record<string, string[]>> =>
  inTables(
    data,
    async (select) => {
      const rows: Record<string, string[]> = {};
      for (const table of undecided) rows[table] = (await ownRows(select, table)).map((row) => JSON.stringify(row)).toSorted();
      return rows;
    },
    'warehouse.duckdb',
  );

test('killed at five moments and started again each time, the tables hold what the service holds', async () => {
  const folder = folderOf('killed');
  const data = join(folder, 'aorta-demo');
  for (const [number, { name, isThere }] of moments.entries()) {
    const { child, ended } = start(folder, small);
    await until(name, () => isThere(data) || child.exitCode !== null);
    // Every second kill leaves the service and the hubs, which must end by themselves.
    if (child.exitCode === null && number % 2 === 0) killed(child);
    else child.kill('SIGKILL');
    expect(await ended, name).toMatch(/^SIGKILL/);
  }
  const last = await aorta(folder, small);
  expect(last.code, last.stderr).toBe(0);
  expect(await differencesFromService(data)).toEqual([]);

  const other = await uninterrupted();
  expect(await undecidedRows(data)).toEqual(await undecidedRows(join(other, 'aorta-demo')));
});

test('continues after Ctrl+C, changes nothing in a second run, and adds days in a later run', async () => {
  const folder = folderOf('interrupted');
  const first = start(folder, small);
  const hubs = join(folder, 'aorta-demo', 'hubs');
  await until(hubs, () => existsSync(hubs));
  first.child.kill('SIGINT');
  expect(await first.ended).toMatch(/^130\n(.*\n)*Stopped\. Run the same command again to continue\./);
  expect(await aorta(folder, small)).toMatchObject({ code: 0 });
  const before = await contents(folder);
  const second = await aorta(folder, [...small, '--json']);
  expect(JSON.parse(second.stdout)).toMatchObject({ streams: {} });
  const { users: _, ...unchanged } = before;
  expect(await contents(folder)).toMatchObject(unchanged);
  expect((await contents(await uninterrupted())).timeseries).toEqual(before.timeseries);
  const later = await aorta(folder, ['demo', '--people', '3', '--days', '4', '--until', '2026-04-03']);
  expect(later.code, later.stderr).toBe(0);
  expect(later.stdout).toContain('2026-04-03');
});

test('the same seed gives the same tables, and another seed gives other people', async () => {
  const tables = await contents(await uninterrupted());
  expect(Object.keys(tables)).toContain('timeseries');
  const again = folderOf('again');
  expect(await aorta(again, small)).toMatchObject({ code: 0 });
  expect(await contents(again)).toEqual(tables);
  const other = await aorta(again, [...small, '--seed', '3', '--json']);
  expect(other.code, other.stderr).toBe(0);
  expect((await contents(again)).timeseries).not.toEqual(tables.timeseries);
});
