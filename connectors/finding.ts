import { firstError, isAortaError } from '@aorta/runtime';

/** What one check of `doctor` came to. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** What to do, where something is. */
  readonly remedy?: string;
}

/** An error as a finding. Of one that is not ours only the kind is told, as its message may quote a value. */
export function failure(check: string, thrown: unknown, state: 'warn' | 'fail' = 'fail'): Finding {
  const error = firstError(thrown);
  if (isAortaError(error)) return { check, state, found: error.message, remedy: error.remedy };
  const kind = (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.name : typeof error);
  return { check, state, found: `could not be checked (${kind})` };
}
