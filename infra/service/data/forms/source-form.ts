import { z } from 'zod';
import { idSchema, oneOf } from './values.ts';

export const sourceTypeSchema = oneOf(
  ...['unknown', 'phone', 'watch', 'app', 'multiple_sources', 'fingerprick', 'cuff', 'manual_scan', 'automatic'],
  ...['insulin_pump', 'scale', 'chest_strap', 'ring', 'lab', 'exercise_machine', 'earphone'],
);

/** The source object of all three generations. Each generation has some of these members. */
export const sourceSchema = z
  .strictObject({
    provider: z.string().optional().describe('Slug of the provider.'),
    type: sourceTypeSchema.optional(),
    app_id: z.string().nullish().describe('Id of the app that recorded the data.'),
    device_id: idSchema.nullish().describe('Id of the device that recorded the data.'),
    sport: z.string().nullish().describe('Slug of the sport. Only samples of workouts have it.'),
    workout_id: idSchema.nullish().describe('Only samples of workouts have it.'),
    name: z.string().optional().meta({ deprecated: true, description: 'Name of the provider.' }),
    slug: z.string().optional().meta({ deprecated: true, description: 'Slug of the provider.' }),
    logo: z.string().optional().meta({ deprecated: true, description: 'Address of an icon of the provider.' }),
  })
  .meta({ id: 'Source' });

/** Members that repeat the source. The summaries of sleep cycles, menstrual cycles and electrocardiograms have them. */
export const repeatedSource = {
  source_provider: z.string().describe('Slug of the provider or lab.'),
  source_type: sourceTypeSchema,
  source_app_id: z.string().nullish(),
  source_device_id: idSchema.nullish(),
};
