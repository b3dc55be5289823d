import { z } from 'zod';
import { instantSchema } from '../api/times.ts';
import type { PullError } from './pull.ts';

/** Why a scripted attempt fails, and the error that the service reports for it. */
const errors = {
  rate_limit: 'provider_rate_limit_exceeded',
  outage: 'provider_unavailable',
  transport_failure: 'transport_failure',
  resource_contention: 'resource_contention',
  revoked_scope: 'non_retriable_error',
  unexpected_error: 'unexpected_error',
} as const satisfies Record<string, PullError>;

export type Failure = keyof typeof errors;

const attempts = z.int().min(1).max(100).default(1).describe('How many attempts in a row have this outcome.');

const failureSchema = z
  .strictObject({
    kind: z.enum(['rate_limit', 'transport_failure', 'resource_contention', 'revoked_scope', 'unexpected_error']),
    attempts,
    after_chunks: z
      .int()
      .min(0)
      .optional()
      .describe('Chunks before the failure. Default: half of those that remain for `transport_failure`, else none.'),
  })
  .describe('The attempt fails.');

const outageSchema = z
  .strictObject({ kind: z.literal('outage'), from: instantSchema, until: instantSchema })
  .refine(({ from, until }) => Date.parse(from) < Date.parse(until), { message: 'until must be later than from' })
  .describe('From `from` up to but not including `until`, every attempt and every chunk of a running attempt fails.');

const slowSchema = z
  .strictObject({
    kind: z.literal('slow'),
    attempts,
    seconds_per_chunk: z.number().positive().max(86_400).describe('Virtual seconds.'),
  })
  .describe('The attempt succeeds, but takes longer.');
const successSchema = z.strictObject({ kind: z.literal('success'), attempts }).describe('The attempt succeeds.');

export const outcomeSchema = z.discriminatedUnion('kind', [failureSchema, outageSchema, slowSchema, successSchema]);

/** The outcome of attempts, or a time in which they all fail. */
export type Outcome = z.output<typeof outcomeSchema>;
type AttemptOutcome = Exclude<Outcome, { kind: 'outage' }>;

/** The course of an attempt that runs. */
export interface Course {
  /** Null if the attempt succeeds. */
  readonly failure: Failure | null;
  /** Chunks that the attempt delivers before it fails. */
  readonly afterChunks: number;
  /** Time that a chunk takes, in milliseconds. Null: as usual. */
  readonly chunkMs: number | null;
}

const succeeding: Course = { failure: null, afterChunks: 0, chunkMs: null };

export function errorOf(failure: Failure): PullError {
  return errors[failure];
}

export function isOut(outcomes: readonly Outcome[], now: number): boolean {
  return outcomes.some((one) => one.kind === 'outage' && Date.parse(one.from) <= now && now < Date.parse(one.until));
}

/** Returns the outcome of the next attempt, and the outcomes that are left after it. Outages stay, because they have times. */
export function nextOf(outcomes: readonly Outcome[]): { readonly outcome: AttemptOutcome | undefined; readonly left: Outcome[] } {
  const index = outcomes.findIndex(({ kind }) => kind !== 'outage');
  if (index === -1) return { outcome: undefined, left: [...outcomes] };
  const outcome = outcomes[index] as AttemptOutcome;
  const rest = outcome.attempts === 1 ? [] : [{ ...outcome, attempts: outcome.attempts - 1 }];
  return { outcome, left: outcomes.toSpliced(index, 1, ...rest) };
}

/** Returns the course of an attempt that has `chunksLeft` chunks before it. Without an outcome it succeeds. */
export function courseOf(outcome: AttemptOutcome | undefined, chunksLeft: number): Course {
  if (outcome === undefined) return succeeding;
  switch (outcome.kind) {
    case 'success':
      return succeeding;
    case 'slow':
      return { ...succeeding, chunkMs: Math.round(outcome.seconds_per_chunk * 1000) };
    default: {
      const usual = outcome.kind === 'transport_failure' ? Math.floor(chunksLeft / 2) : 0;
      return { failure: outcome.kind, afterChunks: outcome.after_chunks ?? usual, chunkMs: null };
    }
  }
}
