/** A notice about a single pull. */
export interface Notice {
  readonly event: 'historical_pull.failed' | 'historical_pull.retrying';
  readonly provider: string;
  readonly resource: string;
  readonly error_details: string | null;
  readonly scheduled_at: string | null;
  readonly since: string;
  readonly trace_id: string | null;
  readonly user_id?: string;
}
