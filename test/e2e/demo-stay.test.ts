import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { aorta } from './command.ts';
import { differencesFromService } from './demo-tables.ts';
import { request } from './running-service.ts';

const bin = join(import.meta.dirname, '../../pipelines/aorta/bin/aorta.js');
const smallest = ['demo', '--people', '1', '--days', '1'];
const warehouse = ['--warehouse', 'duckdb:aorta-demo/warehouse.duckdb'];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-demo-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a command. The test's end kills it. */
function start(folder: string, words: readonly string[]) {
  const child = spawn(process.execPath, [bin, ...words], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const closed = once(child, 'close');
  return {
    child,
    /** Resolves with the output when it contains the text. */
    printed: async (text: RegExp): Promise<string> => {
      await until(String(text), () => text.test(out) || child.exitCode !== null);
      expect(child.exitCode, err).toBe(null);
      return out;
    },
    /** Stops the command. Resolves with its exit code and its standard error. */
    end: async (stop: () => void): Promise<string> => {
      stop();
      return `${(await closed)[0]}\n${err}`;
    },
  };
}

/** Starts a demonstration that continues in real time. Resolves when it has printed its addresses. */
async function stay(folder: string) {
  const demo = start(folder, [...smallest, '--stay']);
  const out = await demo.printed(/In another terminal:.*aorta status --warehouse/s);
  const addressOf = (what: string): string => new RegExp(`^${what} +(http\\S+)`, 'm').exec(out)![1]!;
  return { addressOf, key: /x-service-api-key: (\S+)\)/.exec(out)![1]!, ...demo };
}

test('--stay serves its addresses, and shows new events until Ctrl+C', async () => {
  const folder = newFolder();
  const { addressOf, key, child, end } = await stay(folder);
  expect(await (await fetch(addressOf('page of the service'))).text()).toContain('<html');
  const api = addressOf('API of the service');
  expect((await request(`${api}/v2/user`, { key })).body).toMatchObject({ total: 1 });
  await until('Aorta is ready', async () => (await fetch(addressOf('health of Aorta'))).ok);
  expect(await (await fetch(addressOf('metrics of Aorta'))).text()).toContain('aorta_');
  // The process moves the clock, which does not run by itself: a later run lives through the time until it starts.
  const clock = await (await fetch(`${addressOf('control of the service')}/clock`)).json();
  expect(clock).toMatchObject({ runs: false });

  const tail = start(folder, ['tail', 'connections', '-n', '1', ...warehouse]);
  await tail.printed(/→ connections/);
  const { user_id } = (await request(`${api}/v2/user`, { key, body: { client_user_id: 'newcomer' } })).body;
  const connected = await request(`${api}/v2/link/connect/demo`, { key, body: { user_id, provider: 'fitbit' } });
  expect(connected.status).toBe(200);
  await tail.printed(/→ connections\n.*provider\.connection\.created {2}→ connections/);
  expect(await aorta(folder, ['status', ...warehouse])).toMatchObject({ code: 0 });
  expect(await end(() => child.kill('SIGINT'))).toMatch(/^0\n/);
  expect(await aorta(folder, smallest)).toMatchObject({ code: 0 });
  const query = `select count(*) as events from connection_events where user_id = '${String(user_id)}'`;
  expect((await aorta(folder, ['query', query, '--json', ...warehouse])).stdout).toContain('"events":1');
  expect(await differencesFromService(join(folder, 'aorta-demo'))).toEqual([]);
});

test('--stay ends with an error if the service ends', async () => {
  const { child, end } = await stay(newFolder());
  const service = Number(execFileSync('pgrep', ['-P', String(child.pid), '-f', 'service.process'], { encoding: 'utf8' }));
  const ended = await end(() => process.kill(service, 'SIGKILL'));
  expect(ended).toMatch(/^1\n/);
  expect(ended).toContain('in the service of the demonstration that should not be possible (ended with SIGKILL). [AORTA-BUG]');
});
