import { createHash } from 'node:crypto';
import { z } from 'zod';
import { instant, instantSchema } from '../api/times.ts';
import type { Connection } from '../connections/connections.ts';
import type { Arrival } from '../data/arrival.ts';
import type { User } from '../users/users.ts';

const statuses = ['scheduled', 'in_progress', 'retrying', 'success', 'failure'] as const;

const retriableErrors = [
  'provider_rate_limit_exceeded',
  'provider_unavailable',
  'transport_failure',
  'resource_contention',
] as const;
const finalErrors = ['non_retriable_error', 'unexpected_error', 'retry_quota_exhausted'] as const;

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

/** From `from` up to but not including `until`, in milliseconds since 1970. */
export interface Range {
  readonly from: number;
  readonly until: number;
}

/** A range for which a pull asks the provider at `asOf`. A range that ends at `asOf` includes the unfinished day. */
export interface PastRange extends Range {
  readonly asOf: number;
}

/** Returns the data that a provider has of a resource in a range, the newest first. */
export type Past = (user: User, connection: Connection, resource: string, range: PastRange) => readonly Arrival[];

/** Stores arrivals and plans their events, in the caller's transaction. Returns the dates that had data. */
export type Take = (user: User, provider: string, arrivals: readonly Arrival[], isHistorical: boolean) => readonly string[];

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

/** Number of retries after which a pull fails. */
export const RETRY_QUOTA = 8;

const FIRST_RETRY_MS = 60_000;

type Identity = Pick<Pull, 'user_id' | 'provider' | 'resource' | 'scheduled_at'>;

/** Returns a text of hexadecimal digits. The same pull and purpose always have the same one, so a crash changes no time. */
function hashOf({ user_id, provider, resource, scheduled_at }: Identity, purpose: string): string {
  return createHash('sha256').update(`${user_id} ${provider} ${resource} ${scheduled_at} ${purpose}`).digest('hex');
}

function between(low: number, high: number, hash: string): number {
  return Math.floor(low + (high - low) * (Number.parseInt(hash.slice(0, 8), 16) / 0x1_0000_0000));
}

function traceOf(pull: Identity): string {
  return hashOf(pull, 'trace').slice(0, 32);
}

/** Returns how long a planned pull waits for its first attempt, in milliseconds: 1 to 10 s. */
export function startPause(pull: Identity): number {
  return between(1_000, 10_000, hashOf(pull, 'start'));
}

/** Returns how long a chunk takes, in milliseconds: 2 to 8 s. */
export function chunkPause(pull: Identity, chunk: number): number {
  return between(2_000, 8_000, hashOf(pull, `chunk ${chunk}`));
}

/** Returns the pause before a retry, in milliseconds: 1 to 1.5 minutes before retry 1, and twice as long before each further one. */
export function retryPause(pull: Identity, retry: number): number {
  const shortest = FIRST_RETRY_MS * 2 ** (retry - 1);
  return between(shortest, shortest * 1.5, hashOf(pull, `retry ${retry}`));
}

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
