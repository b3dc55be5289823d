import { expect, test } from 'vitest';
import { backloggedStreams, dueAt, isDue, type MergePatience } from './due.ts';
import type { LandedDates } from './landed-dates.ts';
import type { MergeTarget, PendingMerge } from './pending-merge.ts';

const batch = (landedAt: number, stream: LandedDates['stream'] = 'sleep'): LandedDates => ({
  stream,
  records: 1,
  landedAt,
  receivedDays: [],
  recentDays: [],
  recentRows: 0,
  oldDays: [],
  oldRows: 0,
});
const merge = (...batches: LandedDates[]): PendingMerge<MergeTarget, LandedDates> => ({
  target: { name: 'sleep' },
  range: 'recent',
  parts: batches.map((one) => ({ batch: one, days: [], rows: 10 })),
});
const patience = (some: Partial<MergePatience>): MergePatience => ({
  afterMs: Number.POSITIVE_INFINITY,
  rows: Number.POSITIVE_INFINITY,
  batches: Number.POSITIVE_INFINITY,
  ...some,
});

test.for([
  ['its oldest batch has waited long enough', merge(batch(1_000), batch(5_000)), patience({ afterMs: 4_000 }), 4_999, 5_000],
  ['it has enough rows', merge(batch(1_000), batch(1_000)), patience({ rows: 20 }), undefined, 0],
  ['one stream has enough batches', merge(batch(9), batch(9)), patience({ batches: 2 }), undefined, 0],
] as const)('a merge is due when %s', ([_, pending, rule, before, from]) => {
  if (before !== undefined) expect(isDue(pending, rule, before)).toBe(false);
  expect(isDue(pending, rule, from)).toBe(true);
});

test('a merge is not due while it is below every limit', () => {
  expect(isDue(merge(batch(0), batch(0)), patience({ afterMs: 10, rows: 21, batches: 3 }), 9)).toBe(false);
});

test('a merge with enough rows is due as soon as its oldest batch is landed, any other after the maximum wait', () => {
  expect(dueAt(merge(batch(1_000), batch(2_000)), patience({ afterMs: 500, rows: 20 }))).toBe(1_000);
  expect(dueAt(merge(batch(1_000), batch(2_000)), patience({ afterMs: 500, rows: 21 }))).toBe(1_500);
});

test('only a stream’s own batches count towards its limit', () => {
  const of = (stream: string, batches: number) => Array.from({ length: batches }, () => ({ stream }));
  expect(backloggedStreams([...of('sleep', 449), ...of('body', 450)], 450)).toEqual(new Set(['body']));
});
