import { z } from 'zod';

// Schemas for the service's objects. They require only the ids and keep unknown fields, because half of the examples that
// the service publishes violate its own schema. A field with an unexpected form counts as absent, but the raw body of the
// answer still contains it.

/** A string, or null if absent or of a different type. */
const text = z.string().nullable().catch(null).default(null);

/** A number, or null if absent or of a different type. */
export const number = z.number().nullable().catch(null).default(null);

/** An id: a non-empty string. */
const id = z.string().min(1);

/** Any object, with all its fields. */
export const anyObject = z.record(z.string(), z.unknown());

/** An order, in the same form as in the events `labtest.order.*`. */
export const order = z.looseObject({ id, user_id: id });

export const marker = z.looseObject({ id: z.union([z.number(), z.string()]) });
export const labTest = z.looseObject({ id });

/** The elements of a list. Elements that do not match the shape are kept unchanged, so that no element is lost silently. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly unidentified: readonly unknown[];
  /** Length of `unidentified`. */
  readonly misshapen: number;
}

export function listed<T extends z.ZodType>(shape: T, value: unknown): Listed<z.output<T>> | undefined {
  if (!Array.isArray(value)) return undefined;
  const items: z.output<T>[] = [];
  const unidentified: unknown[] = [];
  for (const one of value as readonly unknown[]) {
    const parsed = shape.safeParse(one);
    if (parsed.success) items.push(parsed.data);
    else unidentified.push(one);
  }
  return { items, unidentified, misshapen: unidentified.length };
}

const provider = z.looseObject({ slug: text, name: text });

export const user = z.looseObject({
  user_id: id,
  team_id: text,
  client_user_id: text,
  created_on: text,
  connected_sources: z
    .array(
      z.looseObject({
        provider: provider.nullable().catch(null).default(null),
        source: provider.nullable().catch(null).default(null),
        created_on: text,
      }),
    )
    .catch([])
    .default([]),
  fallback_time_zone: anyObject.nullable().catch(null).default(null),
  fallback_birth_date: anyObject.nullable().catch(null).default(null),
  ingestion_start: text,
  ingestion_end: text,
});

export type User = z.output<typeof user>;

/** A user's connection. Its status is `connected`, `error`, or an unknown value. */
export const connection = z.looseObject({
  slug: id,
  name: text,
  created_on: text,
  status: text,
  resource_availability: anyObject.catch({}).default({}),
});

export type UserConnection = z.output<typeof connection>;

export type Order = z.output<typeof order>;

/** The result of an order. Its fields are parsed when the result is stored. */
export type OrderResult = z.output<typeof anyObject>;

export type Marker = z.output<typeof marker>;

export type LabTest = z.output<typeof labTest>;

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

export type UserResources = z.output<typeof userResources>;
