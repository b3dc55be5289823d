import { expect, test } from 'vitest';
import { misplaced, waiting } from './module.ts';

test('a committed offset is misplaced if it is before the log’s first offset or beyond its end', () => {
  const partitions = [
    { low: 10, stable: 20, end: 20 },
    { low: 10, stable: 20, end: 20 },
    { low: 10, stable: 20, end: 20 },
    { low: 10, stable: 20, end: 20 },
    // An open transaction holds the last two records.
    { low: 0, stable: 3, end: 5 },
  ];
  const committed = [9, 10, 20, 21, undefined];
  expect(misplaced({ partitions, committed })).toEqual([
    { partition: 0, committed: 9, low: 10, end: 20 },
    { partition: 3, committed: 21, low: 10, end: 20 },
  ]);
  expect(waiting({ partitions, committed })).toBe(10 + 10 + 0 + 0 + 3);
});
