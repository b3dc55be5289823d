import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEvent } from '@aorta/schemas';
import type { Answer } from '@aorta/service-client';
import { type LocalLog, openLocalLog } from '@aorta/streams';
import { AortaError, type ErrorCode, silentLogger, silentMetrics } from '@aorta/telemetry';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAnnounced } from './announced.ts';
import { memoryInFile } from './memory.ts';
import { QUOTA } from './owed.ts';

let folder: string;
let log: LocalLog;
let now: number;
let asked: string[];
/** What the service says of a workout: an error, or its stream. */
let service: Map<string, ErrorCode>;

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
  ...{ source: 's', partition: '0', offset: 7, received_at: 1, delivery_id: null },
  ...{ header_facts: 0, body_bytes: 2, body_crc32: 0 },
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

const open = () =>
  openAnnounced({
    name: 'job',
    stream: 'workout_stream',
    announces: ({ workout_id: key }) => (key === 'silent' ? undefined : { key, userId: 'u' }),
    fetch: async (key): Promise<Answer<unknown>> => {
      asked.push(key);
      const code = service.get(key);
      if (code !== undefined) throw new AortaError(code, { status: code === 'AORTA-SERVICE-BUSY' ? 503 : 400 });
      return { value: { time: [1] }, body: Buffer.alloc(0), servedAt: 7_000_000 };
    },
    event: 'service.workout_stream',
    data: (workout_id, stream) => ({ workout_id, stream }),
    openLog: async () => log,
    memory: memoryInFile(join(folder, 'job.json')),
    once: true,
    logger: silentLogger,
    metrics: silentMetrics,
    now: () => now,
  });

/** One life: it takes what is due, and commits all of it, or what came before the `crashAt`-th batch. Gives the events. */
async function live(crashAt = Number.POSITIVE_INFINITY): Promise<string[]> {
  const job = await open();
  const events: string[] = [];
  let batch = 0;
  for await (const { deliveries, position } of job.batches(new AbortController().signal)) {
    for (const { body } of deliveries) {
      const { event_type: type, data } = JSON.parse(body.toString()) as { event_type: string; data: { workout_id: string } };
      events.push(`${type.split('.').at(-1)} ${data.workout_id}`);
    }
    if (batch++ === crashAt) return events;
    await job.commit([position]);
  }
  return events;
}

test('what is announced is fetched once, however often it is announced before', async () => {
  await announce('a', 'b', 'a', 'silent');
  expect(await live()).toEqual(['fetched a', 'fetched b']);
  expect(await live()).toEqual([]);
  await announce('a');
  expect(await live()).toEqual(['fetched a']);
  expect(asked).toEqual(['a', 'b', 'a']);
});

test('what was fetched and not written down is asked for once more; nothing announced is lost', async () => {
  await announce(...Array.from({ length: 20 }, (_, index) => `w${index}`));
  expect(await live(1)).toHaveLength(16);
  expect(await live()).toHaveLength(12);
  expect(new Set(asked).size).toBe(20);
  expect(await live()).toEqual([]);
});

test('what has failed is owed over restarts, with pauses that grow, and is a dead letter after the quota', async () => {
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
  // Announced anew, it has another chance.
  service.clear();
  await announce('a');
  expect(await live()).toEqual(['fetched a']);
});

test.each(['AORTA-SERVICE-BUSY', 'AORTA-SERVICE-UNREACHABLE', 'AORTA-SERVICE-KEY', 'AORTA-SERVICE-NOT-ENABLED'] as const)(
  '%s counts against nothing: it is asked for when the service is back',
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

test('what is refused while others are answered is of itself, holds up nobody, and is given up', async () => {
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

test('what is gone is settled, and what is too large is a dead letter at once', async () => {
  service.set('a', 'AORTA-SERVICE-GONE').set('b', 'AORTA-SERVICE-TOO-LARGE');
  await announce('a', 'b', 'c');
  expect(await live()).toEqual(['not_fetched b', 'fetched c']);
  now += 86_400_000 * 30;
  expect(await live()).toEqual([]);
  expect(asked).toEqual(['a', 'b', 'c']);
});

test('streams that were made anew are read from their beginning', async () => {
  await announce('a');
  expect(await live()).toEqual(['fetched a']);
  await log.close();
  rmSync(join(folder, 'streams'), { recursive: true, force: true });
  log = await openLocalLog({ folder: join(folder, 'streams') });
  await announce('b');
  expect(await live()).toEqual(['fetched b']);
});
