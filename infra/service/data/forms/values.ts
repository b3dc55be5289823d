import { z } from 'zod';
import { isBetween } from '../../api/times.ts';

/** Any UUID. Some ids of providers have no valid version, so their version is not checked. */
export const idSchema = z.guid();

/** A text that usually is one of the known values. The service may add values, so every text is accepted. */
export function oneOf(...known: readonly string[]): z.ZodString {
  return z.string().describe(`Known values: ${known.join(', ')}. There may be others.`);
}

/** A number that may be missing or null. The description is the unit, or begins with it. */
export function amount(unit: string) {
  return z.number().nullish().describe(unit);
}

/** A whole number that may be missing or null. The description is the unit, or begins with it. */
export function wholeAmount(unit: string) {
  return z.int().nullish().describe(unit);
}

/** An instant of data. Its local date has a year of four digits, too. */
export const momentSchema = z.iso
  .datetime({ offset: true })
  .refine(
    isBetween(Date.parse('1000-01-03T00:00:00Z'), Date.parse('9999-12-29T00:00:00Z')),
    'not an instant of the years 1000 to 9999',
  );

/** No time zone is a day away from UTC. */
const DAY_S = 86_400;

export const offsetSchema = z
  .int()
  .min(-DAY_S)
  .max(DAY_S)
  .nullish()
  .describe('Seconds east of UTC. Null if the source has no time zone.');

/** The service passes on what providers send, so this is not checked against the time zone database. */
export const zoneNameSchema = z.string().nullish().describe('Identifier of the IANA time zone database.');

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

export const sportSchema = z
  .strictObject({
    id: z.int().meta({ deprecated: true, description: 'Differs between environments. Use the slug.' }),
    name: z.string(),
    slug: z.string(),
  })
  .meta({ id: 'Sport' });
