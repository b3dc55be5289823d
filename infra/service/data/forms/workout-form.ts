import { z } from 'zod';
import { dateSchema } from '../../api/times.ts';
import { sportSchema } from './sport-form.ts';
import { summaryMembers } from './summary-members.ts';
import { amount, momentSchema, offsetSchema, wholeAmount } from './values.ts';

const mapSchema = z
  .strictObject({
    polyline: z.string().nullish(),
    summary_polyline: z.string().nullish().describe('The polyline with fewer points.'),
  })
  .meta({ id: 'WorkoutMap' });

export const workoutSchema = z
  .strictObject({
    ...summaryMembers,
    title: z.string().nullish(),
    timezone_offset: offsetSchema,
    average_hr: wholeAmount('Beats per minute.'),
    max_hr: wholeAmount('Beats per minute.'),
    distance: amount('Meters.'),
    calendar_date: dateSchema.describe('Local date.'),
    time_start: momentSchema,
    time_end: momentSchema,
    calories: amount('kcal.'),
    sport: sportSchema.optional(),
    hr_zones: z
      .array(z.int())
      .nullish()
      .describe('Seconds in each of six zones: below 50 % of the maximum heart rate, to 60 %, 70 %, 80 %, 90 %, above.'),
    moving_time: wholeAmount('Seconds.'),
    total_elevation_gain: amount('Meters.'),
    elev_high: amount('Meters.'),
    elev_low: amount('Meters.'),
    average_speed: amount('Meters per second.'),
    max_speed: amount('Meters per second.'),
    average_watts: amount('Watts.'),
    device_watts: amount('Watts.'),
    max_watts: amount('Watts.'),
    weighted_average_watts: amount('Watts.'),
    steps: wholeAmount('Number of steps.'),
    map: mapSchema.nullish(),
    provider_id: z.string().describe('Id of the workout at the provider.'),
  })
  .meta({ id: 'Workout' });
