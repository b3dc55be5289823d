import type { Analyte } from './analytes.ts';

export const resultTypes = ['numeric', 'range', 'comment', 'coded_value'] as const;
export type ResultType = (typeof resultTypes)[number];

/** From the mildest to the worst. */
export const interpretations = ['unknown', 'normal', 'abnormal', 'critical'] as const;
export type Interpretation = (typeof interpretations)[number];

/** An ordered marker that leads to a result. */
interface SourceMarker {
  readonly marker_id: number;
  readonly name: string;
  readonly slug: string;
  readonly provider_id: string;
}

/** A result that an order leads to. */
export interface ExpectedResult {
  readonly analyte: Analyte;
  readonly sources: readonly SourceMarker[];
  /** The laboratory's code of the analyte. */
  readonly provider_id: string;
}

/** The members that a result and a missing result have in common. */
export interface ResultIdentity {
  readonly name: string;
  readonly slug: string;
  readonly loinc: string;
  readonly loinc_slug: string;
  readonly provider_id: string;
  readonly source_markers: readonly SourceMarker[];
}

/** A result. It has no member `value`: readers parse `result` by `result_type`. */
export interface Result extends ResultIdentity {
  readonly result: string;
  readonly result_type: ResultType;
  readonly unit: string | null;
  /** With an offset. */
  readonly timestamp: string;
  readonly notes: string | null;
  readonly reference_range: string | null;
  /** Null if the reference range has no such bound. The same holds for the other three members. */
  readonly min_range_value: number | null;
  readonly max_range_value: number | null;
  readonly is_above_max_range: boolean | null;
  readonly is_below_min_range: boolean | null;
  readonly interpretation: Interpretation;
  readonly performing_laboratory: string;
  readonly source_sample_id: string | null;
}

export interface MissingResult extends ResultIdentity {
  readonly inferred_failure_type: FailureType;
  readonly note: string;
}

export const failureTypes = [
  'quantity_not_sufficient_failure',
  'collection_process_failure',
  'drop_off_failure',
  'internal_lab_failure',
  'order_entry_failure',
  'non_failure',
  'unknown_failure',
  'patient_condition_failure',
  'missing_result_calc_failure',
  'missing_demo_aoe_calc_failure',
  'insufficient_volume',
] as const;
export type FailureType = (typeof failureTypes)[number];

/** The report of a laboratory on one order. */
export interface LabResults {
  readonly results: readonly Result[];
  readonly missing: readonly MissingResult[];
}

/** Returns the worst interpretation. Null if there are no results. */
export function interpretationOf(results: readonly Pick<Result, 'interpretation'>[]): Interpretation | null {
  return interpretations.findLast((worst) => results.some(({ interpretation }) => interpretation === worst)) ?? null;
}

/**
 * Returns the partial results of an order: the first half of the results. The final results contain them unchanged.
 * Only the final results say what is missing.
 */
export function partOf({ results }: LabResults): LabResults {
  return { results: results.slice(0, Math.ceil(results.length / 2)), missing: [] };
}

export function identityOf({ analyte, sources, provider_id }: ExpectedResult): ResultIdentity {
  const { name, slug, loinc } = analyte;
  return { name, slug, loinc: loinc.code, loinc_slug: loincSlug(loinc.name), provider_id, source_markers: sources };
}

/** Returns the slug of a name of LOINC. */
export function loincSlug(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.join('-');
}
