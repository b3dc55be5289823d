import { measureOfSample } from './measures.ts';
import type { SentUnit } from './sent-units.ts';
import type { Unit } from './unit.ts';

/** A value in the canonical unit of its measure. */
export interface CanonicalValue {
  readonly value: number;
  readonly unit: Unit;
}

function converted(value: number, { minus = 0, times = 1, per = 1 }: SentUnit): number {
  return ((value - minus) * times) / per;
}

/**
 * Converts the value of a sample to the canonical unit of its measure. A value without a unit is in the declared unit. The
 * case of a unit and spaces around it do not matter. Returns undefined if the unit is not known for this measure, because a
 * guess could be a wrong number.
 */
export function toCanonicalUnit(
  { resource, sampleType, unit }: { resource: string; sampleType: string | null; unit: string | null },
  value: number,
): CanonicalValue | undefined {
  const measure = measureOfSample(resource, sampleType);
  if (measure === undefined) return undefined;
  const spelled = (unit ?? '').replace(/^ +| +$/g, '').toLowerCase();
  const sent = spelled === '' ? measure.sent[0] : measure.sent.find((one) => one.spelled.includes(spelled));
  return sent === undefined ? undefined : { value: converted(value, sent), unit: measure.unit };
}
