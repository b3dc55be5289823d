/** A user's connection to a provider, as stored. Times are in milliseconds since 1970. */
export interface Connection {
  readonly user_id: string;
  readonly provider: string;
  readonly created_on: number;
  readonly external_user_id: string | null;
  readonly error_type: string | null;
  readonly error_message: string | null;
  readonly errored_at: number | null;
  readonly is_demo: number;
}
