import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tally } from '@aorta/ingestion';
import { AortaError, type Logger, Progress, silentLogger } from '@aorta/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noTally } from '../report/load-report.ts';
import { type FullDiskOptions, type Opening, runThroughFullDisks } from './full-disk.ts';
import type { PipelineOutcome } from './pipeline.ts';

let folder: string;
let stop: AbortController;
let progress: Progress;
/** What happened, in order. */
let happened: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  stop = new AbortController();
  progress = new Progress();
  happened = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const full = (): AortaError => new AortaError('AORTA-DATA-UNWRITABLE', { path: join(folder, 'x'), code: 'ENOSPC' });
const tally = (received: number): Tally => ({ ...noTally, received, unrouted: received });
const done = (received: number): PipelineOutcome => ({ ended: 'stopped', tally: tally(received), tables: undefined, losses: [] });

/** An opening that receives one delivery and then fails. `before` runs first. */
const failing =
  (error: unknown, before: () => void = () => {}): Opening =>
  async ({ onProgress, onFailure }) => {
    happened.push('opened');
    before();
    onProgress?.(tally(1));
    await onFailure?.(error);
    happened.push('closed');
    throw error;
  };

const logger: Logger = { ...silentLogger, error: (event, fields) => void happened.push(`${event}: ${fields?.code}`) };

/** Runs the openings one after another. Each element of the result is one call of `onProgress`. */
async function run(openings: readonly Opening[], more: Partial<FullDiskOptions> = {}) {
  const counts: number[] = [];
  const left = [...openings];
  const outcome = await runThroughFullDisks({
    open: (hooks) => left.shift()!(hooks),
    standIn: async () => {
      happened.push('stand-in');
      return { close: async () => void happened.push('stand-in closed') };
    },
    worker: {
      place: { streams: folder, warehouse: join(folder, 'w') },
      parts: ['ingestion'],
      clients: [],
      sources: [],
      supervisor: null,
    },
    signal: stop.signal,
    logger,
    progress,
    onProgress: ({ received }) => void counts.push(received),
    checkMs: 1,
    ...more,
  });
  return { outcome, counts };
}

const reasons = (): string[] => progress.stalls().map(({ reason }) => reason);

test('after a full disk, everything is opened again, and the counts add up', async () => {
  let reopened: string[] | undefined;
  const { outcome, counts } = await run([
    failing(full()),
    async ({ onProgress }) => {
      happened.push('opened');
      // The wait ends when the pipeline reports that it is starting.
      await Promise.resolve();
      reopened = reasons();
      onProgress?.(tally(2));
      return done(2);
    },
  ]);
  expect(outcome).toEqual({ ...done(2), tally: { ...noTally, received: 3, unrouted: 3 } });
  expect(counts).toEqual([1, 3]);
  expect(reopened).toEqual([]);
  expect(happened).toEqual([
    'opened',
    'waiting for space on a disk: AORTA-DATA-UNWRITABLE',
    'stand-in',
    'closed',
    'opened',
    'stand-in closed',
  ]);
});

test('from the failure until the next opening, readiness has the reason', async () => {
  const found: string[][] = [];
  const standIn = async () => {
    found.push(reasons());
    return { close: async () => {} };
  };
  await run([failing(full()), async () => done(0)], { standIn });
  expect(found).toEqual([
    [expect.stringMatching(/^run has waited for \d+ s: waiting for space: .*\(ENOSPC: the disk is full\)/)],
  ]);
});

test('each further failure opens a new stand-in before the last one is closed', async () => {
  await run([failing(full()), failing(full()), async () => done(0)]);
  expect(happened.filter((what) => what.startsWith('stand-in'))).toEqual([
    'stand-in',
    'stand-in',
    'stand-in closed',
    'stand-in closed',
  ]);
});

test('a stop during the wait ends the run without an error', async () => {
  const standIn = async () => {
    stop.abort();
    return { close: async () => void happened.push('stand-in closed') };
  };
  const { outcome } = await run([failing(full())], { standIn, checkMs: 1_000_000 });
  expect(outcome).toEqual(done(1));
  expect(reasons()).toEqual([]);
  expect(happened.at(-1)).toBe('stand-in closed');
});

test('if another command has locked the data folder meanwhile, the run waits for it', async () => {
  const locked = new AortaError('AORTA-DATA-LOCKED', { folder, pid: 1 });
  const { outcome } = await run([failing(full()), failing(locked), async () => done(1)]);
  expect(outcome.tally.received).toBe(3);
  expect(happened.filter((what) => what.startsWith('waiting'))).toEqual(['waiting for space on a disk: AORTA-DATA-UNWRITABLE']);
  await expect(run([failing(locked)])).rejects.toBe(locked);
});

test.each([
  ['another error', () => new AortaError('AORTA-DATA-UNWRITABLE', { path: join(folder, 'x'), code: 'EACCES' })],
  ['an exception', () => new TypeError('a bug')],
])('%s ends the run', async (_, error) => {
  const thrown = error();
  await expect(run([failing(thrown)])).rejects.toBe(thrown);
  expect(happened).toEqual(['opened', 'closed']);
});

test('a full disk after the request to stop ends the run with the error', async () => {
  const error = full();
  await expect(run([failing(error, () => stop.abort())])).rejects.toBe(error);
});
