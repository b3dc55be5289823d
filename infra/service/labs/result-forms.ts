import { z } from 'zod';
import { ageOn, dateSchema, dateText, instant, instantSchema } from '../api/times.ts';
import {
  failureTypes,
  type Interpretation,
  interpretationOf,
  interpretations,
  type LabResults,
  type MissingResult,
  type Result,
  resultTypes,
} from './result.ts';

const interpretationSchema = z.enum(interpretations);
const resultTypeSchema = z.enum(resultTypes);

const identityMembers = {
  name: z.string(),
  slug: z.string(),
  loinc: z.string().nullable().describe('LOINC code.'),
  loinc_slug: z.string().nullable(),
  provider_id: z.string().nullable().describe("The laboratory's code."),
  source_markers: z
    .array(z.object({ marker_id: z.int(), name: z.string(), slug: z.string(), provider_id: z.string().nullable() }))
    .nullable()
    .describe('The ordered markers that lead to the result.'),
};

export const resultSchema = z
  .object({
    ...identityMembers,
    result: z.string().describe('A number, an interval, a code or a remark, by `result_type`.'),
    result_type: resultTypeSchema,
    type: resultTypeSchema.describe('The same as `result_type`.'),
    unit: z.string().nullable(),
    timestamp: instantSchema.nullable(),
    notes: z.string().nullable(),
    reference_range: z.string().nullable(),
    min_range_value: z.number().nullable(),
    max_range_value: z.number().nullable(),
    is_above_max_range: z.boolean().nullable().describe('Null if the reference range has no upper bound.'),
    is_below_min_range: z.boolean().nullable().describe('Null if the reference range has no lower bound.'),
    interpretation: interpretationSchema,
    source_interpretation: z.string().describe("The laboratory's own interpretation."),
    performing_laboratory: z.string().nullable(),
    source_sample_id: z.string().nullable(),
  })
  .meta({ id: 'LabResult' });

export const missingResultSchema = z
  .object({ ...identityMembers, inferred_failure_type: z.enum(failureTypes), note: z.string().nullable() })
  .meta({ id: 'MissingLabResult' });

export const metadataSchema = z
  .object({
    age: z.string().describe('Years at the collection, or at the report if there is no date of collection.'),
    dob: dateSchema,
    'clia_#': z.string().nullable(),
    patient: z.string(),
    provider: z.string().nullable().describe('The physician.'),
    laboratory: z.string().nullable(),
    date_reported: dateSchema.meta({ deprecated: true }),
    date_collected: dateSchema.nullable().meta({ deprecated: true }),
    specimen_number: z.string(),
    date_received: dateSchema.nullable().meta({ deprecated: true }),
    status: z.enum(['final', 'partial']),
    interpretation: interpretationSchema.nullable(),
    patient_id: z.string().nullable(),
    account_id: z.string().nullable(),
  })
  .meta({ id: 'LabResultMetadata' });

const sampleTimeSchema = z
  .object({ timestamp: instantSchema, timezone_offset: z.int().describe('Seconds east of UTC.') })
  .nullable();

const laboratoryAddressSchema = z.object({
  first_line: z.string(),
  second_line: z.string().nullable(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  country: z.string(),
});

export const sampleSchema = z
  .object({
    sample_id: z.string().nullable(),
    control_number: z.string().nullable(),
    date_collected: sampleTimeSchema,
    date_received: sampleTimeSchema,
    date_reported: sampleTimeSchema,
    performing_laboratories: z.record(
      z.string(),
      z.object({
        name: z.string(),
        phone_number: z.string().nullable(),
        medical_director: z.string().nullable(),
        address: laboratoryAddressSchema.nullable(),
      }),
    ),
    clinical_information: z.object({
      fasting: z.boolean(),
      notes: z.string().nullable(),
      information: z.string().nullable(),
      total_volume: z.string().nullable(),
    }),
  })
  .meta({ id: 'LabSample' });

/** The answer about an order's results, without the vendor's optional `order_transaction`. */
export const orderResultSchema = z
  .object({
    metadata: metadataSchema,
    results: z.array(resultSchema),
    missing_results: z.array(missingResultSchema),
    sample_information: z.record(z.string(), sampleSchema).describe('The samples, by their numbers.'),
  })
  .meta({ id: 'LabOrderResult' });

/** The facts of a report, without its results. Instants are in milliseconds since 1970. */
export interface ReportFacts {
  readonly status: 'final' | 'partial';
  readonly patient: { readonly id: string | null; readonly name: string; readonly birthDate: string };
  /** Name of the physician. */
  readonly physician: string | null;
  readonly laboratory: LaboratoryFacts;
  readonly accountId: string | null;
  readonly sample: SampleFacts;
}

interface LaboratoryFacts {
  readonly slug: string;
  readonly name: string;
  readonly clia: string | null;
  readonly phoneNumber: string | null;
  readonly medicalDirector: string | null;
  readonly address: z.input<typeof laboratoryAddressSchema> | null;
}

interface SampleFacts {
  readonly number: string;
  readonly controlNumber: string | null;
  readonly collected: number | null;
  readonly received: number | null;
  readonly reported: number;
  /** Seconds east of UTC, where the sample was collected. */
  readonly timeZoneOffset: number;
  readonly fasting: boolean;
  readonly notes: string | null;
}

export function resultForm({ source_markers, ...result }: Result): z.input<typeof resultSchema> {
  const { result_type, interpretation } = result;
  return { ...result, type: result_type, source_interpretation: interpretation, source_markers: [...source_markers] };
}

export function missingResultForm({ source_markers, ...result }: MissingResult): z.input<typeof missingResultSchema> {
  return { ...result, source_markers: [...source_markers] };
}

export function metadataForm(facts: ReportFacts, interpretation: Interpretation | null): z.input<typeof metadataSchema> {
  const { status, patient, physician, laboratory, accountId, sample } = facts;
  const localDate = (time: number) => dateText(time + sample.timeZoneOffset * 1000);
  const [collected, received] = [sample.collected, sample.received].map((time) => (time === null ? null : localDate(time)));
  const reported = localDate(sample.reported);
  return {
    age: String(ageOn(collected ?? reported, patient.birthDate)),
    dob: patient.birthDate,
    'clia_#': laboratory.clia,
    patient: patient.name,
    provider: physician,
    laboratory: laboratory.name,
    date_reported: reported,
    date_collected: collected ?? null,
    specimen_number: sample.number,
    date_received: received ?? null,
    status,
    interpretation,
    patient_id: patient.id,
    account_id: accountId,
  };
}

export function sampleForm({ laboratory, sample }: Pick<ReportFacts, 'laboratory' | 'sample'>): z.input<typeof sampleSchema> {
  const { slug, name, phoneNumber, medicalDirector, address } = laboratory;
  const timeForm = (time: number | null) =>
    time === null ? null : { timestamp: instant(time), timezone_offset: sample.timeZoneOffset };
  return {
    sample_id: sample.number,
    control_number: sample.controlNumber,
    date_collected: timeForm(sample.collected),
    date_received: timeForm(sample.received),
    date_reported: timeForm(sample.reported),
    performing_laboratories: { [slug]: { name, phone_number: phoneNumber, medical_director: medicalDirector, address } },
    clinical_information: { fasting: sample.fasting, notes: sample.notes, information: null, total_volume: null },
  };
}

/** Returns the answer about an order's results. */
export function orderResultForm(facts: ReportFacts, { results, missing }: LabResults): z.input<typeof orderResultSchema> {
  return {
    metadata: metadataForm(facts, interpretationOf(results)),
    results: results.map(resultForm),
    missing_results: missing.map(missingResultForm),
    sample_information: { [facts.sample.number]: sampleForm(facts) },
  };
}
