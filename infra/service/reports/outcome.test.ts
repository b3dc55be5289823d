import fc from 'fast-check';
import { expect, test } from 'vitest';
import { generatedReport, reportedTests } from './outcome.ts';
import { parsingJobSchema, reportDataSchema } from './report-form.ts';

const NOW = Date.UTC(2026, 0, 10, 12);
const reports = Array.from({ length: 300 }, (_, number) => generatedReport(`seed ${number}`, NOW));
const results = reports.flatMap((report) => report.results);

test('a report has three to eight different tests, and is in the documented form', () => {
  fc.assert(
    fc.property(fc.string(), (seed) => {
      const report = generatedReport(seed, NOW);
      const names = report.results.map(({ test_name }) => test_name);
      expect([names.length >= 3, names.length <= 8, new Set(names).size]).toEqual([true, true, names.length]);
      // The schema would add members that are missing.
      expect(reportDataSchema.parse(report)).toEqual(report);
    }),
  );
  expect(new Set(reports.map((report) => report.results.length))).toEqual(new Set([3, 4, 5, 6, 7, 8]));
});

test('the flags and the interpretation fit the value and its range', () => {
  for (const { test_name, value, type, min_reference_range: min, max_reference_range: max, ...flags } of results) {
    if (type === 'boolean') {
      expect([min, max, flags.is_below_min_range, flags.is_above_max_range]).toEqual([null, null, null, null]);
      expect([value, flags.interpretation]).toEqual(value === 'Negative' ? [value, 'normal'] : ['Positive', 'abnormal']);
      continue;
    }
    expect(value).toMatch(/^\d+(\.\d+)?$/);
    const [below, above] = [min !== null && Number(value) < min, max !== null && Number(value) > max];
    expect([test_name, flags.is_below_min_range, flags.is_above_max_range]).toEqual([test_name, below, above]);
    expect(['abnormal', 'critical'].includes(flags.interpretation!)).toBe(below || above);
  }
  const interpretations = Map.groupBy(results, ({ interpretation }) => interpretation);
  expect([...interpretations.keys()].sort()).toEqual(['abnormal', 'critical', 'normal']);
  expect(interpretations.get('normal')!.length).toBeGreaterThan(results.length / 2);
});

test('every test occurs, with the match of its LOINC code, whose confidence decides the status', () => {
  expect(new Set(results.map(({ test_name }) => test_name)).size).toBe(reportedTests.length);
  for (const { test_name, loinc_matches, loinc_match_status } of results) {
    const [match] = loinc_matches!;
    expect(match!.display_name).toBe(test_name);
    expect([match!.confidence_score >= 0.7, match!.confidence_score <= 0.99]).toEqual([true, true]);
    expect(loinc_match_status).toBe(match!.confidence_score >= 0.85 ? 'auto_match' : 'needs_review');
  }
});

test('a report names no person, and is dated before its upload', () => {
  for (const { metadata } of reports) {
    expect(metadata).toMatchObject({ patient_first_name: null, patient_last_name: null, dob: null, gender: 'other' });
    const { date_collected, date_reported } = metadata;
    expect(date_collected! < date_reported! && date_reported! <= '2026-01-10').toBe(true);
    expect(date_collected! >= '2025-12-11').toBe(true);
  }
});

test('the same seed gives the same results, at any time', () => {
  const later = generatedReport('seed 1', NOW + 10 * 86_400_000);
  expect(later.results).toEqual(reports[1]!.results);
  expect(generatedReport('seed 1', NOW)).toEqual(reports[1]);
  expect(new Set(reports.map((report) => JSON.stringify(report))).size).toBe(reports.length);
});

test.each(reportedTests)('$name has a valid LOINC code, and a reference range within its values', ({ loinc, values }) => {
  const [, digits, check] = /^(\d+)-(\d)$/.exec(loinc.code)!;
  expect(Number(check)).toBe(checkDigit(digits!));
  if (values.type === 'boolean') return;
  const { least, most, low = least, high = most, criticalLow = least, criticalHigh = most } = values;
  const order = [least, criticalLow, low, high, criticalHigh, most];
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(values.low ?? values.high).toBeDefined();
});

/** The check digit of a LOINC code (modulus 10, the Luhn algorithm). */
function checkDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const number = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (number > 9 ? number - 9 : number);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

test('the codes and names of tests differ', () => {
  for (const key of [
    ({ name }: (typeof reportedTests)[number]) => name,
    ({ loinc }: (typeof reportedTests)[number]) => loinc.code,
  ])
    expect(new Set(reportedTests.map(key)).size).toBe(reportedTests.length);
});

test('a job has only the documented states', () => {
  const job = { id: '2a7e51c4-0000-4000-8000-000000000001', failure_reason: null, data: null };
  const flags = { needs_human_review: false, is_reviewed: false };
  expect(parsingJobSchema.safeParse({ ...job, ...flags, status: 'started' }).success).toBe(true);
  expect(parsingJobSchema.safeParse({ ...job, ...flags, status: 'done' }).success).toBe(false);
});
