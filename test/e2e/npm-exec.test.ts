import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inTime, until } from '../../infra/machine/waiting.fixture.ts';
import { aorta } from './command.ts';

const root = join(import.meta.dirname, '..', '..');
const program = join(root, 'pipelines', 'aorta', 'bin', 'aorta.js');
let folder: string;
let started: ChildProcess;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-npm-'));
});
afterEach(() => {
  try {
    // The group of all processes that the test has started.
    process.kill(-started.pid!, 'SIGKILL');
  } catch {
    // They have ended.
  }
  rmSync(folder, { recursive: true, force: true });
});

interface Serving {
  readonly url: string;
  readonly curl: string;
  /** Lines that the server writes to standard error afterwards. */
  readonly said: string[];
  /** Resolves when every process has ended that writes to standard error. */
  readonly ended: Promise<unknown>;
}

/** Starts a command that starts `aorta dev webhook`, and waits until the endpoint is served. */
async function serve(command: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Serving> {
  started = spawn(command, words, {
    cwd: root,
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  createInterface(started.stderr!).on('line', (line) => said.push(line));
  const ended = once(started.stderr!, 'close');
  const line = createInterface(started.stdout!)[Symbol.asyncIterator]().next();
  const { value } = await inTime('the endpoint', line, () => said);
  return { ...(JSON.parse(String(value)) as { url: string; curl: string }), said, ended };
}

/** Returns whether a process listens on the port of the URL. */
async function isServed(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  try {
    return await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]);
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

test.each<NodeJS.Signals>(['SIGTERM', 'SIGKILL'])(
  'after %s to npx, the server saves its state and ends, and its port is free',
  async (signal) => {
    const words = ['--no-install', 'aorta', 'dev', 'webhook', '--port', '0', '--folder', folder, '--json'];
    const { url, curl, said, ended } = await serve('npx', words);
    await promisify(execFile)('sh', ['-c', curl]);
    await until('the report', () => said.at(-1), '1 event received, 1 kept, 0 unreadable');
    started.kill(signal);
    await inTime('the end of the server', ended);
    expect(await isServed(url)).toBe(false);
    // A second process can use the folder, and finds the event.
    const data = ['--data', folder];
    expect(await aorta(folder, ['run', '--only', 'loading', '--once', ...data])).toMatchObject({ code: 0 });
    const { stdout } = await aorta(folder, ['query', '--json', ...data, 'select steps from activity']);
    expect(JSON.parse(stdout)).toEqual([{ steps: 8400 }]);
  },
);

/** Starts the server in the background of a shell. */
function serveInBackground(variables: NodeJS.ProcessEnv, node: readonly string[] = []): Promise<Serving> {
  const command = [process.execPath, ...node, program, 'dev', 'webhook', '--port', '0', '--folder', folder, '--json'];
  return serve('sh', ['-c', '"$0" "$@" & wait', ...command], variables);
}

test('a server that a shell started in the background goes on after the shell, even with the variables of npm', async () => {
  const { url, curl, said } = await serveInBackground({ npm_command: 'exec', npm_lifecycle_script: 'vitest' });
  const exited = once(started, 'exit');
  started.kill('SIGTERM');
  await inTime('the end of the shell', exited);
  await promisify(execFile)('sh', ['-c', curl]);
  await until('the report', () => said.at(-1), '1 event received, 1 kept, 0 unreadable');
  expect(await isServed(url)).toBe(true);
});

test('a server that an older Node started for npm ends when npm has ended', async () => {
  // Makes Node report version 20. The launcher then starts Node from the npm package `node`.
  const old = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })`;
  const { url, ended } = await serveInBackground({ npm_command: 'exec', npm_lifecycle_script: 'aorta' }, ['--import', old]);
  started.kill('SIGTERM');
  await inTime('the end of the server', ended);
  expect(await isServed(url)).toBe(false);
});
