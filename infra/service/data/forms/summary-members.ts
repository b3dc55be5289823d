import { dateSchema, instantSchema } from '../../api/times.ts';
import { sourceSchema } from './source-form.ts';
import { idSchema } from './values.ts';

/** The members of every summary. The service adds `created_at` and `updated_at`, so pushed data need not have them. */
export const summaryMembers = {
  id: idSchema,
  user_id: idSchema,
  source: sourceSchema,
  created_at: instantSchema.optional().describe('When the service got the first version.'),
  updated_at: instantSchema.optional().describe('When the service got this version.'),
};

/** The dates of a summary that covers a day. */
export const dayMembers = {
  calendar_date: dateSchema.describe('Local date.'),
  date: instantSchema.optional().meta({ deprecated: true, description: 'calendar_date at 00:00 UTC.' }),
};
