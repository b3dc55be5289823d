import { z } from 'zod';
import { timeZoneSchema } from '../api/time-zone.ts';
import { dateSchema, instant, instantSchema } from '../api/times.ts';
import type { Connection } from '../connections/connection.ts';
import { connectedSourceForm, connectedSourceSchema } from '../connections/connection-forms.ts';
import { addedBy } from '../versions/changes.ts';
import { clientUserIdSchema } from './client-user-id.ts';
import type { User } from './user.ts';

/** `source_slug` of the values that the team has set. */
const OWN_SOURCE = 'manual';
/** `source_slug` of the time zone of users without one: every user has a zone in answers, but the data ignores this one. */
const NO_SOURCE = 'service';

const zoneSchema = z.string().meta({ examples: ['Europe/Berlin'] });
const birthDateSchema = dateSchema.meta({ examples: ['1980-02-03'] });

export const userSchema = z
  .object({
    user_id: z.uuid(),
    team_id: z.uuid(),
    client_user_id: z.string(),
    created_on: instantSchema,
    connected_sources: z.array(connectedSourceSchema),
    fallback_time_zone: z.object({ id: zoneSchema, source_slug: z.string(), updated_at: instantSchema }),
    fallback_birth_date: z.object({ value: birthDateSchema, source_slug: z.string(), updated_at: instantSchema }).nullable(),
    ingestion_start: dateSchema.nullable(),
    ingestion_end: dateSchema.nullable(),
  })
  .meta({ id: 'User' });

/** Returns a user in the form of the API. */
export function userForm(user: User, connections: readonly Connection[]): z.input<typeof userSchema> {
  const { user_id, team_id, client_user_id, created_on, ingestion_start, ingestion_end } = user;
  const { fallback_time_zone: zone, fallback_birth_date: birth } = user;
  return {
    ...{ user_id, team_id, client_user_id, ingestion_start, ingestion_end },
    created_on: instant(created_on),
    connected_sources: connections.map(connectedSourceForm),
    fallback_time_zone:
      zone === null
        ? { id: 'UTC', source_slug: NO_SOURCE, updated_at: instant(created_on) }
        : { id: zone, source_slug: OWN_SOURCE, updated_at: instant(user.fallback_time_zone_at!) },
    fallback_birth_date:
      birth === null ? null : { value: birth, source_slug: OWN_SOURCE, updated_at: instant(user.fallback_birth_date_at!) },
  };
}

const settings = {
  fallback_time_zone: timeZoneSchema.nullish(),
  fallback_birth_date: dateSchema.nullish(),
  ingestion_start: dateSchema.nullish(),
  ingestion_end: dateSchema.nullish(),
};

export const newUserSchema = z.object({ client_user_id: clientUserIdSchema, ...settings }).meta({ id: 'NewUser' });
export const changedUserSchema = z
  .object({ client_user_id: clientUserIdSchema.optional(), ...settings })
  .meta({ id: 'ChangedUser' });

const added = addedBy('existing user in conflicts');
const existing = { user_id: z.uuid().meta(added), created_on: instantSchema.meta(added) };

const CONFLICT = { error_type: 'INVALID_REQUEST', error_message: 'Client user id already exists.' };
const conflictDetailSchema = z.object({
  error_type: z.string().meta({ examples: [CONFLICT.error_type] }),
  error_message: z.string().meta({ examples: [CONFLICT.error_message] }),
  ...existing,
});

/** The conflict is at the top level, as documented, and under `detail`, as the real service has it. */
export const conflictSchema = z.object({ ...existing, detail: conflictDetailSchema }).meta({ id: 'UserConflict' });

export function conflictForm({ user_id, created_on }: Pick<User, 'user_id' | 'created_on'>): z.input<typeof conflictSchema> {
  const found = { user_id, created_on: instant(created_on) };
  return {
    ...found,
    detail: { ...CONFLICT, ...found },
  };
}
