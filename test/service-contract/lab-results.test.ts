import * as schemas from '@junction-api/sdk/serialization';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { someCourse, someExpected, someSeed } from '../../infra/service/labs/analyte.fixture.ts';
import { partOf } from '../../infra/service/labs/result.ts';
import { orderResultForm, type ReportFacts } from '../../infra/service/labs/result-forms.ts';
import { resultsOf } from '../../infra/service/labs/results.ts';
import { resultValue } from '../../schemas/events/lab.ts';

const at = { time: Date.parse('2026-03-05T09:30:00Z'), laboratory: 'Good Lab', sampleId: 'S-1' };
const facts: ReportFacts = {
  status: 'final',
  physician: null,
  accountId: null,
  patient: { id: null, name: 'Ann Example', birthDate: '1990-03-03' },
  laboratory: { slug: 'good-lab', name: 'Good Lab', clia: null, phoneNumber: null, medicalDirector: null, address: null },
  sample: {
    number: 'S-1',
    controlNumber: null,
    timeZoneOffset: 0,
    fasting: false,
    notes: null,
    collected: at.time,
    received: null,
    reported: at.time,
  },
};

test("the vendor's SDK reads every generated report, and finds the results in it", () => {
  fc.assert(
    fc.property(someExpected, someSeed, someCourse, (expected, seed, course) => {
      const whole = resultsOf(expected, seed, course, at);
      for (const report of [whole, partOf(whole)]) {
        const read = schemas.LabResultsRaw.parseOrThrow(orderResultForm(facts, report), {
          unrecognizedObjectKeys: 'passthrough',
        });
        const results = read.results as readonly { slug?: string; result: string; type: string }[];
        expect(results.map(({ slug, result, type }) => [slug, result, type])).toEqual(
          report.results.map(({ slug, result, result_type }) => [slug, result, result_type]),
        );
        expect(read.missingResults!.map(({ slug }) => slug)).toEqual(report.missing.map(({ slug }) => slug));
        expect(read.metadata).toMatchObject({ age: '36', clia: null, specimenNumber: 'S-1' });
      }
    }),
  );
});

test('Aorta reads the numbers of every generated result', () => {
  fc.assert(
    fc.property(someExpected, someSeed, someCourse, (expected, seed, course) => {
      for (const { result, result_type } of resultsOf(expected, seed, course, at).results)
        expect(resultValue(result_type, result)).toEqual(numbersOf(result_type, result));
    }),
    { numRuns: 300 },
  );
});

/** Reads the numbers without the reader of Aorta. */
function numbersOf(type: string, text: string) {
  const none = { result_number: null, result_sign: null, result_low: null, result_high: null };
  if (type === 'numeric') return { ...none, result_number: Number(text) };
  if (type !== 'range') return none;
  const sign = text[0]!;
  if (sign === '<' || sign === '>') return { ...none, result_sign: sign, result_number: Number(text.slice(1)) };
  const [low, high] = text.includes(' to ') ? text.split(' to ') : text.split('-');
  return { ...none, result_low: Number(low), result_high: Number(high) };
}
