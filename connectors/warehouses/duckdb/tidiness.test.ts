import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Tidiness } from './tidiness.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  path = join(folder, 'warehouse.duckdb');
  writeFileSync(path, '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('waiting batches before a checkpoint', () => {
  test.for([
    ['a few waiting batches are not merged before a checkpoint', 16, 16, 0, false],
    ['many waiting batches are merged before a checkpoint', 17, 17, 0, true],
    ['large waiting batches are not merged, because their blocks are full', 40, 40 * 20_480, 0, false],
    ['waiting batches are not merged if the file is so large that their blocks do not matter', 60, 60, 2 ** 30, false],
    ['waiting batches are merged if there are many even for a large file', 65, 65, 2 ** 30, true],
  ] as const)('%s', ([_, batches, records, bytes, merged]) => {
    // A sparse file takes no space.
    truncateSync(path, bytes);
    expect(new Tidiness(path, 0).crowdsCheckpoint({ batches, records })).toBe(merged);
  });
});

test('a checkpoint is due after 500 landed batches, including those waiting at the start', () => {
  const tidiness = new Tidiness(path, 490);
  for (let batch = 0; batch < 9; batch++) tidiness.landed();
  expect(tidiness.isDue).toBe(false);
  tidiness.landed();
  expect(tidiness.isDue).toBe(true);
  tidiness.checkpointed();
  expect(tidiness.isDue).toBe(false);
});
