import { firstError, isAortaError } from '@aorta/runtime';
import type { z } from 'zod';

/** The default data folder, relative to the configuration file. */
export const defaultData = 'aorta-data';

/** The result of one check by `aorta doctor`. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** Code of the error, if the finding reports an error from the catalogue. */
  readonly code?: string;
  /** Advice for the operator. Absent if there is nothing to do. */
  readonly remedy?: string;
}

/** Converts an error into a finding. Omits the message of an error from a library, because it may quote health data. */
export function failure(check: string, thrown: unknown, state: 'warn' | 'fail' = 'fail'): Finding {
  const error = firstError(thrown);
  if (isAortaError(error)) return { check, state, found: error.message, code: error.code, remedy: error.remedy };
  const kind = (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.name : typeof error);
  return { check, state, found: `could not be checked (${kind})` };
}

export interface AdapterSettings {
  readonly type: string;
}

/** The schema of an adapter's settings. The member `type` must be a literal, because adapters are selected by `type`. */
export type AdapterOptions<S extends AdapterSettings = AdapterSettings> = z.ZodType<S> & z.core.$ZodTypeDiscriminable;
