import { expect, test } from 'vitest';
import { type Count, needingAttention, type Standing } from './board.ts';

const count = (standing: Standing, pulls: number, stale: number): Count => ({
  provider: 'oura',
  standing,
  pulls,
  stale,
  oldestAnswer: '2026-03-28T12:00:00Z',
});

test('failed, stalled and unknown pulls need attention, but retrying and in_motion pulls only if the answer is stale', () => {
  expect(needingAttention([count('failed', 3, 1), count('stalled', 20, 0), count('unknown', 100, 0)])).toBe(123);
  expect(needingAttention([count('retrying', 9, 2), count('in_motion', 9, 5)])).toBe(7);
  expect(needingAttention([count('complete', 9, 9), count('not_pulled', 9, 9), count('announced', 9, 9)])).toBe(0);
});
