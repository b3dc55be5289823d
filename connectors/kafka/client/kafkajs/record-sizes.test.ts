import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { library } from './workarounds.ts';
import { runsOf, sizeOf } from './writer.ts';

test('a run of records stays within the byte and record limits, and an oversized record gets its own run', () => {
  expect(runsOf([], 10, 10)).toEqual([]);
  expect(runsOf([4, 4, 4, 20, 1, 1], 10, 10)).toEqual([2, 3, 4, 6]);
  expect(runsOf([1, 1, 1], 10, 2)).toEqual([2, 3]);
});

test('the estimated size of a record is never below its encoded size', () => {
  library();
  const encode = createRequire(import.meta.url)('kafkajs/src/protocol/recordBatch/record/v0') as (r: object) => {
    size(): number;
  };
  const far = { timestampDelta: 2 ** 42, offsetDelta: 999 };
  for (const record of [
    { key: null, value: null, headers: [] },
    {
      key: Buffer.alloc(70_000),
      value: Buffer.alloc(3_000_000),
      headers: [['ä', null] as const, ['n'.repeat(300), Buffer.alloc(9_000)] as const],
    },
  ]) {
    expect(encode({ ...record, ...far }).size()).toBeLessThanOrEqual(sizeOf(record));
  }
});
