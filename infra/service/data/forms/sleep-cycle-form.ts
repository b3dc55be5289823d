import { z } from 'zod';
import { repeatedSource } from './source-form.ts';
import { summaryMembers } from './summary-members.ts';
import { idSchema, momentSchema, zoneNameSchema } from './values.ts';

/** Stages lie within two days of the session's start. Hypnograms search for them no farther away. */
const stageOffsetSchema = z.int().min(-172_800).max(172_800);

/** The stages of one sleep, as three parallel lists. */
export const sleepCycleSchema = z
  .strictObject({
    ...summaryMembers,
    ...repeatedSource,
    sleep_id: idSchema,
    session_start: momentSchema,
    session_end: momentSchema,
    stage_start_offset_second: z.array(stageOffsetSchema).describe('Seconds since session_start.'),
    stage_end_offset_second: z.array(stageOffsetSchema).describe('Seconds since session_start.'),
    stage_type: z
      .array(z.int())
      .describe('Known values: -1 unknown, 1 deep, 2 light, 3 REM, 4 awake, 5 manual. There may be others.'),
    time_zone: zoneNameSchema,
  })
  .refine(
    ({ stage_type, stage_start_offset_second: starts, stage_end_offset_second: ends }) =>
      starts.length === stage_type.length && ends.length === stage_type.length,
    'the three lists of stages differ in their length',
  )
  .meta({ id: 'SleepCycle' });
