import { activityMeasures } from './activity.ts';
import { bodyMeasures } from './body.ts';
import { heartMeasures } from './heart.ts';
import { laboratoryMeasures } from './laboratory.ts';
import { type ColumnMeasure, isColumnMeasure, isSampleMeasure, type Measure, type SampleMeasure } from './measure.ts';
import { nutritionMeasures } from './nutrition.ts';
import { sleepMeasures } from './sleep.ts';
import { standingMeasures } from './standing.ts';
import { vitalMeasures } from './vitals.ts';
import { workoutMeasures } from './workouts.ts';

/** All measures, sorted by id. */
export const measures: readonly Measure[] = [
  ...activityMeasures,
  ...bodyMeasures,
  ...heartMeasures,
  ...laboratoryMeasures,
  ...nutritionMeasures,
  ...sleepMeasures,
  ...standingMeasures,
  ...vitalMeasures,
  ...workoutMeasures,
].sort((a, b) => (a.id < b.id ? -1 : 1));

export const sampleMeasures: readonly SampleMeasure[] = measures.filter(isSampleMeasure);
export const columnMeasures: readonly ColumnMeasure[] = measures.filter(isColumnMeasure);

const bySampleType = new Map(sampleMeasures.map((measure) => [keyOf(measure.resource, measure.sampleType), measure]));

function keyOf(resource: string, sampleType: string | undefined): string {
  return sampleType === undefined ? resource : `${resource} ${sampleType}`;
}

/** Returns the measure of a sample, or undefined if its resource has none. */
export function measureOfSample(resource: string, sampleType: string | null): SampleMeasure | undefined {
  return bySampleType.get(keyOf(resource, sampleType ?? undefined)) ?? bySampleType.get(resource);
}
