import { z } from 'zod';
import { sleepStreamSchema } from './sleep-stream-form.ts';
import { dayMembers, summaryMembers } from './summary-members.ts';
import { amount, momentSchema, offsetSchema, oneOf, wholeAmount } from './values.ts';

export const sleepSchema = z
  .strictObject({
    ...summaryMembers,
    ...dayMembers,
    bedtime_start: momentSchema,
    bedtime_stop: momentSchema,
    type: oneOf('long_sleep', 'short_sleep', 'acknowledged_nap', 'unknown'),
    timezone_offset: offsetSchema,
    duration: z.int().describe('Seconds from bedtime_start to bedtime_stop.'),
    total: z.int().describe('Seconds asleep: light, REM and deep sleep.'),
    awake: z.int().describe('Seconds.'),
    light: z.int().describe('Seconds.'),
    rem: z.int().describe('Seconds.'),
    deep: z.int().describe('Seconds.'),
    score: wholeAmount('From 1 to 100.'),
    recovery_readiness_score: wholeAmount('From 0 to 100.'),
    hr_lowest: wholeAmount('Beats per minute.'),
    hr_average: wholeAmount('Beats per minute.'),
    hr_resting: wholeAmount('Beats per minute.'),
    efficiency: amount('Time asleep as percentage of duration. Some providers send a fraction.'),
    latency: wholeAmount('Seconds from bedtime_start until asleep.'),
    temperature_delta: amount('Degrees Celsius from the long-term average.'),
    skin_temperature: amount('Degrees Celsius.'),
    hr_dip: amount('Percent by which the heart rate is lower than awake.'),
    state: oneOf('tentative', 'confirmed').nullish(),
    average_hrv: amount('Milliseconds (RMSSD).'),
    respiratory_rate: amount('Breaths per minute.'),
    sleep_stream: sleepStreamSchema.nullish().meta({ deprecated: true }),
  })
  .meta({ id: 'Sleep' });
