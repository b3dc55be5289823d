import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceError } from '@aorta/connectors/service';
import { silentLogger } from '@aorta/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { openPolling } from './polled-data.ts';
import { stateInFile } from './state/state-in-file.fixture.ts';
import { eventCollector } from './workers/event-collector.fixture.ts';
import { doJob } from './workers/job.ts';

let folder: string;
let now: number;
let opened: number;
let cycles: number;
let problems: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'polling-'));
  [now, opened, cycles, problems] = [Date.UTC(2026, 0, 1), 0, 0, []];
});
afterEach(() => rmSync(folder, { recursive: true }));

const openWith = (everyMs: number, fails: boolean, { openEmitter } = eventCollector()) =>
  openPolling<object>({
    name: 'job',
    state: stateInFile(folder),
    facts: { shape: z.object({}), empty: () => ({}) },
    cycle: async function* (known) {
      cycles += 1;
      if (fails) throw new ServiceError('AORTA-SERVICE-UNREACHABLE', { host: 'h', operation: 'o', reason: 'r' });
      yield ['a', 'b']
        .filter((one) => known.isNews(one, one))
        .map((one) => ({ eventType: 'service.thing.polled', userId: one, data: {}, servedAt: 1 }));
    },
    logger: silentLogger,
    onProblem: ({ code }) => void problems.push(code),
    everyMs: everyMs || 1,
    restsFirst: everyMs > 0,
    openEmitter,
    now: () => now,
  });

/** Runs the job until no work is due, or until it is stopped. Returns the number of events. */
async function live(everyMs: number, stop?: AbortSignal, fails = false): Promise<number> {
  const collected = eventCollector();
  const open = async () => {
    const job = await openWith(everyMs, fails, collected);
    opened += 1;
    return job;
  };
  const job = { name: 'job', open, assignments: undefined, once: stop === undefined, now: () => now };
  await doJob(job, stop ?? new AbortController().signal);
  return collected.events.length;
}

test('the job emits only changes, and repeats a failed cycle', async () => {
  expect(await live(0, undefined, true)).toBe(0);
  expect(problems).toEqual(['AORTA-SERVICE-UNREACHABLE']);
  expect(await live(0)).toBe(2);
  expect(await live(0)).toBe(0);
  expect(cycles).toBe(3);
});

test('the next cycle runs on time, even if another worker ran the previous one', async () => {
  expect(await live(60_000)).toBe(2);
  // Half a minute later, the job runs on another worker, which is stopped before the next cycle is due.
  now += 30_000;
  const stop = new AbortController();
  const waiting = live(60_000, stop.signal);
  await until('the job on the other worker', () => opened, 2);
  const [other] = (await openWith(60_000, false)).workers;
  expect(other!.nextAt(now)).toBe(now + 30_000);
  stop.abort();
  expect([await waiting, cycles]).toEqual([0, 1]);
  now += 30_000;
  await live(60_000);
  expect(cycles).toBe(2);
  // If the clock was wrong, the next cycle is delayed by at most one interval.
  now -= 86_400_000;
  const { workers } = await openWith(5, false);
  expect(workers[0]!.nextAt(now)).toBe(now + 5);
});
