import { createHash } from 'node:crypto';
import { z } from 'zod';
import { dateText } from '../api/times.ts';
import { type Draws, drawsOf } from '../storage/draws.ts';
import { failureReasons, type ReportData, type ReportResult, reportDataSchema } from './report-form.ts';
import { type NumericValues, type ReportedTest, reportedTests, type WordValues } from './reported-tests.ts';

export const outcomeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('completed'), data: reportDataSchema }).describe('The job finds these data.'),
  z.strictObject({ kind: z.literal('failed'), failure_reason: z.enum(failureReasons) }).describe('The job fails.'),
]);

/** How a parsing job ends. */
export type Outcome = z.output<typeof outcomeSchema>;

/** The first bytes of a PDF, a PNG and a JPEG. */
const beginnings = [Buffer.from('%PDF-'), Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('ffd8ff', 'hex')];

const isReport = (file: Uint8Array): boolean =>
  beginnings.some((beginning) => beginning.equals(file.subarray(0, beginning.length)));

const DAY_MS = 86_400_000;
const labs = ['Northgate Clinical Laboratory', 'Riverside Diagnostics', 'Harbor Street Medical Lab'];
const FEWEST_RESULTS = 3;
const MOST_RESULTS = 8;
/** The best match of a test with a lower confidence needs a review. */
const SURE = 0.85;

/** Returns a report of a few tests. Its results depend only on `seed`, and its dates are shortly before `now`. */
export function generatedReport(seed: string, now: number): ReportData {
  const draws = drawsOf(seed);
  const collected = now - whole(draws, 'collected', 3, 30) * DAY_MS;
  const tests = reportedTests
    .map((test) => ({ test, rank: fraction(draws, 'rank') }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, whole(draws, 'results', FEWEST_RESULTS, MOST_RESULTS));
  return {
    metadata: {
      // The service does not read the files, so it does not know the patient.
      ...{ patient_first_name: null, patient_last_name: null, dob: null, gender: 'other' },
      lab_name: labs[whole(draws, 'lab', 0, labs.length - 1)]!,
      date_reported: dateText(collected + whole(draws, 'reported', 1, 3) * DAY_MS),
      date_collected: dateText(collected),
      specimen_number: `S${String(whole(draws, 'specimen', 0, 9_999_999)).padStart(7, '0')}`,
    },
    results: tests.map(({ test }) => resultOf(test, draws)),
  };
}

function resultOf({ name, aliases, loinc, panel, sample, kind, values }: ReportedTest, draws: Draws): ReportResult {
  const confidence = whole(draws, 'confidence', 70, 99) / 100;
  return {
    test_name: name,
    ...(values.type === 'boolean' ? wordOf(values, draws) : numberOf(values, draws)),
    ...{ sample_type: sample, measurement_kind: kind, sensitivity: 'unknown', source_panel_name: panel },
    loinc_matches: [
      {
        ...{ loinc_code: loinc.code, loinc_name: loinc.name, display_name: name, aliases: [...aliases] },
        confidence_score: confidence,
      },
    ],
    loinc_match_status: confidence >= SURE ? 'auto_match' : 'needs_review',
  };
}

type Value = Pick<
  ReportResult,
  | 'value'
  | 'type'
  | 'units'
  | 'min_reference_range'
  | 'max_reference_range'
  | 'is_below_min_range'
  | 'is_above_max_range'
  | 'interpretation'
>;

function numberOf(values: NumericValues, draws: Draws): Value {
  const { type, unit, decimals, least, most, low, high, criticalLow = least, criticalHigh = most } = values;
  // Most values are in the reference range.
  const [from, to] = fraction(draws, 'normal') < 0.7 ? [low ?? least, high ?? most] : [least, most];
  const value = (from + fraction(draws, 'value') * (to - from)).toFixed(decimals);
  // The flags are about the rounded value, which readers see.
  const number = Number(value);
  const isBelow = low !== undefined && number < low;
  const isAbove = high !== undefined && number > high;
  const isCritical = number < criticalLow || number > criticalHigh;
  return {
    ...{ value, type, units: unit, min_reference_range: low ?? null, max_reference_range: high ?? null },
    ...{ is_below_min_range: isBelow, is_above_max_range: isAbove },
    interpretation: isCritical ? 'critical' : isBelow || isAbove ? 'abnormal' : 'normal',
  };
}

function wordOf({ type, normal, abnormal }: WordValues, draws: Draws): Value {
  const isNormal = fraction(draws, 'normal') < 0.7;
  return {
    ...{ value: isNormal ? normal : abnormal, type, units: null, min_reference_range: null, max_reference_range: null },
    ...{ is_below_min_range: null, is_above_max_range: null, interpretation: isNormal ? 'normal' : 'abnormal' },
  };
}

/** Draws a number from 0 to below 1. */
function fraction(draws: Draws, purpose: string): number {
  return draws.bytes(purpose, 4).readUInt32BE() / 2 ** 32;
}

/** Draws a whole number between two, or one of these. */
function whole(draws: Draws, purpose: string, from: number, to: number): number {
  return from + Math.floor(fraction(draws, purpose) * (to - from + 1));
}

/** Returns how the parsing of files ends. Equal files have equal results. `now` dates the report. */
export function outcomeOf(files: readonly Uint8Array[], now: number): Outcome {
  if (!files.every(isReport)) return { kind: 'failed', failure_reason: 'invalid_input' };
  const hash = createHash('sha256');
  // Each file is hashed on its own, so that the same bytes in two files differ from those in one.
  for (const file of files) hash.update(createHash('sha256').update(file).digest());
  return { kind: 'completed', data: generatedReport(hash.digest('hex'), now) };
}
