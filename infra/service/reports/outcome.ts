import { createHash } from 'node:crypto';
import { z } from 'zod';
import { dateText } from '../api/times.ts';
import { type Draws, drawsOf } from '../storage/draws.ts';
import { failureReasons, type ReportData, type ReportResult, reportDataSchema } from './report-form.ts';

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

/** A test that generated reports can have. */
interface ReportedTest {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly loinc: { readonly code: string; readonly name: string };
  readonly panel: string;
  readonly sample: ReportResult['sample_type'];
  readonly kind: ReportResult['measurement_kind'];
  readonly values: NumericValues | WordValues;
}

interface NumericValues {
  readonly type: 'numeric' | 'percentage' | 'ratio';
  readonly unit: string | null;
  /** Digits behind the point. */
  readonly decimals: number;
  /** Reference range. A missing bound means that there is none. */
  readonly low?: number;
  readonly high?: number;
  /** All generated values are between these. */
  readonly least: number;
  readonly most: number;
  /** Values below or above are critical. */
  readonly criticalLow?: number;
  readonly criticalHigh?: number;
}

interface WordValues {
  readonly type: 'boolean';
  readonly normal: string;
  readonly abnormal: string;
}

const blood = { sample: 'serum_plasma_blood', kind: 'direct' } as const;
const numeric = (
  [least, most]: readonly [number, number],
  unit: string,
  decimals: number,
  range: Pick<NumericValues, 'low' | 'high' | 'criticalLow' | 'criticalHigh'>,
): NumericValues => ({ type: 'numeric', unit, decimals, least, most, ...range });

const METABOLIC = 'Comprehensive Metabolic Panel';
const LIPIDS = 'Lipid Panel';
const COUNT = 'Complete Blood Count';
const THYROID = 'Thyroid Panel';
const VITAMINS = 'Vitamins and Iron';
const URINE = 'Urinalysis';

const metabolic: readonly ReportedTest[] = [
  {
    ...blood,
    name: 'Glucose',
    aliases: ['Blood sugar'],
    panel: METABOLIC,
    loinc: { code: '2345-7', name: 'Glucose [Mass/volume] in Serum or Plasma' },
    values: numeric([45, 260], 'mg/dL', 0, { low: 70, high: 99, criticalLow: 50, criticalHigh: 250 }),
  },
  {
    ...blood,
    name: 'Hemoglobin A1c',
    aliases: ['HbA1c'],
    panel: METABOLIC,
    loinc: { code: '4548-4', name: 'Hemoglobin A1c/Hemoglobin.total in Blood' },
    values: { type: 'percentage', unit: '%', decimals: 1, low: 4, high: 5.6, least: 4, most: 9.5 },
  },
  {
    ...blood,
    name: 'Creatinine',
    aliases: [],
    panel: METABOLIC,
    loinc: { code: '2160-0', name: 'Creatinine [Mass/volume] in Serum or Plasma' },
    values: numeric([0.4, 2.4], 'mg/dL', 2, { low: 0.6, high: 1.3 }),
  },
  {
    sample: 'serum_plasma_blood',
    kind: 'calculated',
    name: 'eGFR',
    aliases: [],
    panel: METABOLIC,
    loinc: {
      code: '98979-8',
      name: 'Glomerular filtration rate/1.73 sq M.predicted [Volume Rate/Area] in Serum, Plasma or Blood by Creatinine-based formula (CKD-EPI 2021)',
    },
    values: numeric([35, 120], 'mL/min/1.73m2', 0, { low: 60 }),
  },
  {
    ...blood,
    name: 'Urea Nitrogen',
    aliases: ['BUN'],
    panel: METABOLIC,
    loinc: { code: '3094-0', name: 'Urea nitrogen [Mass/volume] in Serum or Plasma' },
    values: numeric([5, 40], 'mg/dL', 0, { low: 7, high: 20 }),
  },
  {
    ...blood,
    name: 'ALT',
    aliases: ['SGPT'],
    panel: METABOLIC,
    loinc: { code: '1742-6', name: 'Alanine aminotransferase [Enzymatic activity/volume] in Serum or Plasma' },
    values: numeric([6, 120], 'U/L', 0, { low: 7, high: 56 }),
  },
  {
    ...blood,
    name: 'AST',
    aliases: ['SGOT'],
    panel: METABOLIC,
    loinc: { code: '1920-8', name: 'Aspartate aminotransferase [Enzymatic activity/volume] in Serum or Plasma' },
    values: numeric([8, 110], 'U/L', 0, { low: 10, high: 40 }),
  },
  {
    ...blood,
    name: 'Sodium',
    aliases: ['Na'],
    panel: METABOLIC,
    loinc: { code: '2951-2', name: 'Sodium [Moles/volume] in Serum or Plasma' },
    values: numeric([118, 162], 'mmol/L', 0, { low: 135, high: 145, criticalLow: 120, criticalHigh: 160 }),
  },
  {
    ...blood,
    name: 'Potassium',
    aliases: ['K'],
    panel: METABOLIC,
    loinc: { code: '2823-3', name: 'Potassium [Moles/volume] in Serum or Plasma' },
    values: numeric([2.3, 6.8], 'mmol/L', 1, { low: 3.5, high: 5.1, criticalLow: 2.5, criticalHigh: 6.5 }),
  },
];

const lipids: readonly ReportedTest[] = [
  {
    ...blood,
    name: 'Total Cholesterol',
    aliases: [],
    panel: LIPIDS,
    loinc: { code: '2093-3', name: 'Cholesterol [Mass/volume] in Serum or Plasma' },
    values: numeric([110, 310], 'mg/dL', 0, { high: 199 }),
  },
  {
    ...blood,
    name: 'HDL Cholesterol',
    aliases: ['HDL-C'],
    panel: LIPIDS,
    loinc: { code: '2085-9', name: 'Cholesterol in HDL [Mass/volume] in Serum or Plasma' },
    values: numeric([25, 95], 'mg/dL', 0, { low: 40 }),
  },
  {
    sample: 'serum_plasma_blood',
    kind: 'calculated',
    name: 'LDL Cholesterol',
    aliases: ['LDL-C'],
    panel: LIPIDS,
    loinc: { code: '13457-7', name: 'Cholesterol in LDL [Mass/volume] in Serum or Plasma by calculation' },
    values: numeric([45, 210], 'mg/dL', 0, { high: 99 }),
  },
  {
    ...blood,
    name: 'Triglycerides',
    aliases: [],
    panel: LIPIDS,
    loinc: { code: '2571-8', name: 'Triglyceride [Mass/volume] in Serum or Plasma' },
    values: numeric([40, 420], 'mg/dL', 0, { high: 149 }),
  },
  {
    sample: 'serum_plasma_blood',
    kind: 'ratio',
    name: 'Cholesterol/HDL Ratio',
    aliases: [],
    panel: LIPIDS,
    loinc: { code: '9830-1', name: 'Cholesterol.total/Cholesterol in HDL [Mass Ratio] in Serum or Plasma' },
    values: { type: 'ratio', unit: null, decimals: 1, high: 4.9, least: 1.8, most: 8 },
  },
];

const others: readonly ReportedTest[] = [
  {
    ...blood,
    name: 'Hemoglobin',
    aliases: ['Hgb'],
    panel: COUNT,
    loinc: { code: '718-7', name: 'Hemoglobin [Mass/volume] in Blood' },
    values: numeric([6.5, 20.5], 'g/dL', 1, { low: 12, high: 17.5, criticalLow: 7, criticalHigh: 20 }),
  },
  {
    ...blood,
    name: 'White Blood Cells',
    aliases: ['WBC', 'Leukocytes'],
    panel: COUNT,
    loinc: { code: '6690-2', name: 'Leukocytes [#/volume] in Blood by Automated count' },
    values: numeric([2.5, 18], '10*3/uL', 1, { low: 4, high: 11 }),
  },
  {
    ...blood,
    name: 'Platelets',
    aliases: ['PLT'],
    panel: COUNT,
    loinc: { code: '777-3', name: 'Platelets [#/volume] in Blood by Automated count' },
    values: numeric([90, 520], '10*3/uL', 0, { low: 150, high: 400 }),
  },
  {
    ...blood,
    name: 'TSH',
    aliases: ['Thyrotropin'],
    panel: THYROID,
    loinc: { code: '3016-3', name: 'Thyrotropin [Units/volume] in Serum or Plasma' },
    values: numeric([0.05, 9.5], 'mIU/L', 2, { low: 0.4, high: 4 }),
  },
  {
    ...blood,
    name: 'Free T4',
    aliases: ['FT4'],
    panel: THYROID,
    loinc: { code: '3024-7', name: 'Thyroxine (T4) free [Mass/volume] in Serum or Plasma' },
    values: numeric([0.5, 2.6], 'ng/dL', 2, { low: 0.8, high: 1.8 }),
  },
  {
    ...blood,
    name: 'Ferritin',
    aliases: [],
    panel: VITAMINS,
    loinc: { code: '2276-4', name: 'Ferritin [Mass/volume] in Serum or Plasma' },
    values: numeric([5, 350], 'ng/mL', 0, { low: 15, high: 150 }),
  },
  {
    ...blood,
    name: 'Vitamin B12',
    aliases: ['Cobalamin'],
    panel: VITAMINS,
    loinc: { code: '2132-9', name: 'Cobalamin (Vitamin B12) [Mass/volume] in Serum or Plasma' },
    values: numeric([120, 1200], 'pg/mL', 0, { low: 200, high: 900 }),
  },
  {
    sample: 'urine',
    kind: 'direct',
    name: 'Urine Protein',
    aliases: [],
    panel: URINE,
    loinc: { code: '20454-5', name: 'Protein [Presence] in Urine by Test strip' },
    values: { type: 'boolean', normal: 'Negative', abnormal: 'Positive' },
  },
];

export const reportedTests: readonly ReportedTest[] = [...metabolic, ...lipids, ...others];

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
      patient_first_name: null,
      patient_last_name: null,
      dob: null,
      gender: 'other',
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
    sample_type: sample,
    measurement_kind: kind,
    sensitivity: 'unknown',
    source_panel_name: panel,
    loinc_matches: [
      {
        loinc_code: loinc.code,
        loinc_name: loinc.name,
        display_name: name,
        aliases: [...aliases],
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
    value,
    type,
    units: unit,
    min_reference_range: low ?? null,
    max_reference_range: high ?? null,
    is_below_min_range: isBelow,
    is_above_max_range: isAbove,
    interpretation: isCritical ? 'critical' : isBelow || isAbove ? 'abnormal' : 'normal',
  };
}

function wordOf({ type, normal, abnormal }: WordValues, draws: Draws): Value {
  const isNormal = fraction(draws, 'normal') < 0.7;
  return {
    value: isNormal ? normal : abnormal,
    type,
    units: null,
    min_reference_range: null,
    max_reference_range: null,
    is_below_min_range: null,
    is_above_max_range: null,
    interpretation: isNormal ? 'normal' : 'abnormal',
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
