/** A user, as stored. Times are in milliseconds since 1970. */
export interface User {
  readonly user_id: string;
  readonly team_id: string;
  readonly client_user_id: string;
  readonly created_on: number;
  readonly fallback_time_zone: string | null;
  readonly fallback_time_zone_at: number | null;
  readonly fallback_birth_date: string | null;
  readonly fallback_birth_date_at: number | null;
  readonly ingestion_start: string | null;
  readonly ingestion_end: string | null;
  /** When the deletion was requested; null for a user who exists. */
  readonly deleted_at: number | null;
}

/** The members of a user that a team can set. A missing member keeps its value, and null removes it. */
export interface UserSettings {
  readonly fallback_time_zone?: string | null | undefined;
  readonly fallback_birth_date?: string | null | undefined;
  readonly ingestion_start?: string | null | undefined;
  readonly ingestion_end?: string | null | undefined;
}
