import { z } from 'zod';
import { sourceTypeSchema } from './source-form.ts';
import { idSchema } from './values.ts';

export const deviceSchema = z
  .strictObject({
    id: idSchema,
    user_id: idSchema,
    provider: z.string(),
    source_type: sourceTypeSchema,
    app_id: z.string().nullish(),
    device_manufacturer: z.string().nullish(),
    device_model: z.string().nullish(),
    device_version: z.string().nullish(),
    device_id: z.string().nullish().describe('Id at the provider.'),
  })
  .meta({ id: 'Device' });
