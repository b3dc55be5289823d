import { z } from 'zod';
import { sourceSchema } from './source-form.ts';
import { sportSchema } from './sport-form.ts';
import { idSchema } from './values.ts';

const column = (unit: string) => z.array(z.number().nullable()).nullish().describe(unit);

/** The measurements of a workout, as lists that are parallel to `time`. The lists may have different lengths. */
export const workoutStreamSchema = z
  .strictObject({
    time: z.array(z.int()).nullish().describe('Seconds since 1970.'),
    heartrate: z.array(z.int().nullable()).nullish().describe('Beats per minute.'),
    cadence: column('Revolutions per minute on a bicycle, steps per minute on foot.'),
    altitude: column('Meters.'),
    velocity_smooth: column('Meters per second.'),
    distance: column('Meters since the start.'),
    power: column('Watts.'),
    resistance: column('Resistance of the bicycle.'),
    temperature: column('Degrees Celsius.'),
    lat: column('Degrees of latitude.'),
    lng: column('Degrees of longitude.'),
  })
  .meta({ id: 'WorkoutStream' });

/** The event of a workout stream. The stream itself may be too large for an event. */
export const shallowStreamSchema = z
  .strictObject({
    user_id: idSchema,
    workout_id: idSchema,
    provider_id: z.string().describe('Id of the workout at the provider.'),
    message: z.string().optional().describe('Says where the stream is.'),
    sport: sportSchema.optional(),
    source: sourceSchema,
  })
  .meta({ id: 'ShallowWorkoutStream' });
