import type { Analyte } from './analyte.ts';
import { analytesOf, type Marker } from './catalogue.ts';

/** A result that a lab reports for a marker. */
export interface ExpectedResult {
  /** The lab has the same id for the analyte in all of its markers. */
  readonly id: number;
  readonly lab_id: number;
  /** The lab's code of the result, which is not that of a marker. */
  readonly provider_id: string;
  /** False if the result may be missing without a reason. */
  readonly required: boolean;
  readonly analyte: Analyte;
  readonly loinc_id: number;
}

const RESULTS_OF_A_LAB = 10_000_000;

export function expectedResultsOf(marker: Marker): ExpectedResult[] {
  return analytesOf(marker).map((analyte) => {
    // The digits of a LOINC code identify it without the dash, too.
    const loinc_id = Number(analyte.loinc.code.replace('-', ''));
    const id = marker.lab_id * RESULTS_OF_A_LAB + loinc_id;
    const required = analyte.values.kind !== 'comment';
    return { id, lab_id: marker.lab_id, provider_id: String(id), required, analyte, loinc_id };
  });
}
