import { z } from 'zod';
import { anyObject } from './leniently.ts';

/** Samples of one source, in the order in which the service gives them. */
export const sampleGroup = z.looseObject({ source: anyObject, data: z.array(z.unknown()) });
export type SampleGroup = z.output<typeof sampleGroup>;

/** The points of a workout as parallel columns, by name (`time`, `heartrate`, …). Lengths differ, elements may be null, and anything else may stand there. */
export const workoutStream = anyObject;
export type WorkoutStream = z.output<typeof workoutStream>;
