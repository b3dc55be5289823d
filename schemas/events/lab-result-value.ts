export interface ResultValue {
  readonly result_number: number | null;
  readonly result_sign: '<' | '<=' | '>' | '>=' | null;
  readonly result_low: number | null;
  readonly result_high: number | null;
}

export const noNumbers: ResultValue = { result_number: null, result_sign: null, result_low: null, result_high: null };

const digits = String.raw`(?:\d+(?:\.\d*)?|\.\d+)`;
/** A number as laboratories write it: with leading zeros, a leading or trailing point, or U+2212 as its minus sign. */
const number = String.raw`[-+−]?${digits}(?:[eE][-+−]?\d+)?`;
const single = new RegExp(`^(<=|>=|<|>|≤|≥)?\\s*(${number})$`);
const range = new RegExp(`^(${number})\\s*(?:-|–|−|to)\\s*(${number})$`, 'i');
const signs = { '≤': '<=', '≥': '>=' } as const;

const numberOf = (text: string): number => Number(text.replaceAll('−', '-'));

/**
 * Parses the text of a lab result. Only the types `numeric` and `range` have numbers. Digits in a comment or a coded
 * value are ignored. A result with a comma is not parsed, because the comma may separate thousands or decimals. A range
 * whose first number is the greater one is not parsed, because the text means something else, such as a date.
 */
export function resultValue(type: string | null, text: string | null): ResultValue {
  if (text === null || (type !== 'numeric' && type !== 'range')) return noNumbers;
  const one = single.exec(text.trim());
  if (one !== null) {
    const value = numberOf(one[2]!);
    if (!Number.isFinite(value)) return noNumbers;
    const sign = (one[1] as ResultValue['result_sign'] | keyof typeof signs | undefined) ?? null;
    return { ...noNumbers, result_number: value, result_sign: sign === '≤' || sign === '≥' ? signs[sign] : sign };
  }
  const both = type === 'range' ? range.exec(text.trim()) : null;
  if (both === null) return noNumbers;
  const [low, high] = [numberOf(both[1]!), numberOf(both[2]!)];
  const inOrder = Number.isFinite(low) && Number.isFinite(high) && low <= high;
  return inOrder ? { ...noNumbers, result_low: low, result_high: high } : noNumbers;
}
