import { z } from 'zod';
import { dateSchema } from '../../api/times.ts';
import { energySchema, foodSchema, macrosSchema, microsSchema } from './food-form.ts';
import { summaryMembers } from './summary-members.ts';
import { idSchema, momentSchema } from './values.ts';

export const mealSchema = z
  .strictObject({
    ...summaryMembers,
    priority_id: z.int().optional().meta({ deprecated: true, description: 'Has no meaning.' }),
    source_id: z.int().optional().meta({ deprecated: true, description: 'Has no meaning.' }),
    provider_id: z.string().optional().meta({ deprecated: true, description: 'Equals id.' }),
    timestamp: momentSchema,
    calendar_date: dateSchema.describe('Local date.'),
    name: z.string(),
    energy: energySchema.nullable(),
    macros: macrosSchema.nullable(),
    micros: microsSchema.nullable(),
    data: z.record(z.string(), foodSchema).optional().describe('The foods of the meal, by name.'),
    source_app_id: z.string().nullish(),
    source_device_id: idSchema.nullish(),
  })
  .meta({ id: 'Meal' });
