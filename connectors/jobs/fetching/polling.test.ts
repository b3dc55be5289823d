import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AortaError, silentLogger } from '@aorta/telemetry';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { memoryInFile } from './memory.ts';
import { openPolling } from './polling.ts';

let folder: string;
let now: number;
let cycles: number;
let problems: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'polling-'));
  [now, cycles, problems] = [Date.UTC(2026, 0, 1), 0, []];
});
afterEach(() => rmSync(folder, { recursive: true }));

/** One life of a job; gives how many events it handed over. */
async function live(restMs: number, signal = new AbortController().signal, fails = false): Promise<number> {
  const job = await openPolling<object>({
    name: 'job',
    memory: memoryInFile(join(folder, 'job.json')),
    facts: { shape: z.object({}), empty: () => ({}) },
    cycle: async function* (known) {
      cycles += 1;
      if (fails) throw new AortaError('AORTA-SERVICE-UNREACHABLE', {});
      yield ['a', 'b']
        .filter((one) => known.isNews(one, one))
        .map((one) => ({ eventType: 'service.thing.polled', userId: one, data: {}, servedAt: 1 }));
    },
    logger: silentLogger,
    onProblem: ({ code }) => void problems.push(code),
    restMs,
    now: () => now,
  });
  let events = 0;
  for await (const { deliveries, position } of job.batches(signal)) {
    events += deliveries.length;
    await job.commit([position]);
  }
  await job.close();
  return events;
}

test('what is no news is not handed over again, and a cycle that has failed is begun anew', async () => {
  expect(await live(0, undefined, true)).toBe(0);
  expect(problems).toEqual(['AORTA-SERVICE-UNREACHABLE']);
  expect(await live(0)).toBe(2);
  expect(await live(0)).toBe(0);
  expect(cycles).toBe(3);
});

test('the next cycle comes when its time has come, whoever made the last one', async () => {
  expect(await live(60_000)).toBe(2);
  // Half a minute later another worker has it, and is stopped before it is due.
  now += 30_000;
  const stop = new AbortController();
  const waiting = live(60_000, stop.signal);
  await new Promise(setImmediate);
  stop.abort();
  expect([await waiting, cycles]).toEqual([0, 1]);
  now += 30_000;
  await live(60_000);
  expect(cycles).toBe(2);
  // A clock that was wrong does not hold it up for longer than the pause.
  now -= 86_400_000;
  await live(5);
  expect(cycles).toBe(3);
});
