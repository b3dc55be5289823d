import { z } from 'zod';
import { dateSchema } from '../../api/times.ts';
import { summaryMembers } from './summary-members.ts';
import { oneOf, wholeAmount } from './values.ts';

/** A user has one profile per provider. */
export const profileSchema = z
  .strictObject({
    ...summaryMembers,
    height: wholeAmount('Centimeters.'),
    birth_date: dateSchema.nullish(),
    wheelchair_use: z.literal(true).nullish(),
    gender: oneOf('female', 'male', 'other', 'unknown').nullish(),
    sex: oneOf('female', 'male', 'other').nullish(),
  })
  .meta({ id: 'Profile' });
