import { z } from 'zod';

/** The forms of parsing jobs, and of what they find in a report. */

const loincMatchSchema = z
  .strictObject({
    loinc_code: z.string(),
    loinc_name: z.string(),
    display_name: z.string().default(''),
    aliases: z.array(z.string()).default([]),
    confidence_score: z.number(),
  })
  .meta({ id: 'LoincMatch' });

const text = z.string().nullable().default(null);
const bound = z.number().nullable().default(null);
const flag = z.boolean().nullable().default(null);

const resultSchema = z
  .strictObject({
    test_name: z.string(),
    value: z.string(),
    type: z.enum(['numeric', 'range', 'comment', 'boolean', 'duration', 'percentage', 'ratio']).nullable().default(null),
    units: text,
    min_reference_range: bound,
    max_reference_range: bound,
    is_below_min_range: flag,
    is_above_max_range: flag,
    interpretation: z.enum(['normal', 'abnormal', 'critical', 'unknown']).nullable().default(null),
    sample_type: z
      .enum(['urine', 'serum_plasma_blood', 'capillary_blood', 'stool', 'saliva', 'other', 'unknown'])
      .default('unknown'),
    measurement_kind: z.enum(['direct', 'calculated', 'ratio', 'unknown']).default('unknown'),
    sensitivity: z.enum(['sensitive', 'insensitive', 'unknown']).default('unknown'),
    source_panel_name: text,
    loinc_matches: z.array(loincMatchSchema).nullable().default(null),
    loinc_match_status: z.enum(['auto_match', 'needs_review', 'no_match']).nullable().default(null),
  })
  .meta({ id: 'LabReportResult' });

const metadataSchema = z
  .strictObject({
    patient_first_name: text,
    patient_last_name: text,
    dob: text.describe('A text, because a report may have dates in any form.'),
    gender: z.enum(['male', 'female', 'other']).default('other'),
    lab_name: text,
    date_reported: text,
    date_collected: text,
    specimen_number: text,
  })
  .meta({ id: 'LabReportMetadata' });

export const reportDataSchema = z
  .strictObject({ metadata: metadataSchema, results: z.array(resultSchema) })
  .meta({ id: 'LabReportData' });

export const failureReasons = ['invalid_input', 'low_quality', 'not_english', 'too_many_pages', 'processing_error'] as const;

export const parsingJobSchema = z
  .strictObject({
    id: z.uuid(),
    status: z.enum(['upload_pending', 'started', 'completed', 'failed']),
    failure_reason: z.enum(failureReasons).nullable(),
    data: reportDataSchema.nullable(),
    needs_human_review: z.boolean(),
    is_reviewed: z.boolean(),
  })
  .meta({ id: 'ParsingJob', examples: [exampleJob()] });

function exampleJob(): object {
  const result = {
    test_name: 'Ferritin',
    value: '12',
    type: 'numeric',
    units: 'ng/mL',
    min_reference_range: 15,
    max_reference_range: 150,
    is_below_min_range: true,
    is_above_max_range: false,
    interpretation: 'abnormal',
    sample_type: 'serum_plasma_blood',
    measurement_kind: 'direct',
    sensitivity: 'unknown',
    source_panel_name: 'Vitamins and Iron',
    loinc_matches: [
      {
        loinc_code: '2276-4',
        loinc_name: 'Ferritin [Mass/volume] in Serum or Plasma',
        display_name: 'Ferritin',
        aliases: [],
        confidence_score: 0.93,
      },
    ],
    loinc_match_status: 'auto_match',
  };
  const metadata = {
    patient_first_name: null,
    patient_last_name: null,
    dob: null,
    gender: 'other',
    lab_name: 'Riverside Diagnostics',
    date_reported: '2026-01-30',
    date_collected: '2026-01-28',
    specimen_number: 'S0123456',
  };
  return {
    id: '7a1e2b3c-0000-4000-8000-000000000001',
    status: 'completed',
    failure_reason: null,
    data: { metadata, results: [result] },
    needs_human_review: false,
    is_reviewed: false,
  };
}

export type ReportData = z.output<typeof reportDataSchema>;
export type ReportResult = z.output<typeof resultSchema>;
export type ParsingJob = z.output<typeof parsingJobSchema>;
