import type { Random } from '@aorta/people';
import type { Analyte, NumericValues, TextValues } from './analytes.ts';
import type { Interpretation, Result } from './result.ts';

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

/**
 * Neighbouring values with the same interpretation. Values are counted in steps of the last decimal, because
 * whole numbers are exact: with two decimals, 540 is 5.40.
 */
interface Zone {
  readonly interpretation: Interpretation;
  readonly side: 'below' | 'within' | 'above';
  /** First and last step that a generated result has. Results stay near the reference range. */
  readonly from: number;
  readonly to: number;
  /** The zone also contains all lower values, or all higher values. */
  readonly openBelow: boolean;
  readonly openAbove: boolean;
}

/** How far generated results are outside of the reference range, as a share of its width. */
const NEAR = 0.5;
/** How far below their upper bound results without a lower bound lie, as a share of the upper bound. */
const DOWN_TO = 0.8;
/** Results of an analyte without any bounds. */
const UNBOUNDED = { from: 1, to: 100 };

/** Returns the zones of an analyte that contain at least one step. */
function zonesOf(values: NumericValues): Zone[] {
  const { decimals, low, high, criticalLow, criticalHigh } = values;
  const lowest = isSigned(values) ? -Infinity : 0;
  const near = Math.max(1, Math.round(NEAR * widthOf(values) * 10 ** decimals));
  // The first and the last step of the three inner zones.
  const tolerable = [firstStep(criticalLow, decimals) ?? lowest, lastStep(criticalHigh, decimals) ?? Infinity] as const;
  const within = [firstStep(low, decimals) ?? tolerable[0], lastStep(high, decimals) ?? tolerable[1]] as const;
  const zones: Zone[] = [
    {
      interpretation: 'critical',
      side: 'below',
      openBelow: true,
      openAbove: false,
      from: Math.max(lowest, tolerable[0] - near),
      to: tolerable[0] - 1,
    },
    {
      interpretation: 'abnormal',
      side: 'below',
      openBelow: criticalLow === undefined,
      openAbove: false,
      from: Math.max(tolerable[0], within[0] - near),
      to: within[0] - 1,
    },
    {
      interpretation: low === undefined && high === undefined ? 'unknown' : 'normal',
      side: 'within',
      openBelow: within[0] <= lowest,
      openAbove: within[1] === Infinity,
      ...middleOf(values, within),
    },
    {
      interpretation: 'abnormal',
      side: 'above',
      openBelow: false,
      openAbove: criticalHigh === undefined,
      from: within[1] + 1,
      to: Math.min(tolerable[1], within[1] + near),
    },
    {
      interpretation: 'critical',
      side: 'above',
      openBelow: false,
      openAbove: true,
      from: tolerable[1] + 1,
      to: tolerable[1] + near,
    },
  ];
  return zones.filter(({ from, to }) => from <= to && Number.isFinite(from) && Number.isFinite(to));
}

/** Writes a step as a decimal number, such as 540 as `5.40`. */
function stepText(step: number, decimals: number): string {
  return (step / 10 ** decimals).toFixed(decimals);
}

const boundsOf = ({ low, high, criticalLow, criticalHigh }: NumericValues): number[] =>
  [low, high, criticalLow, criticalHigh].filter((bound) => bound !== undefined);

/** An analyte whose bounds are not negative, such as a concentration, has no negative values. */
const isSigned = (values: NumericValues): boolean => boundsOf(values).some((bound) => bound < 0);

/** Returns the width of the reference range. If it has one bound only, the distance of the bound from zero. */
function widthOf(values: NumericValues): number {
  const { low, high } = values;
  const width = low !== undefined && high !== undefined ? high - low : Math.abs(boundsOf(values)[0] ?? 0);
  return width === 0 ? 1 : width;
}

/** Narrows the reference range to finitely many steps. */
function middleOf(values: NumericValues, [first, last]: readonly [number, number]): Pick<Zone, 'from' | 'to'> {
  const { decimals, low } = values;
  const width = widthOf(values) * 10 ** decimals;
  if (boundsOf(values).length === 0) return { from: UNBOUNDED.from * 10 ** decimals, to: UNBOUNDED.to * 10 ** decimals };
  if (last === Infinity) return { from: first, to: first + Math.round(width) };
  return { from: low === undefined ? Math.max(first, last - Math.round(DOWN_TO * width)) : first, to: last };
}

/** Returns the first step that is not below the bound. */
function firstStep(bound: number | undefined, decimals: number): number | undefined {
  if (bound === undefined) return undefined;
  // Rounding up would be wrong, because the product is not exact: 1.1 * 100 is above 110.
  const step = Math.round(bound * 10 ** decimals);
  return Number(stepText(step, decimals)) < bound ? step + 1 : step;
}

/** Returns the last step that is not above the bound. */
function lastStep(bound: number | undefined, decimals: number): number | undefined {
  if (bound === undefined) return undefined;
  const step = firstStep(bound, decimals)!;
  return Number(stepText(step, decimals)) > bound ? step - 1 : step;
}

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
