import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MissedTime, takesAtMost } from '../../../infra/machine/goal.fixture.ts';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { type RunningService, runService } from '../../e2e/running-service.ts';
import { askJson } from '../../reference-service/control.ts';

const USERS = 20;
const NINETY_DAYS = { seconds: 90 * 86_400 };
const GOAL_MS = 10_000;
const ANSWER_MS = 200;
const STOP_MS = 2_000;
const MEMORY_MB = 400;
const USER_MB = 10;
/** Pause between two requests to the API. */
const PAUSE_MS = 50;

let folder: string;
const running: RunningService[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-twenty-'));
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a service with the users of one team. */
async function start(...words: readonly string[]) {
  const service = await runService(folder, ...words);
  running.push(service);
  const steer = (path: string, body?: object) => askJson(`${service.controlUrl}${path}`, { body });
  const { team_id, api_key } = await steer('/seed', { seed: 1, users: USERS });
  return { service, steer, team_id: String(team_id), key: String(api_key) };
}

/** Asks the API again and again until the work is done. Returns how long each answer took, in milliseconds. */
async function answerTimes({ url }: RunningService, key: string, work: Promise<unknown>): Promise<number[]> {
  const done = new AbortController();
  work.then(
    () => done.abort(),
    () => done.abort(),
  );
  const times: number[] = [];
  for (; !done.signal.aborted; await sleep(PAUSE_MS)) {
    const began = performance.now();
    await askJson(`${url}/v2/user`, { key });
    times.push(performance.now() - began);
  }
  return times;
}

/** Returns the largest memory that a process has had, in MB of 10^6 bytes. */
function peakMemoryOf({ child: { pid } }: RunningService): number {
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return (Number(kilobytes) * 1024) / 1e6;
}

const show = (what: string): boolean => process.stdout.write(`Ninety days of ${USERS} users: ${what}.\n`);

test('ninety days of twenty users take at most ten seconds and 400 MB, and the API answers meanwhile', async () => {
  const { service, steer, key } = await start();
  let slowest = 0;
  await takesAtMost(GOAL_MS, 'ninety days of twenty users', async () => {
    const began = performance.now();
    const advance = steer('/clock/advance', NINETY_DAYS);
    const times = await answerTimes(service, key, advance);
    await advance;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    slowest = Math.max(...times);
    show(`${seconds} s, and at most ${peakMemoryOf(service).toFixed(0)} MB of memory`);
    show(`${times.length} answers of the API, the slowest after ${slowest.toFixed(0)} ms`);
  });
  expect(peakMemoryOf(service)).toBeLessThanOrEqual(MEMORY_MB);
  if (slowest > ANSWER_MS) throw new MissedTime(`an answer took ${slowest.toFixed(0)} ms; the goal is ${ANSWER_MS} ms`);
});

test('with a webhook, the folder has at most 10 MB for each user after ninety days', async () => {
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    request.resume().on('end', () => response.writeHead(204).end());
  }).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { service, steer, team_id } = await start('--folder', 'service');
    await steer('/webhooks', { team_id, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    await steer('/clock/advance', NINETY_DAYS);
    const kept = join(folder, 'service');
    const bytes = readdirSync(kept).reduce((sum, name) => sum + statSync(join(kept, name)).size, 0);
    const memory = peakMemoryOf(service).toFixed(0);
    show(`${(bytes / USERS / 1e6).toFixed(1)} MB for each user after ${received} webhooks, and at most ${memory} MB of memory`);
    expect(received).toBeGreaterThan(USERS * 1_000);
    expect(bytes / USERS).toBeLessThanOrEqual(USER_MB * 1e6);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('SIGINT ends the service within two seconds while the clock moves by ninety days', async () => {
  const { service, steer } = await start();
  const clock = async (): Promise<string> => String((await steer('/clock')).now);
  const began = await clock();
  const advance = steer('/clock/advance', NINETY_DAYS).catch(() => 'interrupted');
  await until('the clock to move', clock, (now) => now !== began);
  const code = await takesAtMost(STOP_MS, 'the end of the service', () => service.stop('SIGINT'));
  running.length = 0;
  expect(code).toBe(130);
  expect(await advance).toBe('interrupted');
});
