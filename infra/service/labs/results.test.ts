import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyte, expectedOf, someCourse, someExpected, someSeed } from './analyte.fixture.ts';
import type { Analyte, NumericValues } from './analytes.ts';
import { failureTypes, type Interpretation, interpretationOf, partOf, type Result } from './result.ts';
import { type Course, resultsOf } from './results.ts';

const at = { time: Date.parse('2026-03-05T09:30:00Z'), laboratory: 'Good Lab', sampleId: 'S-1' };
const glucose = { kind: 'numeric', unit: 'mg/dL', decimals: 0, low: 70, high: 99, criticalLow: 40, criticalHigh: 400 } as const;
const ldl = { kind: 'numeric', unit: 'mg/dL', decimals: 0, high: 100 } as const;
const hdl = { kind: 'numeric', unit: 'mg/dL', decimals: 0, low: 40 } as const;
const a1c = { kind: 'numeric', unit: '%', decimals: 2, low: 4, high: 5.6 } as const;
const baseExcess = { kind: 'numeric', unit: 'mmol/L', decimals: 1, low: -2, high: 2 } as const;
const antibodies = { kind: 'range', unit: 'IU/mL', decimals: 2, high: 9 } as const;
const ratio = { kind: 'numeric', unit: null, decimals: 1 } as const;
const colour = { kind: 'coded_value', normal: ['Negative', 'Trace'], abnormal: ['Positive'] } as const;
const remark = { kind: 'comment', normal: ['No growth.'], abnormal: ['Atypical cells seen.'] } as const;

const seedOf = (number: number): Buffer => {
  const seed = Buffer.alloc(16);
  seed.writeUInt32LE(number);
  return seed;
};
const orderOf = (...values: Analyte['values'][]) => values.map((one, index) => expectedOf(analyte(`analyte-${index}`, one)));
const seeds = Array.from({ length: 300 }, (_, number) => seedOf(number));
/** Returns the reports of many orders of these analytes. */
const many = (course: Course, ...values: Analyte['values'][]) =>
  seeds.map((seed) => resultsOf(orderOf(...values), seed, course, at));
const resultsOfMany = (course: Course, ...values: Analyte['values'][]): readonly Result[] =>
  many({ hasMissing: false, ...course }, ...values).flatMap(({ results }) => results);

describe('a numeric result', () => {
  test('has all members of a result, and no value', () => {
    const [expected] = orderOf(glucose);
    const { results, missing } = resultsOf([expected!], seedOf(1), { interpretation: 'normal' }, at);
    expect(missing).toEqual([]);
    expect(results).toEqual([
      {
        name: 'Name of analyte-0',
        slug: 'analyte-0',
        loinc: '1-8',
        loinc_slug: 'analyte-0-mass-volume-in-serum',
        provider_id: 'code-analyte-0',
        source_markers: [{ marker_id: 7, name: 'Panel', slug: 'panel', provider_id: 'P7' }],
        result: expect.stringMatching(/^[789]\d$/),
        result_type: 'numeric',
        unit: 'mg/dL',
        timestamp: '2026-03-05T09:30:00.000+00:00',
        notes: null,
        reference_range: '70-99',
        min_range_value: 70,
        max_range_value: 99,
        is_above_max_range: false,
        is_below_min_range: false,
        interpretation: 'normal',
        performing_laboratory: 'Good Lab',
        source_sample_id: 'S-1',
      },
    ]);
  });

  test.each([
    [a1c, '4.00-5.60'],
    [ldl, '<=100'],
    [hdl, '>=40'],
    [baseExcess, '-2.0 to 2.0'],
    [ratio, null],
    [{ ...ldl, high: 0.55 }, '<=0.55'],
  ] as const)('names its reference range: %o', (values, text) => {
    expect(resultsOfMany({}, values)[0]!.reference_range).toBe(text);
  });

  test('can be equal to a bound of its reference range', () => {
    const found = resultsOfMany({ interpretation: 'normal' }, { ...a1c, low: 1.1, high: 1.1 });
    expect(new Set(found.map(({ result }) => result))).toEqual(new Set(['1.10']));
  });

  test('has a flag only for a bound of the reference range', () => {
    const wish = { interpretation: 'abnormal' } as const;
    const flags = (values: NumericValues) =>
      new Set(resultsOfMany(wish, values).map((one) => `${one.is_below_min_range} ${one.is_above_max_range}`));
    expect(flags(ldl)).toEqual(new Set(['null true']));
    expect(flags(hdl)).toEqual(new Set(['true null']));
    expect(flags(glucose)).toEqual(new Set(['true false', 'false true']));
    expect(flags(ratio)).toEqual(new Set(['null null']));
  });

  test('is near the reference range if it is abnormal, and beyond a critical bound if it is critical', () => {
    const numbers = (interpretation: Interpretation) =>
      resultsOfMany({ interpretation }, glucose).map(({ result }) => Number(result));
    for (const number of numbers('abnormal')) expect(number < 70 ? number >= 55 : number >= 100 && number <= 114).toBe(true);
    for (const number of numbers('critical')) expect(number < 40 ? number >= 25 : number >= 401 && number <= 415).toBe(true);
  });

  test('is most often close to the reference range if it is abnormal', () => {
    const numbers = resultsOfMany({ interpretation: 'abnormal' }, glucose).map(({ result }) => Number(result));
    const [low, high] = [numbers.filter((number) => number < 70), numbers.filter((number) => number > 99)];
    expect(low.filter((number) => number >= 63).length).toBeGreaterThan(0.6 * low.length);
    expect(high.filter((number) => number <= 106).length).toBeGreaterThan(0.6 * high.length);
  });

  test('varies if the reference range has one bound', () => {
    const numbers = (values: NumericValues) =>
      resultsOfMany({ interpretation: 'normal' }, values).map(({ result }) => Number(result));
    for (const [values, first, last] of [
      [ldl, 20, 100],
      [hdl, 40, 80],
      [{ ...hdl, low: 0, decimals: 1 }, 0, 1],
    ] as const) {
      const [least, greatest] = [Math.min(...numbers(values)), Math.max(...numbers(values))];
      expect(least).toBeGreaterThanOrEqual(first);
      expect(greatest).toBeLessThanOrEqual(last);
      expect(greatest - least).toBeGreaterThan(0.6 * (last - first));
    }
  });

  test('lies around the middle of the reference range if it is normal', () => {
    const numbers = resultsOfMany({ interpretation: 'normal' }, a1c).map(({ result }) => Number(result));
    const inner = numbers.filter((number) => number >= 4.4 && number <= 5.2);
    expect(inner.length).toBeGreaterThan(0.6 * numbers.length);
    expect(new Set(numbers).size).toBeGreaterThan(50);
  });

  test('has a note if it is critical', () => {
    for (const one of resultsOfMany({ interpretation: 'critical' }, glucose))
      expect(one.notes).toBe('The laboratory repeated the measurement.');
  });
});

test('a range is a limit or an interval', () => {
  const texts = (interpretation: Interpretation) => resultsOfMany({ interpretation }, antibodies).map(({ result }) => result);
  const normal = texts('normal');
  expect(normal).toContain('<0.01');
  expect(normal.filter((text) => text !== '<0.01' && !/^\d\.\d\d-\d\.\d\d$/.test(text))).toEqual([]);
  const abnormal = texts('abnormal');
  expect(abnormal).toContain('>20.00');
  expect(abnormal.filter((text) => text !== '>20.00' && !/^(9|1\d)\.\d\d-(9|1\d)\.\d\d$/.test(text))).toEqual([]);
});

test('a limit of detection is not above the reference range', () => {
  const found = resultsOfMany({ interpretation: 'normal' }, { ...antibodies, decimals: 0, high: 0.5 });
  expect(new Set(found.map(({ result }) => result))).toEqual(new Set(['0-0']));
});

test('a coded value is a word of its list, and the normal words are the reference range', () => {
  const words = (interpretation: Interpretation) =>
    new Set(resultsOfMany({ interpretation }, colour).map((one) => `${one.result}, ${one.interpretation}`));
  expect(words('normal')).toEqual(new Set(['Negative, normal', 'Trace, normal']));
  expect(words('abnormal')).toEqual(new Set(['Positive, abnormal']));
  expect(resultsOfMany({}, colour)[0]).toMatchObject({
    result_type: 'coded_value',
    reference_range: 'Negative or Trace',
    unit: null,
    min_range_value: null,
    max_range_value: null,
    is_above_max_range: null,
    is_below_min_range: null,
  });
});

test('a word of both lists is normal', () => {
  const both = { ...colour, abnormal: ['Trace', 'Positive'] };
  expect(new Set(resultsOfMany({ interpretation: 'abnormal' }, both).map(({ result }) => result))).toEqual(new Set(['Positive']));
});

test('a comment is a remark of its list', () => {
  expect(resultsOfMany({ interpretation: 'abnormal' }, remark)[0]).toMatchObject({
    result: 'Atypical cells seen.',
    result_type: 'comment',
    interpretation: 'abnormal',
    reference_range: null,
  });
  expect(resultsOfMany({ interpretation: 'normal' }, remark)[0]).toMatchObject({
    result: 'No growth.',
    interpretation: 'normal',
  });
});

test('an analyte that has texts, but no normal one, is refused', () => {
  const order = orderOf({ kind: 'coded_value', normal: [], abnormal: ['Positive'] }, glucose);
  expect(() => resultsOf(order, seedOf(1), { interpretation: 'normal' }, at)).toThrow(
    'The analyte analyte-0 has no normal value.',
  );
});

describe('an order', () => {
  test.each([
    ['normal', [glucose, colour], 'normal'],
    ['abnormal', [glucose, ratio], 'abnormal'],
    ['critical', [ldl, glucose], 'critical'],
    ['unknown', [glucose, antibodies, colour, remark], 'unknown'],
    ['critical', [ldl, colour], 'abnormal'],
    ['critical', [ratio], 'unknown'],
    ['abnormal', [{ ...colour, abnormal: [] }], 'normal'],
    ['normal', [ratio], 'unknown'],
  ] as const)('with the wish %s has the worst interpretation that is not worse: %o', (interpretation, values, worst) => {
    for (const hasMissing of [true, false]) {
      if (hasMissing && values.length === 1) continue;
      const found = many({ interpretation, hasMissing }, ...values).map(({ results }) => interpretationOf(results));
      expect(new Set(found)).toEqual(new Set([worst]));
    }
  });

  test('that is abnormal may be so because of any of its results', () => {
    const abnormal = many({ interpretation: 'abnormal', hasMissing: false }, glucose, ldl).map(({ results }) =>
      results.filter(({ interpretation }) => interpretation === 'abnormal').map(({ slug }) => slug),
    );
    for (const slugs of [['analyte-0'], ['analyte-1'], ['analyte-0', 'analyte-1']]) expect(abnormal).toContainEqual(slugs);
  });

  test('without interpretation has values, but no reference ranges', () => {
    for (const one of resultsOfMany({ interpretation: 'unknown' }, glucose, antibodies, colour))
      expect(one).toMatchObject({
        result: expect.stringMatching(/./),
        interpretation: 'unknown',
        reference_range: null,
        min_range_value: null,
        max_range_value: null,
        is_above_max_range: null,
        is_below_min_range: null,
      });
  });

  test('without wishes is normal most often, abnormal every fourth time, and seldom critical or incomplete', () => {
    const reports = many({}, glucose, ldl, hdl, colour);
    const count = (wanted: Interpretation) => reports.filter(({ results }) => interpretationOf(results) === wanted).length;
    expect(count('normal')).toBeGreaterThan(180);
    expect(count('abnormal')).toBeGreaterThan(50);
    expect(count('abnormal')).toBeLessThan(105);
    expect(count('critical')).toBeGreaterThan(0);
    expect(count('critical')).toBeLessThan(18);
    const incomplete = reports.filter(({ missing }) => missing.length > 0).length;
    expect(incomplete).toBeGreaterThan(3);
    expect(incomplete).toBeLessThan(36);
  });

  test('has only results of the wished types, if it has any of them', () => {
    const types = (course: Course) => new Set(resultsOfMany(course, glucose, antibodies, colour).map((one) => one.result_type));
    expect(types({ resultTypes: ['range', 'comment'] })).toEqual(new Set(['range']));
    expect(types({ resultTypes: ['comment'] })).toEqual(new Set(['numeric', 'range', 'coded_value']));
    expect(types({ resultTypes: [] })).toEqual(new Set(['numeric', 'range', 'coded_value']));
  });

  test('with a missing result says which one and why', () => {
    const { results, missing } = resultsOf(orderOf(glucose), seedOf(1), { hasMissing: true }, at);
    expect(results).toEqual([]);
    expect(interpretationOf(results)).toBeNull();
    expect(missing).toEqual([
      {
        name: 'Name of analyte-0',
        slug: 'analyte-0',
        loinc: '1-8',
        loinc_slug: 'analyte-0-mass-volume-in-serum',
        provider_id: 'code-analyte-0',
        source_markers: [{ marker_id: 7, name: 'Panel', slug: 'panel', provider_id: 'P7' }],
        inferred_failure_type: expect.toSatisfy((type) => failureTypes.includes(type)),
        note: expect.stringMatching(/\.$/),
      },
    ]);
  });

  test('without wishes has a result, even if it expects only one', () => {
    for (const { results } of many({}, glucose)) expect(results).toHaveLength(1);
  });

  test('without expected results has none', () => {
    expect(resultsOf([], seedOf(1), { interpretation: 'abnormal', hasMissing: true }, at)).toEqual({ results: [], missing: [] });
  });
});

test.each([
  [[], null],
  [['unknown', 'unknown'], 'unknown'],
  [['unknown', 'normal'], 'normal'],
  [['normal', 'abnormal', 'unknown'], 'abnormal'],
  [['critical', 'abnormal', 'normal'], 'critical'],
] as const)('the interpretation of %o is %s', (interpretations, worst) => {
  expect(interpretationOf(interpretations.map((interpretation) => ({ interpretation })))).toBe(worst);
});

test('every expected result is either there or missing, in the expected order', () => {
  fc.assert(
    fc.property(someExpected, someSeed, fc.option(fc.boolean(), { nil: undefined }), (expected, seed, hasMissing) => {
      const { results, missing } = resultsOf(expected, seed, { hasMissing }, at);
      const slugs = expected.map(({ analyte: { slug } }) => slug);
      const [there, gone] = [results, missing].map((list) => list.map(({ slug }) => slug)) as [string[], string[]];
      expect(there).toEqual(slugs.filter((slug) => !gone.includes(slug)));
      expect(gone).toEqual(slugs.filter((slug) => !there.includes(slug)));
      if (hasMissing !== undefined) expect(gone.length > 0).toBe(hasMissing);
    }),
  );
});

test('the same seed gives the same results, and another seed gives others', () => {
  const order = orderOf(glucose, ldl, hdl, a1c);
  const report = (number: number) => resultsOf(order, seedOf(number), {}, at);
  expect(report(1)).toEqual(report(1));
  expect(report(2)).not.toEqual(report(1));
});

test('partial results are a part of the final results, and leave some out if there are two', () => {
  fc.assert(
    fc.property(someExpected, someSeed, someCourse, (expected, seed, course) => {
      const whole = resultsOf(expected, seed, course, at);
      const part = partOf(whole);
      expect(part.missing).toEqual([]);
      expect(whole.results.slice(0, part.results.length)).toEqual(part.results);
      if (whole.results.length > 0) expect(part.results.length).toBeGreaterThan(0);
      if (whole.results.length > 1) expect(part.results.length).toBeLessThan(whole.results.length);
    }),
  );
});
