/** One result that a laboratory can report, such as LDL cholesterol. */
export interface Analyte {
  /** Such as `ldl-cholesterol`. */
  readonly slug: string;
  readonly name: string;
  readonly loinc: Loinc;
  readonly values: NumericValues | TextValues;
}

interface Loinc {
  /** Such as `13457-7`. */
  readonly code: string;
  /** The name in LOINC. */
  readonly name: string;
}

/** A number with a unit, or `<` or `>` with the limit of detection (`range`). */
export interface NumericValues {
  readonly kind: 'numeric' | 'range';
  readonly unit: string | null;
  /** Digits behind the point. */
  readonly decimals: number;
  /** The reference range of healthy people. A missing bound means that there is none. */
  readonly low?: number;
  readonly high?: number;
  /** Values below or above are critical. Most analytes have no such bounds. */
  readonly criticalLow?: number;
  readonly criticalHigh?: number;
}

/** A text of a closed list (`coded_value`), or a remark in words (`comment`). */
export interface TextValues {
  readonly kind: 'coded_value' | 'comment';
  readonly normal: readonly string[];
  readonly abnormal: readonly string[];
}
