import { z } from 'zod';
import { dayMembers, summaryMembers } from './summary-members.ts';
import { amount, offsetSchema, wholeAmount, zoneNameSchema } from './values.ts';

const heartRateSchema = z
  .strictObject({
    avg_bpm: amount('Beats per minute.'),
    min_bpm: amount('Beats per minute.'),
    max_bpm: amount('Beats per minute.'),
    resting_bpm: amount('Beats per minute.'),
    avg_walking_bpm: amount('Beats per minute.'),
  })
  .meta({ id: 'DailyHeartRate' });

export const activitySchema = z
  .strictObject({
    ...summaryMembers,
    ...dayMembers,
    calories_total: amount('kcal, with the basal metabolic rate.'),
    calories_active: amount('kcal, without the basal metabolic rate.'),
    steps: wholeAmount('Number of steps.'),
    daily_movement: z.number().nullish().meta({ deprecated: true, description: 'Meters of walking with the same effort.' }),
    distance: amount('Meters.'),
    low: amount('Minutes of low intensity.'),
    medium: amount('Minutes of medium intensity.'),
    high: amount('Minutes of high intensity.'),
    floors_climbed: wholeAmount('Number of floors.'),
    time_zone: zoneNameSchema,
    timezone_offset: offsetSchema,
    heart_rate: heartRateSchema.nullish(),
    wheelchair_use: z.literal(true).nullish(),
    wheelchair_push: wholeAmount('Number of pushes.'),
  })
  .meta({ id: 'Activity' });
