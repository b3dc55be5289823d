import { z } from 'zod';
import { id, number, text } from './leniently.ts';

/**
 * When a pull was scheduled, started and ended, as ISO 8601 strings. `ended_at` does not prove that the pull has ended:
 * a pull that is being retried has it too.
 */
const timeline = z.looseObject({ scheduled_at: text, started_at: text, ended_at: text });

/** One historical pull of a resource, as the introspection API describes it. */
const historicalPull = z.looseObject({
  /** `success`, `failure`, `in_progress`, `scheduled`, `retrying`, or an unknown value; null if absent. */
  status: text,
  range_start: text,
  range_end: text,
  timeline: timeline.catch({ scheduled_at: null, started_at: null, ended_at: null }).prefault({}),
  days_with_data: number,
  release: text,
  trace_id: text,
  error_details: text,
});

/** The historical pulls of one user, by provider slug and resource. `not_pulled` lists the resources that have no pull. */
export const userHistoricalPulls = z.looseObject({
  user_id: id,
  provider: z
    .record(
      z.string(),
      z.looseObject({
        pulled: z.record(z.string(), historicalPull).catch({}).default({}),
        not_pulled: z.array(z.string()).catch([]).default([]),
      }),
    )
    .catch({})
    .default({}),
});

export type HistoricalPullAnswer = z.output<typeof historicalPull>;
export type UserHistoricalPulls = z.output<typeof userHistoricalPulls>;

/** The data that the service has for a resource, and the number of objects that it has sent in `*.created` events. */
const resourceStatistics = z.looseObject({
  last_attempt: z.looseObject({ timestamp: text, status: text }).nullable().catch(null).default(null),
  oldest_data: text,
  newest_data: text,
  sent_count: number,
});

/** The statistics of one user's resources, by provider slug and resource. */
export const userResources = z.looseObject({
  user_id: id,
  provider: z.record(z.string(), z.record(z.string(), resourceStatistics)).catch({}).default({}),
});

export type ResourceStatistics = z.output<typeof resourceStatistics>;
export type UserResources = z.output<typeof userResources>;
