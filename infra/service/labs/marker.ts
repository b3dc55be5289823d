/** A question that the lab asks when a marker is ordered (ask on order entry). */
export interface Question {
  readonly id: number;
  readonly required: boolean;
  readonly code: string;
  readonly value: string;
  readonly type: 'choice' | 'text' | 'numeric' | 'multi_choice';
  readonly sequence: number;
  readonly answers: readonly { readonly id: number; readonly code: string; readonly value: string }[];
}

/** One biomarker that a lab measures, or a panel of several. */
export interface Marker {
  readonly id: number;
  readonly lab_id: number;
  /** The lab's code. */
  readonly provider_id: string;
  readonly type: 'biomarker' | 'panel';
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** Slugs of the analytes that the lab reports. A biomarker has one. */
  readonly analytes: readonly string[];
  /** In dollars, such as `9.50`. */
  readonly price: string;
  /** The marker can be added to an order by itself. */
  readonly a_la_carte_enabled: boolean;
  /** False for markers that only the lab adds. */
  readonly is_orderable: boolean;
  readonly common_tat_days: number;
  readonly worst_case_tat_days: number;
  readonly questions: readonly Question[];
  /** Ids of the markers that the lab adds if a result is abnormal. */
  readonly reflexes: readonly number[];
}
