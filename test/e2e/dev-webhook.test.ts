import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aorta } from './command.ts';

const program = join(import.meta.dirname, '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-dev-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the curl command that `aorta dev webhook` prints posts an event that is loaded into the tables', async () => {
  const child = spawn(process.execPath, [program, 'dev', 'webhook', '--port', '0', '--path', '/events', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const reports = createInterface(child.stderr)[Symbol.asyncIterator]();
  try {
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const facts = JSON.parse(String((await lines.next()).value)) as { url: string; secret: string; curl: string };
    expect(facts.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/events$/);
    expect(facts.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect((await reports.next()).value).toBe(`Serving ${facts.url}. Press Ctrl-C to stop.`);
    await promisify(execFile)('sh', ['-c', facts.curl]);
    expect((await reports.next()).value).toBe('1 event received, 1 kept, 0 unreadable');
  } finally {
    child.kill('SIGINT');
  }
  expect(await exited).toEqual([130, null]);
  const configuration = ['--data', 'aorta-webhook'];
  expect(await aorta(folder, ['run', '--only', 'loading', '--once', ...configuration])).toMatchObject({ code: 0 });
  const { stdout } = await aorta(folder, ['query', '--json', ...configuration, 'select steps, calendar_date from activity']);
  expect(JSON.parse(stdout)).toEqual([{ steps: 8400, calendar_date: '2026-01-31' }]);
});

test('`aorta dev webhook` refuses a secret that is not one', async () => {
  const { code, stdout, stderr } = await aorta(folder, ['dev', 'webhook', '--port', '0', '--secret', 'whsec_short']);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('this is not a signing secret');
});
