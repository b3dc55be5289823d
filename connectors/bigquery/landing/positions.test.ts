import fc from 'fast-check';
import { expect, test } from 'vitest';
import { landedBatch } from './landed-batch.fixture.ts';
import { daysOf, daysText, describeBatch, describedBatch, type LandedBatch } from './landed-batch.ts';
import { coverage } from './positions.ts';

const batch = (from: number, to: number, more: Partial<LandedBatch> = {}): LandedBatch =>
  landedBatch({
    name: `aorta_landed_${from}_${to}`,
    stream: 'sleep',
    from,
    to,
    begins: from === 0,
    records: to - from,
    landedAt: from + 1,
    recentRows: to - from,
    ...more,
  });
const position = (at: number, incarnation = 'i', writtenAt = 0) => ({
  stream: 'sleep',
  partition: 0,
  incarnation,
  position: at,
  writtenAt,
});

test('the landed position is the end of the last landing table, even if the tables are listed in a different order', () => {
  const { landed, holes } = coverage([position(10)], [batch(20, 30), batch(10, 20)]);
  expect([landed.get('sleep/0'), holes]).toEqual([{ incarnation: 'i', position: 30 }, []]);
});

test('if two tables start at the same position and only one of them is marked as the first, there is no gap', () => {
  const second = batch(0, 3, { begins: false, name: 'aorta_landed_other' });
  for (const batches of [
    [second, batch(0, 2)],
    [batch(0, 2), second],
  ])
    expect(coverage([], batches)).toEqual({ landed: new Map([['sleep/0', { incarnation: 'i', position: 3 }]]), holes: [] });
});

test('landing tables may overlap', () => {
  const { landed, holes } = coverage([position(10)], [batch(0, 15), batch(12, 20), batch(11, 18)]);
  expect([landed.get('sleep/0'), holes]).toEqual([{ incarnation: 'i', position: 20 }, []]);
});

test('a missing table is a gap, even if it is the first table', () => {
  const hole = { stream: 'sleep', partition: 0, incarnation: 'i' };
  expect(coverage([position(10)], [batch(10, 20), batch(30, 40)]).holes).toEqual([{ ...hole, from: 20, to: 30 }]);
  expect(coverage([], [batch(30, 40)]).holes).toEqual([{ ...hole, from: 0, to: 30 }]);
  expect(coverage([], [batch(30, 40, { begins: true })]).holes).toEqual([]);
});

test('if a partition has several incarnations, the one that was landed last counts', () => {
  const { landed } = coverage([position(500, 'before')], [batch(0, 5, { incarnation: 'now', landedAt: 9 })]);
  expect(landed.get('sleep/0')).toEqual({ incarnation: 'now', position: 5 });
});

test('any set of days is encoded as a short string and decoded again', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 14_610, max: 24_472 })), (days) => {
      const sorted = days.sort((a, b) => a - b);
      const text = daysText(sorted);
      expect(daysOf(text)).toEqual(sorted);
      expect(text.length).toBeLessThan(1_700);
    }),
  );
});

test('the description of a landing table contains all facts about its batch', () => {
  const one = batch(0, 7, { oldDays: [15_000, 15_002], oldRows: 3, incarnation: '"\n' });
  expect(describedBatch(one.name, describeBatch(one), [])).toEqual(one);
  expect(describedBatch(one.name, 'a foreign table', [])).toBeUndefined();
});
