import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { aorta } from './command.ts';
import { contents } from './demo-tables.ts';

const bin = join(import.meta.dirname, '../../pipelines/aorta/bin/aorta.js');
const small = ['demo', '--people', '3', '--days', '4', '--until', '2026-04-01'];
const root = mkdtempSync(join(tmpdir(), 'aorta-demo-'));
/** Processes that are still running. A test that fails halfway leaves its process here. */
const running = new Set<ChildProcess>();

afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

function folderOf(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  return folder;
}

function start(folder: string, words: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<string> } {
  const child = spawn(process.execPath, [bin, ...words], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  let err = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = new Promise<string>((done) => child.once('close', (code, signal) => done(`${code ?? signal}\n${err}`)));
  void ended.then(() => running.delete(child));
  return { child, ended };
}

test('gives the same tables after a signal and a kill -9 as without an interruption', async () => {
  const folder = folderOf('interrupted');
  const first = start(folder, small);
  const log = join(folder, 'aorta-demo', 'service', 'service.sqlite');
  await until(log, () => existsSync(log));
  first.child.kill('SIGINT');
  expect(await first.ended).toMatch(/^130\n(.*\n)*Stopped\. Run the same command again to start over\./);
  const marker = join(folder, 'aorta-demo', 'demo.json');
  expect(JSON.parse(readFileSync(marker, 'utf8'))).toMatchObject({ finished: false });
  const second = start(folder, small);
  const warehouse = join(folder, 'aorta-demo', 'warehouse.duckdb');
  await until(warehouse, () => existsSync(warehouse));
  second.child.kill('SIGKILL');
  expect(await second.ended).toMatch(/^SIGKILL/);
  const last = await aorta(folder, small);
  expect(last.code, last.stderr).toBe(0);
  const other = folderOf('uninterrupted');
  expect(await aorta(other, small)).toMatchObject({ code: 0 });
  expect(await contents(folder)).toEqual(await contents(other));
  const another = await aorta(other, [...small, '--seed', '3', '--json']);
  expect(another.code, another.stderr).toBe(0);
  expect(await contents(other)).not.toEqual(await contents(folder));
});
