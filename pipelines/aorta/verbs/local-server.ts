import type * as bigQuery from '@aorta/bigquery-server';
import { ProgramError } from '../errors.ts';

/** Why a local server did not start, as people read it; what is none of its reasons stays as it is. */
export function notStarted(
  error: unknown,
  code: 'AORTA-BIGQUERY-LOCAL' | 'AORTA-KAFKA-LOCAL',
  // Of the package that was loaded for it: the published package does not have the local servers.
  { PortTaken, ServerProblem }: Pick<typeof bigQuery, 'PortTaken' | 'ServerProblem'>,
): unknown {
  if (error instanceof PortTaken)
    return new ProgramError('AORTA-USAGE', {
      problem: `port ${error.port} is in use`,
      hint: 'Give another with --port; 0 takes any that is free.',
    });
  if (error instanceof ServerProblem) return new ProgramError(code, { problem: error.problem, hint: error.hint });
  return error;
}
