import { z } from 'zod';
import { anyObject, id, text } from './leniently.ts';

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
