import { expect, test } from 'vitest';
import { backoff } from './backoff.ts';

test('a pause doubles with each failure, up to the longest pause', () => {
  expect([0, 1, 2, 3, 4, 5].map((failures) => backoff(failures, 100, 1000))).toEqual([100, 100, 200, 400, 800, 1000]);
  expect(backoff(5000, 100, 1000)).toBe(1000);
});
