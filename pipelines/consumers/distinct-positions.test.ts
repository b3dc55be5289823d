import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DistinctPositions } from './distinct-positions.ts';

test('counts as a set does', () => {
  const position = fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom('0', '1'), fc.integer({ min: 0, max: 25 }));
  fc.assert(
    fc.property(fc.array(position, { maxLength: 200 }), (positions) => {
      const seen = new Set<string>();
      const distinct = new DistinctPositions();
      for (const [source, partition, offset] of positions) {
        const key = `${source} ${partition} ${offset}`;
        expect(distinct.add(source, partition, offset)).toBe(!seen.has(key));
        seen.add(key);
      }
    }),
  );
});

test('too many gaps cost exactness at the lowest offsets, not memory', () => {
  const distinct = new DistinctPositions(3);
  for (const offset of [0, 10, 20, 30]) expect(distinct.add('a', '0', offset)).toBe(true);
  expect(distinct.add('a', '0', 5)).toBe(false);
  expect(distinct.add('a', '0', 15)).toBe(true);
});
