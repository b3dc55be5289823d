import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aorta } from './command.ts';

const program = join(import.meta.dirname, '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-service-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Addresses {
  readonly url: string;
  readonly control_url: string;
}

/** Runs `aorta service` until `work` is done, and then stops the process with a signal. Returns its exit code and signal. */
async function served(signal: NodeJS.Signals, work: (addresses: Addresses) => Promise<void>) {
  const words = ['service', '--folder', 'state', '--port', '0', '--control-port', '0', '--stopped', '--seed', '1', '--json'];
  const child = spawn(process.execPath, [program, ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(child, 'exit');
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    await work(JSON.parse(line) as Addresses);
  } finally {
    child.kill(signal);
  }
  return await exited;
}

const post = async (url: string, body: object, headers: Record<string, string> = {}): Promise<Record<string, string>> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  expect(answer.ok).toBe(true);
  return (await answer.json()) as Record<string, string>;
};

test('the service keeps its users, data and clock after SIGKILL, and a taken port is refused', async () => {
  let user = '';
  let headers = {};
  const sleep = async (url: string): Promise<unknown[]> => {
    const answer = await fetch(`${url}/v2/summary/sleep/${user}?start_date=2020-01-01`, { headers });
    return ((await answer.json()) as { sleep: unknown[] }).sleep;
  };
  let nights: unknown[] = [];
  const killed = await served('SIGKILL', async ({ url, control_url }) => {
    const team = await post(`${control_url}/teams`, { name: 'first' });
    headers = { 'x-service-api-key': team.api_key };
    user = (await post(`${url}/v2/user`, { client_user_id: 'c-1' }, headers)).user_id!;
    await post(`${url}/v2/link/connect/demo`, { user_id: user, provider: 'oura' }, headers);
    await post(`${control_url}/clock/advance`, { seconds: 86_400 });
    nights = await sleep(url);
    const taken = await aorta(folder, ['service', '--port', new URL(url).port, '--control-port', '0']);
    expect([taken.code, taken.stdout]).toEqual([2, '']);
    expect(taken.stderr).toContain(`port ${new URL(url).port} is in use`);
  });
  expect(killed).toEqual([null, 'SIGKILL']);
  expect(nights.length).toBeGreaterThan(25);
  const ended = await served('SIGTERM', async ({ url }) => expect(await sleep(url)).toEqual(nights));
  expect(ended).toEqual([0, null]);
});
