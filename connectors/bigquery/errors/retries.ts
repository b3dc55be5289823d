import { setTimeout as sleep } from 'node:timers/promises';
import { type AortaError, backoff, isAortaError, steadyNow } from '@aorta/runtime';
import { BigQueryError } from '../errors.ts';
import { type CallFailed, failureOf, wordsOf } from './call-failed.ts';
import { type Action, actionFor } from './reasons.ts';

/** Time limit for retrying a step, and lengths of the pauses between attempts, in milliseconds. */
export interface Patience {
  /** Maximum time from the start of the step to its last attempt. */
  readonly forMs: number;
  /** First pause after a failure that is not a rate limit or quota. The pause doubles with each failure, up to `mostMs`. */
  readonly pauseMs: number;
  readonly mostMs: number;
  /** First pause after a rate limit or quota. */
  readonly limitMs: number;
}

export const usualPatience: Patience = { forMs: 900_000, pauseMs: 500, mostMs: 32_000, limitMs: 10_000 };

/** Clock and random numbers, which tests replace. */
export interface Surroundings {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
}

export const realSurroundings: Surroundings = {
  now: steadyNow,
  sleep: (milliseconds) => sleep(milliseconds),
  random: Math.random,
};

export interface Persisting {
  readonly patience: Patience;
  readonly surroundings: Surroundings;
  readonly onPause?: ((step: string, reason: string, milliseconds: number) => void) | undefined;
  /** The table, dataset or project that error messages name. */
  readonly of?: string;
  /** Actions that the caller handles: failures with these actions are thrown unchanged. */
  readonly except?: readonly Action[];
}

/** Returns the next pause. It doubles with each failure, and up to half of it is jitter, so that workers do not retry together. */
export function pauseAfter(action: Action, failures: number, patience: Patience, random: () => number): number {
  const first = action === 'later' ? patience.limitMs : patience.pauseMs;
  const most = action === 'later' ? Math.max(patience.limitMs * 12, patience.mostMs) : patience.mostMs;
  const whole = backoff(failures + 1, first, most);
  return whole / 2 + (whole / 2) * random();
}

/**
 * Retries a step at increasing intervals until it succeeds or the time for retries runs out. An error that a retry cannot fix is
 * thrown at once.
 */
export async function persist<T>(step: string, attempt: () => Promise<T>, options: Persisting): Promise<T> {
  const { patience, surroundings, onPause, except = [] } = options;
  const begun = surroundings.now();
  for (let failures = 0; ; failures++) {
    const outcome = await tryOnce(attempt);
    if ('value' in outcome) return outcome.value;
    const { failure } = outcome;
    const action = actionFor(failure.reason, failures + 1);
    if (except.includes(action)) throw failure;
    if (action !== 'again' && action !== 'later' && action !== 'conflict') throw refusal(step, failure, options.of);
    const pause = pauseAfter(action, failures, patience, surroundings.random);
    const tried = surroundings.now() - begun;
    if (tried + pause > patience.forMs) throw outOfPatience(step, failure.reason, action, tried);
    onPause?.(step, failure.reason, pause);
    await surroundings.sleep(pause);
  }
}

async function tryOnce<T>(attempt: () => Promise<T>): Promise<{ readonly value: T } | { readonly failure: CallFailed }> {
  try {
    return { value: await attempt() };
  } catch (error) {
    if (isAortaError(error)) throw error;
    return { failure: failureOf(error) };
  }
}

/** Returns AORTA-BIGQUERY-QUOTA or -UNAVAILABLE for a step whose retries took too long. */
export function outOfPatience(step: string, reason: string, action: Action, triedMs: number): AortaError {
  const code = action === 'later' ? 'AORTA-BIGQUERY-QUOTA' : 'AORTA-BIGQUERY-UNAVAILABLE';
  return new BigQueryError(code, { step, seconds: Math.round(triedMs / 1000), reason: wordsOf(reason) });
}

/** Returns the AORTA-BIGQUERY-… error for a failure that is not retried. */
export function refusal(step: string, failure: CallFailed, of?: string): AortaError {
  const { reason } = failure;
  switch (reason) {
    case 'noCredentials':
    case 'keyFile':
    case 'authError':
    case 'required':
      return new BigQueryError('AORTA-BIGQUERY-CREDENTIALS', { reason: wordsOf(reason) });
    case 'accessDenied':
    case 'forbidden':
    case 'insufficientPermissions':
      return new BigQueryError('AORTA-BIGQUERY-FORBIDDEN', {
        step,
        of: of ?? 'the dataset',
        permission: failure.permission ?? 'not named by BigQuery',
      });
    case 'accessNotConfigured':
    case 'billingNotEnabled':
    case 'blocked':
    case 'invalidUser':
      return new BigQueryError('AORTA-BIGQUERY-PROJECT', { reason: wordsOf(reason) });
    case 'bytesBilledLimitExceeded':
      return new BigQueryError('AORTA-BIGQUERY-CAP', { step });
    case 'notFound':
      return new BigQueryError('AORTA-BIGQUERY-MISSING', { step, of: of ?? 'a table of the dataset' });
    default:
      return new BigQueryError(actionFor(reason, 99) === 'bug' ? 'AORTA-BIGQUERY-REFUSED' : 'AORTA-BIGQUERY-FAILED', {
        step,
        reason: wordsOf(reason),
      });
  }
}
