export const statuses = ['scheduled', 'in_progress', 'retrying', 'success', 'failure'] as const;

export const retriableErrors = [
  'provider_rate_limit_exceeded',
  'provider_unavailable',
  'transport_failure',
  'resource_contention',
] as const;
export const finalErrors = ['non_retriable_error', 'unexpected_error', 'retry_quota_exhausted'] as const;

type Status = (typeof statuses)[number];
export type PullError = (typeof retriableErrors | typeof finalErrors)[number];

/** The last historical pull of a user's resource, as stored. Times are in milliseconds since 1970. */
export interface Pull {
  readonly pull_id: number;
  readonly user_id: string;
  readonly provider: string;
  readonly resource: string;
  readonly status: Status;
  readonly range_start: number;
  readonly range_end: number;
  readonly scheduled_at: number;
  /** Begin and end of the last attempt. */
  readonly started_at: number | null;
  readonly ended_at: number | null;
  /** JSON: dates that had data. */
  readonly days: string;
  /** Delivered chunks of the range, the newest first. */
  readonly chunks_done: number;
  readonly attempts: number;
  readonly error_details: PullError | null;
  /** Whether the connection is from the time before `retrying` and `error_details` existed. */
  readonly is_legacy: number;
  /** When the next attempt begins. Null during an attempt, and after the last. */
  readonly next_attempt_at: number | null;
  /** JSON: the course of the attempt that runs. */
  readonly course: string | null;
}

/** One attempt of a pull, as stored. `result` is `success`, or why the attempt failed, even if the service reports no reason. */
export interface Attempt {
  readonly attempt: number;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly result: string | null;
  /** Chunks that the attempt delivered. */
  readonly chunks: number;
}

export function isRetriable(error: PullError): boolean {
  return (retriableErrors as readonly string[]).includes(error);
}

/** Whether a pull goes on. A legacy pull between two attempts shows `failure`, so its status does not tell. */
export function isOpen({ status, next_attempt_at }: Pull): boolean {
  return status === 'in_progress' || next_attempt_at !== null;
}
