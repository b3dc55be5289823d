import fc from 'fast-check';
import type { Analyte, NumericValues, TextValues } from './analytes.ts';
import { type ExpectedResult, interpretations, resultTypes } from './result.ts';
import type { Course } from './results.ts';

/** Made-up analytes, orders and wishes for tests. */

export function analyte(slug: string, values: Analyte['values']): Analyte {
  return { slug, name: `Name of ${slug}`, loinc: { code: '1-8', name: `${slug} [Mass/volume] in Serum` }, values };
}

export function expectedOf(one: Analyte): ExpectedResult {
  const source = { marker_id: 7, name: 'Panel', slug: 'panel', provider_id: 'P7' };
  return { analyte: one, sources: [source], provider_id: `code-${one.slug}` };
}

/** Bounds are whole numbers of hundredths, so some of them have more decimals than the analyte. */
const numericValues: fc.Arbitrary<NumericValues> = fc
  .record({
    kind: fc.constantFrom('numeric' as const, 'range' as const),
    unit: fc.constantFrom('mg/dL', null),
    decimals: fc.integer({ min: 0, max: 3 }),
    start: fc.integer({ min: -500, max: 5_000 }),
    gaps: fc.tuple(gap(0), gap(200), gap(0)),
    given: fc.record({ low: fc.boolean(), high: fc.boolean(), criticalLow: fc.boolean(), criticalHigh: fc.boolean() }),
  })
  .map(({ start, gaps, given, ...values }) => {
    const [toLow, toHigh, toCritical] = gaps;
    const bounds = {
      criticalLow: start / 100,
      low: (start + toLow) / 100,
      high: (start + toLow + toHigh) / 100,
      criticalHigh: (start + toLow + toHigh + toCritical) / 100,
    };
    const names = Object.keys(bounds) as (keyof typeof bounds)[];
    return { ...values, ...Object.fromEntries(names.filter((name) => given[name]).map((name) => [name, bounds[name]])) };
  });

function gap(min: number): fc.Arbitrary<number> {
  return fc.oneof(fc.integer({ min, max: min + 20 }), fc.integer({ min, max: 20_000 }));
}

const textValues: fc.Arbitrary<TextValues> = fc.constantFrom(
  { kind: 'coded_value', normal: ['Negative'], abnormal: ['Positive', 'Equivocal'] },
  { kind: 'coded_value', normal: ['Clear', 'Hazy'], abnormal: [] },
  { kind: 'comment', normal: ['No growth after 48 hours.'], abnormal: ['Few atypical cells seen.'] },
);

const someAnalyte: fc.Arbitrary<Analyte['values']> = fc.oneof({ weight: 4, arbitrary: numericValues }, textValues);

export const someExpected: fc.Arbitrary<readonly ExpectedResult[]> = fc
  .array(someAnalyte, { minLength: 1, maxLength: 12 })
  .map((all) => all.map((values, index) => expectedOf(analyte(`analyte-${index}`, values))));

export const someSeed: fc.Arbitrary<Buffer> = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes));

export const someCourse: fc.Arbitrary<Course> = fc.record(
  {
    interpretation: fc.constantFrom(...interpretations),
    hasMissing: fc.boolean(),
    resultTypes: fc.subarray([...resultTypes]),
  },
  { requiredKeys: [] },
);
