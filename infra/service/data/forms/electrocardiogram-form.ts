import { z } from 'zod';
import { repeatedSource } from './source-form.ts';
import { summaryMembers } from './summary-members.ts';
import { amount, momentSchema, oneOf, wholeAmount, zoneNameSchema } from './values.ts';

/** One recording. Its voltages are samples of the resource `electrocardiogram_voltage`. */
export const electrocardiogramSchema = z
  .strictObject({
    ...summaryMembers,
    ...repeatedSource,
    source_device_model: z.string().nullish(),
    session_start: momentSchema,
    session_end: momentSchema,
    voltage_sample_count: z.int(),
    heart_rate_mean: wholeAmount('Beats per minute.'),
    sampling_frequency_hz: amount('Hertz.'),
    classification: oneOf('sinus_rhythm', 'atrial_fibrillation', 'inconclusive').nullish(),
    inconclusive_cause: oneOf('high_heart_rate', 'low_heart_rate', 'poor_reading').nullish(),
    algorithm_version: z.string().nullish(),
    time_zone: zoneNameSchema,
  })
  .meta({ id: 'Electrocardiogram' });
