import { setTimeout as sleep } from 'node:timers/promises';
import { type AortaError, isAortaError } from '@aorta/runtime';
import { BigQueryError } from '../errors.ts';
import { type CallFailed, failureOf, wordsOf } from './call-failed.ts';
import { type Action, actionFor } from './reasons.ts';

/** How long a step is tried again, and with what pauses. Milliseconds. */
export interface Patience {
  /** From the beginning of the step to the last try. */
  readonly forMs: number;
  /** First pause after a failure of the service; it doubles up to `mostMs`. */
  readonly pauseMs: number;
  readonly mostMs: number;
  /** First pause after a limit was reached. */
  readonly limitMs: number;
}

export const usualPatience: Patience = { forMs: 900_000, pauseMs: 500, mostMs: 32_000, limitMs: 10_000 };

/** What time is, and chance: tests bring their own. */
export interface Surroundings {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** In [0, 1). */
  readonly random: () => number;
}

export const realSurroundings: Surroundings = {
  now: Date.now,
  sleep: (milliseconds) => sleep(milliseconds),
  random: Math.random,
};

export interface Persisting {
  readonly patience: Patience;
  readonly surroundings: Surroundings;
  /** Hears of every pause. */
  readonly onPause?: ((step: string, reason: string, milliseconds: number) => void) | undefined;
  /** What place the step is about, in errors: a table, a dataset, a project. */
  readonly of?: string;
  /** Actions that the caller sees to: the failure is thrown as it is. */
  readonly except?: readonly Action[];
}

/** The pause after so many failures: doubling, with a jitter of half of it, so that workers do not come back together. */
export function pauseAfter(action: Action, failures: number, patience: Patience, random: () => number): number {
  const first = action === 'later' ? patience.limitMs : patience.pauseMs;
  const most = action === 'later' ? Math.max(patience.limitMs * 12, patience.mostMs) : patience.mostMs;
  const whole = Math.min(most, first * 2 ** Math.min(failures, 20));
  return whole / 2 + (whole / 2) * random();
}

/**
 * Does something until it succeeds: what the service may do better the next time is tried again, with growing pauses, for
 * as long as the patience lasts; everything else is thrown at once, out of the catalogue.
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
    if (tried + pause > patience.forMs) throw outOfPatience(step, failure, action, tried);
    onPause?.(step, failure.reason, pause);
    await surroundings.sleep(pause);
  }
}

/** One attempt: its value, or how the call failed. Errors of the catalogue are thrown. */
async function tryOnce<T>(attempt: () => Promise<T>): Promise<{ readonly value: T } | { readonly failure: CallFailed }> {
  try {
    return { value: await attempt() };
  } catch (error) {
    if (isAortaError(error)) throw error;
    return { failure: failureOf(error) };
  }
}

function outOfPatience(step: string, { reason }: CallFailed, action: Action, triedMs: number): AortaError {
  const code = action === 'later' ? 'AORTA-BIGQUERY-QUOTA' : 'AORTA-BIGQUERY-UNAVAILABLE';
  return new BigQueryError(code, { step, seconds: Math.round(triedMs / 1000), reason: wordsOf(reason) });
}

/** A failure that is not tried again, out of the catalogue. */
export function refusal(step: string, failure: CallFailed, of = 'the dataset'): AortaError {
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
        of,
        permission: failure.permission ?? 'the service does not say which',
      });
    case 'accessNotConfigured':
    case 'billingNotEnabled':
    case 'blocked':
    case 'invalidUser':
      return new BigQueryError('AORTA-BIGQUERY-PROJECT', { reason: wordsOf(reason) });
    case 'bytesBilledLimitExceeded':
      return new BigQueryError('AORTA-BIGQUERY-CAP', { step });
    case 'notFound':
      return new BigQueryError('AORTA-BIGQUERY-MISSING', { step, of });
    default:
      return new BigQueryError(actionFor(reason, 99) === 'bug' ? 'AORTA-BIGQUERY-REFUSED' : 'AORTA-BIGQUERY-FAILED', {
        step,
        reason: wordsOf(reason),
      });
  }
}
