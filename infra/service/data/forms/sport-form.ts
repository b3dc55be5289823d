import { z } from 'zod';

export const sportSchema = z
  .strictObject({
    id: z.int().meta({ deprecated: true, description: 'Differs between environments. Use the slug.' }),
    name: z.string(),
    slug: z.string(),
  })
  .meta({ id: 'Sport' });
