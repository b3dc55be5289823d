import { z } from 'zod';
import { instant, instantSchema } from '../api/times.ts';
import { traceOf } from './pauses.ts';
import { finalErrors, type Pull, retriableErrors, statuses } from './pull.ts';

const RELEASE = 'aorta-0.1.0';

export const pullSchema = z
  .object({
    status: z.enum(statuses),
    range_start: instantSchema,
    range_end: instantSchema,
    timeline: z.object({
      scheduled_at: instantSchema,
      started_at: instantSchema.nullable(),
      ended_at: instantSchema.nullable(),
    }),
    days_with_data: z.int().min(0),
    release: z.string(),
    trace_id: z.string(),
    error_details: z.enum([...retriableErrors, ...finalErrors]).nullable(),
  })
  .meta({ id: 'HistoricalPull' });

/** Returns a pull in the form of the API. */
export function pullForm(pull: Pull): z.input<typeof pullSchema> {
  const { status, range_start, range_end, scheduled_at, started_at, ended_at, days, error_details } = pull;
  return {
    status,
    range_start: instant(range_start),
    range_end: instant(range_end),
    timeline: { scheduled_at: instant(scheduled_at), started_at: orNull(started_at), ended_at: orNull(ended_at) },
    days_with_data: (JSON.parse(days) as string[]).length,
    release: RELEASE,
    trace_id: traceOf(pull),
    error_details,
  };
}

export function orNull(time: number | null): string | null {
  return time === null ? null : instant(time);
}
