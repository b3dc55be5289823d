import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { FileCopier } from './file-copier.ts';

let folder: string;
let path: string;
let copier: FileCopier;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-copier-'));
  path = join(folder, 'w.duckdb');
  writeFileSync(path, Buffer.alloc(20_000, 7));
  copier = new FileCopier(path, { mode: 0o440, group: undefined });
});
afterEach(() => {
  copier.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the ids of the processes that copy this file. */
function copiers(): number[] {
  const listed = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return listed.filter((line) => line.includes('copy-file.ts') && line.includes(path)).map((line) => Number.parseInt(line, 10));
}

test('a copy has the content of the file with another identifier, and the mode and checksum that are returned', async () => {
  const { path: copy, crc32: sum } = await copier.copy();
  const content = readFileSync(copy);
  expect([content.length, sum, statSync(copy).mode & 0o777]).toEqual([20_000, crc32(content), 0o440]);
  expect(content.subarray(136).equals(readFileSync(path).subarray(136))).toBe(true);
  expect(content.subarray(128, 136).equals(readFileSync(path).subarray(128, 136))).toBe(false);
});

test('one process makes all copies, and ends when the copier is closed', async () => {
  copier.start();
  await copier.copy();
  const [first] = copiers();
  rmSync((await copier.copy()).path);
  expect(copiers()).toEqual([first]);
  copier.close();
  await until('no process copies the file', copiers, (pids) => pids.length === 0);
});

test('if its process is killed, the copier starts another one', async () => {
  rmSync((await copier.copy()).path);
  process.kill(copiers()[0]!, 'SIGKILL');
  expect(statSync((await copier.copy()).path).size).toBe(20_000);
});

test('a signal that stops all processes of a run does not end the process', async () => {
  rmSync((await copier.copy()).path);
  const [pid] = copiers();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid!, signal);
  expect(statSync((await copier.copy()).path).size).toBe(20_000);
  expect(copiers()).toEqual([pid]);
});

test('a failed copy is reported with the code of the system, and leaves nothing behind', async () => {
  rmSync(path);
  await expect(copier.copy()).rejects.toMatchObject({ code: 'AORTA-DATA-UNWRITABLE', details: { code: 'ENOENT' } });
  writeFileSync(path, Buffer.alloc(200));
  const { path: copy } = await copier.copy();
  expect(existsSync(copy)).toBe(true);
});
