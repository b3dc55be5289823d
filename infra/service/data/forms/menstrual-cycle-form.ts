import { z } from 'zod';
import { dateSchema } from '../../api/times.ts';
import { repeatedSource } from './source-form.ts';
import { summaryMembers } from './summary-members.ts';
import { oneOf } from './values.ts';

/** A list of what happened on which date. */
const entries = (members: z.core.$ZodLooseShape) => z.array(z.strictObject({ date: dateSchema, ...members })).optional();

const testResult = oneOf('negative', 'positive', 'indeterminate');

export const menstrualCycleSchema = z
  .strictObject({
    ...summaryMembers,
    ...repeatedSource,
    period_start: dateSchema,
    period_end: dateSchema.nullish(),
    cycle_end: dateSchema.nullish(),
    is_predicted: z.boolean().optional(),
    menstrual_flow: entries({ flow: oneOf('unspecified', 'none', 'light', 'medium', 'heavy') }),
    cervical_mucus: entries({ quality: oneOf('dry', 'sticky', 'creamy', 'watery', 'egg_white') }),
    intermenstrual_bleeding: entries({}),
    contraceptive: entries({
      type: oneOf('unspecified', 'implant', 'injection', 'iud', 'intravaginal_ring', 'oral', 'patch'),
    }),
    detected_deviations: entries({
      deviation: oneOf(
        'persistent_intermenstrual_bleeding',
        'prolonged_menstrual_periods',
        'irregular_menstrual_cycles',
        'infrequent_menstrual_cycles',
      ),
    }),
    ovulation_test: entries({
      test_result: oneOf('negative', 'positive', 'luteinizing_hormone_surge', 'estrogen_surge', 'indeterminate'),
    }),
    home_pregnancy_test: entries({ test_result: testResult }),
    home_progesterone_test: entries({ test_result: testResult }),
    sexual_activity: entries({ protection_used: z.boolean().nullish() }),
    basal_body_temperature: entries({ value: z.number().describe('Degrees Celsius.') }),
  })
  .meta({ id: 'MenstrualCycle' });
