import fc from 'fast-check';
import { expect, test } from 'vitest';
import { someCourse, someExpected, someSeed } from './analyte.fixture.ts';
import type { NumericValues } from './analytes.ts';
import { resultsOf } from './results.ts';

const at = { time: 0, laboratory: 'Good Lab', sampleId: null };
const uninterpreted = {
  interpretation: 'unknown',
  reference_range: null,
  min_range_value: null,
  max_range_value: null,
  is_above_max_range: null,
  is_below_min_range: null,
};

test('the flags and the interpretation of every result follow from its text', () => {
  fc.assert(
    fc.property(someExpected, someSeed, someCourse, (expected, seed, course) => {
      const isInterpreted = course.interpretation !== 'unknown';
      for (const one of resultsOf(expected, seed, course, at).results) {
        const { values } = expected.find(({ analyte: { slug } }) => slug === one.slug)!.analyte;
        expect(one.result_type).toBe(values.kind);
        if (!isInterpreted) expect(one).toMatchObject(uninterpreted);
        else if ('unit' in values) expect(one).toMatchObject(readByRange(one.result, values));
        else expect(values[one.interpretation as 'normal' | 'abnormal']).toContain(one.result);
      }
    }),
    { numRuns: 300 },
  );
});

/** Reads a text by the ranges of its analyte. Fails if a part of the text is on the other side of a bound. */
function readByRange(text: string, values: NumericValues) {
  const { low, high, criticalLow, criticalHigh } = values;
  const { first, last, isOpen } = intervalOf(text, values);
  const isBelow = (bound: number | undefined): boolean => {
    if (bound === undefined) return false;
    const below = last < bound || (isOpen && last === bound);
    expect(below || first >= bound, `${text} is not on one side of ${bound}`).toBe(true);
    return below;
  };
  const isAbove = (bound: number | undefined): boolean => {
    if (bound === undefined) return false;
    const above = first > bound || (isOpen && first === bound);
    expect(above || last <= bound, `${text} is not on one side of ${bound}`).toBe(true);
    return above;
  };
  const isCritical = isBelow(criticalLow) || isAbove(criticalHigh);
  const isOutside = isBelow(low) || isAbove(high);
  const inside = low === undefined && high === undefined ? 'unknown' : 'normal';
  return {
    is_below_min_range: low === undefined ? null : isBelow(low),
    is_above_max_range: high === undefined ? null : isAbove(high),
    min_range_value: low ?? null,
    max_range_value: high ?? null,
    interpretation: isCritical ? 'critical' : isOutside ? 'abnormal' : inside,
  };
}

function intervalOf(text: string, { kind, decimals, ...bounds }: NumericValues) {
  const hasNegativeValues = Object.values(bounds).some((bound) => typeof bound === 'number' && bound < 0);
  const number = decimals === 0 ? String.raw`-?\d+` : String.raw`-?\d+\.\d{${decimals}}`;
  const match = (pattern: string) => new RegExp(`^${pattern}$`).exec(text);
  if (kind === 'numeric') {
    expect(text).toMatch(new RegExp(`^${number}$`));
    expect(hasNegativeValues || Number(text) >= 0).toBe(true);
    return { first: Number(text), last: Number(text), isOpen: false };
  }
  const [below, above] = [match(`<(${number})`), match(`>(${number})`)];
  if (below !== null) return { first: hasNegativeValues ? -Infinity : 0, last: Number(below[1]), isOpen: true };
  if (above !== null) return { first: Number(above[1]), last: Infinity, isOpen: true };
  const [, first, last] = (match(`(${number})(?:-| to )(${number})`) ?? []).map(Number);
  expect(first).toBeLessThanOrEqual(last!);
  return { first: first!, last: last!, isOpen: false };
}
