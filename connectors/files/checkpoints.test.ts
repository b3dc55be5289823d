import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Progress, silentLogger, silentMetrics } from '@aorta/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { damagesOf } from '../../infra/machine/damage.fixture.ts';
import type { Delivery } from '../source.ts';
import { open, probe, problems } from './module.ts';
import { filesSourceOptions } from './options.ts';

let folder: string;
let state: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'files-checkpoints-'));
  state = join(folder, 'state', 'drop');
  writeFileSync(join(folder, 'a.json'), JSON.stringify({ event_type: 'daily.data.steps.created', user_id: 'u', data: {} }));
  utimesSync(join(folder, 'a.json'), 1_760_000_000, 1_760_000_000);
});
afterEach(() => rmSync(folder, { recursive: true }));

const settings = () => filesSourceOptions.parse({ type: 'files', name: 'drop', paths: [join(folder, 'a.json')] });

async function read(): Promise<readonly Delivery[]> {
  const source = await open(settings(), {
    state,
    window: 0,
    documentBytes: 2 ** 20,
    once: true,
    worker: 'w',
    logger: silentLogger,
    metrics: silentMetrics,
    progress: new Progress(),
    onProblem: (error) => {
      throw error;
    },
  });
  const deliveries: Delivery[] = [];
  for await (const batch of source.batches(new AbortController().signal)) {
    deliveries.push(...batch.deliveries);
    await source.commit([batch.position]);
  }
  return deliveries;
}

test('damaged checkpoints are reported until the file is deleted; the files are then read with the same receipts', async () => {
  const first = await read();
  expect(first).toHaveLength(1);
  expect(await read()).toEqual([]);
  const file = `${state}.json`;
  const damaged = { code: 'AORTA-FILE-CHECKPOINTS-DAMAGED', details: { file } };
  const surroundings = { stateOf: () => state, patience: { connectMs: 1, requestMs: 1 } };
  for (const { what, content } of damagesOf(readFileSync(file), 13)) {
    writeFileSync(file, content);
    await expect(read(), what).rejects.toMatchObject(damaged);
    expect(await problems(settings(), state)).toMatchObject([damaged]);
    expect(await probe([settings()], surroundings)).toMatchObject([{ state: 'fail', found: expect.stringContaining(file) }]);
    expect(readFileSync(file)).toEqual(content);
  }
  rmSync(file);
  expect(await read()).toEqual(first);
  expect(await problems(settings(), state)).toEqual([]);
});
