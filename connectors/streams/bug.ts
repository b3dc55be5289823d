import { AortaError } from '@aorta/runtime';

/** Creates an AORTA-BUG error: the stream log was used against its interface, or broke its own rules. */
export function streamsBug(problem: string): AortaError {
  return new AortaError('AORTA-BUG', { place: 'streams', problem });
}
