import type * as bigQuery from '@aorta/bigquery-server';
import { AortaError } from '@aorta/telemetry';

/** Why a local server did not start, as people read it; what is none of its reasons stays as it is. */
export function notStarted(
  error: unknown,
  code: 'AORTA-BIGQUERY-LOCAL' | 'AORTA-KAFKA-LOCAL',
  // Of the package that was loaded for it: the shipped image leaves the local servers out.
  { PortTaken, ServerProblem }: Pick<typeof bigQuery, 'PortTaken' | 'ServerProblem'>,
): unknown {
  if (error instanceof PortTaken)
    return new AortaError('AORTA-USAGE', {
      problem: `port ${error.port} is in use`,
      hint: 'Give another with --port; 0 takes any that is free.',
    });
  if (error instanceof ServerProblem) return new AortaError(code, { problem: error.problem, hint: error.hint });
  return error;
}
