import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalLog, openLocalLog } from '@aorta/connectors/log';
import { type Answer, ServiceError, type ServiceErrorCode } from '@aorta/connectors/service';
import { silentLogger, silentMetrics } from '@aorta/runtime';
import { readEvent } from '@aorta/schemas';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAnnounced, QUOTA } from './announced-data.ts';
import { stateInFile } from './state/state-in-file.fixture.ts';
import { eventCollector } from './workers/event-collector.fixture.ts';
import { doJob } from './workers/job.ts';

/** Values for the placeholders in the service's error messages. */
const details = { host: 'h', operation: 'o', limit: 1, pages: 1, problem: 'p', reason: 'r' };

let folder: string;
let log: LocalLog;
let now: number;
let asked: string[];
/** Error response of the simulated service, by workout. For any other workout, the service returns a stream. */
let service: Map<string, ServiceErrorCode>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'announced-'));
  log = await openLocalLog({ folder: join(folder, 'streams') });
  now = Date.UTC(2026, 0, 1);
  asked = [];
  service = new Map();
});
afterEach(async () => {
  await log.close();
  rmSync(folder, { recursive: true, force: true });
});

const receipt = {
  source: 's',
  partition: '0',
  offset: 7,
  received_at: 1,
  delivery_id: null,
  header_facts: 0,
  body_bytes: 2,
  body_crc32: 0,
  arrived_at: null,
};

async function announce(...workouts: string[]): Promise<void> {
  for (const workout_id of workouts) {
    const body = { user_id: 'u', data: { workout_id, source: { provider: 'oura' } } };
    const reading = readEvent('workout_stream', 'daily.data.workout_stream.created', body, receipt);
    if (reading.kind !== 'record') throw new Error(reading.reason);
    log.append('workout_stream', reading.record);
  }
  await log.flush();
}

/** Runs the job once and returns its events. If `crashAt` is given, the job crashes before that batch is durable. */
async function live(crashAt?: number): Promise<string[]> {
  const { events, openEmitter } = eventCollector({ now: () => now, crashAt });
  const open = () =>
    openAnnounced({
      name: 'job',
      stream: 'workout_stream',
      announces: ({ workout_id: key }) => (key === 'silent' ? undefined : { key, userId: 'u' }),
      fetch: async (key): Promise<Answer<unknown>> => {
        asked.push(key);
        const code = service.get(key);
        if (code !== undefined) throw new ServiceError(code, { ...details, status: code === 'AORTA-SERVICE-BUSY' ? 503 : 400 });
        return { value: { time: [1] }, body: Buffer.alloc(0), servedAt: 7_000_000 };
      },
      event: 'service.workout_stream',
      data: (workout_id, stream) => ({ workout_id, stream }),
      openLog: async () => ({ log, close: async () => {} }),
      openEmitter,
      state: stateInFile(folder),
      logger: silentLogger,
      metrics: silentMetrics,
      now: () => now,
    });
  const done = doJob({ name: 'job', open, assignments: undefined, once: true, now: () => now }, new AbortController().signal);
  if (crashAt === undefined) await done;
  else await expect(done).rejects.toThrow('crash');
  return events.map(({ event_type: type, data }) => `${type.split('.').at(-1)} ${data.workout_id}`);
}

test('several announcements of the same data before the fetch cause one fetch', async () => {
  await announce('a', 'b', 'a', 'silent');
  expect(await live()).toEqual(['fetched a', 'fetched b']);
  expect(await live()).toEqual([]);
  await announce('a');
  expect(await live()).toEqual(['fetched a']);
  expect(asked).toEqual(['a', 'b', 'a']);
});

test('after a crash, the job repeats unsaved fetches and loses no announcement', async () => {
  await announce(...Array.from({ length: 20 }, (_, index) => `w${index}`));
  expect(await live(2)).toHaveLength(16);
  expect(await live()).toHaveLength(12);
  expect(new Set(asked).size).toBe(20);
  expect(await live()).toEqual([]);
});

test('a failed fetch is retried with increasing delays, even after restarts, until it becomes a dead letter', async () => {
  service.set('a', 'AORTA-SERVICE-REFUSED');
  await announce('a');
  expect(await live()).toEqual([]);
  expect(await live()).toEqual([]);
  expect(asked).toHaveLength(1);
  const events: string[] = [];
  const begun = now;
  while (events.length === 0 && asked.length < 100) {
    now += 3_600_000;
    events.push(...(await live()));
  }
  expect(events).toEqual(['not_fetched a']);
  expect(asked).toHaveLength(QUOTA);
  expect((now - begun) / 86_400_000).toBeGreaterThan(2);
  now += 86_400_000 * 30;
  expect(await live()).toEqual([]);
  // A new announcement resets the number of attempts.
  service.clear();
  await announce('a');
  expect(await live()).toEqual(['fetched a']);
});

test('if the clock is set back between two processes, a retry does not wait for the old time', async () => {
  service.set('a', 'AORTA-SERVICE-REFUSED');
  await announce('a');
  await live();
  now -= 7_200_000;
  await live();
  await live();
  expect(asked).toHaveLength(2);
});

test.each(['AORTA-SERVICE-BUSY', 'AORTA-SERVICE-UNREACHABLE', 'AORTA-SERVICE-KEY', 'AORTA-SERVICE-NOT-ENABLED'] as const)(
  'a fetch that fails with %s is retried until it succeeds, without counting the attempts',
  async (code) => {
    service.set('a', code);
    await announce('a');
    for (let attempt = 0; attempt < QUOTA + 2; attempt++) {
      now += 6 * 3_600_000;
      expect(await live()).toEqual([]);
    }
    service.clear();
    now += 6 * 3_600_000;
    expect(await live()).toEqual(['fetched a']);
  },
);

test('a fetch that the service refuses does not delay others, and becomes a dead letter after the last attempt', async () => {
  service.set('a', 'AORTA-SERVICE-FORBIDDEN');
  await announce('a', ...Array.from({ length: 20 }, (_, index) => `w${index}`));
  expect(await live()).toHaveLength(20);
  const events: string[] = [];
  for (let attempt = 1; attempt < QUOTA; attempt++) {
    now += 6 * 3_600_000;
    await announce('b');
    events.push(...(await live()));
  }
  expect(events.filter((event) => event !== 'fetched b')).toEqual(['not_fetched a']);
});

test('data that the service no longer has is not fetched again, and data that is too large becomes a dead letter at once', async () => {
  service.set('a', 'AORTA-SERVICE-GONE').set('b', 'AORTA-SERVICE-TOO-LARGE');
  await announce('a', 'b', 'c');
  expect(await live()).toEqual(['not_fetched b', 'fetched c']);
  now += 86_400_000 * 30;
  expect(await live()).toEqual([]);
  expect(asked).toEqual(['a', 'b', 'c']);
});

test('the job reads a new incarnation of its stream from the start', async () => {
  await announce('a');
  expect(await live()).toEqual(['fetched a']);
  await log.close();
  rmSync(join(folder, 'streams'), { recursive: true, force: true });
  log = await openLocalLog({ folder: join(folder, 'streams') });
  await announce('b');
  expect(await live()).toEqual(['fetched b']);
});
