import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partitionOf } from '@aorta/connectors';
import { type LocalLog, openLocalLog } from '@aorta/connectors/log';
import { openServiceClient, serviceOptions } from '@aorta/connectors/service';
import { historicalPullsOptions } from '@aorta/enrichment/options';
import type { Logger } from '@aorta/runtime';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, expect, test } from 'vitest';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { stateInFile } from '../../pipelines/enrichment/state/state-in-file.fixture.ts';
import { type RunningTracker, trackerOn } from '../pulls/life.ts';
import type { Rule } from '../reference-service/control.ts';
import { type PlannedPull, pullsOf, userAnswer } from '../reference-service/introspection.ts';
import { serveTeam } from '../reference-service/team.ts';

/** Checks the tracker's notices with a real HTTP server that can be down, hang, or answer 500. */

const root = mkdtempSync(join(tmpdir(), 'aorta-notices-'));
const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const SECRET = `whsec_${Buffer.from('a secret that only this test knows').toString('base64')}`;
const HOUR = 3_600_000;
const hoursAgo = (hours: number): string => new Date(Math.floor(Date.now() / 1000) * 1000 - hours * HOUR).toISOString();

interface Received {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly notice: Record<string, unknown>;
}

/** A receiver that verifies every signature with the Standard Webhooks library. */
class Receiver {
  readonly accepted: Received[] = [];
  readonly refused: Received[] = [];
  readonly unverified: string[] = [];
  mode: 'accepts' | 'fails' | 'hangs' = 'accepts';
  #server: Server | undefined;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`;
  }

  async start(): Promise<void> {
    this.#server = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => (body += part));
      request.on('end', () => {
        const headers = request.headers as Record<string, string>;
        try {
          new Webhook(SECRET).verify(body, headers);
        } catch (error) {
          this.unverified.push(String(error));
        }
        const received = { id: headers['webhook-id']!, headers, notice: JSON.parse(body) };
        (this.mode === 'accepts' ? this.accepted : this.refused).push(received);
        if (this.mode === 'accepts') response.writeHead(204).end();
        if (this.mode === 'fails') response.writeHead(500).end();
      });
    });
    await new Promise<void>((done) => this.#server!.listen(this.#port, '127.0.0.1', done));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((done) => (this.#server === undefined ? done(0) : this.#server.close(done)));
    this.#server = undefined;
  }
}

async function receiver(): Promise<Receiver> {
  const made = new Receiver();
  await made.start();
  ended.push(() => made.stop());
  return made;
}

type Users = Readonly<Record<string, PlannedPull>>;
const answers = (users: Users): Rule[] =>
  pullsOf(Object.entries(users).map(([user, pull]) => userAnswer(user, user.split('-')[0]!, { sleep: pull })));

const failed = (hours: number): PlannedPull => ({
  status: 'failure',
  errorDetails: 'retry_quota_exhausted',
  scheduledAt: hoursAgo(hours + 1),
  startedAt: hoursAgo(hours + 1),
  endedAt: hoursAgo(hours),
});
const retrying = (hours: number): PlannedPull => ({
  ...failed(hours),
  status: 'retrying',
  errorDetails: 'provider_unavailable',
});
const working: PlannedPull = { status: 'in_progress', scheduledAt: hoursAgo(2), startedAt: hoursAgo(2) };

/** Starts a service that reports these users. Each call of `follow` starts a tracker. */
async function tracker(users: Users) {
  const folder = mkdtempSync(join(root, 'tracker-'));
  const service = await serveTeam();
  ended.push(async () => await service[Symbol.asyncDispose]());
  await service.control.plan(answers(users));
  const log = await openLocalLog({ folder });
  ended.push(() => log.close());
  const client = openServiceClient(
    serviceOptions.parse({ base_url: service.url, key: service.key, deadline_s: 2, deadline_total_s: 4 }),
  );
  const lines: unknown[] = [];
  const keep = (level: string) => (message: string, fields?: object) => lines.push({ level, message, ...fields });
  const logger = { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') } as unknown as Logger;
  const follow = async (notices?: object, clock?: () => number, pace: object = {}): Promise<RunningTracker> =>
    trackerOn(log, {
      state: stateInFile(folder, 'historical-pulls'),
      client,
      settings: historicalPullsOptions.parse({ calls_a_minute: 60_000, notices, ...pace }),
      logger,
      clock,
    });
  /** Runs a tracker once. It reads the streams, asks the service, sends the notices that are due, and closes. */
  const runOnce = async (notices?: object): Promise<void> => {
    const following = await follow(notices);
    await following.once();
    await following.close();
  };
  const tell = (now: Users): Promise<void> => service.control.plan(answers(now));
  return { follow, runOnce, tell, log, lines };
}

async function states(log: LocalLog): Promise<Record<string, string>> {
  const of = partitionOf('historical_pull_tracks');
  const { records } = await log.read(of, 0, { records: 10_000, bytes: 1e8 });
  return Object.fromEntries(records.map(({ user_id, pulls }) => [user_id, pulls.at(-1)!.state]));
}

const old: Users = {
  'oura-1': failed(2000),
  'oura-2': failed(1500),
  'fitbit-3': failed(100),
  'fitbit-4': failed(1),
  'withings-5': retrying(50),
  'withings-6': retrying(1),
  'withings-7': working,
};
const summary = {
  event: 'historical_pull.summary',
  failed: 4,
  retrying: 1,
  providers: [
    { provider: 'oura', failed: 2, retrying: 0 },
    { provider: 'fitbit', failed: 2, retrying: 0 },
    { provider: 'withings', failed: 0, retrying: 1 },
  ],
};

test('the first start reports earlier failures in one summary, and later failures one by one', async () => {
  const hook = await receiver();
  const notices = { webhook: hook.url, secret: SECRET };
  const { runOnce, tell } = await tracker(old);
  await runOnce(notices);
  const { oldest_since, newest_since, ...counts } = hook.accepted[0]!.notice;
  expect(counts).toEqual(summary);
  expect([oldest_since, newest_since]).toEqual([old['oura-1']!.endedAt, old['fitbit-4']!.endedAt]);
  expect(JSON.stringify(hook.accepted[0])).not.toContain('oura-1');
  await runOnce(notices);
  expect(hook.accepted).toHaveLength(1);

  const endedAt = new Date(Math.ceil(Date.now() / 1000) * 1000).toISOString();
  await tell({ ...old, 'withings-7': { ...working, status: 'failure', errorDetails: 'unexpected_error', endedAt } });
  await until('the end of this second', () => Date.now() > Date.parse(endedAt));
  await runOnce(notices);
  await runOnce(notices);
  expect(hook.accepted.slice(1).map(({ notice }) => notice)).toMatchObject([
    { event: 'historical_pull.failed', provider: 'withings', error_details: 'unexpected_error', since: endedAt },
  ]);
  expect(hook.unverified).toEqual([]);
});

test('when notices are turned on late, or turned back on, the first notice summarizes the failures so far', async () => {
  const hook = await receiver();
  const notices = { webhook: hook.url, secret: SECRET };
  const { runOnce, tell } = await tracker(old);
  await runOnce();
  await runOnce();
  await runOnce(notices);
  expect(hook.accepted.map(({ notice }) => notice)).toMatchObject([summary]);

  // While notices are off, the tracker sends none and marks no failure as reported.
  await tell({ ...old, 'withings-7': { ...working, status: 'failure', errorDetails: 'unexpected_error', endedAt: hoursAgo(0) } });
  await runOnce();
  await runOnce(notices);
  expect(hook.accepted.slice(1).map(({ notice }) => notice)).toMatchObject([{ ...summary, failed: 5, providers: { length: 3 } }]);
  expect(hook.unverified).toEqual([]);
});

test('if the receiver is down, answers 500 or hangs, no notice is lost, and the tracker keeps working', async () => {
  const hook = await receiver();
  await hook.stop();
  const { follow, tell, log, lines } = await tracker(old);
  // The backoff takes minutes, so the tracker's clock runs ten times as fast.
  const begun = Date.now();
  const clock = (): number => begun + (Date.now() - begun) * 10;
  const token = 'Bearer planted-token';
  const settings = { webhook: hook.url, secret: SECRET, authentication: { value: token } };
  const following = await follow(settings, clock, { fastest_s: 0.5, settled_h: 0.001 });
  const stop = new AbortController();
  const running = following.run(stop.signal);
  ended.push(async () => {
    stop.abort();
    await running;
    await following.close();
  });
  const warned = (): number => lines.filter((line) => JSON.stringify(line).includes('notices are not accepted')).length;
  await until('a warning', warned, 1);

  hook.mode = 'fails';
  await hook.start();
  await until('a refused notice', () => hook.refused.length);
  hook.mode = 'hangs';
  await until(
    'a notice without an answer',
    () => hook.refused.length,
    (count) => count > 1,
  );
  // The tracker keeps working while the receiver hangs.
  await tell({ ...old, 'withings-7': { ...working, status: 'success', endedAt: hoursAgo(0) } });
  await until('the new state', async () => (await states(log))['withings-7'], 'success');
  expect(hook.accepted).toEqual([]);

  hook.mode = 'accepts';
  await until('an accepted notice', () => hook.accepted.length);
  expect(hook.accepted.map(({ notice }) => notice)).toMatchObject([summary]);
  // A repeated notice keeps its id, so the receiver can recognize it.
  expect(new Set([...hook.refused, ...hook.accepted].map(({ id }) => id)).size).toBe(1);
  expect(hook.accepted[0]!.headers.authorization).toBe(token);
  expect(hook.unverified).toEqual([]);
  await until(
    'the log line about the recovery',
    () => JSON.stringify(lines),
    (log) => log.includes('notices are accepted again'),
  );
  expect(warned()).toBe(1);
  expect(JSON.stringify(lines)).not.toMatch(/planted-token|whsec_|127\.0\.0\.1|oura-1/);
});
