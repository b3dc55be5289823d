import type { NumericValues } from './analyte.ts';
import type { Interpretation } from './result.ts';

/**
 * Neighbouring values with the same interpretation. Values are counted in steps of the last decimal, because
 * whole numbers are exact: with two decimals, 540 is 5.40.
 */
export interface Zone {
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
export function zonesOf(values: NumericValues): Zone[] {
  const { decimals, low, high, criticalLow, criticalHigh } = values;
  const lowest = isSigned(values) ? -Infinity : 0;
  const near = Math.max(1, Math.round(NEAR * widthOf(values) * 10 ** decimals));
  // The first and the last step of the three inner zones.
  const tolerable = [firstStep(criticalLow, decimals) ?? lowest, lastStep(criticalHigh, decimals) ?? Infinity] as const;
  const within = [firstStep(low, decimals) ?? tolerable[0], lastStep(high, decimals) ?? tolerable[1]] as const;
  const zones: Zone[] = [
    {
      ...{ interpretation: 'critical', side: 'below', openBelow: true, openAbove: false },
      ...{ from: Math.max(lowest, tolerable[0] - near), to: tolerable[0] - 1 },
    },
    {
      ...{ interpretation: 'abnormal', side: 'below', openBelow: criticalLow === undefined, openAbove: false },
      ...{ from: Math.max(tolerable[0], within[0] - near), to: within[0] - 1 },
    },
    {
      ...{ interpretation: low === undefined && high === undefined ? 'unknown' : 'normal', side: 'within' },
      ...{ openBelow: within[0] <= lowest, openAbove: within[1] === Infinity },
      ...middleOf(values, within),
    },
    {
      ...{ interpretation: 'abnormal', side: 'above', openBelow: false, openAbove: criticalHigh === undefined },
      ...{ from: within[1] + 1, to: Math.min(tolerable[1], within[1] + near) },
    },
    {
      ...{ interpretation: 'critical', side: 'above', openBelow: false, openAbove: true },
      ...{ from: tolerable[1] + 1, to: tolerable[1] + near },
    },
  ];
  return zones.filter(({ from, to }) => from <= to && Number.isFinite(from) && Number.isFinite(to));
}

/** Writes a step as a decimal number, such as 540 as `5.40`. */
export function stepText(step: number, decimals: number): string {
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
