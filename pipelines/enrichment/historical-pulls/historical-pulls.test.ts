import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalLog } from '@aorta/connectors/log';
import { type IntrospectionQuery, type ServiceClient, ServiceError } from '@aorta/connectors/service';
import { type LogFields, Progress, silentLogger } from '@aorta/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { stateInFile } from '../state/state-in-file.fixture.ts';
import { Emitter } from '../workers/emitter.ts';
import { runWorkersOnce } from '../workers/worker.ts';
import { openHistoricalPulls } from './historical-pulls.ts';
import { historicalPullsOptions } from './options.ts';

let folder: string;
const closing: (() => Promise<void>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-following-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  rmSync(folder, { recursive: true, force: true });
});

const NOW = Date.UTC(2026, 0, 1);
/** Returns a clock that is a millisecond later at each reading. */
const ticking = () => {
  let now = NOW;
  return () => now++;
};

type Pulls = ServiceClient['historicalPulls'];
interface Call {
  readonly query: IntrospectionQuery;
  readonly budget: Parameters<Pulls>[2];
}

const answerFor = (...users: string[]) =>
  users.map((user_id) => ({ user_id, provider: { oura: { pulled: {}, not_pulled: ['sleep'] } } }));

/** Three pages with one user each, keyed by their cursor; `next` is the cursor of the following page. */
const pages: Record<string, readonly [user: string, next: string | undefined]> = {
  '': ['u-1', 'second'],
  second: ['u-2', 'third'],
  third: ['u-3', undefined],
};

/** Runs the tracker once. `answer` is called for each call of the simulated service. Returns the calls and the log messages. */
async function follow(
  answer: (call: Call) => void,
  { signal = new AbortController().signal, calls_a_minute = 60_000, clock = ticking() } = {},
) {
  const calls: Call[] = [];
  const logged: [string, LogFields | undefined][] = [];
  const log = await openLocalLog({ folder });
  closing.push(() => log.close());
  const progress = new Progress({ clock });
  const job = await openHistoricalPulls({
    openLog: async () => ({ log, close: async () => {} }),
    openEmitter: (source) => new Emitter({ source, log, openIntake: () => expect.fail('the tracker emits no events') }),
    once: true,
    state: stateInFile(folder, 'historical-pulls'),
    client: {
      historicalPulls: (async (query: IntrospectionQuery = {}, _: unknown, budget: Call['budget']) => {
        const call = { query, budget };
        calls.push(call);
        answer(call);
        const [user, next] = query.userId === undefined ? pages[query.cursor ?? '']! : [query.userId, undefined];
        return {
          value: { items: answerFor(user), unidentified: [], misshapen: 0, next },
          body: Buffer.from(''),
          servedAt: clock() * 1000,
        };
      }) as unknown as Pulls,
    },
    settings: historicalPullsOptions.parse({ calls_a_minute }),
    logger: { ...silentLogger, info: (event, fields) => void logged.push([event, fields]) },
    progress,
    clock,
  });
  const ended = runWorkersOnce(job, { signal, now: clock });
  const close = async () => {
    for (const worker of job.workers) await worker.close(false);
  };
  return { calls, logged, progress, ended, close, closeLog: () => closing.pop()!() };
}

const asked = (calls: readonly Call[]): string[] => calls.map(({ query }) => query.userId ?? `page ${query.cursor ?? 'first'}`);

test("the client's retries count against the rate limit", async () => {
  const waits: number[] = [];
  let passed = 0;
  const { ended, close } = await follow(
    ({ query, budget }) => {
      if (query.cursor !== undefined || waits.length > 0) return;
      // The client consults the budget before each retry. The first attempt is already counted.
      waits.push(budget!.wait());
      passed += 30_000;
      waits.push(budget!.wait());
      budget!.spend();
      waits.push(budget!.wait());
      throw new ServiceError('AORTA-SERVICE-BUSY', { host: 'h', operation: 'o', status: 503 });
    },
    { calls_a_minute: 2, clock: () => NOW + passed },
  );
  await ended;
  await close();
  expect(waits).toEqual([30_000, 0, 30_000]);
});

test('a run with --once logs its progress while it waits for the rate limit', async () => {
  const stop = new AbortController();
  const { logged, progress, ended, close, calls } = await follow(() => {}, {
    calls_a_minute: 2,
    signal: stop.signal,
    clock: () => NOW,
  });
  const [wait] = await until(
    'a wait',
    () => progress.waits(),
    (waits) => waits.length > 0,
  );
  expect(wait).toMatchObject({ part: 'historical pulls', reason: 'the budget of calls' });
  expect(wait!.dueAt! - wait!.since).toBe(30_000);
  expect(logged).toEqual([
    [
      'waiting for the rate limit',
      { calls: 1, users_answered: 1, users_due: expect.any(Number), calls_a_minute: 2, next_in_s: 30 },
    ],
  ]);
  stop.abort();
  await ended;
  await close();
  expect(asked(calls)).toEqual(['page first']);
});

test('a restarted run resumes an interrupted sweep and does not repeat answered calls', async () => {
  const stop = new AbortController();
  const first = await follow(({ query }) => query.cursor === 'second' && stop.abort(), { signal: stop.signal });
  await first.ended;
  // Simulates a killed process, which does not close or save anything.
  await first.closeLog();
  expect(asked(first.calls)).toEqual(['page first', 'page second']);
  const second = await follow(() => {});
  await second.ended;
  await second.close();
  await second.closeLog();
  expect(asked(second.calls)).toEqual(['page third']);
  // The sweep was complete, so the next run starts a new one.
  const third = await follow(() => {});
  await third.ended;
  await third.close();
  expect(asked(third.calls)[0]).toBe('page first');
});

test('calls by an earlier process count against the rate limit', async () => {
  const first = new AbortController();
  const before = await follow(() => first.abort(), { signal: first.signal, calls_a_minute: 2, clock: () => NOW });
  await before.ended;
  await before.closeLog();
  expect(before.calls).toHaveLength(1);
  const second = new AbortController();
  const after = await follow(() => {}, { signal: second.signal, calls_a_minute: 2, clock: () => NOW + 10_000 });
  const [wait] = await until(
    'a wait',
    () => after.progress.waits(),
    (waits) => waits.length > 0,
  );
  expect(wait!.dueAt).toBe(NOW + 30_000);
  expect(after.calls).toEqual([]);
  second.abort();
  await after.ended;
  await after.close();
});

test('a sweep starts again if the service no longer knows its cursor', async () => {
  const stop = new AbortController();
  const first = await follow(({ query }) => query.cursor === undefined && stop.abort(), { signal: stop.signal });
  await first.ended;
  await first.closeLog();
  let refused = 0;
  const second = await follow(({ query }) => {
    if (query.cursor === 'second' && refused++ === 0)
      throw new ServiceError('AORTA-SERVICE-REFUSED', { host: 'h', operation: 'o', status: 400 });
  });
  await second.ended;
  await second.close();
  expect(asked(second.calls)).toEqual(['page second', 'page first', 'page second', 'page third']);
});
