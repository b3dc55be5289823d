import { firstError, isAortaError } from '@aorta/runtime';

/** The result of one check of `doctor`. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** Advice for the operator. Absent if there is nothing to do. */
  readonly remedy?: string;
}

/** Converts an error into a finding. For a foreign error it reports only the kind: the message may quote health data. */
export function failure(check: string, thrown: unknown, state: 'warn' | 'fail' = 'fail'): Finding {
  const error = firstError(thrown);
  if (isAortaError(error)) return { check, state, found: error.message, remedy: error.remedy };
  const kind = (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.name : typeof error);
  return { check, state, found: `could not be checked (${kind})` };
}
