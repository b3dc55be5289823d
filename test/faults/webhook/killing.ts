import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, randomOf } from '@aorta/people';
import { afterAll, describe, expect, test } from 'vitest';
import { aorta } from '../../e2e/command.ts';
import { attempt, deliver, messages } from './service.ts';

const bin = join(import.meta.dirname, '../../../pipelines/aorta/bin/aorta.js');
const root = mkdtempSync(join(tmpdir(), 'aorta-webhook-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const MESSAGES = 200;
const KILLS = 3;
const SECRET = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Runs `aorta run` again and again, and kills it `KILLS` times. Returns a function that stops the last process. */
async function runWithKills(folder: string, random: Random, isServing: () => Promise<boolean>): Promise<() => Promise<void>> {
  const log = openSync(join(folder, 'log'), 'a');
  for (let kills = 0; ; kills += 1) {
    const child = spawn(process.execPath, [bin, 'run', '--no-supervise', '--only', 'ingestion'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', log],
    });
    while (!(await isServing())) {
      expect(child.exitCode).toBe(null);
      await sleep(20);
    }
    if (kills === KILLS) {
      return async () => {
        child.kill('SIGTERM');
        if (child.exitCode === null) await once(child, 'close');
      };
    }
    await sleep(random.between(0, 1500));
    child.kill('SIGKILL');
    await once(child, 'close');
  }
}

/** Kills a process that receives webhooks, at random times. Every acknowledged message must be in the tables once. */
export function killReceivers(runs: number, first: number): void {
  describe.concurrent('a receiver of webhooks that is killed', () => {
    test.each(Array.from({ length: runs }, (_, run) => first + run))(
      'has every acknowledged message in the tables once (seed %i)',
      async (seed) => {
        const folder = mkdtempSync(join(root, 'run-'));
        const port = await freePort();
        const options = { url: `http://127.0.0.1:${port}/webhook`, secret: SECRET, retryMs: 50 };
        writeFileSync(
          join(folder, 'aorta.yaml'),
          `sources: [{ type: webhook, listen: '127.0.0.1:${port}', secrets: ['${SECRET}'] }]\nwarehouse: { type: duckdb, path: health.duckdb }\n`,
        );
        const random = randomOf(seed);
        const sent = messages(seed, MESSAGES);
        const probe = { id: 'msg_probe', body: '{}' };
        const isServing = async () =>
          (await attempt(probe, { ...options, secret: `whsec_${Buffer.alloc(24).toString('base64')}` })) === 401;
        const killing = runWithKills(folder, random, isServing);
        // Four attempts at a time, so that each kill finds some under way.
        const queue = [...sent];
        const senders = Array.from({ length: 4 }, async () => {
          for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            await deliver(next, options);
            await sleep(random.between(0, 20));
          }
        });
        const stop = await killing;
        await Promise.all(senders);
        await stop();
        expect(readFileSync(join(folder, 'log'), 'utf8')).not.toContain('damaged');
        expect(await aorta(folder, ['run', '--once'])).toMatchObject({ code: 0 });
        const rows = async (sql: string): Promise<Record<string, unknown>[]> =>
          JSON.parse((await aorta(folder, ['query', '--json', '--warehouse', 'duckdb:health.duckdb', sql])).stdout);
        const events = sent.map(({ body }) => JSON.parse(body));
        const expected = (type: string) =>
          events.filter(({ event_type }) => event_type === type).map(({ data }) => data.id ?? data.external_user_id);
        const activities = await rows('select id, steps from activity order by steps');
        expect(activities.map(({ id }) => id)).toEqual(expected('daily.data.activity.created'));
        const connections = await rows('select user_id, count(*) as events from connection_events group by all order by user_id');
        const byUser = Map.groupBy(
          events.filter(({ event_type }) => event_type === 'provider.connection.created'),
          ({ user_id }) => user_id,
        );
        expect(connections).toEqual(
          [...byUser]
            .map(([user_id, some]) => ({ user_id, events: some.length }))
            .sort((a, b) => (a.user_id < b.user_id ? -1 : 1)),
        );
        const [counted] = await rows(
          'select count(distinct delivery_id) as ids, count(*) filter (not redelivered) as deliveries from deliveries',
        );
        expect(counted).toEqual({ ids: MESSAGES, deliveries: MESSAGES });
      },
    );
  });
}
