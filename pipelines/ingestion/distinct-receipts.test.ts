import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DistinctReceipts } from './distinct-receipts.ts';

/** Lists of receipts. Many receipts have the same source, partition, block or time. */
const receipts = fc.array(
  fc.tuple(
    fc.constantFrom('a', 'b'),
    fc.constantFrom('0', '1'),
    fc.oneof(fc.integer({ min: 0, max: 25 }), fc.integer({ min: 1020, max: 1030 })),
    fc.integer({ min: 0, max: 3 }),
  ),
  { maxLength: 200 },
);

test('a receipt is new if its combination of source, partition, offset and time has not been seen', () => {
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

test('if there are too many intervals, the missing offsets in the lowest gap count as seen', () => {
  const distinct = new DistinctReceipts({ intervals: 3 });
  for (const offset of [0, 10, 20, 30]) expect(distinct.add('a', '0', offset, offset)).toBe(true);
  expect(distinct.add('a', '0', 5, 0)).toBe(false);
  expect(distinct.add('a', '0', 15, 15)).toBe(true);
});

test('an offset without an exact time counts as seen at any time in the range of its block', () => {
  const distinct = new DistinctReceipts({ exactBlocks: 1 });
  for (const offset of [0, 1, 2]) expect(distinct.add('a', '0', offset, 1000 + offset)).toBe(true);
  // Only one block can have exact times, so the first block now loses them to the second.
  for (const offset of [5000, 5001]) expect(distinct.add('a', '0', offset, 6000 + offset)).toBe(true);
  expect(distinct.add('a', '0', 1, 1001)).toBe(false);
  expect(distinct.add('a', '0', 1, 9000)).toBe(true);
  // The time is within the block's range, so the receipt counts as seen although it is new.
  expect(distinct.add('a', '0', 1, 1002)).toBe(false);
});

test('a partition needs no exact times if all its offsets are always received at the same time', () => {
  const distinct = new DistinctReceipts({ exactBlocks: 0 });
  for (let time = 1; time <= 50; time++)
    for (let offset = 0; offset < 10; offset++) {
      expect(distinct.add('files', 'content', offset, time)).toBe(true);
      expect(distinct.add('files', 'content', offset, time)).toBe(false);
    }
});

test('in a block whose times are unknown, each offset counts as new only once', () => {
  const distinct = new DistinctReceipts({ blocks: 1 });
  expect(distinct.add('a', '0', 0, 1)).toBe(true);
  expect(distinct.add('a', '0', 5000, 2)).toBe(true);
  expect(distinct.add('a', '0', 0, 3)).toBe(false);
  // An offset that fills a gap in the old block does not affect the block's other offsets.
  expect(distinct.add('a', '0', 1, 4)).toBe(true);
  expect(distinct.add('a', '0', 0, 1)).toBe(false);
});
