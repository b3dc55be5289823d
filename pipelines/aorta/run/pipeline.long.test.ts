import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Source } from '@aorta/connectors';
import { AortaError, type Metrics, Progress, type Step, silentMetrics, whenAborted } from '@aorta/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { delivery } from '../../../connectors/delivery.fixture.ts';
import { inTime } from '../../../infra/machine/waiting.fixture.ts';
import { readSetting } from '../config/configuration.ts';
import { runPipeline } from './pipeline.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A source that yields one delivery, then waits until the run is stopped. */
const quiet: Source<number> = {
  name: 'quiet',
  async *batches(signal) {
    const body = Buffer.from(JSON.stringify({ event_type: 'some.new.event', user_id: 'u', data: {} }));
    yield { deliveries: [delivery({ source: 'quiet', offset: 0, body })], position: 1 };
    await whenAborted(signal);
  },
  commit: async () => {},
};

/** Runs the pipeline until the loader has landed the delivery, then stops it. */
async function untilLanded(onStep?: (step: Step) => void): Promise<void> {
  const stop = new AbortController();
  const landed = Promise.withResolvers<void>();
  const metrics: Metrics = {
    ...silentMetrics,
    count: (name: string) => {
      if (name === 'aorta_loading_records_total') landed.resolve();
    },
  };
  const run = runPipeline({
    setting: readSetting({ warehouse: 'duckdb:health.duckdb' }, {}, folder),
    sources: () => [{ open: () => quiet, againAfterMs: 0 }],
    untilStopped: true,
    signal: stop.signal,
    metrics,
    onStep,
  });
  try {
    await inTime('the loader to land the delivery', Promise.race([landed.promise, run]));
  } finally {
    stop.abort();
    await run;
  }
}

test('a run that could not open its streams no longer counts as starting', async () => {
  const setting = readSetting({ warehouse: 'duckdb:health.duckdb' }, {}, folder);
  writeFileSync(join(folder, 'health.duckdb.streams'), '');
  const progress = new Progress();
  await expect(runPipeline({ setting, sources: () => [], progress })).rejects.toThrow();
  expect(progress.stalls()).toEqual([]);
});

// The source is never drained, so the loader can only wake when it learns that records are durable.
test('a run without a step observer wakes the loader when records are durable', async () => {
  await untilLanded();
});

test('a run with a step observer wakes the loader when records are durable, and reports its steps', async () => {
  const steps: Step[] = [];
  await untilLanded((step) => void steps.push(step));
  expect(steps.filter((step) => /^(append|land)/.test(step))).toEqual([
    'append:written',
    'append:synced',
    'append:durable',
    'land:begun',
    'land:durable',
  ]);
});

test('until all parts are closed, readiness reports the error that ended the run', async () => {
  const progress = new Progress();
  const reasons: string[] = [];
  const failing: Source<number> = {
    ...quiet,
    name: 'failing',
    // biome-ignore lint/correctness/useYield: it fails before its first batch
    batches: async function* () {
      throw new AortaError('AORTA-DATA-UNWRITABLE', { path: '/data/x', code: 'ENOSPC' });
    },
  };
  const closing: Source<number> = {
    ...quiet,
    close: async () => void reasons.push(...progress.stalls().map(({ reason }) => reason)),
  };
  const run = runPipeline({
    setting: readSetting({ warehouse: 'duckdb:health.duckdb' }, {}, folder),
    sources: () => [failing, closing].map((source) => ({ open: () => source, againAfterMs: 0 })),
    untilStopped: true,
    progress,
  });
  await expect(run).rejects.toMatchObject({ code: 'AORTA-DATA-UNWRITABLE' });
  expect(reasons).toContainEqual(expect.stringMatching(/^run has waited for \d+ s: stopping: .*\/data\/x cannot be written/));
});
