import type * as bigQuery from '@aorta/bigquery-server';
import { ProgramError } from '../../errors.ts';

/** Converts startup errors of a local server into errors of the catalogue. Returns any other error unchanged. */
export function notStarted(
  error: unknown,
  code: 'AORTA-BIGQUERY-LOCAL' | 'AORTA-KAFKA-LOCAL',
  // Passed as a parameter, because the published package does not contain the local servers.
  { PortTaken, ServerProblem }: Pick<typeof bigQuery, 'PortTaken' | 'ServerProblem'>,
): unknown {
  if (error instanceof PortTaken)
    return new ProgramError('AORTA-USAGE', {
      problem: `port ${error.port} is in use`,
      hint: 'Choose a different one with --port; 0 picks a free one.',
    });
  if (error instanceof ServerProblem) return new ProgramError(code, { problem: error.problem, hint: error.hint });
  return error;
}
