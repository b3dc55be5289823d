import type { Random } from '@aorta/people';
import type { Analyte, NumericValues, TextValues } from './analyte.ts';
import type { Interpretation, Result } from './result.ts';
import { stepText, type Zone, zonesOf } from './zones.ts';

/** The text of a result, and the members that follow from the text and the analyte. */
export type Finding = Pick<
  Result,
  | 'result'
  | 'unit'
  | 'reference_range'
  | 'min_range_value'
  | 'max_range_value'
  | 'is_above_max_range'
  | 'is_below_min_range'
  | 'interpretation'
>;

const noRange = {
  reference_range: null,
  min_range_value: null,
  max_range_value: null,
  is_above_max_range: null,
  is_below_min_range: null,
};

/** Returns whether an analyte has values of this interpretation. */
export function canBe({ values }: Analyte, interpretation: Interpretation): boolean {
  if ('unit' in values) return zonesOf(values).some((zone) => zone.interpretation === interpretation);
  return textsOf(values, interpretation).length > 0;
}

/** Draws a value with this interpretation. Throws {@link RangeError} if the analyte has none. */
export function drawFinding({ values }: Analyte, interpretation: Interpretation, random: Random): Finding {
  if ('unit' in values) return numericFinding(values, interpretation, random);
  const reference_range = values.kind === 'coded_value' ? values.normal.join(' or ') : null;
  return { ...noRange, result: random.pick(textsOf(values, interpretation)), unit: null, reference_range, interpretation };
}

/** Returns the finding of a laboratory that reports values, but neither reference ranges nor interpretations. */
export function withoutInterpretation({ result, unit }: Finding): Finding {
  return { ...noRange, result, unit, interpretation: 'unknown' };
}

/** Returns the texts of this interpretation. A text of both lists is normal. */
function textsOf({ normal, abnormal }: TextValues, interpretation: Interpretation): readonly string[] {
  if (interpretation === 'normal') return normal;
  return interpretation === 'abnormal' ? abnormal.filter((text) => !normal.includes(text)) : [];
}

function numericFinding(values: NumericValues, interpretation: Interpretation, random: Random): Finding {
  const zone = random.pick(zonesOf(values).filter((candidate) => candidate.interpretation === interpretation));
  const { low, high, unit, decimals, kind } = values;
  return {
    result: kind === 'numeric' ? stepText(drawStep(zone, random), decimals) : rangeText(zone, decimals, random),
    unit,
    reference_range: referenceRange(values),
    min_range_value: low ?? null,
    max_range_value: high ?? null,
    is_above_max_range: high === undefined ? null : zone.side === 'above',
    is_below_min_range: low === undefined ? null : zone.side === 'below',
    interpretation,
  };
}

/** Draws a step: around the middle of the reference range, or outside of it, and then most often close to it. */
function drawStep({ side, from, to }: Zone, random: Random): number {
  if (side === 'within') {
    const drawn = Math.round((from + to) / 2 + (random.bell() * (to - from)) / 5);
    return Math.min(Math.max(drawn, from), to);
  }
  const distance = Math.floor(Math.min(random.uniform(), random.uniform()) * (to - from + 1));
  return side === 'above' ? from + distance : to - distance;
}

/** Writes an interval of values. All its values have the interpretation of the zone. */
function rangeText(zone: Zone, decimals: number, random: Random): string {
  const limits = [detectionLimit(zone), measuringLimit(zone)].filter((limit) => limit !== undefined);
  const text = (step: number) => stepText(step, decimals);
  if (limits.length > 0 && random.chance(0.7)) {
    const { sign, step } = random.pick(limits);
    return `${sign}${text(step)}`;
  }
  const [first, last] = [drawStep(zone, random), drawStep(zone, random)].sort((a, b) => a - b) as [number, number];
  return interval(text(first), text(last));
}

interface Limit {
  readonly sign: '<' | '>';
  readonly step: number;
}

/** Returns the smallest amount that the laboratory detects, if smaller amounts are in the zone. */
function detectionLimit({ from, to, openBelow }: Zone): Limit | undefined {
  const step = from >= 0 ? 1 : from;
  return openBelow && step <= to ? { sign: '<', step } : undefined;
}

/** Returns the greatest amount that the laboratory measures, a round number, if all greater amounts are in the zone. */
function measuringLimit({ to, openAbove }: Zone): Limit | undefined {
  if (!openAbove) return undefined;
  const round = 10 ** (String(Math.abs(to)).length - 1);
  return { sign: '>', step: Math.ceil(to / round) * round };
}

/** Writes the reference range. Both bounds are normal values. */
function referenceRange({ low, high, decimals }: NumericValues): string | null {
  const text = (bound: number) => {
    const fixed = bound.toFixed(decimals);
    return Number(fixed) === bound ? fixed : String(bound);
  };
  if (low === undefined) return high === undefined ? null : `<=${text(high)}`;
  return high === undefined ? `>=${text(low)}` : interval(text(low), text(high));
}

const interval = (first: string, last: string): string => (first.startsWith('-') ? `${first} to ${last}` : `${first}-${last}`);
