import { z } from 'zod';
import { instantSchema } from '../../api/times.ts';
import { repeatedSource } from './source-form.ts';
import { summaryMembers } from './summary-members.ts';
import { idSchema, zoneNameSchema } from './values.ts';

/** The stages of one sleep, as three parallel lists. */
export const sleepCycleSchema = z
  .strictObject({
    ...summaryMembers,
    ...repeatedSource,
    sleep_id: idSchema,
    session_start: instantSchema,
    session_end: instantSchema,
    stage_start_offset_second: z.array(z.int()).describe('Seconds since session_start.'),
    stage_end_offset_second: z.array(z.int()).describe('Seconds since session_start.'),
    stage_type: z
      .array(z.int())
      .describe('Known values: -1 unknown, 1 deep, 2 light, 3 REM, 4 awake, 5 manual. There may be others.'),
    time_zone: zoneNameSchema,
  })
  .meta({ id: 'SleepCycle' });
