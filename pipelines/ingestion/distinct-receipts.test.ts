import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DistinctReceipts } from './distinct-receipts.ts';

/** Offsets that share a block and offsets far apart; times that agree and times that do not. */
const receipts = fc.array(
  fc.tuple(
    fc.constantFrom('a', 'b'),
    fc.constantFrom('0', '1'),
    fc.oneof(fc.integer({ min: 0, max: 25 }), fc.integer({ min: 1020, max: 1030 })),
    fc.integer({ min: 0, max: 3 }),
  ),
  { maxLength: 200 },
);

test('counts as a set of source, partition, offset and time does', () => {
  fc.assert(
    fc.property(receipts, (list) => {
      const seen = new Set<string>();
      const distinct = new DistinctReceipts();
      for (const receipt of list) {
        const key = receipt.join(' ');
        expect(distinct.add(...receipt)).toBe(!seen.has(key));
        seen.add(key);
      }
    }),
  );
});

test('too many gaps cost exactness at the lowest offsets, not memory', () => {
  const distinct = new DistinctReceipts({ intervals: 3 });
  for (const offset of [0, 10, 20, 30]) expect(distinct.add('a', '0', offset, offset)).toBe(true);
  expect(distinct.add('a', '0', 5, 0)).toBe(false);
  expect(distinct.add('a', '0', 15, 15)).toBe(true);
});

test('beyond the times that are remembered a position is told apart by the range of its neighbours’ times', () => {
  const distinct = new DistinctReceipts({ exactBlocks: 1 });
  for (const offset of [0, 1, 2]) expect(distinct.add('a', '0', offset, 1000 + offset)).toBe(true);
  // Another block takes the one place for exact times.
  for (const offset of [5000, 5001]) expect(distinct.add('a', '0', offset, 6000 + offset)).toBe(true);
  expect(distinct.add('a', '0', 1, 1001)).toBe(false);
  expect(distinct.add('a', '0', 1, 9000)).toBe(true);
  // Inexact: the time lies in the range, so the receipt counts as known.
  expect(distinct.add('a', '0', 1, 1002)).toBe(false);
});

test('a partition that is received anew as a whole, again and again, takes no exact times', () => {
  const distinct = new DistinctReceipts({ exactBlocks: 0 });
  for (let time = 1; time <= 50; time++)
    for (let offset = 0; offset < 10; offset++) {
      expect(distinct.add('files', 'content', offset, time)).toBe(true);
      expect(distinct.add('files', 'content', offset, time)).toBe(false);
    }
});

test('of the oldest blocks no time is known, so a position of them counts once', () => {
  const distinct = new DistinctReceipts({ blocks: 1 });
  expect(distinct.add('a', '0', 0, 1)).toBe(true);
  expect(distinct.add('a', '0', 5000, 2)).toBe(true);
  expect(distinct.add('a', '0', 0, 3)).toBe(false);
  // A gap of the old block is filled: that says nothing of its other offsets.
  expect(distinct.add('a', '0', 1, 4)).toBe(true);
  expect(distinct.add('a', '0', 0, 1)).toBe(false);
});
