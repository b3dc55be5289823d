import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PerSample, sampleValue } from './samples.ts';

test('sampleValue returns the values as pushed, although PerSample stores them in a compact form', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.constantFrom('a', 'b'), { nil: null }), { maxLength: 8 }), (values) => {
      const column = new PerSample<string>();
      for (const value of values) column.push(value);
      const stored = column.values();
      expect(values.map((_, index) => sampleValue(stored, index))).toEqual(values);
      const distinct = new Set(values);
      expect(stored.length).toBe(distinct.size > 1 ? values.length : distinct.size === 1 && values[0] !== null ? 1 : 0);
    }),
  );
});
