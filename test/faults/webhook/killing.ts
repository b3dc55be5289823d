import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, randomOf } from '@aorta/people';
import { afterAll, describe, expect, test } from 'vitest';
import { aorta } from '../../e2e/command.ts';
import { end, Receiver } from './receiver.ts';
import { deliver, messages } from './service.ts';

const MESSAGES = 200;
const KILLS = 3;

/** Receives messages, and kills the process {@link KILLS} times. Returns the last process, which is running. */
async function receiveWithKills(receiver: Receiver, random: Random): Promise<ChildProcess> {
  for (let kills = 0; kills < KILLS; kills += 1) {
    const child = await receiver.start();
    await sleep(random.between(0, 1000));
    await end(child, 'SIGKILL');
  }
  return receiver.start();
}

/** Kills a process that receives webhooks, at random times. Every acknowledged message must be in the tables once. */
export function killReceivers(runs: number, firstSeed: number): void {
  const root = mkdtempSync(join(tmpdir(), 'aorta-webhook-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  describe.concurrent('a receiver of webhooks that is killed', () => {
    const seeds = Array.from({ length: runs }, (_, run) => firstSeed + run);
    test.each(seeds)('has every acknowledged message in the tables once (seed %i)', async (seed) => {
      const folder = mkdtempSync(join(root, 'run-'));
      const receiver = await Receiver.create(folder);
      const random = randomOf(seed);
      const sent = messages(seed, MESSAGES);
      const receiving = receiveWithKills(receiver, random);
      // Four messages at a time, so that each kill interrupts some of them.
      const queue = [...sent];
      const senders = Array.from({ length: 4 }, async () => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
          await deliver(next, receiver.service);
          await sleep(random.between(0, 20));
        }
      });
      const last = await receiving;
      await Promise.all(senders);
      await end(last, 'SIGTERM');
      expect(readFileSync(join(folder, 'log'), 'utf8')).not.toContain('damaged');
      expect(await aorta(folder, ['run', '--once'])).toMatchObject({ code: 0 });

      const rows = async (sql: string): Promise<unknown[]> => JSON.parse((await aorta(folder, ['query', '--json', sql])).stdout);
      const events = sent.map(({ body }) => JSON.parse(body) as { event_type: string; user_id: string; data: { id: string } });
      const activities = events.filter(({ event_type }) => event_type.startsWith('daily.'));
      expect(await rows('select id from activity order by steps')).toEqual(activities.map(({ data }) => ({ id: data.id })));
      const connections = Map.groupBy(
        events.filter(({ event_type }) => event_type.startsWith('provider.')),
        ({ user_id }) => user_id,
      );
      expect(await rows('select user_id, count(*) as events from connection_events group by all order by user_id')).toEqual(
        [...connections].sort(([a], [b]) => (a < b ? -1 : 1)).map(([user_id, some]) => ({ user_id, events: some.length })),
      );
      expect(
        await rows('select count(distinct delivery_id) as ids, count(*) filter (not redelivered) as kept from deliveries'),
      ).toEqual([{ ids: MESSAGES, kept: MESSAGES }]);
    });
  });
}
